"""Which SELECT statements a stream query may be."""

import pytest

from zcbus.engine.stream.statement import check_inputs, read
from zcbus.engine.transform.expressions import ExpressionRefused

ALLOWED = [
    "SELECT a, count(*) AS n FROM t GROUP BY a HAVING count(*) > 1 ORDER BY n DESC NULLS LAST LIMIT 3;",
    "WITH x AS (SELECT DISTINCT a FROM t) SELECT x.a, sum(b) OVER (ORDER BY d) AS s FROM x JOIN t USING (a)",
    "SELECT time_bucket(INTERVAL '5 minutes', moment) AS w, sum(x) FILTER (WHERE y IS NOT NULL) FROM t GROUP BY 1",
    "SELECT a FROM t UNION ALL SELECT 1 -- the end",
    "SELECT string_agg(a, ',' ORDER BY a) AS all_of_them FROM t GROUP BY b",
    "SELECT t.*, v.n FROM t, (VALUES (1), (2)) v(n) WHERE t.a IN (SELECT b FROM t)",
    "SELECT a FROM t QUALIFY row_number() OVER (PARTITION BY a ORDER BY b) = 1",
]
REFUSED = [
    ("", "empty"),
    ("DROP TABLE t", "Only SELECT"),
    ("SELECT 1; SELECT 2", "single statement"),
    ("SELECT now() FROM t", "now"),
    ("SELECT current_date FROM t", "current_date"),
    ("SELECT random() FROM t", "random"),
    ("SELECT * FROM read_csv('/etc/passwd')", "table function"),
    ("SELECT * FROM '/etc/passwd'", "no input is called so"),
    ("SELECT getenv('HOME') FROM t", "getenv"),
    ("SELECT a FROM public.t", "without a schema"),
    ("WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r) SELECT x FROM r, t", "recursive"),
    ("SELECT a FROM t TABLESAMPLE 3%", "sample"),
    ("SELECT * FROM t POSITIONAL JOIN t AS u", "positional"),
    ("SELECT string_agg(a, ',') FROM t", "ORDER BY"),
    ("SELECT any_value(a) FROM t", "any_value"),
    ("SELECT a FROM t JOIN u USING (a)", "u: no input"),
    ("SELECT 1", "t: the input is not used"),
    ("SELECT a FROM (", "syntax error"),
    ("SELECT a FROM t WHERE a = $1", "parameter"),
]


@pytest.mark.parametrize("sql", ALLOWED)
def test_a_function_of_the_inputs_is_allowed(sql: str) -> None:
    statement = read(sql)
    check_inputs(statement, ["T"])
    assert statement.tables == {"t"}


@pytest.mark.parametrize(("sql", "problem"), REFUSED)
def test_functions_not_of_the_inputs_are_refused_by_name(sql: str, problem: str) -> None:
    with pytest.raises(ExpressionRefused) as refused:
        check_inputs(read(sql), ["t"])
    assert problem in refused.value.problem
