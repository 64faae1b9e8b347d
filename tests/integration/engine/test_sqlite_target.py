"""SQLite as a target: rows, changes and changes of structure arrive, also through kills."""

import sqlite3
from decimal import Decimal

import pytest
from tests.integration.engine.running import Link, on_source, wait_until

from zcbus.model.states import DdlMode

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "sqlite_folder"), ("mariadb_server", "sqlite_folder")]
COLUMNS = "id integer PRIMARY KEY, name varchar(100) UNIQUE, amount decimal(12,2), day date"


def held(link: Link, columns: str = "id, name, amount, day") -> list[tuple[object, ...]]:
    """The target's rows with exact numbers and days as texts."""
    try:
        rows = link.target.rows(f"SELECT {columns} FROM orders ORDER BY id", link.target_database)
    except sqlite3.OperationalError:  # not all of the columns are there yet
        return []
    return [tuple(map(str, row)) for row in rows]


def sent(link: Link, columns: str = "id, name, amount, day") -> list[tuple[object, ...]]:
    rows = link.source.rows(f"SELECT {columns} FROM orders ORDER BY id", link.source_database)
    return [tuple(f"{one:.2f}" if isinstance(one, Decimal) else str(one) for one in row) for row in rows]


def different(link: Link, columns: str) -> str:
    """For a failed wait."""
    there, here = set(held(link, columns)), set(sent(link, columns))
    return f"missing {list(here - there)[:3]}, extra {list(there - here)[:3]}\n{link.describe()}"


def wait_until_same(link: Link, columns: str = "id, name, amount, day") -> None:
    wait_until(lambda: held(link, columns) == sent(link, columns), 30, lambda: different(link, columns))


def start(link: Link, rows: int) -> None:
    on_source(link, f"CREATE TABLE orders ({COLUMNS})")
    values = ", ".join(f"({n}, '名 {n}', {n}.50, '2024-02-29')" for n in range(1, rows + 1))
    on_source(link, f"INSERT INTO orders VALUES {values}")
    link.tables["orders"] = {"ddl": DdlMode.FOLLOW}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link)


def test_load_changes_and_structure(link: Link) -> None:
    start(link, 3000)
    on_source(
        link,
        "UPDATE orders SET amount = 0.1 WHERE id < 50",
        "DELETE FROM orders WHERE id BETWEEN 100 AND 119",
        "UPDATE orders SET id = id + 50000 WHERE id BETWEEN 200 AND 209",
        "INSERT INTO orders VALUES (9000, NULL, NULL, NULL)",
    )
    wait_until_same(link)
    rename = "RENAME COLUMN amount TO price"
    on_source(
        link,
        "ALTER TABLE orders ADD COLUMN note varchar(20) DEFAULT 'new'",
        "INSERT INTO orders (id, name, note) VALUES (9001, 'x', 'y')",
        f"ALTER TABLE orders {rename}",
        "UPDATE orders SET price = 7 WHERE id = 9001",
        "ALTER TABLE orders DROP COLUMN day",
        "UPDATE orders SET note = 'last' WHERE id = 1",
    )
    wait_until_same(link, "id, name, price, note")
    assert link.subscriber.reports["orders"]["state"] == "incremental-running"


def test_kills_neither_lose_nor_double_changes(link: Link) -> None:
    start(link, 200)
    for round_ in range(4):
        first = 1000 * (round_ + 1)
        values = ", ".join(f"({n}, 'n {n}', 1, NULL)" for n in range(first, first + 500))
        on_source(link, f"INSERT INTO orders VALUES {values}", "UPDATE orders SET amount = amount + 1")
        link.subscriber.kill()
        link.subscriber.start()
    wait_until_same(link)
