"""Which texts are one query, and where its parameters are."""

import pytest

from zcbus.connectors.registry import query_rules
from zcbus.model.query_text import ParameterUse, QueryRefused, QueryRules, parse

PG, MY = query_rules("postgresql"), query_rules("mysql")


@pytest.mark.parametrize("dialect", [PG, MY])
def test_parameters_are_found_where_values_may_stand(dialect: QueryRules) -> None:
    text = parse("SELECT ':no', \":no\" -- :no\n/* :no */ FROM t WHERE a = :one AND b IN (:many) OR c = :one;", dialect)
    assert text.names == ("one", "many")
    assert [part for part in text.parts if isinstance(part, ParameterUse)] == [
        ParameterUse("one"),
        ParameterUse("many"),
        ParameterUse("one"),
    ]


def test_text_that_resembles_a_parameter() -> None:
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
def test_texts_other_than_one_query_are_refused(dialect: QueryRules, text: str, why: str) -> None:
    with pytest.raises(QueryRefused) as refused:
        parse(text, dialect)
    assert refused.value.facts["why"] == why


def test_comments_that_mysql_executes_are_refused() -> None:
    for text in ("SELECT 1 /*! INTO OUTFILE '/x' */", "SELECT 1 /*M! , 2 */"):
        with pytest.raises(QueryRefused):
            parse(text, MY)


NBSP, CONTROL = "\u00a0", "\x01"


@pytest.mark.parametrize(
    ("dialect", "text", "why"),
    [
        # To MySQL two minus signs begin a comment only in front of a blank of ASCII.
        (MY, f"SELECT 1 --{NBSP}x INTO OUTFILE '/x' FROM (SELECT 1 AS `{NBSP}x`) t", "unclear"),
        (MY, "SELECT 1 --x", "unclear"),
        (MY, f"SELECT 1 --{CONTROL}'\nINTO OUTFILE '/x' -- '", "unclear"),
        (MY, f"SELECT 1 {CONTROL}", "unclear"),
        (MY, "SELECT 1 --\x1cx INTO OUTFILE '/x'", "unclear"),
        (MY, "SELECT /*+ MAX_EXECUTION_TIME(0) */ 1", "hint"),
        (MY, "SELECT 1 /*!99999 x */", "not-closed"),
        (MY, "SELECT @a := 1", "assignment"),
        (MY, "SELECT `Sleep` /* */ (9)", "function"),
        (MY, "SELECT 1 PROCEDURE ANALYSE()", "procedure"),
        # PostgreSQL's comments end with a carriage return too, and its names may begin with any sign beyond ASCII.
        (PG, "SELECT 1 --\r; DROP TABLE t", "several"),
        (PG, f"SELECT {NBSP}$$ ; DROP TABLE t --$$", "several"),
        (PG, "SELECT 1E'\\' ; DROP TABLE t --'", "unclear"),
        (PG, "SELECT E'a'\n'b\\' ; DROP TABLE t --'", "unclear"),
        (PG, "SELECT U&\"set!005Fconfig\" UESCAPE '!' ('a', 'b', false)", "unclear"),
    ],
)
def test_texts_that_the_server_reads_differently_are_refused(dialect: QueryRules, text: str, why: str) -> None:
    with pytest.raises(QueryRefused) as refused:
        parse(text, dialect)
    assert refused.value.facts["why"] == why


def test_names_that_are_called() -> None:
    text = parse('SELECT Upper(a), "Mixed" /* */ (b), count ( * ) FROM t WHERE id IN (1) -- f(x)', PG)
    assert {"upper", "Mixed", "count"} <= text.functions
    assert "f" not in text.functions


def test_comments_are_not_sent() -> None:
    assert parse("SELECT 1 -- a\n+/* b */2", MY).parts == ("SELECT 1  \n+ 2",)


def test_numbers() -> None:
    for number in ("1", "1.5", ".5", "1e5", "1.5E-3", "0xFF", "1_000"):
        assert parse(f"SELECT {number} + 2", PG).parts == (f"SELECT {number} + 2",)
    assert parse("SELECT * FROM 2024_sales", MY).parts == ("SELECT * FROM 2024_sales",)
