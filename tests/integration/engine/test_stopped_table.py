"""Publishing a single table is stopped and started again, while the others continue."""

import pytest
from tests.integration.engine.running import Link, wait_until

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]
TABLES = ("noisy", "quiet")


def count(link: Link, table: str) -> int:
    return int(link.target.rows(f"SELECT count(*) FROM {table}", link.target_database)[0][0])


def insert(link: Link, number: int) -> None:
    for table in TABLES:
        link.source.execute(f"INSERT INTO {table} VALUES ({number})", link.source_database)


def run_and_stop(link: Link, **fields: int) -> None:
    """Both tables run, then one of them is stopped. `fields`: of the subscribed tables."""
    for table in TABLES:
        link.source.execute(f"CREATE TABLE {table} (id int PRIMARY KEY)", link.source_database)
    insert(link, 1)
    link.tables = {table: {"clean": "drop", **fields} for table in TABLES}
    link.set_tasks()
    link.start()
    for table in TABLES:
        link.wait_for_state(table, "incremental-running")
    link.stopped = {"noisy"}
    link.retask()
    wait_until(lambda: link.publisher.reports["p-noisy"]["state"] == "publish-stopped", 60, link.describe)


def test_a_stopped_table_is_captured_no_longer_and_restarts(link: Link) -> None:
    run_and_stop(link)
    assert link.publisher.reports["p-noisy"]["reason"]["code"] == "publication-stopped"
    insert(link, 2)
    wait_until(lambda: count(link, "quiet") == 2, 60, link.describe)
    assert count(link, "noisy") == 1
    # With the same snapshot it must not continue as if nothing had happened.
    link.stopped = set()
    link.retask()
    wait_until(
        lambda: (link.publisher.reports["p-noisy"]["reason"] or {}).get("code") == "capture-interrupted",
        60,
        link.describe,
    )
    link.generations = {"noisy": 2}
    link.retask()
    # While it is loaded the table may be gone.
    wait_until(lambda: link.subscriber.reports["noisy"]["generation"] == 2, 60, link.describe)
    link.wait_for_state("noisy", "incremental-running")
    assert count(link, "noisy") == 2
    insert(link, 3)
    wait_until(lambda: count(link, "noisy") == count(link, "quiet") == 3, 60, link.describe)


def test_no_subscription_continues_over_missing_changes(link: Link) -> None:
    """Another subscriber has the capture begin again: this one has missed what happened meanwhile, and says so."""
    run_and_stop(link, generation=1)
    insert(link, 2)
    link.stopped, link.generations = set(), {"noisy": 2}
    link.retask()
    report = link.wait_for_state("noisy", "full-info-expired")
    assert report["reason"]["code"] == "capture-interrupted"
    insert(link, 3)
    wait_until(lambda: count(link, "quiet") == 3, 60, link.describe)
    assert count(link, "noisy") == 1
    link.tables["noisy"]["generation"] = 2
    link.retask()
    link.wait_for_state("noisy", "incremental-running")
    insert(link, 4)
    link.wait_until_equal()
