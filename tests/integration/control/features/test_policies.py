"""Policies: drafts and versions on the control plane, and their distribution on real databases."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import new_customer, new_master
from tests.servers.base import Server
from tests.support.platform import Platform, running_platform
from tests.support.processes import wait_until

SECONDS = 60


def error_of(answer: dict[str, Any]) -> str:
    error: str = answer["data"]["error"]
    return error


def test_a_draft_becomes_versions_that_nothing_changes(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    added(admin, node, ORDERS, LINES)
    made = admin.call("policy/define/add", {"productName": "retail", "nodeMaster": node})
    policy = {"id": made["id"]}
    assert (made["state"], made["tables"], made["newest"]) == ("draft", 0, None)
    again = admin.refused("policy/define/add", {"productName": "retail", "nodeMaster": node})
    assert error_of(again) == "policy-name-taken"
    assert error_of(admin.refused("policy/define/version/add", policy)) == "policy-empty"
    offered = admin.call("policy/sheet/candidate/page", policy)
    assert [one["name"] for one in offered["records"]] == ["public.lines", "public.orders"]
    unknown = admin.refused("policy/sheet/add", {**policy, "tables": ["public.nothing"]})
    assert error_of(unknown) == "policy-tables-unknown"
    admin.call("policy/sheet/add", {**policy, "tables": ["public.orders", "public.lines"]})
    assert admin.call("policy/sheet/candidate/page", policy)["total"] == 0
    assert admin.call("policy/define/version/add", {**policy, "note": "first"})["number"] == 1
    assert error_of(admin.refused("policy/define/version/add", policy)) == "policy-unchanged"
    # The draft is edited; the version stays unchanged.
    table = {"source": "public.orders", "where": "total > 0", "rules": [{"column": "mail", "kind": "hash"}]}
    admin.call("policy/sheet/save", {**policy, "table": table})
    admin.call("policy/sheet/remove", {**policy, "tables": ["public.lines"]})
    changed = admin.call(
        "policy/define/edit", {**policy, "productName": "retail", "settings": {"clean": "truncate"}, "remark": "r"}
    )
    assert (changed["state"], changed["settings"]["clean"], changed["remark"]) == ("changed", "truncate", "r")
    difference = admin.call("policy/define/compare", {**policy, "before": 1, "after": None})
    assert [one["name"] for one in difference["settings"]] == ["clean"]
    assert (difference["added"], difference["removed"]) == ([], ["public.lines"])
    [of_orders] = difference["changed"]
    assert [one["name"] for one in of_orders["fields"]] == ["where", "rules"]
    assert admin.call("policy/sheet/page", {**policy, "version": 1})["total"] == 2
    [line] = admin.call("policy/sheet/page", {**policy, "search": "ORD"})["records"]
    assert (line["name"], line["table"]["where"], line["published"]) == ("public.orders", "total > 0", True)
    assert admin.call("policy/define/version/add", policy)["number"] == 2
    versions = admin.call("policy/define/version/page", policy)["records"]
    assert [(one["number"], one["tables"], one["note"]) for one in versions] == [(2, 1, ""), (1, 2, "first")]
    # A version comes back as the draft, and as code; applied again, that changes nothing.
    assert admin.call("policy/define/version/restore", {**policy, "version": 1})["tables"] == 2
    document = admin.call("policy/document/export", {**policy, "version": 2})["document"]
    assert (document["policy"], document["tables"][0]["source"]) == ("retail", "public.orders")
    diff = admin.call("policy/document/diff", document)
    assert (diff["removed"], [one["table"] for one in diff["changed"]]) == (["public.lines"], ["public.orders"])
    applied = admin.call("policy/document/apply", {"document": document, "release": True})
    assert (applied["created"], applied["released"], applied["version"]) == (False, False, 2)
    second = admin.call("policy/document/apply", {"document": {**document, "policy": "copy"}, "release": True})
    assert (second["created"], second["released"], second["version"]) == (True, True, 1)
    assert admin.refused("policy/document/apply", {"document": {**document, "nodes": "x"}})["code"] == 422
    # A retired version cannot be delivered.
    admin.call("policy/define/version/retire", {**policy, "version": 2})
    master = new_master(admin, new_customer(admin), node)
    chosen = {**policy, "version": 2, "targets": [{"controlId": master}]}
    assert error_of(admin.refused("policy/distribute/preview", chosen)) == "policy-version-retired"
    admin.call("policy/define/delete", policy)
    assert [one["productName"] for one in admin.call("policy/define/page", {})["records"]] == ["copy"]


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


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    with running_platform(tmp_path_factory.mktemp("platform") / "var") as running:
        yield running


@pytest.mark.soak
@pytest.mark.server
def test_distributed_upgraded_rolled_back_and_revoked(platform: Platform, postgres_server: Server) -> None:
    source, branch, broken = (postgres_server.fresh_database(name) for name in ("source", "branch", "broken"))
    for statement in (
        "CREATE TABLE orders (id int PRIMARY KEY, total int, mail text)",
        "CREATE TABLE lines (id int PRIMARY KEY, text text)",
        "INSERT INTO orders SELECT n, n, 'm' || n FROM generate_series(1, 100) n",
        "INSERT INTO lines SELECT n, 'l' || n FROM generate_series(1, 100) n",
    ):
        postgres_server.execute(statement, source)
    # The existing table lacks a column: its pre-check refuses it.
    postgres_server.execute("CREATE TABLE lines (other int)", broken)

    def rows(query: str) -> list[tuple[Any, ...]]:
        return postgres_server.rows(query, branch)

    with platform.api() as api:
        node = api.call("publish/node/add", {"name": "shop", "connection": side(postgres_server, source)})
        named = [{"schema": "public", "table": name} for name in ("orders", "lines")]
        api.call("publish/table/add", {"nodeMaster": node, "tables": named})
        masters = {}
        for name, database in (("branch", branch), ("broken", broken)):
            customer = api.call("subscribe/customer/add", {"name": name, "connection": side(postgres_server, database)})
            [known] = api.call("subscribe/database/page", {"customerId": customer})["records"]
            asked = {"name": name, "customerId": customer, "databaseId": known["id"], "nodeMaster": node}
            masters[name] = api.call("subscribe/control/add", asked)
        policy = {"id": api.call("policy/define/add", {"productName": "retail", "nodeMaster": node})["id"]}
        api.call("policy/sheet/add", {**policy, "tables": ["public.orders", "public.lines"]})
        api.call("policy/define/version/add", policy)
        targets = [{"controlId": masters["broken"]}, {"controlId": masters["branch"]}]

        def chosen(version: int) -> dict[str, Any]:
            return {**policy, "version": version, "targets": targets}

        def delivery(name: str = "branch") -> dict[str, Any]:
            found = api.call("policy/distribute/page", {"search": name})["records"]
            [one] = [record for record in found if record["customerName"] == name]
            return dict(one)

        def actions(version: int) -> dict[str, str]:
            seen = api.call("policy/distribute/preview", {**chosen(version), "targets": targets[-1:]})
            # Reloaded tables are exchanged, not merged.
            assert "rows are merged" not in str(seen[0]["findings"])
            return {one["source"]: one["action"] for one in seen[0]["tables"]}

        def is_active() -> None:
            wait_until(lambda: delivery()["state"] == "active", SECONDS, "every table applies changes")

        # The first delivery: the customer that fails stops alone.
        refused, fine = api.call("policy/distribute/preview", chosen(1))
        assert (refused["ok"], fine["ok"]) == (False, True)
        assert {one["action"] for one in fine["tables"]} == {"add"}
        results = api.call("policy/distribute/apply", chosen(1))
        assert [(one["done"], one["code"]) for one in results] == [(False, "policy-delivery-refused"), (True, "")]
        assert (delivery("broken")["state"], delivery("broken")["version"]) == ("failed", None)
        assert delivery("broken")["reason"]["code"] == "policy-delivery-refused"
        assert (delivery()["version"], delivery()["previous"], delivery()["tables"]) == (1, None, 2)
        is_active()
        assert rows("SELECT count(*) FROM orders") == [(100,)]
        [given] = api.call("subscribe/product/list", {"customerId": delivery()["customerId"]})["records"]
        assert given["productName"] == "retail"
        assert api.call("subscribe/product/list", {"customerId": delivery("broken")["customerId"]})["total"] == 0
        # The upgrade: other rows of one table, while the other one continues.
        table = {"source": "public.orders", "where": "total > 50", "rules": [{"column": "mail", "kind": "hash"}]}
        api.call("policy/sheet/save", {**policy, "table": table})
        api.call("policy/sheet/save", {**policy, "table": {"source": "public.lines", "ddl": "ignore"}})
        api.call("policy/define/version/add", policy)
        assert actions(2) == {"public.orders": "reload", "public.lines": "change"}
        postgres_server.execute("INSERT INTO lines VALUES (101, 'before')", source)
        targets = targets[1:]
        [upgraded] = api.call("policy/distribute/apply", chosen(2))
        postgres_server.execute("INSERT INTO lines VALUES (102, 'after')", source)
        postgres_server.execute("INSERT INTO orders VALUES (101, 1, 'no'), (102, 200, 'yes')", source)
        assert (upgraded["done"], upgraded["tables"]) == (True, {"change": 1, "reload": 1})
        wait_until(lambda: rows("SELECT count(*) FROM orders") == [(51,)], SECONDS, "only the rows that are wanted")
        wait_until(lambda: rows("SELECT count(*) FROM lines") == [(102,)], SECONDS, "nothing of the other is lost")
        assert rows("SELECT length(mail) FROM orders WHERE id = 102") == [(64,)]
        is_active()
        lines = next(one for one in api.call("subscribe/table/page", {})["records"] if one["source"] == "public.lines")
        assert (lines["version"], lines["ddl"], lines["rowsLoaded"]) == (1, "ignore", 100)
        # A version without a table, and back: it resumes at its position.
        api.call("policy/sheet/remove", {**policy, "tables": ["public.lines"]})
        api.call("policy/define/version/add", policy)
        assert actions(3) == {"public.orders": "keep", "public.lines": "remove"}
        assert api.call("policy/distribute/apply", chosen(3))[0]["tables"] == {"remove": 1, "keep": 1}
        postgres_server.execute("INSERT INTO lines VALUES (103, 'meanwhile')", source)
        assert (delivery()["version"], delivery()["previous"], delivery()["tables"]) == (3, 2, 1)
        back = {"deliveries": [delivery()["id"]]}
        [rolled] = api.call("policy/distribute/rollback", back)
        assert (rolled["version"], rolled["tables"]) == (2, {"resume": 1, "keep": 1})
        wait_until(lambda: rows("SELECT count(*) FROM lines") == [(103,)], SECONDS, "what came meanwhile is there")
        assert (delivery()["version"], delivery()["previous"]) == (2, 3)
        is_active()
        # Revoked: nothing is applied any more, and the data stays.
        in_use = api.call("policy/define/page", {})["records"][0]["customers"]
        assert in_use == 1
        api.call("policy/distribute/revoke", back)
        assert api.call("policy/distribute/page", {"search": "branch"})["total"] == 0
        assert api.call("subscribe/table/page", {})["total"] == 0
        assert rows("SELECT count(*) FROM lines") == [(103,)]


@pytest.mark.wide
@pytest.mark.server
def test_a_table_without_load_loses_no_change_by_an_upgrade(platform: Platform, postgres_server: Server) -> None:
    source, branch = (postgres_server.fresh_database(name) for name in ("events_source", "events_branch"))
    for database in (source, branch):
        postgres_server.execute("CREATE TABLE events (id int PRIMARY KEY, kind text)", database)
    postgres_server.execute("INSERT INTO events VALUES (0, 'before')", source)

    def events() -> list[tuple[Any, ...]]:
        return postgres_server.rows("SELECT id, kind FROM events ORDER BY id", branch)

    with platform.api() as api:
        node = api.call("publish/node/add", {"name": "events", "connection": side(postgres_server, source)})
        api.call("publish/table/add", {"nodeMaster": node, "tables": [{"schema": "public", "table": "events"}]})
        asked = {"name": "events", "connection": side(postgres_server, branch)}
        customer = api.call("subscribe/customer/add", asked)
        [known] = api.call("subscribe/database/page", {"customerId": customer})["records"]
        asked = {"name": "m", "customerId": customer, "databaseId": known["id"], "nodeMaster": node, "channelCount": 2}
        master = api.call("subscribe/control/add", asked)

        def give(table: dict[str, Any]) -> dict[str, int]:
            document = {"policy": "events", "node": "events", "load": "incremental", "tables": [table]}
            made = api.call("policy/document/apply", {"document": document, "release": True})
            target = {"id": made["policy"]["id"], "version": made["version"], "targets": [{"controlId": master}]}
            [result] = api.call("policy/distribute/apply", target)
            assert result["done"], result
            return dict(result["tables"])

        def captured() -> bool:
            [one] = api.call("publish/table/page", {"nodeMaster": node})["records"]
            return bool(one["state"] == "incremental-release")

        def state() -> str:
            [one] = api.call("subscribe/table/page", {"customerId": customer})["records"]
            return str(one["state"])

        wait_until(captured, SECONDS, "the source's changes are captured")
        assert give({"source": "public.events"}) == {"add": 1}
        postgres_server.execute("INSERT INTO events VALUES (1, 'plain')", source)
        wait_until(lambda: events()[-1:] == [(1, "plain")], SECONDS, "changes are applied")
        # Held back, it has changes in front of it while the version changes; released, it applies them all.
        [line] = api.call("subscribe/table/page", {"customerId": customer})["records"]
        api.call("subscribe/table/suspend", {"tables": [line["id"]]})
        wait_until(lambda: state() == "suspended", SECONDS, "the table is held back")
        postgres_server.execute("INSERT INTO events VALUES (2, 'waiting'), (3, 'noise')", source)
        upgrade = {"source": "public.events", "where": "kind <> 'noise'", "rules": [{"column": "kind", "kind": "hash"}]}
        assert give(upgrade) == {"change": 1}
        api.call("subscribe/table/resume", {"tables": [line["id"]]})
        wait_until(lambda: [one for one, _ in events()] == [1, 2], SECONDS, "what waited is there, as the version says")
        assert (events()[0], len(events()[1][1])) == ((1, "plain"), 64)
        # While it runs, the next version takes effect where it is.
        assert give({"source": "public.events"}) == {"change": 1}
        numbers = itertools.count(4)

        def applies_noise() -> bool:
            # A change that the worker applies before it has the new settings is still filtered.
            postgres_server.execute(f"INSERT INTO events VALUES ({next(numbers)}, 'noise')", source)
            return events()[-1][1] == "noise"

        wait_until(applies_noise, SECONDS, "the change is applied as the version says", pause=0.5)
        [after] = api.call("subscribe/table/page", {"customerId": customer})["records"]
        assert (after["version"], after["rowsLoaded"], after["state"]) == (1, 0, "incremental-running")
