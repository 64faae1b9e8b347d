"""Partitions whose rows come or go without a word in PostgreSQL's log: followed where proved, or the table stops."""

from collections.abc import Sequence

import pytest
from tests.integration.engine.running import Link, on_source, wait_until

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server")]

TABLE = (
    "CREATE TABLE {t} (id integer, v integer, PRIMARY KEY (id)) PARTITION BY RANGE (id)",
    "CREATE TABLE {t}_low PARTITION OF {t} FOR VALUES FROM (0) TO (100)",
    "CREATE TABLE {t}_high PARTITION OF {t} FOR VALUES FROM (100) TO (200) PARTITION BY RANGE (id)",
    "CREATE TABLE {t}_high_1 PARTITION OF {t}_high FOR VALUES FROM (100) TO (150)",
    "INSERT INTO {t} VALUES (1, 1), (2, 2), (101, 1), (102, 2)",
)
NEW = "CREATE TABLE {t}_more PARTITION OF {t} FOR VALUES FROM (200) TO (300)"
ALONE = "CREATE TABLE {t}_more (LIKE {t} INCLUDING ALL)"
ATTACH = "ALTER TABLE {t} ATTACH PARTITION {t}_more FOR VALUES FROM (200) TO (300)"
MOVING = {
    "truncated": ["TRUNCATE {t}_low"],
    "refilled": ["TRUNCATE {t}_low", "INSERT INTO {t} VALUES (3, 3)", "ANALYZE {t}_low"],
    "truncated_above": ["TRUNCATE {t}_high"],
    "truncated_twice": ["BEGIN; TRUNCATE {t}; INSERT INTO {t} VALUES (5, 5); COMMIT", "TRUNCATE {t}_low"],
    "dropped": ["DROP TABLE {t}_low"],
    "detached": ["ALTER TABLE {t} DETACH PARTITION {t}_low"],
    "detached_above": ["ALTER TABLE {t} DETACH PARTITION {t}_high"],
    "attached_again": [
        "BEGIN; ALTER TABLE {t} DETACH PARTITION {t}_low; DELETE FROM {t}_low WHERE id = 1; "
        "ALTER TABLE {t} ATTACH PARTITION {t}_low FOR VALUES FROM (0) TO (100); COMMIT",
    ],
    "attached_filled": [ALONE, "INSERT INTO {t}_more VALUES (201, 1)", ATTACH],
    "filled_within": [f"BEGIN; {ALONE}; INSERT INTO {{t}}_more VALUES (201, 1); {ATTACH}; COMMIT"],
    "dropped_new": [NEW, "INSERT INTO {t} VALUES (201, 1)", "DROP TABLE {t}_more"],
    "truncated_new": [NEW, "INSERT INTO {t} VALUES (201, 1)", "TRUNCATE {t}_more"],
}
FOLLOWED = {
    "emptied": ["TRUNCATE {t}", "INSERT INTO {t} VALUES (1, 10), (103, 3)"],
    "grown": [NEW, "INSERT INTO {t} VALUES (201, 1)", "UPDATE {t} SET v = 7", "VACUUM FREEZE {t}_low"],
    "attached_empty": [f"BEGIN; {ALONE}; {ATTACH}; COMMIT", "INSERT INTO {t} VALUES (202, 1)"],
}


def run(link: Link, *tables: str) -> None:
    for table in tables:
        on_source(link, *(statement.format(t=table) for statement in TABLE))
    on_source(link, "CREATE TABLE other (id integer PRIMARY KEY, v integer)")
    link.tables = {table: {} for table in (*tables, "other")}
    link.set_tasks()
    link.start()
    for table in link.tables:
        link.wait_for_state(table, "incremental-running")


def change(link: Link, away: bool, statements: Sequence[str]) -> None:
    """`away`: while the publisher is."""
    if away:
        assert link.publisher.stop() == 0
        link.publisher.reports.clear()
    on_source(link, *statements)
    if away:
        link.publisher.start()


def stopped_by(link: Link, table: str) -> str:
    """Why the publisher captures the table no longer; empty: it does."""
    report = link.publisher.reports.get(f"p-{table}", {})
    if report.get("state") != "publish-failed":
        return ""
    return str(report["reason"]["facts"].get("reason") or report["reason"]["code"])


@pytest.mark.wide
@pytest.mark.soak(but=["postgres-mariadb-True"])
@pytest.mark.parametrize("away", [False, True])
def test_rows_that_no_log_has_stop_the_table(link: Link, away: bool) -> None:
    run(link, *MOVING)
    change(link, away, [statement.format(t=table) for table, every in MOVING.items() for statement in every])
    wait_until(lambda: all(stopped_by(link, table) == "rows-moved" for table in MOVING), 45, link.describe)
    on_source(link, "INSERT INTO other VALUES (2, 2)")
    wait_until(lambda: not link.difference("other"), 30, link.describe)
    # What stopped is loaded again.
    link.generations["truncated"] = 2
    link.tables["truncated"]["clean"] = "truncate"
    link.retask()
    wait_until(lambda: link.subscriber.reports["truncated"]["generation"] == 2, 30, link.describe)
    link.wait_for_state("truncated", "incremental-running")
    on_source(link, "INSERT INTO truncated VALUES (7, 7)")
    wait_until(lambda: not link.difference("truncated"), 30, link.describe)


@pytest.mark.wide
@pytest.mark.soak(but=["postgres-mariadb-True"])
@pytest.mark.parametrize("away", [False, True])
def test_truncates_of_the_root_and_new_partitions_are_followed(link: Link, away: bool) -> None:
    """TRUNCATE of the root, and new partitions that were empty."""
    run(link, *FOLLOWED)
    change(link, away, [statement.format(t=table) for table, every in FOLLOWED.items() for statement in every])
    wait_until(lambda: not any(map(link.difference, FOLLOWED)), 30, link.describe)
    # The partitions are read together with the tables, and before them.
    on_source(link, "DROP TABLE other")
    wait_until(lambda: stopped_by(link, "other") in ("table-dropped", "table-missing"), 30, link.describe)
    on_source(link, *(f"UPDATE {table} SET v = v + 1" for table in FOLLOWED))
    wait_until(lambda: not any(map(link.difference, FOLLOWED)), 30, link.describe)
    assert [stopped_by(link, table) for table in FOLLOWED] == [""] * len(FOLLOWED)


def test_a_replicated_table_that_becomes_a_partition_stops(link: Link) -> None:
    run(link, "t")
    on_source(link, "ALTER TABLE t ATTACH PARTITION other FOR VALUES FROM (500) TO (600)")
    wait_until(lambda: stopped_by(link, "other") == "rows-moved", 30, link.describe)
