"""A table gets another name in the source, and its link the task that the control plane makes of that."""

import pytest
from tests.integration.engine.running import Link, on_source, schema_of, wait_until

from zcbus.model.states import DdlMode
from zcbus.protocol.base import TableRef
from zcbus.protocol.tasks import Begin

pytestmark = pytest.mark.server
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]


@pytest.mark.soak(but=["postgres-mariadb"])
def test_a_renamed_table_continues_under_its_new_name(link: Link) -> None:
    for table in ("t", "u"):
        on_source(
            link,
            f"CREATE TABLE {table} (id integer PRIMARY KEY, amount integer)",
            f"INSERT INTO {table} VALUES (1, 1), (2, 2)",
        )
        link.tables[table] = {"ddl": DdlMode.FOLLOW}
    link.set_tasks()
    link.start()
    link.wait_for_state("t", "incremental-running")
    on_source(link, "ALTER TABLE t RENAME TO v", "INSERT INTO v VALUES (3, 3)", "DELETE FROM v WHERE id = 1")
    wait_until(lambda: link.publisher.reports["p-t"]["state"] == "publish-failed", 30, link.describe)
    facts = link.publisher.reports["p-t"]["reason"]["facts"]
    assert (facts["reason"], facts["new_table"]) == ("table-renamed", "v")
    # What the control plane makes of it.
    schema, target = (schema_of(link.source, link.source_database), link.subscribe_task().tables[0].target)
    fields = link.tables.pop("t")
    source = TableRef(schema_name=schema, table="v")
    link.tables["v"] = {**fields, "id": "t", "published": "p-t", "source": source, "target": target}
    link.tables["v"]["begin"] = Begin(mode="full", beside=True)
    link.generations["v"] = 2
    link.retask()
    wait_until(lambda: link.subscriber.reports["t"]["generation"] == 2, 30, link.describe)
    link.wait_for_state("t", "incremental-running")
    on_source(link, "UPDATE v SET amount = 7", "INSERT INTO u VALUES (3, 3)")
    query = "SELECT id, amount FROM {} ORDER BY id"
    wait_until(lambda: link.target.rows(query.format("t"), link.target_database) == [(2, 7), (3, 7)], 30, link.describe)
    wait_until(lambda: not link.difference("u"), 30, link.describe)
