"""Delta Lake as a target: rows, changes and changes of structure arrive in native types, also through kills."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from tests.integration.engine.running import Link, on_source, wait_until
from tests.integration.engine.test_comparison import comparison

from zcbus.model.comparison import RepairState
from zcbus.model.states import DdlMode

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "delta_folder")]
COLUMNS = "id integer PRIMARY KEY, name varchar(100), amount numeric(12,2), body text, made timestamptz"


def sent(link: Link, columns: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in link.source.rows(f"SELECT {columns} FROM orders ORDER BY id", link.source_database)]


def held(link: Link, columns: str) -> list[tuple[Any, ...]]:
    """Read without the connector."""
    rows = sorted(link.target.rows(link.target_database, "orders"), key=lambda row: row["id"])
    return [tuple(row[name] for name in columns.split(", ")) for row in rows]


def wait_until_same(link: Link, columns: str = "id, name, amount, body, made") -> None:
    def different() -> str:
        there, here = set(held(link, columns)), set(sent(link, columns))
        return f"missing {list(here - there)[:3]}, extra {list(there - here)[:3]}\n{link.describe()}"

    def same() -> bool:
        try:
            return held(link, columns) == sent(link, columns)
        except KeyError:
            return False  # the column is on its way

    wait_until(same, 90, different)


def start(link: Link, rows: int) -> None:
    on_source(link, f"CREATE TABLE orders ({COLUMNS})")
    # What an update leaves as it is is not sent then.
    on_source(link, "ALTER TABLE orders ALTER body SET STORAGE EXTERNAL")
    on_source(
        link,
        "INSERT INTO orders SELECT n, CASE WHEN n % 3 = 0 THEN NULL ELSE '名 ' || n END, n + 0.5, "
        "CASE WHEN n % 5 = 0 THEN '' ELSE repeat(md5(n::text), 100) END, "
        f"'2024-02-29 12:34:56.5+08' FROM generate_series(1, {rows}) n",
    )
    link.tables["orders"] = {"ddl": DdlMode.FOLLOW}
    link.set_tasks()
    link.subscriber.task = link.subscriber.task.model_copy(update={"log_level": "debug"})
    link.start()


@pytest.mark.wide
def test_load_changes_structure_and_comparison(link: Link) -> None:
    start(link, 1500)
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link)
    row = link.target.rows(link.target_database, "orders")[0]
    assert (row["made"], type(row["amount"])) == (datetime(2024, 2, 29, 4, 34, 56, 500000, UTC), Decimal)
    on_source(
        link,
        "UPDATE orders SET amount = 0.1 WHERE id < 50",
        "DELETE FROM orders WHERE id BETWEEN 100 AND 119",
        "UPDATE orders SET id = id + 50000 WHERE id BETWEEN 200 AND 209",
        "INSERT INTO orders VALUES (9000, NULL, NULL, '')",
        "ALTER TABLE orders ADD COLUMN note varchar(20) DEFAULT 'new'",
        "ALTER TABLE orders RENAME COLUMN amount TO price",
        "UPDATE orders SET price = 7 WHERE id = 9000",
        "ALTER TABLE orders DROP COLUMN name",
        "UPDATE orders SET note = 'last' WHERE id = 1",
    )
    wait_until_same(link, "id, price, body, made, note")
    table = link.target.table(link.target_database, "orders")
    assert "name" not in [one.name for one in table.schema().fields]
    table.delete("id = 8")
    table.update(predicate="id = 7", new_values={"price": 0})
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (1, 0, 1)
    repaired = comparison(link, "orders", repair=1).repair(record)
    assert (repaired.repair_state, repaired.repaired) == (RepairState.DONE, 2)
    wait_until_same(link, "id, price, body, made, note")
    # One value that the type does not have is a row error, and no other row waits for it.
    on_source(link, "INSERT INTO orders (id, made) VALUES (9001, 'infinity')", "INSERT INTO orders (id) VALUES (9002)")
    wait_until(lambda: link.subscriber.reports["orders"]["row_errors"] == 1, 60, link.describe)
    on_source(link, "DELETE FROM orders WHERE id = 9001")
    wait_until_same(link, "id, price, body, made, note")
    on_source(link, "TRUNCATE orders", "INSERT INTO orders (id) VALUES (1)")
    wait_until_same(link, "id, price, body, made, note")


@pytest.mark.wide
def test_kills_neither_lose_nor_double_changes(link: Link) -> None:
    """Each change adds to what was there, so one that is lost or done twice shows."""
    start(link, 4000)
    link.wait_for_state("orders", "full-running")
    link.subscriber.kill()
    link.subscriber.start()
    link.wait_for_state("orders", "incremental-running")
    for round_ in range(1, 5):
        first = 10_000 * round_
        on_source(
            link,
            f"INSERT INTO orders SELECT n, 'n ' || n, 1, '' FROM generate_series({first}, {first + 500}) n",
            "UPDATE orders SET amount = amount + 1",
            f"DELETE FROM orders WHERE id % 97 = {round_}",
        )
        link.subscriber.kill()
        link.subscriber.start()
    wait_until_same(link)


def test_gathered_changes_make_no_stop_wait(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link.target, "interval", 3600)
    start(link, 10)

    def waits(times: int) -> bool:
        return link.subscriber.log.count("waiting for more changes") == times

    link.wait_for_state("orders", "incremental-running")
    on_source(link, "UPDATE orders SET amount = 1 WHERE id = 1")
    wait_until_same(link)
    on_source(link, "UPDATE orders SET amount = 2 WHERE id = 1")
    before = held(link, "amount")
    wait_until(lambda: waits(1), 30, link.describe)
    assert held(link, "amount") == before
    # A task that the subscriber is given makes it continue, and so does its end.
    link.subscriber.give(link.subscriber.task)
    wait_until_same(link)
    on_source(link, "UPDATE orders SET amount = 3 WHERE id = 1")
    wait_until(lambda: waits(2), 30, link.describe)
    assert link.subscriber.stop() == 0
    wait_until_same(link)
