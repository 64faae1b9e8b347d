"""A REST service as a source: rows, changes and removals arrive through kills; comparison finds what rounds do not."""

import pytest
from tests.integration.engine.running import Link, on_source, wait_until
from tests.integration.engine.test_comparison import comparison

from zcbus.model.comparison import RepairState

pytestmark = pytest.mark.server
PAIRS = [("datasette_server", "postgres_server")]
NOW = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
ORDERS = (
    "CREATE TABLE orders (id INTEGER PRIMARY KEY NOT NULL, name VARCHAR(100), paid BOOLEAN, "
    f"updated_at TIMESTAMP NOT NULL DEFAULT ({NOW}))"
)
CITIES = "CREATE TABLE cities (code VARCHAR(9) PRIMARY KEY NOT NULL, name VARCHAR(100))"


def held(link: Link, table: str, columns: str) -> list[tuple[object, ...]]:
    if not link.target_has(table):
        return []
    query = f"SELECT {columns} FROM {table} ORDER BY 1"
    return [tuple(row) for row in link.target.rows(query, link.target_database)]


def sent(link: Link, table: str, columns: str) -> list[tuple[object, ...]]:
    return list(link.source.rows(f"SELECT {columns} FROM {table} ORDER BY 1", link.source_database))


def wait_until_same(link: Link, table: str = "orders", columns: str = "id, name") -> None:
    wait_until(lambda: held(link, table, columns) == sent(link, table, columns), 60, link.describe)


def start(link: Link) -> None:
    values = ", ".join(f"({n}, '名 {n}', {n % 2})" for n in range(1, 2501))
    on_source(link, ORDERS, f"INSERT INTO orders (id, name, paid) VALUES {values}")
    on_source(link, CITIES, "INSERT INTO cities VALUES ('a', 'Aachen'), ('b', 'Bonn'), ('ü', '中文')")
    link.tables["orders"] = link.tables["cities"] = {}
    link.set_tasks()
    link.start()
    for table in link.tables:
        link.wait_for_state(table, "incremental-running")
    wait_until_same(link)
    wait_until_same(link, "cities", "code, name")


def test_changes_arrive_through_kills_and_removals_of_what_is_read_whole(link: Link) -> None:
    start(link)
    for round_ in range(3):
        first = 10_000 * (round_ + 1)
        values = ", ".join(f"({n}, 'n {n}')" for n in range(first, first + 1200))
        on_source(
            link,
            f"INSERT INTO orders (id, name) VALUES {values}",
            f"UPDATE orders SET name = 'r{round_}', updated_at = {NOW} WHERE id < 50",
        )
        killed = link.publisher if round_ % 2 else link.subscriber
        killed.kill()
        killed.start()
    on_source(link, "INSERT INTO cities VALUES ('c', NULL)")
    wait_until_same(link, "cities", "code, name")
    on_source(link, "DELETE FROM cities WHERE code = 'b'")
    wait_until_same(link)
    wait_until_same(link, "cities", "code, name")
    assert held(link, "orders", "id, paid")[0] == (1, True)


@pytest.mark.wide
def test_rows_that_are_gone_are_found_by_comparison(link: Link) -> None:
    start(link)
    # The first round has the rows of the load too: what follows them shows that they are written.
    on_source(link, "INSERT INTO orders (id, name) VALUES (9000, 'last')")
    wait_until_same(link)
    on_source(link, "DELETE FROM orders WHERE id BETWEEN 100 AND 119")
    link.target.execute("UPDATE orders SET name = 'x' WHERE id = 200", link.target_database)
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (0, 20, 1)
    repaired = comparison(link, "orders", repair=1).repair(record)
    assert (repaired.repair_state, repaired.repaired) == (RepairState.DONE, 21)
    wait_until_same(link)
