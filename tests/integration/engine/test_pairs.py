"""Full load and changes between real servers."""

import pytest
from tests.integration.engine.running import Link

pytestmark = [pytest.mark.server, pytest.mark.every_case]
KINDS = ("postgres_server", "mariadb_server")
OTHER_VERSIONS = [("mysql_server", "postgres12_server"), ("postgres12_server", "mysql_server")]
PAIRS = [(source, target) for source in KINDS for target in KINDS] + OTHER_VERSIONS


def fill(link: Link, table: str, start: int, count: int) -> None:
    rows = ", ".join(f"({number}, 'name {number} 名', {number}.25)" for number in range(start, start + count))
    link.source.execute(f"INSERT INTO {table} VALUES {rows}", link.source_database)


def create(link: Link, table: str) -> None:
    link.source.execute(
        f"CREATE TABLE {table} (id integer PRIMARY KEY, name varchar(100), amount decimal(12,2))", link.source_database
    )


def test_full_load_then_changes(link: Link) -> None:
    create(link, "orders")
    fill(link, "orders", 0, 5000)
    link.tables["orders"] = {}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")
    link.wait_until_equal()
    fill(link, "orders", 10_000, 100)
    link.source.execute("UPDATE orders SET name = 'changed' WHERE id < 50", link.source_database)
    link.source.execute("DELETE FROM orders WHERE id BETWEEN 100 AND 119", link.source_database)
    link.source.execute("UPDATE orders SET id = id + 50000 WHERE id BETWEEN 200 AND 209", link.source_database)
    link.wait_until_equal()
    assert link.subscriber.stop() == 0
    assert link.publisher.stop() == 0
    report = link.subscriber.reports["orders"]
    assert (report["inserts"], report["updates"], report["deletes"]) == (100, 60, 20)
    assert report["rows_loaded"] == 5000
    assert 20 < report["bytes_loaded"] / 5000 < 200
    for worker in (link.publisher, link.subscriber):
        passed = worker.reports[""]
        assert passed["came"]["took_ms"] is not None
        assert passed["went"]["took_ms"] is not None
