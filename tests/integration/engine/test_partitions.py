"""Statements that move rows between partitions and tables without logging them: every table concerned stops."""

import pytest
from tests.integration.engine.running import Link, on_source, wait_until

pytestmark = pytest.mark.server
PAIRS = [("mariadb_server", "postgres_server"), ("mysql_server", "postgres_server")]

PARTITIONED = (
    "CREATE TABLE {0} (id int PRIMARY KEY, v int) PARTITION BY RANGE (id) "
    "(PARTITION low VALUES LESS THAN (100), PARTITION high VALUES LESS THAN (200))"
)
STATEMENTS = {
    "exchanged": "ALTER TABLE partitioned EXCHANGE PARTITION low WITH TABLE exchanged",
    "dropped": "ALTER TABLE dropped DROP PARTITION high",
    "emptied": "ALTER TABLE emptied TRUNCATE PARTITION low",
}


def start(link: Link, *tables: str) -> None:
    for table in tables:
        on_source(link, f"INSERT INTO {table} VALUES (1, 1), (2, 2)")
        link.tables[table] = {}
    link.set_tasks()
    link.start()
    for table in tables:
        link.wait_for_state(table, "incremental-running")


def wait_for_reason(link: Link, table: str) -> str:
    """Why the publisher captures the table no longer."""
    reports = link.publisher.reports
    wait_until(lambda: reports[f"p-{table}"]["state"] == "publish-failed", 30, link.describe)
    return str(reports[f"p-{table}"]["reason"]["facts"]["reason"])


def test_tables_whose_rows_moved_stop_and_others_run(link: Link) -> None:
    on_source(link, *(PARTITIONED.format(table) for table in ("partitioned", "dropped", "emptied")))
    on_source(link, "CREATE TABLE exchanged (id int PRIMARY KEY, v int)", "CREATE TABLE plain LIKE exchanged")
    start(link, "partitioned", "exchanged", "dropped", "emptied", "plain")
    on_source(link, *STATEMENTS.values(), "INSERT INTO plain VALUES (3, 3)")
    for table in ("partitioned", *STATEMENTS):
        assert wait_for_reason(link, table) == "rows-moved", table
    wait_until(lambda: link.subscriber.reports["plain"]["inserts"] == 1, 30, link.describe)


def test_a_table_is_exchanged_into_one_that_is_not_replicated(link: Link) -> None:
    on_source(link, PARTITIONED.format("partitioned"), "INSERT INTO partitioned VALUES (50, 50)")
    on_source(link, "CREATE TABLE exchanged (id int PRIMARY KEY, v int)")
    start(link, "exchanged")
    on_source(link, STATEMENTS["exchanged"])
    assert wait_for_reason(link, "exchanged") == "rows-moved"
