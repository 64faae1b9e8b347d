"""A table that is taken out of PostgreSQL's publication by hand says so, and is right again after a load."""

import pytest
from tests.integration.engine.running import Link, on_source, wait_until

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "postgres_server")]


def test_a_table_that_is_taken_out_stops_until_it_is_loaded_again(link: Link) -> None:
    for table in ("t", "other"):
        on_source(link, f"CREATE TABLE {table} (id integer PRIMARY KEY)", f"INSERT INTO {table} VALUES (1)")
    link.tables = {"t": {}, "other": {}}
    link.set_tasks()
    link.start()
    for table in link.tables:
        link.wait_for_state(table, "incremental-running")
    assert link.publisher.stop() == 0
    [(publication,)] = link.source.rows("SELECT pubname FROM pg_publication", link.source_database)
    on_source(link, f"ALTER PUBLICATION {publication} DROP TABLE t", "INSERT INTO t VALUES (2)")
    link.publisher.reports.clear()
    link.publisher.start()

    def reason() -> str:
        return str((link.publisher.reports.get("p-t", {}).get("reason") or {}).get("facts", {}).get("reason"))

    wait_until(lambda: reason() == "publication-changed", 30, link.describe)
    on_source(link, "INSERT INTO other VALUES (2)")
    wait_until(lambda: not link.difference("other"), 30, link.describe)
    link.generations["t"] = 2
    link.retask()
    link.wait_until_equal()
    on_source(link, "INSERT INTO t VALUES (3)")
    link.wait_until_equal()
    assert link.publisher.reports["p-t"]["state"] != "publish-failed"
