"""Statements of people: read without a trace, explained without being run, committed where that is asked for, ended."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from tests.conformance.connectors.case import Place
from tests.support.readers import reader_of
from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.queries import AccountTooPowerful, AnswerTooLarge, Found, Query, QueryFailed, QueryTimedOut
from zcbus.connectors.registry import query_rules
from zcbus.connectors.statements import Changed, Statement, StatementRunner
from zcbus.kit.errors import ZcbusError
from zcbus.model.query_text import QueryRefused, parse

pytestmark = pytest.mark.server


@contextmanager
def runner_of(place: Place) -> Iterator[StatementRunner]:
    """With the account that made everything: it may be one with every power."""
    with closing(place.connector.statement_runner(place.options)) as runner:
        yield runner


def is_old(place: Place) -> bool:
    """Whether the server has no role to confine its administrator by."""
    return place.case.kind == "postgresql" and int(place.case.server.rows("SHOW server_version_num")[0][0]) < 140_000


def change(place: Place, text: str, rows: int = 100, timeout_ms: int = 20_000) -> Changed:
    with runner_of(place) as runner:
        return runner.change(Statement(text, rows, timeout_ms))


def read(place: Place, text: str, rows: int = 100) -> Found:
    with ExitStack() as stack:
        account = stack.enter_context(reader_of(place.case.server, place.database)) if is_old(place) else place.options
        runner = stack.enter_context(closing(place.connector.statement_runner(account)))
        return runner.run(Query(parse(text, query_rules(place.case.kind)), {}, rows, timeout_ms=20_000))


@pytest.fixture
def goods(place: Place) -> Place:
    place.create("goods", "id INT NOT NULL, name VARCHAR(100), PRIMARY KEY (id)")
    place.execute("INSERT INTO goods VALUES (1,'tea'),(2,'50% off'),(3,'茶')")
    return place


def test_a_change_is_committed_and_a_plan_is_none(goods: Place) -> None:
    assert read(goods, "SELECT id, name FROM goods WHERE name LIKE '50%' ORDER BY id").rows == [(2, "50% off")]
    assert change(goods, "UPDATE goods SET name = '100% off' WHERE id > 1") == Changed(2, None)
    found = change(goods, "SELECT name FROM goods ORDER BY id", rows=2).found
    assert found is not None
    assert (found.rows, found.more) == ([("tea",), ("100% off",)], True)
    with runner_of(goods) as runner:
        explained = "DELETE" if goods.case.kind == "postgresql" else "SELECT id"
        plan = runner.explain(Statement(f"{explained} FROM goods WHERE id = 1", 100, 20_000))
        assert plan.columns
        assert plan.rows
    assert change(goods, "CREATE TABLE made (id INT NOT NULL PRIMARY KEY)").found is None
    assert read(goods, "SELECT COUNT(*) FROM goods, made").rows == [(0,)]
    assert len(goods.read("goods")) == 3


@pytest.mark.parametrize("more", ["; DELETE FROM goods", "; COMMIT; DELETE FROM goods; BEGIN"])
def test_one_statement_is_no_more(goods: Place, more: str) -> None:
    with pytest.raises(QueryFailed):
        change(goods, f"SELECT 1{more}")
    with pytest.raises((QueryFailed, QueryRefused)), runner_of(goods) as runner:
        runner.explain(Statement(f"SELECT 1{more}", 10, 20_000))
    assert len(goods.read("goods")) == 3


def test_a_failed_statement_changes_nothing(goods: Place) -> None:
    with pytest.raises(QueryFailed):
        change(goods, "INSERT INTO goods VALUES (4, 'four'), (1, 'one again')")
    copied = (
        "COPY goods TO STDOUT" if goods.case.kind == "postgresql" else "LOAD DATA LOCAL INFILE '/x' INTO TABLE goods"
    )
    with pytest.raises((QueryFailed, AccessDenied)):
        change(goods, copied)
    assert len(goods.read("goods")) == 3


def test_reading_reaches_nothing_outside_of_the_database(goods: Place) -> None:
    """The account could read the server's files; who may only read cannot have it do so."""
    if goods.case.kind == "postgresql":
        goods.execute("CREATE VIEW peeped AS SELECT pg_read_file('PG_VERSION') AS text")
        goods.execute(
            "CREATE FUNCTION peep(goods) RETURNS text IMMUTABLE LANGUAGE plpgsql "
            "AS $$ BEGIN RETURN pg_read_file('PG_VERSION'); END $$"
        )
        reading = [
            "SELECT pg_read_file('PG_VERSION')",
            "SELECT text FROM peeped",
            "SELECT g.peep FROM goods g",
            "SELECT * FROM pg_hba_file_rules",
        ]
    else:
        reading = ["SELECT LOAD_FILE('/etc/hostname')", "SELECT id INTO OUTFILE '/tmp/zcbus-goods' FROM goods"]
        for explained in ("SELECT LOAD_FILE('/etc/hostname')", "ANALYZE SELECT id FROM goods", "FOR CONNECTION 1"):
            with pytest.raises(QueryRefused), runner_of(goods) as runner:
                runner.explain(Statement(explained, 10, 20_000))
    for sql in reading:
        with pytest.raises((QueryRefused, QueryFailed, AccessDenied)):
            read(goods, sql)
    assert read(goods, "SELECT id FROM goods ORDER BY id").rows == [(1,), (2,), (3,)]
    if is_old(goods):
        with pytest.raises(AccountTooPowerful), runner_of(goods) as runner:
            runner.run(Query(parse("SELECT 1", query_rules("postgresql")), {}, 1))


@pytest.mark.wide
@pytest.mark.soak(but=["mysql", "postgresql"])
def test_large_rows_do_not_fill_the_memory(goods: Place) -> None:
    """Many large rows are given up as they come, and so is one that is huge."""
    # 81 rows, 648 MB: what may be taken of them is held more than once for a moment.
    texts = ["SELECT REPEAT('x', 8000000) AS large FROM goods a, goods b, goods c, goods d"]
    if goods.case.kind == "postgresql":
        texts += ["SELECT repeat('x', 250000000)"]
    for text in texts:
        before = _peak(reset=True)
        with pytest.raises(AnswerTooLarge):
            read(goods, text)
        assert _peak() - before < 400 << 20


def _peak(*, reset: bool = False) -> int:
    """Bytes that this process held at most since it was reset."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) << 10


def _ends(place: Place, work: Callable[[StatementRunner], object]) -> None:
    """A statement of minutes ends within seconds, and its changes are rolled back."""
    began = time.monotonic()
    with pytest.raises(ZcbusError), runner_of(place) as runner:
        work(runner)
    assert time.monotonic() - began < 15
    assert len(place.read("goods")) == 2000


@pytest.mark.wide
def test_a_statement_is_ended(goods: Place) -> None:
    goods.execute("DELETE FROM goods")
    rows = ",".join(f"({number},'x')" for number in range(2000))
    goods.execute(f"INSERT INTO goods VALUES {rows}")
    long = "UPDATE goods SET name = (SELECT COUNT(*) FROM (SELECT a.id FROM goods a, goods b, goods c) d)"
    if goods.case.kind != "postgresql":
        long = "CREATE TABLE counted AS SELECT a.id FROM goods a, goods b, goods c WHERE a.id + b.id <> c.id"

    def cancelled(runner: StatementRunner) -> None:
        threading.Timer(0.5, runner.cancel).start()
        runner.change(Statement(long, 10, 600_000))

    _ends(goods, cancelled)

    def late(runner: StatementRunner) -> None:
        with pytest.raises(QueryTimedOut) as raised:
            runner.change(Statement(long, 10, 300))
        raise raised.value

    _ends(goods, late)
