"""The flow path shows everything that data passes through."""

from datetime import timedelta

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from zcbus.model.states import PublishState, SyncState
from zcbus.protocol.reports import PublishTableReport


def test_a_source_with_everything_that_follows_it(admin: Caller, agent: FakeAgent, plane: ControlPlane) -> None:
    assert admin.call("flow-path/page") == {"records": [], "total": 0}
    link_id = admin.call("sync/link/apply", {"document": document()})["id"]
    agent.run_services()
    agent.report_published(
        lambda table, generation: PublishTableReport(
            table=table, state=PublishState.INCREMENTAL_RELEASE, generation=generation, at=plane.clock.now()
        )
    )
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, rows_loaded=10, rows_per_second=5.0, lag_ms=40)
    agent.report_tables(SyncState.INCREMENTAL_ERROR, ["public.orders"])
    (flow,) = admin.call("flow-path/page")["records"]
    assert (flow["node"]["source"]["database"], flow["node"]["linkId"]) == ("shop", link_id)
    assert flow["node"]["tables"]["releasing"] == 2
    assert (flow["service"]["type"], flow["service"]["observed"]) == ("publish", "started")
    (received,) = flow["subscriptions"]
    assert (received["name"], received["linkId"], received["target"]["database"]) == ("shop", link_id, "copy")
    assert received["channelName"] == "shop"
    assert (flow["id"], flow["bcpId"], flow["parentId"]) == (flow["node"]["id"], flow["service"]["id"], None)
    assert (received["bcpId"], received["parentId"]) == (received["service"]["id"], flow["id"])
    info = admin.call("publish/buspushstatustb/getNodeInfo", {"nodeMaster": flow["id"]})
    assert (info["id"], info["bcpId"]) == (flow["id"], flow["bcpId"])
    assert info["parentId"] == flow["service"]["containerId"]
    assert (received["tables"], received["failed"]) == (2, 1)
    assert (received["rowsPerSecond"], received["lagMs"]) == (5.0, 40)
    assert received["service"]["type"] == "subscribe"
    (container,) = admin.call("container/list")
    assert {flow["service"]["containerId"], received["service"]["containerId"]} == {container["id"]}
    assert "password" not in str(flow)
    agent.rest()
    plane.clock.advance(timedelta(minutes=1))
    (silent,) = admin.call("flow-path/page")["records"][0]["subscriptions"]
    assert (silent["service"]["stale"], silent["rowsPerSecond"], silent["lagMs"]) == (True, 0.0, None)


def test_flows_are_paged_and_found_by_either_end(admin: Caller, agent: FakeAgent) -> None:
    for name in ("alpha", "beta", "gamma"):
        admin.call("sync/link/apply", {"document": document(link=name)})

    def found(**request: object) -> tuple[list[str], int]:
        page = admin.call("flow-path/page", request)
        return [one["node"]["linkName"] for one in page["records"]], page["total"]

    assert found(current=2, size=2) == (["gamma"], 3)
    assert found(search="BET") == (["beta"], 1)
    assert found(search="copy")[1] == 3
    assert found(search="100%") == ([], 0)
    assert admin.refused("flow-path/page", {"size": -1})["code"] != 200


def test_flows_of_other_tenants_are_hidden(admin: Caller, agent: FakeAgent, plane: ControlPlane) -> None:
    admin.call("sync/link/apply", {"document": document()})
    add_user(plane, "south", "administrator", "south")
    other = Caller(plane, plane.sign_in("south"))
    assert other.call("flow-path/page") == {"records": [], "total": 0}
    other.call("sync/link/apply", {"document": document(link="own")})
    assert [one["node"]["linkName"] for one in other.call("flow-path/page")["records"]] == ["own"]
    assert admin.call("flow-path/page")["total"] == 2
