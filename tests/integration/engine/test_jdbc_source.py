"""Databases by JDBC as sources by watermark: rows and changes arrive, also through kills; comparison finds deleted
rows."""

import pytest
from tests.integration.engine.running import Link, on_source, wait_until
from tests.integration.engine.test_comparison import comparison

from zcbus.model.comparison import RepairState

pytestmark = pytest.mark.server
PAIRS = [("h2_server", "postgres_server"), ("derby_server", "postgres_server")]
ORDERS = "CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(50), updated_at TIMESTAMP NOT NULL)"


def held(link: Link) -> list[tuple[object, ...]]:
    if not link.target_has("orders"):
        return []
    return [tuple(row) for row in link.target.rows("SELECT id, name FROM orders ORDER BY id", link.target_database)]


def sent(link: Link) -> list[tuple[object, ...]]:
    return list(link.source.rows("SELECT id, name FROM orders ORDER BY id", link.source_database))


def different(link: Link) -> str:
    """For a failed wait."""
    there, here = set(held(link)), set(sent(link))
    return f"missing {list(here - there)[:3]}, extra {list(there - here)[:3]}\n{link.describe()}"


def wait_until_same(link: Link) -> None:
    wait_until(lambda: held(link) == sent(link), 90, lambda: different(link))


def insert(link: Link, first: int, count: int) -> None:
    values = ", ".join(f"({n}, '名 {n}', CURRENT_TIMESTAMP)" for n in range(first, first + count))
    on_source(link, f"INSERT INTO orders VALUES {values}")


def start(link: Link, rows: int) -> None:
    on_source(link, ORDERS)
    insert(link, 1, rows)
    link.tables["orders"] = {}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link)


@pytest.mark.soak(but=["h2-postgres"])
def test_kills_lose_no_change_and_comparison_finds_deleted_rows(link: Link) -> None:
    start(link, 500)
    for round_ in range(2):
        insert(link, 1000 * (round_ + 1), 300)
        on_source(link, f"UPDATE orders SET name = 'new {round_}', updated_at = CURRENT_TIMESTAMP WHERE id < 700")
        killed = link.subscriber if round_ else link.publisher
        killed.kill()
        killed.start()
    wait_until_same(link)
    on_source(link, "DELETE FROM orders WHERE id BETWEEN 100 AND 119")
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (0, 20, 0)
    repaired = comparison(link, "orders", repair=1).repair(record)
    assert (repaired.repair_state, repaired.repaired) == (RepairState.DONE, 20)
    assert held(link) == sent(link)
