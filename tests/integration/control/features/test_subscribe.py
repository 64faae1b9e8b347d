"""Subscriptions without a sync link: customers with databases, masters with channels, and the data sheet."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import Database, FakeAgent, fake_agent
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.strategies import define_strategy
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node, report
from tests.support.control_plane import ControlPlane
from zcbus.model.states import LoadType, PublishState, ServiceState, SyncState
from zcbus.protocol.answers import Finding, StartPosition, TableStart
from zcbus.protocol.base import Reason, TableRef
from zcbus.protocol.tasks import PublishTask, SubscribeTask

TARGET = {**document()["target"], "password": "right"}
BARE = {key: TARGET[key] for key in TARGET if key != "password"}


def new_customer(admin: Caller, name: str = "branch", **changes: Any) -> tuple[str, str]:
    """Ids of a new customer and of its database."""
    customer = admin.call("subscribe/customer/add", {"name": name, "connection": TARGET, **changes})
    (database,) = admin.call("subscribe/database/page", {"customerId": customer})["records"]
    return customer, database["id"]


def new_master(admin: Caller, customer: tuple[str, str], node: str, name: str = "m", **changes: Any) -> str:
    asked = {"name": name, "customerId": customer[0], "databaseId": customer[1], "nodeMaster": node, **changes}
    master: str = admin.call("subscribe/control/add", asked)
    return master


def subscribe(admin: Caller, master: str, ids: list[str], **changes: Any) -> list[dict[str, Any]]:
    asked = {"controlId": master, "tables": ids, **changes}
    results: list[dict[str, Any]] = admin.call("subscribe/table/add", asked)
    return results


def sheet(admin: Caller, **wanted: Any) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = admin.call("subscribe/table/page", wanted)["records"]
    return records


def tasks(agent: FakeAgent) -> list[SubscribeTask]:
    agent.sync()
    assert agent.orders is not None
    return [order.task for order in agent.orders.orders if isinstance(order.task, SubscribeTask)]


def outcome(results: list[dict[str, Any]]) -> dict[str, tuple[bool, str]]:
    return {one["table"]: (one["done"], one["reason"]) for one in results}


def test_several_subscribers_receive_one_publication(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    first = new_master(admin, new_customer(admin), node, channelCount=2, schema="copy", prefix="t_", threads=3, lanes=4)
    second = new_master(admin, new_customer(admin, "archive"), node, nameCase="upper", clean="truncate")
    results = subscribe(admin, first, [*ids.values(), "nothing"])
    assert outcome(results) == {
        "public.orders": (True, ""),
        "public.lines": (True, ""),
        "nothing": (False, "The node does not publish this table"),
    }
    assert [one["done"] for one in subscribe(admin, second, [ids["public.orders"]])] == [True]
    ordered = {(one.target, task.load_threads, task.apply_lanes) for task in tasks(agent) for one in task.tables}
    assert ordered == {
        (TableRef(schema_name="copy", table="t_orders"), 3, 4),
        (TableRef(schema_name="copy", table="t_lines"), 3, 4),
        (TableRef(schema_name="COPY", table="ORDERS"), 2, 1),
    }
    # One snapshot serves all of them.
    assert {one.generation for task in tasks(agent) for one in task.tables} == {1}
    published = agent.order(PublishTask).task
    assert isinstance(published, PublishTask)
    assert {one.generation for one in published.tables} == {1}
    assert {one.source.table: one.direct for one in published.tables} == {"orders": False, "lines": True}
    channels = admin.call("subscribe/channel/page", {"controlId": first, "sort": "name", "order": "asc"})["records"]
    assert [(row["name"], row["tables"]["total"]) for row in channels] == [("m-1", 1), ("m-2", 1)]
    counts = admin.call("subscribe/customer/page", {"search": "arch"})["records"]
    assert [(row["masters"], row["channels"], row["tables"]["total"]) for row in counts] == [(1, 1, 1)]
    nodes = admin.call("publish/buspushstatustb/page", {})["records"]
    assert [row["subscribers"] for row in nodes] == [2]


def test_a_table_that_still_loads_takes_the_newer_snapshot(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS)
    slow = new_master(admin, new_customer(admin), node)
    quick = new_master(admin, new_customer(admin, "archive"), node)
    subscribe(admin, slow, list(ids.values()))
    subscribe(admin, quick, list(ids.values()))
    agent.run_services()
    agent.report_tables(SyncState.FULL_ALLOWED)
    (row,) = sheet(admin, controlId=quick)
    assert outcome(admin.call("subscribe/table/start-full", {"tables": [row["id"]]})) == {"public.orders": (True, "")}
    assert {one.generation for task in tasks(agent) for one in task.tables} == {2}


def test_each_table_is_answered_for(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    customer = new_customer(admin)
    master = new_master(admin, customer, node)
    missing = Reason(code="table-missing", facts={"table": "public.lines"})
    agent.database.findings = (Finding(level="error", table="public.lines", reason=missing),)
    results = outcome(subscribe(admin, master, list(ids.values())))
    assert (results["public.orders"], results["public.lines"][0]) == ((True, ""), False)
    assert "public.lines" in results["public.lines"][1]
    agent.database.findings = ()
    again = outcome(subscribe(admin, master, [ids["public.orders"]]))
    assert again["public.orders"] == (False, "The master has the table already")
    other = new_master(admin, customer, node, "other")
    taken = outcome(subscribe(admin, other, [ids["public.orders"]]))
    assert taken["public.orders"] == (False, "Another table is replicated to that target already")
    long = new_master(admin, customer, node, "long", suffix="x" * 64, prefix="y" * 64)
    refused = outcome(subscribe(admin, long, [ids["public.lines"]]))
    assert refused["public.lines"] == (False, "Target table name incorrect, length 0-128")
    page = admin.call("subscribe/table/candidate/page", {"controlId": master, "search": "c.l"})
    assert [row["id"] for row in page["records"]] == [ids["public.lines"]]


def test_published_tables_are_failed_where_their_service_ended_for_good(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    added(admin, node, ORDERS)
    master = new_master(admin, new_customer(admin), node)
    agent.order(PublishTask)
    agent.run_services()
    report(agent, PublishState.INCREMENTAL_RELEASE)
    choice = {"controlId": master, "sort": "state"}
    (offered,) = admin.call("subscribe/table/candidate/page", choice)["records"]
    assert (offered["state"], offered["reason"]) == ("incremental-release", None)
    denied = Reason(code="access-denied", facts={"address": "h:1", "user": "u", "detail": "no"})
    agent.run_services(ServiceState.ABNORMAL, denied)
    (offered,) = admin.call("subscribe/table/candidate/page", choice)["records"]
    assert (offered["state"], offered["reason"]["text"]) == ("publish-failed", "The database h:1 refuses user u: no")


def skips_left(row: dict[str, Any]) -> tuple[int, int]:
    return row["dmlSkip"], row["ddlSkip"]


def test_the_sheet_steers_tables_by_their_states(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    master = new_master(admin, new_customer(admin), node)
    subscribe(admin, master, list(ids.values()))
    agent.run_services()
    size = {"rows_total": 400, "rows_loaded": 100, "bytes_loaded": 5000}
    ddl = {"ddl_seen": 3, "ddl_followed": 2, "ddl_skipped": 1, "last_ddl_at": agent.plane.clock.now()}
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, inserts=40, errors=2, **size, **ddl)
    agent.report_tables(SyncState.INCREMENTAL_ERROR, ["public.lines"])
    lines, orders = sheet(admin, controlId=master)
    assert (orders["state"], orders["errorRate"], orders["queueName"]) == ("incremental-running", 50.0, f"real/{node}")
    assert (orders["loadSizeBytes"], orders["loadSizeTotalBytes"]) == (5000, 20_000)
    assert (orders["ddlSeen"], orders["ddlFollowed"], orders["ddlSkipped"]) == (3, 2, 1)
    assert orders["lastDdlAt"] is not None
    define_strategy(agent.plane, "default", "retail", [orders["customerId"]])
    define_strategy(agent.plane, "default", "without customers")
    assert [row["policyNames"] for row in sheet(admin)] == [["retail"], ["retail"]]
    assert "reset" not in orders["actions"]
    both = {"tables": [orders["id"], lines["id"], "unknown"]}
    recovered = admin.call("subscribe/table/recover", both, "zh")
    assert outcome(recovered) == {
        "public.lines": (True, ""),
        "public.orders": (False, "既不是增量异常也不是全量异常，不能进行异常处理"),
        "unknown": (False, "订阅表不存在"),
    }
    assert outcome(admin.call("subscribe/table/reset", {"tables": [orders["id"]]})) == {
        "public.orders": (False, "Table public.orders is incremental running; reset is not possible")
    }
    limits = {"tables": [orders["id"]], "errorLimit": 5, "dmlSkip": 1_000_000, "ddlSkip": 100}
    assert admin.call("subscribe/table/limit", limits)[0]["done"]
    before = admin.logged_before()["public.orders"]
    assert (before["state"], before["errorLimit"], before["ddlSkip"]) == ("incremental-running", 100, 0)
    assert [skips_left(row) for row in sheet(admin, search="orders")] == [(1_000_000, 100)]
    left = {"skip_revision": 1, "dml_skip_left": 999_998, "ddl_skip_left": 0}
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, ["public.orders"], **left)
    assert [skips_left(row) for row in sheet(admin, search="orders")] == [(999_998, 0)]
    assert admin.refused("subscribe/table/limit", {**limits, "ddlSkip": 101})["code"] == 422
    assert admin.refused("subscribe/table/limit", {**limits, "dmlSkip": 1_000_001})["code"] == 422
    assert admin.call("subscribe/table/clean", {"tables": [orders["id"]], "clean": "only-truncate"})[0]["done"]
    for verb in ("suspend", "resume", "start-full", "reset-start", "accept-gap"):
        assert len(admin.call(f"subscribe/table/{verb}", both)) == 3, verb
    assert [row["clean"] for row in sheet(admin, search="orders")] == ["only-truncate"]
    assert all(one["done"] for one in admin.call("subscribe/table/unbind", {"tables": both["tables"][:2]}))
    assert sheet(admin) == []


def test_settings_of_a_table_are_changed_while_it_runs(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    master = new_master(admin, new_customer(admin), node)
    subscribe(admin, master, list(ids.values()))
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING)
    _, row = sheet(admin, controlId=master)
    asked = {
        "table": row["id"],
        "targetSchema": "copy",
        "targetTable": "orders2",
        "columns": "id,note",
        "where": "id > 7",
        **{name: row[name] for name in ("load", "clean", "ddl")},
    }
    plan = {"consequence": "reload", "shadowTable": False}
    assert admin.call("subscribe/table/edit/preview", asked) == plan
    too_long = {**asked, "targetTable": "x" * 129}
    assert admin.refused("subscribe/table/edit", too_long)["data"]["error"] == "target-name-length"
    taken = {**asked, "targetTable": "lines"}
    assert admin.refused("subscribe/table/edit", taken)["data"]["error"] == "target-taken"
    never = {**asked, "load": "incremental"}
    assert admin.refused("subscribe/table/edit", never)["data"]["error"] == "table-needs-load"
    admin.call("subscribe/table/edit", asked)
    (shown,) = sheet(admin, search="orders2")
    assert (shown["columns"], shown["where"], shown["version"]) == ([["id", "id"], ["note", "note"]], "id > 7", 2)


def test_rules_of_a_table_are_listed_added_changed_and_deleted(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    subscribe(admin, new_master(admin, new_customer(admin), node), list(added(admin, node, ORDERS).values()))
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING)
    (row,) = sheet(admin)
    table = {"table": row["id"]}
    doubled = {"column": "double", "kind": "expression", "expression": "amount * 2", "type": "integer"}
    hidden = {"column": "name", "kind": "partial", "first": 1, "last": 2}
    rule = "subscribe/etl/rule"
    facts = {"table": "public.orders", "column": "double", "expression": "amount * 2", "detail": "no column amount"}
    finding = Finding(
        level="error", table="public.orders", reason=Reason(code="expression-invalid", facts=facts), remedy=""
    )
    agent.database.findings = (finding,)
    refused = admin.refused(f"{rule}/add", {**table, "rule": doubled})
    assert "no column amount" in refused["message"]
    agent.database.findings = ()
    for one in (doubled, hidden):
        admin.call(f"{rule}/add", {**table, "rule": one})
        agent.report_tables(SyncState.SUSPENDED, generation=9)
    planned = next(put.request for put in reversed(agent.asked) if put.request.type == "precheck").tables[0]
    assert [one.expression for one in planned.transform.expressions] == ["amount * 2"]
    assert admin.logged_before()["rules"] == [doubled]
    assert admin.refused(f"{rule}/add", {**table, "rule": hidden})["data"]["error"] == "etl-rule-taken"
    empty = {**doubled, "expression": " "}
    assert admin.refused(f"{rule}/add", {**table, "rule": empty})["code"] == 422
    fixed = {"column": "name", "kind": "fixed", "value": "-"}
    admin.call(f"{rule}/edit", {**table, "column": "name", "rule": fixed})
    assert admin.refused(f"{rule}/edit", {**table, "column": "none", "rule": fixed})["code"] == 404
    shown = admin.call(f"{rule}/list", table)
    assert [(one["column"], one["kind"], one["value"]) for one in shown] == [
        ("double", "expression", ""),
        ("name", "fixed", "-"),
    ]
    ((task,),) = [one.tables for one in tasks(agent)]
    assert (task.transform.masks[0].method, task.transform.expressions[0].type) == ("fixed", "integer")
    agent.report_tables(SyncState.SUSPENDED, generation=9)
    admin.call(f"{rule}/delete", {**table, "columns": ["double", "name"]})
    assert ([one["etlRules"] for one in sheet(admin)], admin.call(f"{rule}/list", table)) == ([0], [])


def test_a_start_position_is_set(agent: FakeAgent, admin: Caller) -> None:
    table = TableStart(table=TableRef(schema_name="public", table="orders"), changes=3, first_change_ms=0)
    agent.handlers["resolve-start"] = lambda _: StartPosition(
        offset=17, record_time=5, first_offset=0, next_offset=20, counted_to=20, tables=(table,)
    )
    node = new_node(admin)
    ids = added(admin, node, ORDERS)
    master = new_master(admin, new_customer(admin), node, startFull=False)
    subscribe(admin, master, list(ids.values()))
    (only,) = (one for task in tasks(agent) for one in task.tables)
    assert only.begin is not None
    assert (only.load.value, only.begin.offset) == ("incremental", 17)
    agent.run_services()
    agent.report_tables(SyncState.SUSPENDED)
    (row,) = sheet(admin)
    choice = {"tables": [row["id"]], "offset": 17}
    assert admin.call("subscribe/table/find-incremental", choice)["tables"][0]["changes"] == 3
    assert admin.call("subscribe/table/start-incremental", {**choice, "hold": True})[0]["done"]
    agent.report_tables(SyncState.INCREMENTAL_RUNNING)
    (refused,) = admin.call("subscribe/table/start-incremental", choice)
    assert (refused["done"], refused["code"]) == (False, "table-action-refused")
    assert admin.refused("subscribe/table/start-incremental", {"tables": [row["id"]]})["code"] == 422


def test_a_channel_is_not_enabled_until_it_is_started(agent: FakeAgent, admin: Caller) -> None:
    master = new_master(admin, new_customer(admin), new_node(admin))
    extra = admin.call("subscribe/channel/add", {"controlId": master, "name": "extra", "start": False})
    usual = ["m", "extra"]

    def states() -> list[str]:
        page = admin.call("subscribe/channel/page", {"controlId": master})
        found = {row["name"]: row["state"] for row in page["records"]}
        return [found[name] for name in usual]

    # Whether a host has it already makes no difference.
    assert states()[1] == "not-enabled"
    agent.run_services()
    assert states() == ["normal", "not-enabled"]
    by_state = admin.call("subscribe/channel/page", {"controlId": master, "sort": "state", "order": "asc"})
    assert [row["name"] for row in by_state["records"]] == ["m", "extra"]
    refused = admin.refused("subscribe/channel/stop", {"channelId": extra})
    assert "not enabled" in refused["message"]
    admin.call("subscribe/channel/start", {"channelId": extra})
    assert states()[1] == "starting"
    agent.run_services()
    admin.call("subscribe/channel/stop", {"channelId": extra})
    agent.run_services()
    assert states() == ["normal", "stopped"]


def test_channels_are_started_stopped_changed_and_deleted(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    master = new_master(admin, new_customer(admin), node)
    agent.run_services()
    extra = admin.call("subscribe/channel/add", {"controlId": master, "name": "extra", "start": False})
    taken = admin.refused("subscribe/channel/add", {"controlId": master, "name": "extra"})
    assert (taken["code"], taken["data"]["error"]) == (60101, "channel-name-taken")
    assert admin.refused("subscribe/channel/add", {"controlId": master, "name": "y", "threads": 101})["code"] == 422
    assert admin.refused("subscribe/channel/stop", {"channelId": extra})["data"]["error"] == "channel-action-refused"
    admin.call("subscribe/channel/start", {"channelId": extra})
    admin.call("subscribe/channel/edit", {"channelId": extra, "name": "more", "threads": 100, "lanes": 16})
    admin.call("subscribe/channel/edit", {"channelId": extra, "name": "more", "threads": 99})
    (shown,) = admin.call("subscribe/channel/page", {"controlId": master, "search": "more"})["records"]
    assert (shown["threads"], shown["lanes"]) == (99, 16)
    assert admin.refused("subscribe/channel/add", {"controlId": master, "name": "y", "lanes": 17})["code"] == 422
    admin.call("subscribe/channel/stop", {"channelId": extra})
    listed = admin.call("subscribe/control/get/channel/list", {"customerId": _customer_of(admin, master)})
    assert [one["name"] for one in listed] == ["m", "more"]
    assert admin.call("subscribe/channel/delete", {"channelId": extra}) == "more"
    change = {"controlId": master, "name": "renamed", "schema": "other", "columnCase": 1}
    admin.call("subscribe/control/edit", change)
    (shown,) = admin.call("subscribe/control/page", {"search": "renamed"})["records"]
    assert (shown["settings"]["schema"], shown["settings"]["columnCase"]) == ("other", 1)
    refused = admin.refused("subscribe/control/edit", {**change, "schema": "x" * 129})
    assert refused["data"]["error"] == "target-name-length"
    assert admin.call("subscribe/control/delete", {"controlId": master}) == "renamed"
    agent.sync()
    assert "drop-target" in [put.request.type for put in agent.asked]


def _customer_of(admin: Caller, master: str) -> str:
    masters = admin.call("subscribe/control/page", {})["records"]
    return str(next(one["customerId"] for one in masters if one["id"] == master))


def test_customers_and_their_databases_are_kept(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    customer, first = new_customer(admin)
    assert admin.refused("subscribe/customer/add", {"name": "branch", "connection": TARGET})["data"]["error"] == (
        "customer-name-taken"
    )
    further = {"customerId": customer, "name": "second", "connection": {**TARGET, "database": "b"}}
    second = admin.call("subscribe/database/add", further)
    assert admin.refused("subscribe/database/add", further)["data"]["error"] == "database-name-taken"
    master = new_master(admin, (customer, second), node)
    page = admin.call("subscribe/database/page", {"search": "second"})["records"]
    assert [(row["masters"], row["actions"], "password" in row["target"]) for row in page] == [(1, ["edit"], False)]
    change = {"databaseId": second, "name": "third", "connection": {**BARE, "database": "b"}}
    assert admin.call("subscribe/database/edit", change) == ["name"]
    elsewhere = {**change, "connection": {**TARGET, "database": "c"}}
    assert admin.refused("subscribe/database/edit", elsewhere)["data"]["error"] == "database-place-fixed"
    for database in (first, second):
        assert admin.refused("subscribe/database/delete", {"databaseId": database})["data"]["error"] == "database-used"
    refused = admin.refused("subscribe/customer/delete", {"customerId": customer})
    assert refused["data"]["error"] == "customer-has-masters"
    admin.call("subscribe/control/delete", {"controlId": master})
    assert admin.call("subscribe/database/delete", {"databaseId": second}) == "third"
    admin.call("subscribe/customer/edit", {"customerId": customer, "name": "renamed"})
    assert admin.call("subscribe/customer/get", {"customerId": customer})["name"] == "renamed"
    assert {one["name"] for one in admin.call("subscribe/customer/list", {"clientType": "client"})} == {"renamed"}
    assert admin.call("subscribe/customer/delete", {"customerId": customer}) == "renamed"


def test_objects_of_a_link_are_read_only_on_the_subscribe_pages(agent: FakeAgent, admin: Caller) -> None:
    admin.call("sync/link/apply", {"document": document()})
    agent.run_services()
    (customer,) = admin.call("subscribe/customer/page", {})["records"]
    (master,) = admin.call("subscribe/control/page", {})["records"]
    (channel,) = admin.call("subscribe/channel/page", {})["records"]
    rows = sheet(admin)
    assert [one["actions"] for one in (customer, master, channel, *rows)] == [[]] * 3 + [
        ["suspend", "reset", "reset-start", "start-incremental", "limit"]
    ] * len(rows)
    for path, body in (
        ("customer/delete", {"customerId": customer["id"]}),
        ("control/delete", {"controlId": master["id"]}),
        ("channel/stop", {"channelId": channel["id"]}),
    ):
        assert admin.refused(f"subscribe/{path}", body)["data"]["error"] == "subscriber-of-link"
    results = admin.call("subscribe/table/unbind", {"tables": [one["id"] for one in rows]})
    assert {(one["done"], one["code"]) for one in results} == {(False, "table-of-link")}
    results = admin.call("subscribe/table/suspend", {"tables": [one["id"] for one in rows]})
    assert {one["done"] for one in results} == {True}
    asked = {"name": "m", "customerId": new_customer(admin)[0], "nodeMaster": master["nodeMaster"]}
    asked["databaseId"] = admin.call("subscribe/database/page", {"search": "branch"})["records"][0]["id"]
    assert admin.refused("subscribe/control/add", asked)["data"]["error"] == "node-of-link"


def test_another_tenants_subscriptions_do_not_exist(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS)
    customer, database = new_customer(admin)
    master = new_master(admin, (customer, database), node)
    (result,) = subscribe(admin, master, list(ids.values()))
    (channel,) = admin.call("subscribe/channel/page", {})["records"]
    stranger = administrator_of(admin.plane, "elsewhere")
    for kind in ("customer", "database", "control", "channel", "table"):
        assert stranger.call(f"subscribe/{kind}/page", {})["total"] == 0, kind
    for path, body in (
        ("customer/get", {"customerId": customer}),
        ("database/delete", {"databaseId": database}),
        ("control/delete", {"controlId": master}),
        ("channel/stop", {"channelId": channel["id"]}),
        ("table/candidate/page", {"controlId": master}),
        ("table/add", {"controlId": master, "tables": list(ids.values())}),
        ("table/find-incremental", {"tables": [result["id"]], "offset": 0}),
        ("etl/rule/list", {"table": result["id"]}),
        ("etl/rule/delete", {"table": result["id"], "columns": ["a"]}),
    ):
        assert stranger.refused(f"subscribe/{path}", body)["code"] == 404, path
    assert [one["done"] for one in stranger.call("subscribe/table/unbind", {"tables": [result["id"]]})] == [False]
    assert len(sheet(admin)) == 1


def test_a_node_has_its_limit_of_masters(agent: FakeAgent, admin: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zcbus.control.features.subscribe.service.MASTERS_PER_NODE", 1)
    node, customer = new_node(admin), new_customer(admin)
    new_master(admin, customer, node)
    asked = {"name": "n", "customerId": customer[0], "databaseId": customer[1], "nodeMaster": node}
    assert admin.refused("subscribe/control/add", asked)["code"] == 60100


def test_a_masters_load_type_reaches_its_channels(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    master = new_master(admin, new_customer(admin), node, loadType="J")
    agent.sync()
    assert [task.target.load_type for task in tasks(agent)] == [LoadType.STATEMENTS]
    change = {"controlId": master, "name": "m"}
    admin.call("subscribe/control/edit", change)
    (shown,) = admin.call("subscribe/control/page", {})["records"]
    assert shown["loadType"] == "J"
    admin.call("subscribe/control/edit", {**change, "loadType": "C"})
    agent.sync()
    assert [task.target.load_type for task in tasks(agent)] == [LoadType.BULK]
    assert admin.refused("subscribe/control/edit", {**change, "loadType": "X"})["code"] == 422


@pytest.fixture
def many(plane: ControlPlane) -> Any:
    with fake_agent(plane, Database(tables=[("s", f"t{number:04}") for number in range(1000)])) as agent:
        yield agent


@pytest.mark.wide
def test_hundreds_of_tables_are_subscribed_and_steered_at_once(many: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, *({"schema": schema, "table": table} for schema, table in many.database.tables))
    master = new_master(admin, new_customer(admin), node, channelCount=4)
    results = subscribe(admin, master, list(ids.values()))
    assert (len(results), all(one["done"] for one in results)) == (1000, True)
    suspended = admin.call("subscribe/table/suspend", {"tables": [one["id"] for one in results]})
    assert (len(suspended), all(one["done"] for one in suspended)) == (1000, True)
    channels = admin.call("subscribe/channel/page", {})["records"]
    assert [one["tables"]["total"] for one in channels] == [250] * 4
    page = admin.call("subscribe/table/page", {"current": 50, "sort": "source", "order": "asc"})
    assert (page["total"], page["records"][-1]["source"]) == (1000, "s.t0999")
