"""The wizard's calls and the actions on single tables, on a running platform and real databases."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.servers.base import Server
from tests.support.platform import Platform, running_platform
from tests.support.processes import wait_until

pytestmark = pytest.mark.server

LINK = {"name": "wizard"}
SECONDS = 60


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    with running_platform(tmp_path_factory.mktemp("platform") / "var") as running:
        yield running


def side(server: Server, database: str) -> dict[str, Any]:
    options = server.options(database)
    return {
        "kind": options.kind,
        "host": options.host,
        "port": options.port,
        "user": options.user,
        "password": options.password,
        "database": database,
    }


@pytest.mark.soak
def test_from_the_wizard_to_single_tables_to_the_end(
    platform: Platform, postgres_server: Server, mariadb_server: Server
) -> None:
    source, target = postgres_server.fresh_database("wizard"), mariadb_server.fresh_database("wizard")
    for statement in (
        "CREATE TABLE good (id int PRIMARY KEY, name text)",
        "CREATE TABLE strict (id int PRIMARY KEY, amount int)",
        "CREATE TABLE no_key (a int)",
        "INSERT INTO good SELECT n, 'n' || n FROM generate_series(1, 100) n",
        "INSERT INTO strict VALUES (1, 1), (2, 2)",
    ):
        postgres_server.execute(statement, source)
    connection = side(postgres_server, source)
    with platform.api() as api:
        assert "public" in api.call("datasource/schema/list", {"connection": connection})
        page = api.call("datasource/table/page", {"connection": connection, "sort": "table", "order": "asc"})
        assert [(row["table"], row["hasPrimaryKey"]) for row in page["records"]] == [
            ("good", True),
            ("no_key", False),
            ("strict", True),
        ]
        asked = {
            "connection": connection,
            "tables": [{"schema": "public", "table": "good"}],
            "targetKind": "mysql",
        }
        (described,) = api.call("datasource/table/describe", asked)
        assert [(column["name"], bool(column["targetType"])) for column in described["columns"]] == [
            ("id", True),
            ("name", True),
        ]
        document: dict[str, Any] = {
            "link": "wizard",
            "source": connection,
            "target": side(mariadb_server, target),
            "tables": ["public.*"],
            "clean": "drop",
        }
        refused = api.call("sync/link/precheck", {"document": document})
        assert not refused["ok"]
        assert any("no_key" in finding["text"] for finding in refused["findings"])
        document["tables"] = ["public.*", "!public.no_key"]
        assert api.call("sync/link/precheck", {"document": document})["ok"]
        platform.apply(document)
        platform.wait("wizard", "incremental-running", SECONDS)

        def tables() -> dict[str, dict[str, Any]]:
            return {table["source"]: table for table in platform.status("wizard")["tables"]}

        def count(table: str) -> int:
            return int(mariadb_server.rows(f"SELECT count(*) FROM {table}", target)[0][0])

        def is_in(table: str, state: str) -> None:
            wait_until(lambda: tables()[table]["state"] == state, SECONDS, f"{table} is {state}")

        def errors() -> dict[str, Any]:
            page: dict[str, Any] = api.call("sync/link/error/page", LINK)
            return page

        assert count("good") == 100
        # One table is held back, the other runs on; afterwards it catches up.
        chosen = {**LINK, "tables": ["public.strict"]}
        api.call("sync/link/table/suspend", chosen)
        is_in("public.strict", "suspended")
        postgres_server.execute("INSERT INTO strict VALUES (3, 3)", source)
        postgres_server.execute("INSERT INTO good VALUES (101, 'x')", source)
        wait_until(lambda: count("good") == 101, SECONDS, "the other table runs on")
        assert count("strict") == 2
        api.call("sync/link/table/resume", chosen)
        wait_until(lambda: count("strict") == 3, SECONDS, "it caught up")
        is_in("public.strict", "incremental-running")
        # The target refuses a row, which is kept while the table runs on; the target is mended, the row tried again.
        mariadb_server.execute("ALTER TABLE strict ADD CONSTRAINT small CHECK (amount < 100)", target)
        postgres_server.execute("INSERT INTO strict VALUES (4, 500)", source)
        wait_until(lambda: errors()["total"] == 1, SECONDS, "the row is kept")
        assert "small" in errors()["records"][0]["detail"]
        postgres_server.execute("INSERT INTO strict VALUES (5, 5)", source)
        wait_until(lambda: count("strict") == 4, SECONDS, "the table runs on")
        assert platform.status("wizard")["state"] == "incremental-running"
        mariadb_server.execute("ALTER TABLE strict DROP CONSTRAINT small", target)
        assert api.call("sync/link/error/retry", {**LINK, "errors": [errors()["records"][0]["id"]]}) == 1
        wait_until(lambda: count("strict") == 5, SECONDS, "what was refused arrives")
        is_in("public.strict", "incremental-running")
        # The end: nothing of the link is left at its source.
        api.call("sync/link/delete", LINK)
        slots = "SELECT count(*) FROM pg_replication_slots WHERE database = current_database()"
        wait_until(lambda: postgres_server.rows(slots, source)[0][0] == 0, SECONDS, "the slot is dropped")
        publications = "SELECT count(*) FROM pg_publication"
        wait_until(lambda: postgres_server.rows(publications, source)[0][0] == 0, SECONDS, "so is the publication")
        assert (count("good"), count("strict")) == (101, 5)


@pytest.mark.wide
def test_a_process_transforms_what_it_takes(
    platform: Platform, postgres_server: Server, mariadb_server: Server
) -> None:
    source, target = postgres_server.fresh_database("process"), mariadb_server.fresh_database("process")
    for statement in (
        "CREATE TABLE orders (id int PRIMARY KEY, net numeric(10,2), customer text)",
        "INSERT INTO orders SELECT n, n, 'person ' || n FROM generate_series(1, 10) n",
    ):
        postgres_server.execute(statement, source)
    rules = [
        {"column": "gross", "kind": "expression", "expression": "net * 2", "type": "decimal(10,2)"},
        {"column": "customer", "kind": "fixed", "value": "-"},
    ]

    def rows() -> list[tuple[str, ...]]:
        found = mariadb_server.rows("SELECT id, gross, customer FROM orders ORDER BY id", target)
        return [tuple(str(value) for value in row) for row in found]

    with platform.api() as api:
        node = api.call("publish/node/add", {"name": "raw", "connection": side(postgres_server, source)})
        (published,) = api.call(
            "publish/table/add", {"nodeMaster": node, "tables": [{"schema": "public", "table": "orders"}]}
        )
        new = {"name": "cleaning", "clientType": "databus", "connection": side(mariadb_server, target)}
        process = api.call("subscribe/customer/add", new)
        (database,) = api.call("subscribe/database/page", {"customerId": process})["records"]
        ends = {"customerId": process, "databaseId": database["id"], "nodeMaster": node}
        master = api.call("subscribe/control/add", {"name": "cleaner", **ends})
        addition = {"controlId": master, "tables": [published["id"]]}
        assert [one["done"] for one in api.call("subscribe/table/add", addition)] == [False]
        (added,) = api.call("subscribe/table/add", {**addition, "rules": rules, "where": "id <> 10"})
        assert added["done"], added

        def service() -> dict[str, Any]:
            (found,) = api.call("container/cluster/customer/page", {"type": "process"})["records"]
            return dict(found)

        def table() -> dict[str, Any]:
            (found,) = api.call("subscribe/table/page", {"clientType": "databus"})["records"]
            return dict(found)

        wait_until(lambda: table()["state"] == "incremental-running", SECONDS, "changes are applied")
        assert rows() == [(str(n), f"{n * 2}.00", "-") for n in range(1, 10)]
        # Stopped and started as every other service, it resumes at its position.
        by_type = {"nodeId": node, "type": "process", "subType": "", "forcestatus": False}
        (stopped,) = api.call("container/cluster/customer/modfiystatusbytype", {**by_type, "status": "stopped"})
        assert stopped["done"]
        wait_until(lambda: service()["state"] == "stopped", SECONDS, "the process stopped")
        # A change of the key leads into the condition, another one out of it.
        for statement in ("UPDATE orders SET id = 11 WHERE id = 10", "UPDATE orders SET id = 10 WHERE id = 9"):
            postgres_server.execute(statement, source)
        api.call("container/cluster/customer/modfiystatus", {"ids": [service()["id"]], "status": "started"})
        expected = [*((str(n), f"{n * 2}.00", "-") for n in range(1, 9)), ("11", "20.00", "-")]
        wait_until(lambda: rows() == expected, SECONDS, "what was changed meanwhile arrives transformed")
        wait_until(lambda: service()["state"] == "normal", SECONDS, "the process makes progress")
        counted = api.call("container/cluster/customer/getTypeCount", {"containerid": service()["containerid"]})
        assert {"type": "process", "count": 1} in counted
