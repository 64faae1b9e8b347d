"""Cassandra as a source by watermark: rows and changes arrive, also through kills; comparison finds deleted rows."""

import pytest
from tests.integration.engine.running import Link, wait_until
from tests.integration.engine.test_comparison import comparison

from zcbus.model.comparison import RepairState

pytestmark = pytest.mark.server
PAIRS = [("cassandra_server", "postgres_server")]


def held(link: Link) -> list[tuple[object, ...]]:
    if not link.target_has("orders"):
        return []
    return [tuple(row) for row in link.target.rows("SELECT id, name, n FROM orders ORDER BY id", link.target_database)]


def sent(link: Link) -> list[tuple[object, ...]]:
    return sorted(link.source.rows_of("SELECT id, name, n FROM orders", link.source_database))


def wait_until_same(link: Link) -> None:
    wait_until(lambda: held(link) == sent(link), 90, link.describe)


def put(link: Link, first: int, last: int, name: str, n: int) -> None:
    """New rows, or the same with other values."""
    with link.source.session(link.source_database) as session:
        insert = session.prepare("INSERT INTO orders (id, name, n, updated_at) VALUES (?, ?, ?, toTimestamp(now()))")
        for future in [session.execute_async(insert, (one, f"{name} {one}", n)) for one in range(first, last)]:
            future.result()


def start(link: Link, rows: int) -> None:
    columns = "id int PRIMARY KEY, name text, n int, updated_at timestamp, tags set<text>"
    link.source.rows_of(f"CREATE TABLE orders ({columns})", link.source_database)
    put(link, 1, rows + 1, "名", 1)
    link.tables["orders"] = {}
    link.set_tasks()
    link.start()


def test_load_changes_and_deleted_rows(link: Link) -> None:
    start(link, 3000)
    link.wait_for_state("orders", "incremental-running")
    wait_until_same(link)
    put(link, 2500, 3500, "next", 2)
    wait_until_same(link)
    link.source.rows_of("DELETE FROM orders WHERE id = 7", link.source_database)
    record = comparison(link, "orders").compare()
    assert (record.missing, record.extra, record.different) == (0, 1, 0)
    repaired = comparison(link, "orders", repair=1).repair(record)
    assert (repaired.repair_state, repaired.repaired) == (RepairState.DONE, 1)
    wait_until_same(link)


@pytest.mark.soak
def test_kills_lose_no_change(link: Link) -> None:
    start(link, 3000)
    link.wait_for_state("orders", "full-running")
    link.publisher.kill()
    link.publisher.start()
    for round_ in range(1, 4):
        put(link, 1000 * round_, 1000 * round_ + 1200, "round", round_)
        if round_ == 2:
            link.source.kill()
            link.source.start()
        else:
            killed = link.publisher if round_ == 1 else link.subscriber
            killed.kill()
            killed.start()
    wait_until_same(link)
