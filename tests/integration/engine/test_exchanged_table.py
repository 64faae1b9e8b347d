"""A tool changes a copy of a table, and exchanges the two."""

import pytest
from tests.integration.engine.running import Link, on_source, wait_until

from zcbus.model.states import DdlMode

pytestmark = pytest.mark.server
PAIRS = [("mariadb_server", "postgres_server")]


def test_an_exchanged_table_continues_with_its_new_schema(link: Link) -> None:
    on_source(link, "CREATE TABLE t (id int PRIMARY KEY, name varchar(20))", "INSERT INTO t VALUES (1, 'a'), (2, 'b')")
    link.tables["t"] = {"ddl": DdlMode.FOLLOW}
    link.set_tasks()
    link.start()
    link.wait_for_state("t", "incremental-running")
    on_source(link, "CREATE TABLE _t_gho LIKE t", "ALTER TABLE _t_gho ADD price int NOT NULL DEFAULT 5 FIRST")
    # The exchange is understood by any reader of the log at that point.
    assert link.publisher.stop() == 0
    on_source(
        link,
        "UPDATE t SET name = 'c' WHERE id = 2",
        "INSERT INTO _t_gho (id, name) SELECT id, name FROM t",
        "RENAME TABLE t TO _t_del, _t_gho TO t",
        "INSERT INTO t VALUES (9, 3, 'd')",
        "DROP TABLE _t_del",
    )
    link.publisher.start()
    on_source(link, "DELETE FROM t WHERE id = 1")
    wait_until(lambda: link.subscriber.reports["t"]["deletes"] == 1, 60, link.describe)
    query = "SELECT id, name, price FROM t ORDER BY id"
    assert link.target.rows(query, link.target_database) == [(2, "c", 5), (3, "d", 9)]
    assert link.subscriber.reports["t"]["rows_loaded"] == 2
