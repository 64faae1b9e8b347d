"""Publish nodes without a sync link: made, filled, steered and removed by their own calls."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import Database, FakeAgent, fake_agent
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane
from zcbus.control.features.publish import listing
from zcbus.model.states import PublishState, ServiceState
from zcbus.protocol.answers import ColumnLine, Description, Descriptions
from zcbus.protocol.base import Reason
from zcbus.protocol.bus_requests import TopicLine, Topics, VersionColumn, VersionLine, Versions
from zcbus.protocol.reports import PublishTableReport
from zcbus.protocol.tasks import PublishTask

SOURCE = {**document()["source"], "password": "right"}
ORDERS, LINES, AUDIT = ({"schema": "public", "table": name} for name in ("orders", "lines", "audit_log"))


def new_node(admin: Caller, name: str = "shop", **changes: Any) -> str:
    node: str = admin.call("publish/node/add", {"name": name, "connection": SOURCE, **changes})
    return node


def added(admin: Caller, node: str, *tables: dict[str, Any]) -> dict[str, str]:
    """Ids of added tables by name."""
    results = admin.call("publish/table/add", {"nodeMaster": node, "tables": tables})
    return {result["table"]: result["id"] for result in results if result["done"]}


def info(admin: Caller, node: str) -> dict[str, Any]:
    entry: dict[str, Any] = admin.call("publish/buspushstatustb/getNodeInfo", {"nodeMaster": node})
    return entry


def tables(admin: Caller, node: str, **wanted: Any) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = admin.call("publish/table/page", {"nodeMaster": node, **wanted})["records"]
    return records


def report(agent: FakeAgent, state: PublishState, reason: Reason | None = None) -> None:
    now = agent.plane.clock.now()
    agent.report_published(
        lambda table, generation: PublishTableReport(
            table=table,
            state=state,
            reason=reason,
            generation=generation,
            delay_ms=5,
            last_change_at=now,
            at=now,
        )
    )


def test_a_node_is_made_filled_and_run_without_a_link(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin, retentionHours=24, heldLogGb=8)
    ids = added(admin, node, ORDERS, LINES)
    order = agent.order(PublishTask)
    assert isinstance(order.task, PublishTask)
    assert (order.desired, order.task.retention_hours, order.task.held_log_bytes) == ("running", 24, 8 << 30)
    assert {table.source.table: table.generation for table in order.task.tables} == {"orders": 1, "lines": 1}
    agent.run_services()
    report(agent, PublishState.INCREMENTAL_RELEASE)
    shown = info(admin, node)
    assert (shown["state"], shown["tables"]["releasing"], shown["subscribers"]) == ("normal", 2, 0)
    assert shown["source"]["host"] == "db.example"
    assert "password" not in shown["source"]
    page = admin.call("publish/buspushstatustb/page", {"search": "DB.EXAMPLE", "state": ["normal"], "sort": "tables"})
    assert [record["id"] for record in page["records"]] == [node]
    assert [row["id"] for row in tables(admin, node, search="c.ORD")] == [ids["public.orders"]]
    assert tables(admin, node, state=["publish-failed"]) == []
    assert {row["delayMs"] for row in tables(admin, node, sort="delayMs")} == {5}


def test_a_node_needs_its_data_source_first(agent: FakeAgent, admin: Caller) -> None:
    refused = admin.refused("publish/node/add", {"name": "shop"})
    assert (refused["code"], refused["message"]) == (61100, "Configure the data source first")
    assert refused["data"]["fields"] == [{"field": "connection", "reason": refused["message"]}]
    change = {"nodeMaster": new_node(admin), "name": "shop", "connection": None, "retentionHours": 1}
    assert admin.refused("publish/node/edit", change)["code"] == 61100
    assert admin.refused("publish/node/add", {"name": "shop", "connection": {}})["code"] == 422


def test_each_table_is_answered_for(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    added(admin, node, ORDERS)
    gone = {"schema": "public", "table": "gone"}
    results = admin.call("publish/table/add", {"nodeMaster": node, "tables": [ORDERS, LINES, AUDIT, gone]})
    assert admin.logged_subject() == "shop"
    assert {result["table"]: (result["done"], result["reason"]) for result in results} == {
        "public.lines": (True, ""),
        "public.orders": (False, "The table is published already"),
        "public.audit_log": (False, "its storage engine cannot be replicated"),
        "public.gone": (False, "Table not found in the source"),
    }
    page = admin.call("publish/table/candidate/page", {"nodeMaster": node, "published": False})
    assert [row["table"] for row in page["records"]] == ["audit_log"]


def test_tables_are_published_again_tried_again_and_withdrawn(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    agent.order(PublishTask)
    report(agent, PublishState.PUBLISH_FAILED, Reason(code="table-missing", facts={"table": "public.orders"}))
    assert {row["state"] for row in tables(admin, node)} == {"publish-failed"}
    choice = {"nodeMaster": node, "tables": [ids["public.orders"]]}
    assert admin.call("publish/table/retry", choice)[0]["done"]
    assert admin.logged_before() == {"public.orders": {"state": "publish-failed"}}
    assert admin.logged_subject() == "shop"
    assert [row["state"] for row in tables(admin, node, search="orders")] == ["uninitialized"]
    again = admin.call("publish/table/publish-again", {**choice, "tables": [*choice["tables"], "unknown"]})
    assert [(result["done"], result["reason"]) for result in again] == [
        (True, ""),
        (False, "This node does not publish the table"),
    ]
    (again,) = tables(admin, node, search="orders")
    assert (again["generation"], again["realTopic"]) == (2, f"real/{node}")
    assert again["fullTopic"] == f"full/{node}/{again['id']}/2"
    admin.call("publish/table/withdraw", {"nodeMaster": node, "tables": [ids["public.lines"]]})
    task = agent.order(PublishTask).task
    assert isinstance(task, PublishTask)
    assert [(table.source.table, table.generation) for table in task.tables] == [("orders", 2)]


def test_tables_whose_service_ended_for_good_are_failed_until_a_restart(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    agent.order(PublishTask)
    agent.run_services()
    report(agent, PublishState.INCREMENTAL_RELEASE)
    denied = Reason(code="access-denied", facts={"address": "h:1", "user": "u", "detail": "no"})
    agent.run_services(ServiceState.ABNORMAL, denied)
    for row in tables(admin, node):
        assert (row["state"], row["actions"][0]) == ("publish-failed", "retry")
        assert row["reason"]["text"] == "The database h:1 refuses user u: no"
        assert row["reason"]["remedy"]
    assert info(admin, node)["tables"]["failed"] == 2
    assert len(tables(admin, node, state=["publish-failed"], sort="stateSince")) == 2
    restart = agent.order(PublishTask).restart
    choice = {"nodeMaster": node, "tables": [ids["public.orders"]]}
    for asked, path in enumerate(("retry", "publish-again"), 1):
        agent.run_services(ServiceState.ABNORMAL, denied)
        assert {row["state"] for row in tables(admin, node)} == {"publish-failed"}
        assert admin.call(f"publish/table/{path}", choice)[0]["done"]
        assert agent.order(PublishTask).restart == restart + asked
    agent.run_services()
    states = {row["table"]: (row["state"], row["reason"]) for row in tables(admin, node)}
    assert states == {"orders": ("allowed-to-publish", None), "lines": ("incremental-release", None)}


def test_a_key_is_chosen_among_the_columns_there_are(agent: FakeAgent, admin: Caller) -> None:
    column = ColumnLine(name="id", native_type="bigint", nullable=False, key=False)
    agent.handlers["describe-tables"] = lambda request: Descriptions(
        tables=tuple(
            Description(schema_name=one.schema_name, table=one.table, columns=(column,), primary_key=(), unique_keys=())
            for one in request.tables
        )
    )
    node = new_node(admin)
    table = added(admin, node, ORDERS)["public.orders"]
    choice = {"nodeMaster": node, "table": table}
    refused = admin.refused("publish/table/set-key", {**choice, "key": ["id", "nix"]})
    assert (refused["data"]["error"], refused["message"]) == (
        "key-column-unknown",
        "Table public.orders has no such columns: nix",
    )
    admin.call("publish/table/set-key", {**choice, "key": ["id"]})
    assert admin.logged_before() == {"key": [], "appendOnly": False}
    assert admin.logged_subject() == "shop: public.orders"
    assert [(row["key"], row["generation"]) for row in tables(admin, node)] == [(["id"], 2)]
    assert admin.call("publish/table/describe", choice)["columns"][0]["name"] == "id"


def test_topics_are_measured_by_the_agent(agent: FakeAgent, admin: Caller) -> None:
    line = TopicLine(role="real", name="real/x", records=7, size_bytes=700, oldest_ms=0, newest_ms=1000)
    agent.handlers["list-topics"] = lambda _: Topics(topics=(line,))
    (topic,) = admin.call("publish/topic/list", {"nodeMaster": new_node(admin, retentionHours=1)})
    assert (topic["role"], topic["sizeBytes"], topic["expiresAt"]) == ("real", 700, "1970-01-01T01:00:00Z")


def test_schema_versions_of_a_table_come_from_the_agent(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    (table,) = added(admin, node, {"schema": "public", "table": "orders"}).values()
    column = VersionColumn(name="id", type="integer", nullable=False, key=True)
    line = VersionLine(number=2, position="0/1", time_ms=0, changes=("DROP COLUMN x",), columns=(column,))
    agent.handlers["list-versions"] = lambda _: Versions(versions=(line,))
    (version,) = admin.call("publish/table/version/list", {"nodeMaster": node, "table": table})
    assert (version["changes"], version["since"]) == (["DROP COLUMN x"], "1970-01-01T00:00:00Z")
    assert version["columns"] == [{"name": "id", "type": "integer", "nullable": False, "key": True}]


def test_a_node_is_stopped_changed_and_deleted(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    agent.run_services()
    assert info(admin, node)["actions"] == ["stop", "edit", "delete"]
    assert admin.refused("publish/node/start", {"nodeMaster": node})["data"]["error"] == "node-action-refused"
    admin.call("publish/node/stop", {"nodeMaster": node})
    agent.run_services()
    assert (info(admin, node)["state"], info(admin, node)["actions"][0]) == ("stopped", "start")
    unchanged = {key: SOURCE[key] for key in SOURCE if key != "password"}
    change = {"nodeMaster": node, "name": "store", "connection": unchanged, "retentionHours": 5}
    assert admin.call("publish/node/edit", change) == ["name", "retention_hours"]
    other = {**change, "connection": {**unchanged, "host": "elsewhere"}}
    assert admin.refused("publish/node/edit", other)["data"]["error"] == "password-needed"
    other = {**change, "connection": {**unchanged, "database": "other"}}
    assert admin.refused("publish/node/edit", other)["data"]["error"] == "node-place-fixed"
    taken = admin.refused("publish/node/add", {"name": "store", "connection": SOURCE})
    assert taken["data"]["error"] == "node-name-taken"
    assert admin.call("publish/node/delete", {"nodeMaster": node}) == "store"
    assert admin.call("publish/buspushstatustb/page", {})["total"] == 0
    agent.sync()
    assert [put.request.type for put in agent.asked][-1] == "drop-source"


def test_a_links_node_is_shown_and_steered_by_its_link_only(agent: FakeAgent, admin: Caller) -> None:
    link = admin.call("sync/link/apply", {"document": document()})
    (node,) = admin.call("publish/buspushstatustb/page", {})["records"]
    assert (node["linkId"], node["subscribers"], node["actions"]) == (link["id"], 1, [])
    assert {tuple(row["actions"]) for row in tables(admin, node["id"])} == {()}
    choice = {"nodeMaster": node["id"]}
    for path, body in (("node/stop", {}), ("node/delete", {}), ("table/add", {"tables": [LINES]})):
        assert admin.refused(f"publish/{path}", {**choice, **body})["data"]["error"] == "node-of-link"


def test_another_tenants_node_does_not_exist(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    stranger = administrator_of(admin.plane, "elsewhere")
    assert stranger.call("publish/buspushstatustb/page", {})["total"] == 0
    for path in ("buspushstatustb/getNodeInfo", "node/stop", "node/delete", "table/page", "topic/list"):
        assert stranger.refused(f"publish/{path}", {"nodeMaster": node})["code"] == 404, path


@pytest.mark.every_store
def test_totals_of_a_list_are_of_the_moment_of_its_rows(
    agent: FakeAgent, admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = new_node(admin)
    added(admin, node, ORDERS, LINES)
    agent.run_services()
    report(agent, PublishState.INCREMENTAL_RELEASE)
    found = listing.find_node

    def find_before_the_tables_fail(*wanted: Any) -> Any:
        row = found(*wanted)
        report(agent, PublishState.PUBLISH_FAILED)
        return row

    monkeypatch.setattr(listing, "find_node", find_before_the_tables_fail)
    page = admin.call("publish/table/page", {"nodeMaster": node})
    monkeypatch.undo()
    assert {row["state"] for row in page["records"]} == {"incremental-release"}
    assert (page["totals"]["tables"]["releasing"], page["totals"]["tables"]["failed"]) == (2, 0)
    page = admin.call("publish/table/page", {"nodeMaster": node, "search": "orders"})
    assert [row["state"] for row in page["records"]] == ["publish-failed"]
    head, counts = info(admin, node), page["totals"]["tables"]
    assert page["totals"] == {name: head[name] for name in page["totals"]}
    assert {"state", "stale", "reason", "lagMs", "backlogBytes"} < page["totals"].keys()
    assert (page["total"], counts["total"], counts["failed"]) == (1, 2, 2)


@pytest.fixture
def many(plane: ControlPlane) -> Any:
    database = Database(tables=[(f"s{number % 3}", f"t{number:04}") for number in range(6000)])
    with fake_agent(plane, database) as agent:
        yield agent


@pytest.mark.wide
def test_six_thousand_tables_are_added_steered_and_paged(many: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    every = [{"schema": schema, "table": table} for schema, table in many.database.tables]
    ids = added(admin, node, *every)
    assert len(ids) == 6000
    page = admin.call("publish/table/page", {"nodeMaster": node, "current": 300, "sort": "table", "order": "asc"})
    assert (page["total"], page["records"][-1]["table"]) == (6000, "t5999")
    chosen = [ids[f"s1.t{number:04}"] for number in range(1, 1500, 3)]
    results = admin.call("publish/table/withdraw", {"nodeMaster": node, "tables": chosen})
    assert (len(results), all(result["done"] for result in results)) == (500, True)
    found = admin.call("publish/table/candidate/page", {"nodeMaster": node, "published": False, "search": "t00*"})
    assert (found["total"], info(admin, node)["tables"]["total"]) == (33, 5500)
