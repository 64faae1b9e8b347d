"""SQLite as a source by watermark: rows and changes arrive, also through kills; comparison finds deleted rows."""

import pytest
from tests.integration.engine.running import Link, on_source, wait_until
from tests.integration.engine.test_comparison import comparison

from zcbus.model.comparison import RepairState

pytestmark = pytest.mark.server
PAIRS = [("sqlite_folder", "postgres_server"), ("sqlite_folder", "mariadb_server")]
ORDERS = (
    "CREATE TABLE orders (id INTEGER PRIMARY KEY NOT NULL, name VARCHAR(100), price REAL, "
    "updated_at DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now')))"
)
NOW = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
COLUMNS = "id, name, price"


def held(link: Link) -> list[tuple[object, ...]]:
    if not link.target_has("orders"):
        return []
    return [tuple(row) for row in link.target.rows(f"SELECT {COLUMNS} FROM orders ORDER BY id", link.target_database)]


def sent(link: Link) -> list[tuple[object, ...]]:
    return list(link.source.rows(f"SELECT {COLUMNS} FROM orders ORDER BY id", link.source_database))


def wait_until_same(link: Link) -> None:
    wait_until(lambda: held(link) == sent(link), 60, link.describe)


def start(link: Link, rows: int) -> None:
    on_source(link, ORDERS)
    values = ", ".join(f"({n}, '名 {n}', {n}.5)" for n in range(1, rows + 1))
    on_source(link, f"INSERT INTO orders (id, name, price) VALUES {values}")
    link.tables["orders"] = {}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link)


def test_load_and_changes(link: Link) -> None:
    start(link, 3000)
    on_source(
        link,
        f"UPDATE orders SET price = 0.25, updated_at = {NOW} WHERE id < 50",
        "INSERT INTO orders (id, name) VALUES (9000, NULL)",
        f"UPDATE orders SET name = 'last', updated_at = {NOW} WHERE id = 9000",
    )
    wait_until_same(link)
    assert link.subscriber.reports["orders"]["state"] == "incremental-running"


def test_kills_lose_no_change(link: Link) -> None:
    start(link, 200)
    for round_ in range(3):
        first = 1000 * (round_ + 1)
        values = ", ".join(f"({n}, 'n {n}', 1)" for n in range(first, first + 300))
        on_source(
            link,
            f"INSERT INTO orders (id, name, price) VALUES {values}",
            f"UPDATE orders SET price = price + 1, updated_at = {NOW}",
        )
        killed = link.publisher if round_ % 2 else link.subscriber
        killed.kill()
        killed.start()
    wait_until_same(link)


def test_a_row_that_no_longer_passes_the_filter_goes(link: Link) -> None:
    on_source(link, ORDERS, "INSERT INTO orders (id, name, price) VALUES (1, 'a', 1), (2, 'b', 20), (3, 'c', 30)")
    link.tables["orders"] = {"transform": {"where": "price > 10"}}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    wait_until(lambda: held(link) == [(2, "b", 20.0), (3, "c", 30.0)], 30, link.describe)
    on_source(
        link,
        f"UPDATE orders SET price = 2, updated_at = {NOW} WHERE id = 2",
        f"UPDATE orders SET price = 11, updated_at = {NOW} WHERE id = 1",
    )
    wait_until(lambda: held(link) == [(1, "a", 11.0), (3, "c", 30.0)], 30, link.describe)


@pytest.mark.wide
@pytest.mark.soak(but=["sqlite_folder-mariadb"])
def test_deleted_rows_are_found_by_comparison_and_repaired(link: Link) -> None:
    start(link, 500)
    on_source(
        link, "DELETE FROM orders WHERE id BETWEEN 100 AND 119", f"UPDATE orders SET updated_at = {NOW}, price = 3"
    )
    wait_until(lambda: [row for row in held(link) if row in sent(link)] == sent(link), 60, link.describe)
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (0, 20, 0)
    repaired = comparison(link, "orders", repair=1).repair(record)
    assert (repaired.repair_state, repaired.repaired) == (RepairState.DONE, 20)
    assert held(link) == sent(link)


def test_a_changed_structure_stops_the_table(link: Link) -> None:
    start(link, 20)
    on_source(link, "ALTER TABLE orders RENAME COLUMN price TO cost", "UPDATE orders SET cost = 9")
    wait_until(lambda: link.publisher.reports["p-orders"]["state"] == "publish-failed", 30, link.describe)
    assert link.publisher.reports["p-orders"]["reason"]["facts"]["reason"] == "schema-changed"
