"""Queries for callers mean the same in every kind of database, and only ever read."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from tests.conformance.connectors.case import Place
from tests.support.readers import reader_of
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.queries import Found, Query, QueryFailed, QueryRunner, QueryTimedOut, Value
from zcbus.connectors.registry import query_rules
from zcbus.model.query_text import QueryRefused, parse

pytestmark = pytest.mark.server

_READ_WRITE = "SELECT set_config('transaction_read_only', 'off', false)"


@contextmanager
def runner_of(place: Place) -> Iterator[QueryRunner]:
    with (
        reader_of(place.case.server, place.options.database) as options,
        closing(place.connector.query_runner(options)) as runner,
    ):
        yield runner


def ask(place: Place, runner: QueryRunner, sql: str, rows: int = 100, skip: int = 0, **values: Value) -> Found:
    return runner.run(Query(parse(sql, query_rules(place.case.kind)), values, rows, skip, timeout_ms=20_000))


@pytest.fixture
def goods(place: Place) -> Place:
    place.create("goods", "id INT NOT NULL, name VARCHAR(100), price DECIMAL(10,2), day DATE, PRIMARY KEY (id)")
    place.execute(
        "INSERT INTO goods VALUES (1,'tea',1.50,'2026-01-01'),(2,'50% ''off''',NULL,'2026-01-02'),(3,'茶',3,NULL)"
    )
    return place


def test_values_are_bound_and_rows_are_plain(goods: Place) -> None:
    with runner_of(goods) as runner:
        found = ask(
            goods, runner, "SELECT id, name, price, day FROM goods WHERE id IN (:ids) ORDER BY id", ids=(1, 2, 9)
        )
        assert [name for name, _ in found.columns] == ["id", "name", "price", "day"]
        assert found.rows == [(1, "tea", "1.50", "2026-01-01"), (2, "50% 'off'", None, "2026-01-02")]
        typed = "SELECT id FROM goods WHERE price = :p AND day >= :d AND day < :t AND name LIKE 't%'"
        values = {"p": Decimal("1.5"), "d": date(2026, 1, 1), "t": datetime(2026, 1, 1, 12, tzinfo=UTC)}
        assert ask(goods, runner, typed, **values).rows == [(1,)]
        assert [name for name, _ in ask(goods, runner, "SELECT id, id FROM goods").columns] == ["id", "id_2"]


@pytest.mark.parametrize("word", ["' OR '1'='1", "\\' OR 1=1 -- ", "%s %(name)s :word", "'; DELETE FROM goods; --"])
def test_a_value_is_never_text_of_the_query(goods: Place, word: str) -> None:
    with runner_of(goods) as runner:
        assert ask(goods, runner, "SELECT id FROM goods WHERE name = :word", word=word).rows == []
        assert ask(goods, runner, "SELECT CAST(:word AS CHAR(50)) AS w", word=word).rows[0][0].strip() == word.strip()
    assert len(goods.read("goods")) == 3


def test_parts_of_the_rows(goods: Place) -> None:
    with runner_of(goods) as runner:
        first = ask(goods, runner, "SELECT id FROM goods ORDER BY id", rows=2)
        assert (first.rows, first.more) == ([(1,), (2,)], True)
        # More than is asked for is left behind, and the session still serves where that is possible.
        if runner.usable:
            last = ask(goods, runner, "SELECT id FROM goods ORDER BY id LIMIT 99", rows=2, skip=2)
            assert (last.rows, last.more) == ([(3,)], False)
        assert runner.usable
        ask(goods, runner, "SELECT a.id FROM goods a, goods b, goods c LIMIT 27", rows=1)


def test_writing_queries_are_refused(goods: Place) -> None:
    goods.execute("CREATE TABLE other (id INT NOT NULL PRIMARY KEY)")
    postgresql = goods.case.kind == "postgresql"
    if postgresql:
        writing = ["WITH d AS (DELETE FROM goods RETURNING 1) SELECT * FROM d", "SELECT grow()", _READ_WRITE]
        goods.execute("CREATE FUNCTION grow() RETURNS int LANGUAGE sql AS 'INSERT INTO other VALUES (1); SELECT 1'")
    else:
        writing = ["SELECT grow()"]
        goods.execute(
            "CREATE FUNCTION grow() RETURNS INT DETERMINISTIC MODIFIES SQL DATA "
            "BEGIN INSERT INTO other VALUES (1); RETURN 1; END"
        )
    with runner_of(goods) as runner:
        for sql in writing:
            with pytest.raises((QueryFailed, QueryRefused)):
                ask(goods, runner, sql)
        assert ask(goods, runner, "SELECT COUNT(*) FROM other").rows == [(0,)]
    assert len(goods.read("goods")) == 3


def test_a_query_that_takes_too_long_ends(goods: Place) -> None:
    goods.execute("CREATE TABLE many (id INT NOT NULL PRIMARY KEY)")
    rows = ",".join(f"({number})" for number in range(2000))
    goods.execute(f"INSERT INTO many VALUES {rows}")
    text = parse("SELECT COUNT(*) FROM many a, many b, many c WHERE a.id + b.id <> c.id", query_rules(goods.case.kind))
    with runner_of(goods) as runner:
        with pytest.raises(QueryTimedOut):
            runner.run(Query(text, {}, rows=1, timeout_ms=300))
        if runner.usable:
            assert ask(goods, runner, "SELECT 1").rows == [(1,)]


def test_queries_that_the_database_refuses_fail_and_leave_the_session_usable(goods: Place) -> None:
    with runner_of(goods) as runner:
        for sql in ("SELECT nothing FROM goods", "SELECT * FROM absent", "SELECT FROM WHERE"):
            with pytest.raises(QueryFailed):
                ask(goods, runner, sql)
        assert ask(goods, runner, "SELECT 1").rows == [(1,)]


def test_a_wrong_password(place: Place) -> None:
    options = place.options
    wrong = replace(options, user="nobody_here", password="wrong")
    with pytest.raises(AccessDenied):
        place.connector.query_runner(wrong)
