"""Which texts are one query, and where its parameters are."""

import pytest

from zcbus.model.query_text import Placed, QueryRefused, parse
from zcbus.model.schema import Dialect

PG, MY = Dialect.POSTGRESQL, Dialect.MYSQL


@pytest.mark.parametrize("dialect", [PG, MY])
def test_parameters_are_found_where_values_may_stand(dialect: Dialect) -> None:
    text = parse("SELECT ':no', \":no\" -- :no\n/* :no */ FROM t WHERE a = :one AND b IN (:many) OR c = :one;", dialect)
    assert text.names == ("one", "many")
    assert [part for part in text.parts if isinstance(part, Placed)] == [Placed("one"), Placed("many"), Placed("one")]


def test_what_looks_like_a_parameter() -> None:
    assert parse("SELECT a::text, b[1:2], $$:no$$, $x$ :no $x$, E'\\':no' FROM t", PG).names == ()
    assert parse("SELECT '\\':no', `:no` FROM t WHERE a = :yes # :no", MY).names == ("yes",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("-- nothing", "empty"),
        ("DELETE FROM t", "no-query"),
        ("SET TRANSACTION READ WRITE", "no-query"),
        ("SELECT 1; DELETE FROM t", "several"),
        ("SELECT 1 INTO OUTFILE '/tmp/x'", "into"),
        ("SELECT 'open", "not-closed"),
        ("SELECT 1 /* open", "not-closed"),
        ("SELECT " + "1" * 70_000, "too-long"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else value,
)
@pytest.mark.parametrize("dialect", [PG, MY])
def test_what_is_no_single_query(dialect: Dialect, text: str, why: str) -> None:
    with pytest.raises(QueryRefused) as refused:
        parse(text, dialect)
    assert refused.value.facts["why"] == why


def test_comments_that_mysql_executes_are_refused() -> None:
    for text in ("SELECT 1 /*! INTO OUTFILE '/x' */", "SELECT 1 /*M! , 2 */"):
        with pytest.raises(QueryRefused):
            parse(text, MY)
