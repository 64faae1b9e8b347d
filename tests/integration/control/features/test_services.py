"""Service management over the calls' literal paths, with an agent that speaks the real protocol."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent, fake_agent
from tests.integration.control.features.people import administrator_of
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane, control_plane
from zcbus.control.features.container import repository
from zcbus.control.features.registration.code import Registration, new_key, sign
from zcbus.control.features.service.overdue import reduce_overdue
from zcbus.control.store.tables.audit import audit_record
from zcbus.model.states import ServiceState, SyncState
from zcbus.protocol.answers import LogLines
from zcbus.protocol.tasks import PublishTask, SubscribeTask

CALLS = "container/cluster/customer"
NAME = {"name": "shop"}
# Its queries run on both stores elsewhere.
one_store = pytest.mark.parametrize("prepared_store", ["sqlite"], indirect=True)


@pytest.fixture
def link(admin: Caller, agent: FakeAgent) -> dict[str, Any]:
    """A link whose services run."""
    applied: dict[str, Any] = admin.call("sync/link/apply", {"document": document()})
    run(agent)
    return applied


def run(agent: FakeAgent, state: ServiceState = ServiceState.STARTED) -> None:
    agent.run_services(state)
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, rows_loaded=1)


def services(who: Caller, **narrowed: Any) -> dict[str, dict[str, Any]]:
    """By type; each test has one of each."""
    return {one["type"]: one for one in who.call(f"{CALLS}/page", narrowed)["records"]}


def states(who: Caller) -> tuple[str, str, str]:
    found = services(who)
    return found["publish"]["state"], found["subscribe"]["state"], who.call("sync/link/status", NAME)["state"]


def results(answer: list[dict[str, Any]]) -> list[tuple[bool, str | None, str | None]]:
    return [(one["done"], one["state"], one["error"]) for one in answer]


@one_store
def test_the_list_shows_desired_and_observed_state(admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document()})
    assert {one["state"] for one in services(admin).values()} <= {"not-running", "starting"}
    run(agent)
    found = services(admin)
    publish, subscribe = found["publish"], found["subscribe"]
    assert (publish["desired"], publish["observed"], publish["state"]) == ("running", "started", "normal")
    assert publish["actions"] == ["stop", "restart", "force-stop", "edit", "place"]
    assert (publish["heartbeats"], publish["agentHost"], publish["parentId"]) == (3, "here", None)
    assert (publish["machineCode"], publish["serialNumber"]) == ("code-1", "serial-1")
    assert (subscribe["parentId"], subscribe["nodeId"]) == (publish["id"], publish["nodeId"])
    assert (publish["subType"], subscribe["subType"]) == ("postgresql", "mysql")
    # Running means that progress was made.
    agent.rest()
    admin.plane.clock.advance(timedelta(seconds=31))
    reduce_overdue(admin.plane.services)
    assert {(one["state"], one["stale"]) for one in services(admin).values()} == {("started", True)}


def test_the_list_is_searched_filtered_sorted_and_paged(admin: Caller, link: dict[str, Any]) -> None:
    found = services(admin)
    publish, subscribe = found["publish"]["id"], found["subscribe"]["id"]
    container = found["publish"]["containerid"]
    for narrowed, expected in (
        ({"type": "publish"}, {publish}),
        ({"subtypes": "mysql,oracle"}, {subscribe}),
        ({"customerid": found["subscribe"]["customerid"]}, {subscribe}),
        ({"nodeId": found["publish"]["nodeId"]}, {publish, subscribe}),
        ({"parentIdIsNull": True}, {publish}),
        ({"parentId": publish}, {subscribe}),
        ({"containerid": container, "status": -1}, {publish, subscribe}),
        ({"status": "stopped,abnormal"}, set()),
        ({"status": "normal", "search": "HERE"}, {publish, subscribe}),
        ({"search": "%"}, set()),
    ):
        page = admin.call(f"{CALLS}/page", narrowed)
        assert {one["id"] for one in page["records"]} == expected, narrowed
    page = admin.call(f"{CALLS}/page", {"size": 1, "current": 2, "sort": "type", "order": "asc"})
    assert (page["total"], [one["type"] for one in page["records"]]) == (2, ["subscribe"])
    assert admin.refused(f"{CALLS}/page", {"sort": "password"})["code"] == 422


def test_stop_start_and_restart_through_the_agent(admin: Caller, agent: FakeAgent, link: dict[str, Any]) -> None:
    ids = [one["id"] for one in services(admin).values()]
    agent.rest()
    stopped = admin.call(f"{CALLS}/modfiystatus", {"status": "stopped", "ids": ",".join(ids), "forcestatus": False})
    assert results(stopped) == [(True, "stopping", None)] * 2
    # A link adopts the desired state of its services.
    assert states(admin) == ("stopping", "stopping", "stopping")
    run(agent)
    assert states(admin) == ("stopped", "stopped", "stopped")
    again = admin.call(f"{CALLS}/modfiystatus", {"status": "stopped", "ids": [ids[0], "nobody"]})
    assert results(again) == [(False, None, "service-action-refused"), (False, None, "service-unknown")]
    assert again[0]["message"] == "Service shop is stopped: stop is not possible"
    started = admin.call(f"{CALLS}/modfiystatus", {"status": "started", "ids": ids})
    assert results(started) == [(True, "starting", None)] * 2
    run(agent)
    assert states(admin) == ("normal", "normal", "incremental-running")
    before = agent.order(PublishTask).restart
    admin.call(f"{CALLS}/modfiystatus", {"status": "restarting", "ids": ids, "forcestatus": True})
    order = agent.order(PublishTask)
    assert (order.restart, order.forced, order.desired) == (before + 1, True, "running")
    assert admin.refused(f"{CALLS}/modfiystatus", {"status": "abnormal", "ids": ids})["data"]["error"] == (
        "service-status-refused"
    )


@one_store
def test_one_side_stopped_suspends_the_link_which_can_be_resumed(
    admin: Caller, agent: FakeAgent, link: dict[str, Any]
) -> None:
    node = services(admin)["publish"]["nodeId"]
    by_type = {"status": "stopped", "nodeId": node, "type": "publish", "subType": "", "forcestatus": False}
    assert results(admin.call(f"{CALLS}/modfiystatusbytype", by_type)) == [(True, "stopping", None)]
    run(agent)
    assert states(admin) == ("stopped", "normal", "suspended")
    assert admin.call("sync/link/resume", NAME)
    run(agent)
    assert states(admin) == ("normal", "normal", "incremental-running")
    child = {**by_type, "type": "subscribe", "subType": "mysql", "forcestatus": True}
    assert len(admin.call(f"{CALLS}/modify/child/status", child)) == 1
    assert (agent.order(SubscribeTask).desired, agent.order(SubscribeTask).forced) == ("stopped", True)
    assert admin.call(f"{CALLS}/modify/child/status", by_type) == []
    run(agent)
    assert states(admin) == ("normal", "stopped", "suspended")
    both = admin.call(f"{CALLS}/updaeStatusByNodeId", {"status": "started", "nodeId": node})
    assert sorted(results(both)) == [(False, None, "service-action-refused"), (True, "starting", None)]
    absent = admin.refused(f"{CALLS}/modfiystatusbytype", {**by_type, "type": "compute"})
    assert absent["message"].startswith("This version has no services of type compute; it has publish, subscribe, ")


@one_store
def test_forced_shutdown_and_a_new_attempt_at_what_is_abnormal(
    admin: Caller, agent: FakeAgent, link: dict[str, Any]
) -> None:
    ids = [one["id"] for one in services(admin).values()]
    agent.rest()
    assert results(admin.call(f"{CALLS}/forcestatus", {"ids": ids})) == [(True, "stopping", None)] * 2
    # It may be asked again while it lasts.
    assert results(admin.call(f"{CALLS}/forcestatus", {"ids": ids})) == [(True, "stopping", None)] * 2
    assert agent.order(PublishTask).forced
    run(agent)
    admin.call(f"{CALLS}/modfiystatus", {"status": "starting", "ids": ids})
    run(agent, ServiceState.ABNORMAL)
    assert states(admin) == ("abnormal", "abnormal", "error")
    before = agent.order(PublishTask).restart
    admin.call(f"{CALLS}/modfiystatus", {"status": "started", "ids": ids})
    assert agent.order(PublishTask).restart == before + 1


@one_store
def test_the_log_level_counts_without_a_restart(admin: Caller, agent: FakeAgent, link: dict[str, Any]) -> None:
    one = services(admin)["publish"]
    before = agent.order(PublishTask)
    admin.call(f"{CALLS}/edit", {"id": one["id"], "logLevel": "debug", "remark": "keeps an eye"})
    after = agent.order(PublishTask)
    assert (before.task.log_level, after.task.log_level, after.restart) == ("info", "debug", before.restart)
    admin.call(f"{CALLS}/edit", {"id": one["id"], "logLevel": "warning"})
    shown = services(admin)["publish"]
    assert (shown["logLevel"], shown["remark"]) == ("warning", "keeps an eye")
    assert admin.refused(f"{CALLS}/edit", {"id": one["id"], "logLevel": "loud"})["code"] == 422
    assert admin.refused(f"{CALLS}/edit", {"id": "nobody", "logLevel": "info"})["data"]["error"] == "service-unknown"


def test_a_service_leaves_its_container_and_comes_back(admin: Caller, agent: FakeAgent, link: dict[str, Any]) -> None:
    one = services(admin)["subscribe"]
    refused = admin.call(f"{CALLS}/delete", {"id": one["id"]})
    assert refused["error"] == "service-action-refused"
    admin.call(f"{CALLS}/modfiystatus", {"status": "stopped", "ids": [one["id"]]})
    run(agent)
    assert admin.call(f"{CALLS}/delete", {"id": one["id"]})["done"]
    assert list(services(admin)) == ["publish"]
    counted = admin.call(f"{CALLS}/getTypeCount", {"containerid": one["containerid"]})
    assert counted == [{"type": "publish", "count": 1}]
    agent.sync()
    assert agent.orders is not None
    assert [order.task.type for order in agent.orders.orders] == ["publish"]
    assert admin.refused("sync/link/resume", NAME)["data"]["error"] == "link-service-removed"
    free = admin.call(f"{CALLS}/getnodeidorcustomerid", {"type": "subscribe", "freeOnly": True})
    assert [member["id"] for member in free] == [one["customerid"]]
    assert admin.call(f"{CALLS}/getnodeidorcustomerid", {"type": "publish", "freeOnly": True}) == []
    addition = {"type": "subscribe", "logLevel": "debug", "containerid": one["containerid"]}
    added = admin.call(f"{CALLS}/add", {**addition, "nodeids": [one["customerid"], "nobody"]})
    assert sorted(results(added)) == [(False, None, "service-owner-unknown"), (True, "stopped", None)]
    assert results(admin.call(f"{CALLS}/add", {**addition, "nodeids": one["customerid"]})) == [
        (False, None, "service-there")
    ]
    admin.call("sync/link/resume", NAME)
    order = agent.order(SubscribeTask)
    assert (order.service, order.desired, order.task.log_level) == (one["id"], "running", "debug")
    for absent in ("compute", "spare"):
        body = {**addition, "type": absent, "nodeids": ["x"]}
        assert admin.refused(f"{CALLS}/add", body)["data"]["error"] == "service-type-absent"


def test_no_service_starts_with_an_expired_registration(tmp_path: Path) -> None:
    private, public = new_key()
    with control_plane(tmp_path, registration_key=public) as plane, fake_agent(plane) as agent:
        admin = Caller(plane, plane.sign_in())
        admin.call("sync/link/apply", {"document": document()})
        run(agent)
        over = Registration(holder="x", end_time=plane.clock.now() - timedelta(days=1))
        (plane.data_dir / "registration").write_text(sign(over, private))
        reduce_overdue(plane.services)
        found = services(admin)
        # Running services continue.
        assert {one["state"] for one in found.values()} == {"normal"}
        assert found["publish"]["actions"] == ["stop", "force-stop", "edit", "place"]
        ids = [one["id"] for one in found.values()]
        restarted = admin.call(f"{CALLS}/modfiystatus", {"status": "restarting", "ids": ids})
        assert results(restarted) == [(False, None, "registration-over")] * 2
        admin.call(f"{CALLS}/modfiystatus", {"status": "stopped", "ids": ids})
        run(agent)
        assert {one["state"] for one in services(admin).values()} == {"software-expired"}
        started = admin.call(f"{CALLS}/modfiystatus", {"status": "started", "ids": ids})
        assert {error for _, _, error in results(started)} == {"service-action-refused"}


def second_container(plane: ControlPlane) -> str:
    with plane.services.database.write() as store:
        return repository.insert_container(
            store, tenant_id=None, name="second", display_name="Second", created_at=plane.clock.now()
        )


def test_services_move_to_another_container_over_a_shared_bus(tmp_path: Path) -> None:
    with control_plane(tmp_path) as plane, fake_agent(plane, bus="kafka://localhost:1/zcbus") as agent:
        admin = Caller(plane, plane.sign_in())
        admin.call("sync/link/apply", {"document": document()})
        run(agent)
        ids = [one["id"] for one in services(admin).values()]
        move = {"ids": ids, "containerid": second_container(plane)}
        assert {error for *_, error in results(admin.call(f"{CALLS}/transfercontainer", move))} == {
            "service-action-refused"
        }
        admin.call(f"{CALLS}/modfiystatus", {"status": "stopped", "ids": ids})
        run(agent)
        assert all(one["done"] for one in admin.call(f"{CALLS}/transfercontainer", move))
        agent.sync()
        assert agent.orders is not None
        assert agent.orders.orders == ()
        assert {one["containerName"] for one in services(admin).values()} == {"second"}
        assert admin.call("sync/link/page")["records"][0]["containerName"] == "second"
        started = admin.call(f"{CALLS}/modfiystatus", {"status": "started", "ids": ids})
        assert {state for _, state, _ in results(started)} == {"not-running"}
        # Until hosts have had the time to take it, it is no problem.
        assert admin.call("home/overview")["problems"] == []
        plane.clock.advance(timedelta(seconds=11))
        link = admin.call("sync/link/page")["records"][0]
        problems = [one for one in admin.call("home/overview")["problems"] if one["kind"] == "service"]
        assert [(one["state"], one["linkId"], one["mend"]) for one in problems] == [
            ("not-running", link["id"], None)
        ] * 2
        assert {one["reason"]["text"] for one in problems} == {"No host of container second has taken it"}
        assert admin.refused(f"{CALLS}/transfercontainer", {"ids": ids, "containerid": "none"})["data"]["error"] == (
            "container-unknown"
        )


@one_store
def test_the_embedded_bus_stays_where_its_data_is(admin: Caller, agent: FakeAgent, link: dict[str, Any]) -> None:
    ids = [one["id"] for one in services(admin).values()]
    admin.call(f"{CALLS}/modfiystatus", {"status": "stopped", "ids": ids})
    run(agent)
    move = {"ids": ids, "containerid": second_container(admin.plane)}
    assert {error for *_, error in results(admin.call(f"{CALLS}/transfercontainer", move))} == {"service-bus-elsewhere"}


@one_store
def test_other_tenants_and_viewers(admin: Caller, agent: FakeAgent, link: dict[str, Any]) -> None:
    found = services(admin)
    one = found["publish"]
    south = administrator_of(admin.plane, "south")
    assert services(south) == {}
    stop = {"status": "stopped", "ids": [one["id"]]}
    assert results(south.call(f"{CALLS}/modfiystatus", stop)) == [(False, None, "service-unknown")]
    assert south.call(f"{CALLS}/updaeStatusByNodeId", {"status": "stopped", "nodeId": one["nodeId"]}) == []
    assert south.call(f"{CALLS}/delete", {"id": one["id"]})["error"] == "service-unknown"
    assert south.refused("container/service/attempts", {"id": one["id"]})["code"] == 404
    addition = {"type": "publish", "nodeids": [one["nodeId"]], "containerid": one["containerid"]}
    assert results(south.call(f"{CALLS}/add", addition)) == [(False, None, "service-owner-unknown")]
    add_user(admin.plane, "watcher", "ordinary")
    watcher = Caller(admin.plane, admin.plane.sign_in("watcher"))
    assert services(watcher)
    for path, body in (("modfiystatus", stop), ("forcestatus", stop), ("edit", one), ("delete", one)):
        assert watcher.refused(f"{CALLS}/{path}", body)["code"] == 40103
    assert {one["state"] for one in services(admin).values()} == {"normal"}


@one_store
def test_an_operation_on_several_services_is_recorded_with_each_result(
    admin: Caller, agent: FakeAgent, link: dict[str, Any]
) -> None:
    one = services(admin)["publish"]
    admin.call(f"{CALLS}/forcestatus", {"ids": [one["id"], "nobody"]})
    with admin.plane.services.database.read() as store:
        kept = store.execute(sa.select(audit_record).where(audit_record.c.action == "service_force_status")).one()
    assert kept.before == {"shop": "normal"}
    assert kept.after == {"ids": [one["id"], "nobody"], "results": {"shop": "done", "nobody": "service-unknown"}}
    agent.handlers["search-log"] = lambda asked: LogLines(lines=(f"{asked.service} {asked.text}",), more=True)
    found = admin.call("container/service/log/search", {"id": one["id"], "text": "lost", "level": "warning"})
    assert found == {"lines": [f"{one['id']} lost"], "more": True}
    agent.attempt(PublishTask, "signal 9")
    assert [run["result"] for run in admin.call("container/service/attempts", {"id": one["id"]})["attempts"]] == [
        "signal 9"
    ]
