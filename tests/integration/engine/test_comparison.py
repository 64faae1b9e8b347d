"""Comparing a table with its source while both change, and repairing rows that were spoilt."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.integration.engine.running import Link, Worker, connection, on_source, on_target, wait_until

from zcbus.bus.open import open_bus
from zcbus.engine.comparison import record as records
from zcbus.engine.comparison.record import Record
from zcbus.engine.comparison.table import LinkStalled, TableComparison
from zcbus.engine.connections import registered
from zcbus.engine.reasons import TableStopped
from zcbus.engine.requests.differences import list_differences
from zcbus.engine.requests.repair_preview import preview_repair
from zcbus.kit.clock import SystemClock
from zcbus.model.comparison import ComparisonState, RepairState
from zcbus.protocol.comparison_requests import ListDifferences, PreviewRepair
from zcbus.protocol.tasks import ComparisonTask, WantedComparison

pytestmark = pytest.mark.server
PAIRS = [
    ("postgres_server", "mariadb_server"),
    ("postgres_server", "postgres_server"),
    ("mariadb_server", "postgres_server"),
]

COLUMNS = {
    "postgresql": "id bigint PRIMARY KEY, name varchar(40), price numeric(12,4), flag boolean, at timestamptz, "
    "seen timestamp(3), day date, note char(10), body jsonb, ratio double precision, small real, raw bytea, "
    "free numeric",
    "mysql": "id bigint PRIMARY KEY, name varchar(40), price decimal(12,4), flag tinyint(1), at timestamp(6) NULL, "
    "seen datetime(3), day date, note char(10), body json, ratio double, small float, raw varbinary(20), free time(2)",
}
ROW = {
    "postgresql": "({0}, 'näme {0}', {0}.5, {0} % 2 = 0, '2026-01-01 10:00:00.5+02', '2026-01-01 10:00:00.12', "
    "'2026-02-03', 'ab', '{{\"b\": [1, 2.50], \"a\": \"x\"}}', {0} / 3.0, 0.1, '\\x00ff', {0}.10)",
    "mysql": "({0}, 'näme {0}', {0}.5, {0} % 2, '2026-01-01 10:00:00.5', '2026-01-01 10:00:00.12', "
    "'2026-02-03', 'ab', '{{\"b\": [1, 2.50], \"a\": \"x\"}}', {0} / 3.0, 0.1, X'00ff', '12:00:00.5')",
}
WORDS = ("a", "B", "c", "_", "é", "zz", "Y")


def start(link: Link) -> None:
    kind = link.source.kind
    on_source(link, f"CREATE TABLE goods ({COLUMNS[kind]})")
    values = ", ".join(ROW[kind].format(number) for number in range(1, 1501))
    on_source(link, f"INSERT INTO goods VALUES {values}, ({', '.join(['1501', *['NULL'] * 12])})")
    on_source(link, "CREATE TABLE words (word varchar(20) PRIMARY KEY, number integer)")
    on_source(link, "INSERT INTO words VALUES " + ", ".join(f"('{word}{n}', {n})" for word in WORDS for n in range(9)))
    link.tables.update(goods={}, words={"transform": {"where": "number <> 4"}})
    link.set_tasks()
    link.start()
    for table in link.tables:
        link.wait_for_state(table, "incremental-running")


@contextmanager
def load(link: Link) -> Iterator[None]:
    """Rows up to 500 change all the time, and come back to what they were."""
    over = threading.Event()

    def work() -> None:
        with link.source.connect(link.source_database) as session:
            cursor, step = session.cursor(), 0
            while not over.is_set():
                step += 1
                number = step % 499 + 1  # 500 - number stays one of the rows that were there
                cursor.execute(f"UPDATE goods SET price = price + 1 WHERE id = {number}")
                cursor.execute(f"DELETE FROM goods WHERE id = {500 - number}")
                cursor.execute("INSERT INTO goods VALUES " + ROW[link.source.kind].format(500 - number))
                cursor.execute("UPDATE goods SET price = 0 - price WHERE id = 250")
                session.commit()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def comparison_task(link: Link, table: str, repair: int = 0, **fields: Any) -> ComparisonTask:
    subscription = link.subscribe_task()
    wanted = WantedComparison(
        id=table,
        subscription=subscription.subscription,
        table=next(one for one in subscription.tables if one.id == table),
        number=1,
        repair=repair,
        rounds=6,
        **fields,
    )
    return ComparisonTask(
        service="contrast-1",
        node=link.node,
        source=connection(link.source, link.source_database),
        target=connection(link.target, link.target_database),
        comparisons=(wanted,),
    )


def comparison(link: Link, table: str, repair: int = 0, *, yields: bool = False, **fields: Any) -> TableComparison:
    """`fields`: of WantedComparison."""
    task, bus = comparison_task(link, table, repair, **fields), open_bus(link.bus, link.data_dir)
    cancelled = threading.Event()
    wanted, clock = task.comparisons[0], SystemClock()
    return TableComparison(task, wanted, bus, registered, clock, cancelled, lambda _: None, yields=yields)


def counts(record: Record) -> tuple[int, int, int, int]:
    return record.missing, record.extra, record.different, record.not_checked


@pytest.mark.wide
@pytest.mark.soak(but=["mariadb-postgres"])
def test_planted_differences_are_found_under_load_and_repaired_and_nothing_else(link: Link) -> None:
    start(link)
    with load(link):
        clean = comparison(link, "goods").compare()
        assert counts(clean) == (0, 0, 0, 0), (clean.differences[:3], link.describe())
        assert clean.state is ComparisonState.DONE
        assert clean.reason is None
        assert clean.rows_compared >= 1400
        spoil(link)
        record = comparison(link, "goods").compare()
        assert counts(record) == (10, 3, 10, 0), record.differences
        different = next(one for one in record.differences if one.key == ("1105",))
        assert different.columns == ("name", "price")
        assert different.source is not None
        assert different.source["name"] == "näme 1105"
        run_previewed(link, record)
        assert counts(comparison(link, "goods").compare()) == (0, 0, 0, 0)
        spoil(link)
        record = comparison(link, "goods").compare()
        repaired = comparison(link, "goods", repair=1).repair(record)
        assert (repaired.repair_state, repaired.repaired, counts(repaired)) == (RepairState.DONE, 23, (0, 0, 0, 0))
    assert counts(comparison(link, "goods").compare()) == (0, 0, 0, 0)
    check_giving_way(link)
    check_keys_of_text(link)
    check_nothing_to_compare(link)


def check_giving_way(link: Link) -> None:
    """A table whose changes are not applied is not read while others wait; one whose changes are is compared."""
    assert link.subscriber.stop() == 0
    on_source(link, "UPDATE goods SET name = 'waiting' WHERE id = 5")
    with pytest.raises(LinkStalled):
        comparison(link, "goods", yields=True).compare()
    link.subscriber.start()
    assert counts(comparison(link, "goods", yields=True).compare()) == (0, 0, 0, 0)


def spoil(link: Link) -> None:
    on_target(link, "DELETE FROM goods WHERE id BETWEEN 1001 AND 1007")
    on_target(link, "UPDATE goods SET price = 0, name = NULL WHERE id BETWEEN 1101 AND 1110")
    on_target(link, "UPDATE goods SET id = id + 5000 WHERE id BETWEEN 1201 AND 1203")


def run_previewed(link: Link, record: Record) -> None:
    """The statements of the preview, run by hand, repair the rows, and the preview itself none."""
    task = comparison_task(link, "goods")
    records.write(records.folder_of(link.data_dir, task.service), "goods", record)
    preview = preview_repair(PreviewRepair(task=task, limit=22), link.data_dir, registered)
    assert (preview.examined, preview.total, preview.cut) == (22, 23, False)
    assert len(preview.statements) == 22
    preview = preview_repair(PreviewRepair(task=task), link.data_dir, registered)
    kinds = [one.kind.value for one in preview.statements]
    assert kinds == ["extra"] * 3 + ["different"] * 10 + ["missing"] * 10
    on_target(link, *preview.settings, *(one.statement for one in preview.statements))
    # Rows that are equal by now need nothing.
    assert preview_repair(PreviewRepair(task=task), link.data_dir, registered).statements == ()


def check_nothing_to_compare(link: Link) -> None:
    """Where neither side has a row in scope, no comparison is needed."""
    on_source(link, "DELETE FROM words WHERE number <> 4")
    assert comparison(link, "words", method="count").compare().state is ComparisonState.NOT_NEEDED
    assert comparison(link, "words").compare().state is ComparisonState.NOT_NEEDED


def check_keys_of_text(link: Link) -> None:
    """Servers sort them differently, and a condition leaves rows out."""
    assert counts(comparison(link, "words").compare()) == (0, 0, 0, 0)
    on_target(link, "DELETE FROM words WHERE word = 'B1'", "INSERT INTO words VALUES ('a4', 4)")
    record = comparison(link, "words").compare()
    assert counts(record) == (1, 1, 0, 0), record.differences
    check_other_ways(link)
    check_service(link)
    if link.source.kind != link.target.kind:
        check_broken_off(link)
    assert counts(comparison(link, "words").compare()) == (0, 0, 0, 0)


def check_other_ways(link: Link) -> None:
    """By the number of rows, and by some of the columns."""
    assert counts(comparison(link, "words", method="count").compare()) == (0, 0, 0, 0)
    on_target(link, "INSERT INTO words VALUES ('more', 5)", "UPDATE words SET number = 99 WHERE word = 'a1'")
    counted = comparison(link, "words", method="count").compare()
    assert (counts(counted), counted.rows_compared) == ((0, 1, 0, 0), len(WORDS) * 8)
    assert counts(comparison(link, "words", columns=("word",)).compare()) == (1, 2, 0, 0)
    record = comparison(link, "words").compare()
    assert counts(record) == (1, 2, 1, 0)
    on_target(link, "DELETE FROM words WHERE word = 'more'", "UPDATE words SET number = 1 WHERE word = 'a1'")
    with pytest.raises(TableStopped, match="columns='nowhere'"):
        comparison(link, "words", columns=("number", "nowhere")).compare()


def check_service(link: Link) -> None:
    """A worker compares and repairs as its task says, and what it found is there after its end."""
    task = comparison_task(link, "words")
    worker = Worker(link.data_dir, task, link.bus).start()

    def reported() -> dict[str, Any]:
        return worker.reports.get("words", {})

    try:
        wait_until(lambda: reported().get("state") == "comparison-done", 60, lambda: worker.log)
        assert (reported()["missing"], reported()["extra"], reported()["repair_state"]) == (1, 1, "allowed")
        asked = ListDifferences(service=task.service, comparison="words")
        found = list_differences(asked, link.data_dir)
        assert (found.key, found.total) == (("word",), 2)
        assert {one.key: one.kind for one in found.lines} == {("B1",): "missing", ("a4",): "extra"}
        worker.give(comparison_task(link, "words", repair=1))
        wait_until(lambda: reported()["repair_state"] == "repair-done", 60, lambda: worker.log)
        assert (reported()["repaired"], reported()["missing"]) == (2, 0)
        assert worker.stop() == 0
    finally:
        worker.close()


def check_broken_off(link: Link) -> None:
    """While the source is locked: a comparison begins again where its worker is stopped or killed, and ends at
    once where a user stops it."""
    task = comparison_task(link, "goods")
    wanted = task.comparisons[0]
    worker = Worker(link.data_dir, task, link.bus)

    def wait_for(state: str) -> dict[str, Any]:
        reported = worker.reports
        wait_until(
            lambda: reported.get("goods", {}).get("state") == state, 30, lambda: f"{reported} {worker.log[-3000:]}"
        )
        return worker.reports["goods"]

    try:
        with locked(link, "goods"):
            worker.start()
            wait_for("comparing")
            assert worker.stop() == 0
            assert wait_for("allowed-to-compare")["rows_compared"] == 0
            for _ in range(2):
                worker.reports.clear()
                worker.start()
                assert wait_for("comparing")["rows_compared"] == 0
                worker.kill()
            # A user stops it while no worker is there: the next one does not begin.
            worker.task = task.model_copy(update={"comparisons": (wanted.model_copy(update={"stopped": True}),)})
            worker.reports.clear()
            worker.start()
            wait_for("stopped")
            worker.give(another(task, 2))
            wait_for("comparing")
            worker.give(another(task, 2, stopped=True))
            wait_for("stopped")
        worker.give(another(task, 3))
        done = wait_for("comparison-done")
        assert (done["number"], done["rows_compared"]) == (3, 1501)
        assert (done["missing"], done["extra"], done["different"]) == (0, 0, 0)
        assert worker.stop() == 0
    finally:
        worker.close()


def another(task: ComparisonTask, number: int, *, stopped: bool = False) -> ComparisonTask:
    """The next comparison of the same table."""
    wanted = task.comparisons[0].model_copy(update={"number": number, "stopped": stopped})
    return task.model_copy(update={"comparisons": (wanted,)})


@contextmanager
def locked(link: Link, table: str) -> Iterator[None]:
    """No other session can read the source's table inside."""
    mysql = link.source.kind == "mysql"
    with link.source.connect(link.source_database) as session:
        cursor = session.cursor()
        cursor.execute("BEGIN")
        cursor.execute(f"LOCK TABLES {table} WRITE" if mysql else f"LOCK TABLE {table}")
        yield
        cursor.execute("UNLOCK TABLES" if mysql else "ROLLBACK")
