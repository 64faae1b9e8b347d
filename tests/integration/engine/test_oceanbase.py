"""OceanBase as a target and as a source by watermark: rows and changes arrive, also through kills of either end."""

from datetime import date
from decimal import Decimal

import pymysql
import pytest
from tests.integration.engine.running import Link, on_source, on_target, wait_until
from tests.integration.engine.test_comparison import comparison

from zcbus.model.comparison import RepairState
from zcbus.model.states import DdlMode

pytestmark = pytest.mark.server
INTO, FROM = ("postgres_server", "oceanbase_server"), ("oceanbase_server", "postgres_server")
PAIRS = [INTO]
COLUMNS = "id integer PRIMARY KEY, name varchar(100) UNIQUE, amount decimal(12,2), day date"


def rows(link: Link, end: str, columns: str) -> list[tuple[object, ...]]:
    server, database = getattr(link, end), getattr(link, f"{end}_database")
    if end == "target" and not link.target_has("orders"):
        return []
    return [tuple(row) for row in server.rows(f"SELECT {columns} FROM orders ORDER BY id", database)]


def wait_until_same(link: Link, columns: str = "id, name, amount, day") -> None:
    def is_same() -> bool:
        try:
            return rows(link, "target", columns) == rows(link, "source", columns)
        except pymysql.err.OperationalError:  # not all of the columns are there yet
            return False

    wait_until(is_same, 90, link.describe)


def start(link: Link, count: int) -> None:
    on_source(link, f"CREATE TABLE orders ({COLUMNS})")
    values = ", ".join(f"({n}, '名 {n}', {n}.50, '2024-02-29')" for n in range(1, count + 1))
    on_source(link, f"INSERT INTO orders VALUES {values}")
    link.tables["orders"] = {"ddl": DdlMode.FOLLOW}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link)


def test_load_changes_and_structure(link: Link) -> None:
    start(link, 3000)
    assert rows(link, "target", "id, name, amount, day")[0] == (1, "名 1", Decimal("1.50"), date(2024, 2, 29))
    on_source(
        link,
        "UPDATE orders SET amount = 0.1 WHERE id < 50",
        "DELETE FROM orders WHERE id BETWEEN 100 AND 119",
        "UPDATE orders SET id = id + 50000 WHERE id BETWEEN 200 AND 209",
        "INSERT INTO orders VALUES (9000, NULL, NULL, NULL)",
    )
    wait_until_same(link)
    on_source(
        link,
        "ALTER TABLE orders ADD COLUMN note varchar(20) DEFAULT 'new'",
        "INSERT INTO orders (id, name, note) VALUES (9001, 'x', 'y')",
        "ALTER TABLE orders RENAME COLUMN amount TO price",
        "UPDATE orders SET price = 7 WHERE id = 9001",
        "ALTER TABLE orders DROP COLUMN day",
    )
    wait_until_same(link, "id, name, price, note")
    assert link.subscriber.reports["orders"]["state"] == "incremental-running"


@pytest.mark.soak
def test_columns_of_the_target_s_own_stay(link: Link) -> None:
    start(link, 20)
    on_target(link, "ALTER TABLE orders ADD COLUMN own varchar(9)", "UPDATE orders SET own = 'mine'")
    on_source(
        link,
        "UPDATE orders SET amount = 7 WHERE id < 9",
        "UPDATE orders SET name = name || '!' WHERE id > 9",
        "INSERT INTO orders VALUES (21, 'x', NULL, NULL)",
    )
    wait_until_same(link)
    assert [own for (own,) in rows(link, "target", "own")] == ["mine"] * 20 + [None]


def test_kills_neither_lose_nor_double_changes(link: Link) -> None:
    start(link, 200)
    for round_ in range(3):
        first = 1000 * (round_ + 1)
        values = ", ".join(f"({n}, 'n {n}', 1, NULL)" for n in range(first, first + 500))
        on_source(link, f"INSERT INTO orders VALUES {values}", "UPDATE orders SET amount = amount + 1")
        if round_ == 1:
            link.target.kill()
            link.target.start()
        else:
            link.subscriber.kill()
            link.subscriber.start()
    wait_until_same(link)


@pytest.mark.parametrize("pair", [FROM], ids=["oceanbase-postgres"])
def test_a_source_by_watermark_loses_no_change_when_it_is_killed(link: Link) -> None:
    on_source(
        link,
        "CREATE TABLE orders (id integer PRIMARY KEY, name varchar(50), updated_at timestamp(6) NOT NULL "
        "DEFAULT current_timestamp(6) ON UPDATE current_timestamp(6))",
    )
    on_source(link, f"INSERT INTO orders (id, name) VALUES {', '.join(f'({n}, {n})' for n in range(1, 500))}")
    link.tables["orders"] = {}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link, "id, name")
    for round_ in range(2):
        values = ", ".join(f"({n}, '名 {n}')" for n in range(1000 * (round_ + 1), 1000 * (round_ + 1) + 300))
        on_source(link, f"INSERT INTO orders (id, name) VALUES {values}")
        on_source(link, f"UPDATE orders SET name = 'new {round_}' WHERE id < 700")
        killed = link.subscriber if round_ else link.publisher
        killed.kill()
        killed.start()
    wait_until_same(link, "id, name")
    on_source(link, "DELETE FROM orders WHERE id BETWEEN 100 AND 119")
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (0, 20, 0)
    repaired = comparison(link, "orders", repair=1).repair(record)
    assert (repaired.repair_state, repaired.repaired) == (RepairState.DONE, 20)
    wait_until_same(link, "id, name")
