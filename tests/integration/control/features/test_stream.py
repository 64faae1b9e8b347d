"""Stream queries: orders, reports, and owners."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_processes import only_for
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import new_customer
from zcbus.control.features.alert.watch import evaluate
from zcbus.model.states import SyncState
from zcbus.protocol.agent import ServiceReports
from zcbus.protocol.answers import Done
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import InputReport, StreamQueryReport
from zcbus.protocol.stream_query_requests import CheckStreamQuery, ResultColumn, StreamQueryCheck
from zcbus.protocol.tasks import PublishTask, StreamTask

SQL = "SELECT o.id, count(*) AS lines FROM orders o JOIN lines l ON l.id = o.id GROUP BY o.id"
MEMBERS = "container/cluster/customer/getnodeidorcustomerid"


def check(request: CheckStreamQuery) -> StreamQueryCheck:
    """As an agent that only checks whether there is a FROM."""
    if "FROM" not in request.sql:
        return StreamQueryCheck(reason=Reason(code="computation-invalid", facts={"detail": "no FROM"}))
    return StreamQueryCheck(columns=(ResultColumn(name="id", type="bigint"), ResultColumn(name="lines", type="bigint")))


def listening(agent: FakeAgent) -> FakeAgent:
    agent.handlers.update({"check-computation": check, "drop-computation": lambda _: Done()})
    return agent


def definition(admin: Caller, node: str, customer: tuple[str, str], **changes: Any) -> dict[str, Any]:
    ids = added(admin, node, ORDERS, LINES)
    return {
        "name": "totals",
        "databaseId": customer[1],
        "inputs": [{"table": ids["public.orders"], "name": "orders"}, {"table": ids["public.lines"], "name": "lines"}],
        "sql": SQL,
        "key": ["id"],
        "targetSchema": "out",
        "targetTable": "totals",
        **changes,
    }


def made(admin: Caller, **changes: Any) -> tuple[dict[str, Any], str]:
    """A stream query as it was asked for, and its id."""
    asked = definition(admin, new_node(admin), new_customer(admin, "sums", clientType="stream"), **changes)
    return asked, admin.call("stream/computation/add", asked)


def shown(admin: Caller, language: str = "en", **wanted: Any) -> dict[str, Any]:
    (record,) = admin.call("stream/computation/page", wanted, language)["records"]
    entry: dict[str, Any] = record
    return entry


def task(agent: FakeAgent) -> tuple[str, StreamTask]:
    agent.sync()
    assert agent.orders is not None
    return next((one.service, one.task) for one in agent.orders.orders if isinstance(one.task, StreamTask))


def report(agent: FakeAgent, state: SyncState, **values: Any) -> None:
    service, wanted = task(agent)
    entry = StreamQueryReport(
        table=wanted.computation,
        state=state,
        generation=wanted.generation,
        inputs=tuple(InputReport(name=one.name, rows=7, loaded=True) for one in wanted.inputs),
        at=agent.plane.clock.now(),
        **values,
    )
    agent.sync(reports=(ServiceReports(service=service, reports=(entry,)),))


def test_a_computation_is_ordered_reported_and_shown(agent: FakeAgent, admin: Caller) -> None:
    asked, identifier = made(admin=admin, intervalMs=500) if listening(agent) else ({}, "")
    agent.run_services()
    _, wanted = task(agent)
    assert (wanted.sql, wanted.key, wanted.interval_ms, wanted.generation) == (SQL, ("id",), 500, 1)
    assert [(one.name, one.source.table, one.generation) for one in wanted.inputs] == [
        ("lines", "lines", 1),
        ("orders", "orders", 1),
    ]
    assert shown(admin)["state"] == "uninitialized"
    report(agent, SyncState.INCREMENTAL_RUNNING, rows=3, inserts=5, updates=1, deletes=2, lag_ms=40, computed_ms=9)
    record = shown(admin, search="out.totals", sort="rows", order="asc")
    assert (record["state"], record["rows"], record["inserts"], record["lagMs"]) == ("incremental-running", 3, 5, 40)
    assert [(one["name"], one["source"], one["rows"]) for one in record["inputs"]] == [
        ("lines", "public.lines", 7),
        ("orders", "public.orders", 7),
    ]
    assert record["actions"] == ["stop", "reset", "edit"]
    admin.call("stream/computation/stop", {"id": identifier})
    agent.run_services()
    assert shown(admin, state=["suspended"])["state"] == "suspended"
    admin.call("stream/computation/start", {"id": identifier})
    agent.run_services()
    facts = {"key": "id", "values": "7"}
    report(agent, SyncState.INCREMENTAL_ERROR, reason=Reason(code="result-key-broken", facts=facts))
    assert shown(admin)["reason"]["text"] == "The key id does not identify the result's rows: 7"
    assert shown(admin, "zh")["reason"]["text"] == "键 id 不能唯一标识结果的行：7"
    assert admin.call("stream/computation/page", {"search": "nothing of the kind"})["total"] == 0
    assert admin.call("stream/computation/page", {"size": -1})["records"][0]["inputs"] == shown(admin)["inputs"]
    assert [one["table"] for one in admin.call("stream/input/page", {"search": "public.li"})["records"]] == [
        "public.lines"
    ]
    # Another SELECT computes everything from scratch; another interval does not.
    change = {**asked, "id": identifier, "intervalMs": 200}
    admin.call("stream/computation/edit", change)
    assert (task(agent)[1].generation, task(agent)[1].interval_ms) == (1, 200)
    admin.call("stream/computation/edit", {**change, "sql": SQL + " HAVING count(*) > 1"})
    assert task(agent)[1].generation == 2
    assert shown(admin)["state"] == "uninitialized"
    # A reset has the inputs published again.
    admin.call("stream/computation/reset", {"id": identifier})
    assert task(agent)[1].generation == 3
    published = agent.order(PublishTask).task
    assert isinstance(published, PublishTask)
    assert {table.generation for table in published.tables} == {2} == {one.generation for one in task(agent)[1].inputs}


def test_a_computation_is_a_service_and_its_inputs_cannot_be_deleted(agent: FakeAgent, admin: Caller) -> None:
    asked, identifier = made(admin) if listening(agent) else ({}, "")
    agent.run_services()
    customer = shown(admin)["customerId"]
    (service,) = admin.call("container/cluster/customer/page", {"type": "stream"})["records"]
    assert (service["serviceName"], service["customerid"]) == ("totals", customer)
    assert admin.call("subscribe/customer/list", {"clientType": "stream"}) == [{"customerid": customer, "name": "sums"}]
    assert admin.call(MEMBERS, {"type": "stream", "customerType": "stream"}) == [{"id": customer, "name": "sums"}]
    node = shown(admin)["inputs"][0]["nodeId"]
    tables = {"nodeMaster": node, "tables": [asked["inputs"][0]["table"]]}
    (withdrawn,) = admin.call("publish/table/withdraw", tables)
    assert not withdrawn["done"]
    assert admin.refused("subscribe/database/delete", {"databaseId": asked["databaseId"]})["code"] != 200
    assert admin.refused("subscribe/customer/delete", {"customerId": customer})["code"] != 200
    master = {"name": "m", "customerId": customer, "databaseId": asked["databaseId"], "nodeMaster": node}
    assert "no masters" in admin.refused("subscribe/control/add", master)["message"]
    assert admin.refused("stream/computation/delete", {"id": identifier})["code"] != 200
    admin.call("stream/computation/stop", {"id": identifier})
    agent.run_services()
    assert shown(admin)["actions"] == ["start", "reset", "edit", "delete"]
    assert "add-master" not in admin.call("subscribe/customer/page", {"clientType": "stream"})["records"][0]["actions"]
    assert admin.call("stream/computation/delete", {"id": identifier}) == "totals"
    agent.sync()
    agent.sync()
    assert "drop-computation" in [put.request.type for put in agent.asked]
    assert admin.call("stream/computation/page")["total"] == 0
    assert admin.call("subscribe/customer/delete", {"customerId": customer}) == "sums"


def test_refused_computations_change_nothing(agent: FakeAgent, admin: Caller) -> None:
    asked, _ = made(admin) if listening(agent) else ({}, "")
    found = admin.call("stream/computation/check", {name: asked[name] for name in asked if name != "name"})
    assert ([one["name"] for one in found["columns"]], found["reason"]) == (["id", "lines"], None)
    other = {**asked, "name": "other", "targetTable": "other"}
    subscriber = new_customer(admin, "branch")
    twice = [{**asked["inputs"][0], "name": name} for name in ("a", "b")]
    for changes, text in (
        ({"sql": "SELECT 1"}, "no FROM"),
        ({"name": "totals"}, "already exists"),
        ({"targetTable": "totals"}, "is written by the computation totals"),
        ({"databaseId": subscriber[1]}, "does not exist"),
        ({"inputs": twice}, "one table was chosen twice"),
    ):
        assert text in admin.refused("stream/computation/add", {**other, **changes})["message"]
    assert admin.refused("stream/computation/add", {**other, "key": []})["code"] == 422
    assert admin.call("stream/computation/page")["total"] == 1
    stranger = only_for(admin, "stream")
    assert stranger.call("stream/computation/page")["total"] == 1
    assert stranger.refused("publish/buspushstatustb/page", {})["code"] == 40103


@pytest.mark.wide
def test_a_link_that_feeds_a_computation_shows_its_failure_and_stays_until_it_is_deleted(
    agent: FakeAgent, admin: Caller
) -> None:
    listening(agent)
    admin.call("sync/link/apply", {"document": document()})
    tables = {one["table"]: one["id"] for one in admin.call("stream/input/page", {"size": -1})["records"]}
    orders, lines = tables["public.orders"], tables["public.lines"]
    computation = admin.call(
        "stream/computation/add",
        {
            "name": "totals",
            "databaseId": new_customer(admin, "sums", clientType="stream")[1],
            "inputs": [{"table": orders, "name": "orders"}, {"table": lines, "name": "lines"}],
            "sql": SQL,
            "key": ["id"],
            "targetSchema": "out",
            "targetTable": "totals",
        },
    )
    agent.run_services()
    failed = Reason(code="result-key-broken", facts={"key": "id", "values": "7"})
    report(agent, SyncState.INCREMENTAL_ERROR, reason=failed)
    evaluate(admin.plane.services)
    (raised,) = [one for one in admin.call("sys/alarmmsg/page")["records"] if one["kind"] == "computation-failed"]
    assert raised["content"] == "Computation totals has stopped: its table out.totals is not updated"
    (link,) = admin.call("sync/link/page")["records"]
    assert [one["text"] for one in link["warnings"]] == [raised["content"]]
    home = admin.call("home/overview")
    (problem,) = [one for one in home["problems"] if one["kind"] == "computation"]
    assert (problem["subject"], problem["linkName"]) == ("totals", "shop")
    assert problem["reason"]["text"] == "The key id does not identify the result's rows: 7"
    assert sum(one["withErrors"] for one in home["links"]) == 1
    refused = admin.refused("sync/link/delete", {"name": "shop"})
    assert refused["message"] == "The computations totals read public.lines, public.orders: delete them first"
    without_lines = document(tables=["public.*", "!public.audit_log", "!public.lines"])
    refused = admin.refused("sync/link/apply", {"document": without_lines})
    assert refused["message"] == "The computations totals read public.lines: delete them first"
    assert admin.call("sync/link/status", {"name": "shop"})["tables"][0]["source"] == "public.lines"
    admin.call("stream/computation/stop", {"id": computation})
    agent.run_services()
    admin.call("stream/computation/delete", {"id": computation})
    assert admin.call("sync/link/delete", {"name": "shop"})["name"] == "shop"
