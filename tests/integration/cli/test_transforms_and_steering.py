"""Conditions and names in a link file, and single tables steered by `zcbus link table …`, on a running platform."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.integration.cli.test_links_as_code import databases, link_file, passwords, status, zcbus
from tests.servers.base import Server
from tests.support.platform import Platform, running_platform
from tests.support.processes import wait_until

pytestmark = pytest.mark.server
ORDERS = "public.Orders"


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    with running_platform(tmp_path_factory.mktemp("platform") / "var") as running:
        yield running


@pytest.mark.soak
def test_a_file_with_transforms_and_a_table_that_is_steered(
    platform: Platform, postgres_server: Server, mariadb_server: Server, tmp_path: Path
) -> None:
    table = {
        "source": ORDERS,
        "where": "region = 'CN'",
        "expressions": {"Gross": {"expression": "amount * 1.5", "type": "decimal(12,2)"}},
        "masks": {"phone": {"method": "partial", "first": 3, "last": 2}},
        "constants": {"origin": "shop"},
    }
    names = {"table": {"case": "lower", "prefix": "t_"}, "column": {"case": "lower"}}
    path = link_file(
        tmp_path, "steered", postgres_server, mariadb_server, tables=["public.*", table], names=names, clean="none"
    )
    secrets = passwords(postgres_server, mariadb_server)
    source, target = databases(path)
    for statement in (
        'CREATE TABLE "Orders" ("ID" int PRIMARY KEY, region text, amount numeric(10,2), phone text)',
        "CREATE TABLE other (id int PRIMARY KEY)",
        """INSERT INTO "Orders" VALUES (1, 'CN', 10, '13812345678'), (2, 'DE', 20, '1')""",
    ):
        postgres_server.execute(statement, source)

    def rows() -> list[tuple[Any, ...]]:
        found = mariadb_server.rows("SELECT id, phone, gross, origin FROM t_orders ORDER BY id", target)
        return [(number, phone, str(gross), origin) for number, phone, gross, origin in found]

    def is_in(state: str) -> None:
        def reached() -> bool:
            return {one["source"]: one["state"] for one in status(platform, "steered")["tables"]}[ORDERS] == state

        wait_until(reached, 60, f"{ORDERS} is {state}")

    def changed(sql: str, *expected: tuple[Any, ...]) -> None:
        postgres_server.execute(sql, source)
        wait_until(lambda: rows() == list(expected), 60, f"{expected} after {sql}")

    first = (1, "138******78", "15.00", "shop")
    zcbus(platform, "link", "apply", str(path), "--wait", "incremental-running", "--timeout", "120", **secrets)
    assert rows() == [first]
    second = (2, "*", "30.00", "shop")
    changed("""UPDATE "Orders" SET region = 'CN' WHERE "ID" = 2""", first, second)
    moment = datetime.now(UTC).isoformat()
    changed("""UPDATE "Orders" SET region = 'DE' WHERE "ID" = 1""", second)

    exported = yaml.safe_load(zcbus(platform, "link", "export", "steered"))
    assert exported["tables"][1] == table
    assert exported["names"] == names

    # Positions are changed only while nothing moves them.
    refused = zcbus(platform, "link", "table", "reset", "steered", ORDERS, fails=True)
    assert "reset" in refused
    zcbus(platform, "link", "table", "suspend", "steered", ORDERS)
    is_in("suspended")
    mariadb_server.execute("INSERT INTO t_orders (id) VALUES (1)", target)
    found = json.loads(
        zcbus(platform, "link", "table", "find-incremental", "steered", ORDERS, "--time", moment, "--json")
    )
    assert found["tables"][0]["changes"] == 1
    assert found["complete"]
    early = zcbus(
        platform, "link", "table", "start-incremental", "steered", ORDERS, "--time", "2020-01-01T00:00Z", fails=True
    )
    assert "2020-01-01" in early
    zcbus(platform, "link", "table", "set-incremental", "steered", ORDERS, "--offset", str(found["offset"]))
    is_in("suspended")
    zcbus(platform, "link", "table", "resume", "steered", ORDERS)
    is_in("incremental-running")
    wait_until(lambda: rows() == [second], 60, "the change that was chosen is applied again")

    # Loading again into a shadow table repairs manual changes in the target; the other table runs on.
    mariadb_server.execute("DELETE FROM t_orders; INSERT INTO t_orders (id) VALUES (77)", target)
    zcbus(platform, "link", "table", "reload", "steered", ORDERS, "--beside")
    wait_until(lambda: rows() == [second], 60, "the table is what it was")
    is_in("incremental-running")

    # Reset deletes the position; resuming starts again with a load.
    zcbus(platform, "link", "table", "suspend", "steered", ORDERS)
    is_in("suspended")
    zcbus(platform, "link", "table", "reset", "steered", ORDERS)
    mariadb_server.execute("INSERT INTO t_orders (id) VALUES (78)", target)
    zcbus(platform, "link", "table", "resume", "steered", ORDERS)
    wait_until(lambda: rows() == [second], 60, "it was loaded again")
    is_in("incremental-running")
    changed("""DELETE FROM "Orders" WHERE "ID" = 2""")

    # A plan does the same at its time, or at once.
    plan = {"plan": "nightly", "trigger": "cron", "cron": "0 2 * * *", "timeZone": "Asia/Shanghai"}
    file = tmp_path / "nightly.yaml"
    file.write_text(yaml.safe_dump({**plan, "job": {"type": "compare", "link": "steered", "tables": ["public.other"]}}))
    zcbus(platform, "plan", "apply", str(file))
    zcbus(platform, "plan", "apply", str(file))
    assert "succeeded" in zcbus(platform, "plan", "run", "nightly", "--wait", "--timeout", "120")
    mariadb_server.execute("INSERT INTO t_other VALUES (5)", target)
    found = json.loads(zcbus(platform, "plan", "run", "nightly", "--json"))

    def reason() -> str:
        (one,) = json.loads(zcbus(platform, "plan", "list", "--json"))
        last = one["lastRun"]
        return (last["reason"] or {"code": ""})["code"] if last["id"] == found["id"] else ""

    wait_until(lambda: reason() == "plan-tables-undone", 60, "the row that is too much is found")
    day = ("--from", "2026-01-01T00:00Z", "--to", "2026-01-01T23:59Z")
    assert "1 due times: 2026-01-01T18:00:00Z" in zcbus(platform, "plan", "backfill", "nightly", *day, "--dry-run")
    zcbus(platform, "plan", "backfill", "nightly", *day)
    zcbus(platform, "plan", "cancel-backfill", "nightly")
    zcbus(platform, "plan", "pause", "nightly")
    assert "paused" in zcbus(platform, "plan", "list")
    assert "there is no task plan x" in zcbus(platform, "plan", "run", "x", fails=True)
    # A saved SQL and its database are named by their names.
    with platform.api() as api:
        api.call("resource/sql/add", {"description": "orders", "statement": 'SELECT 1 FROM "Orders"'})
    sql = {"statement": "orders", "database": "steered", "use": "publish", "expect": "some"}
    file.write_text(yaml.safe_dump({**plan, "plan": "check", "job": {"type": "sql", "sql": sql}}))
    zcbus(platform, "plan", "apply", str(file))
    assert "check: succeeded: 1 rows" in zcbus(platform, "plan", "run", "check", "--wait", "--timeout", "60")
    assert "sql orders" in zcbus(platform, "plan", "list")
    file.write_text(yaml.safe_dump({**plan, "plan": "check", "job": {"type": "sql", "sql": {**sql, "statement": "x"}}}))
    assert "there is no saved SQL x" in zcbus(platform, "plan", "apply", str(file), fails=True)
    clean = {"histories": ["loads", "recycle-bin"], "olderThanDays": 30}
    file.write_text(yaml.safe_dump({**plan, "plan": "clean", "job": {"type": "clean", "clean": clean}}))
    zcbus(platform, "plan", "apply", str(file))
    assert "0 records removed" in zcbus(platform, "plan", "run", "clean", "--wait", "--timeout", "60")
