"""Containers and their hosts by the specification's paths, over the real store."""

from datetime import timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from zcbus.control.features.cluster.joining import remove_expired
from zcbus.model.states import ServiceState, SyncState
from zcbus.protocol.agent import HostFigures, Join, Registration, SyncRequest

CLUSTER = "container/cluster"
CUSTOMER = f"{CLUSTER}/customer"
FIGURES = HostFigures(cpu_percent=12.5, memory_used=3, memory_total=4, disk_used=5, disk_total=6)


@pytest.fixture
def link(agent: FakeAgent, admin: Caller) -> str:
    """A running link in the default container; returns the container's id."""
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    agent.run_services()
    container: str = admin.call(f"{CLUSTER}/getAll", {})["records"][0]["id"]
    return container


def _offer(admin: Caller, name: str = "east", **fields: Any) -> Any:
    return admin.call(f"{CLUSTER}/add", {"containerName": name, "displayName": "Ost 东", **fields})


def _join(plane: ControlPlane, token: str, agent: str = "host-1", bus: str = "") -> Any:
    message = Join(token=token, agent=agent, host=f"{agent}.example", bus=bus).model_dump(mode="json")
    return plane.post("agent/join", message).json()


def _register(plane: ControlPlane, token: str, container: str, agent: str = "host-1", bus: str = "") -> Any:
    message = Registration(agent=agent, host=f"{agent}.example", pid=1, version="0", container=container, bus=bus)
    return plane.post("agent/register", message.model_dump(mode="json"), token).json()


def test_a_container_is_made_changed_and_removed(admin: Caller, plane: ControlPlane) -> None:
    offer = _offer(admin, description="zwei Hosts")
    assert offer["containerName"] == "east"
    found = admin.call(f"{CLUSTER}/getAll", {"displayName": "ost", "status": ""})
    assert (found["total"], found["records"][0]["hosts"], found["records"][0]["status"]) == (1, 0, 0)
    taken = admin.refused(f"{CLUSTER}/add", {"containerName": "east", "displayName": "x"})
    assert taken["data"]["error"] == "container-name-taken"
    edit = {"id": offer["id"], "displayName": "West", "description": None, "movesServices": False}
    admin.call(f"{CLUSTER}/edit", edit)
    info = admin.call(f"{CUSTOMER}/getContainerInfo", {"containerName": "east"})
    assert (info["displayName"], info["movesServices"], info["agents"]) == ("West", False, [])
    assert admin.call(f"{CUSTOMER}/getContainerInfo", {"id": offer["id"], "type": "zcbus"}) == info
    admin.call(f"{CLUSTER}/delete", {"id": offer["id"], "containerName": "east", "displayName": "West"})
    assert admin.refused(f"{CUSTOMER}/getContainerInfo", {"id": offer["id"]})["code"] == 404
    # The name and its machine account are free again.
    _offer(admin)
    records = admin.call("monitor/operation-log/page", {"size": 10})["records"]
    assert {"cluster_add", "cluster_edit", "cluster_delete"} <= {record["action"] for record in records}


def test_a_container_with_services_stays(link: str, admin: Caller) -> None:
    builtin = admin.refused(f"{CLUSTER}/delete", {"id": link})
    assert builtin["data"]["error"] == "container-needed"


def test_services_that_were_taken_out_do_not_keep_a_container(link: str, agent: FakeAgent, admin: Caller) -> None:
    ids = [one["id"] for one in admin.call(f"{CUSTOMER}/page", {})["records"]]
    offer = _offer(admin)
    admin.call(f"{CUSTOMER}/modfiystatus", {"status": "stopped", "ids": ids})
    agent.run_services()
    # As if they had been made there: only hosts that share a bus could have taken them there.
    with admin.plane.services.database.write() as store:
        for table in ("service", "sync_link"):
            store.exec_driver_sql(f"UPDATE {table} SET container_id = '{offer['id']}'")
    assert admin.refused(f"{CLUSTER}/delete", {"id": offer["id"]})["data"]["error"] == "container-in-use"
    for service_id in ids:
        assert admin.call(f"{CUSTOMER}/delete", {"id": service_id})["done"]
    admin.call(f"{CLUSTER}/delete", {"id": offer["id"]})
    customer = admin.call("subscribe/customer/list", {"clientType": "client"})[0]["customerid"]
    addition = {"type": "subscribe", "nodeids": [customer], "containerid": link}
    [added] = admin.call(f"{CUSTOMER}/add", addition)
    assert (added["done"], added["state"]) == (True, "stopped")


def test_a_host_joins_once_and_reports_its_figures(admin: Caller, plane: ControlPlane) -> None:
    offer = _offer(admin)
    joined = _join(plane, offer["token"])["data"]
    assert joined["container"] == "east"
    assert _join(plane, offer["token"], "host-2")["data"]["error"] == "join-token-refused"
    assert _register(plane, joined["token"], "default")["code"] == 40103
    assert _register(plane, joined["token"], "east")["code"] == 200
    sync_body = SyncRequest(agent="host-1", figures=FIGURES, at=plane.clock.now()).model_dump(mode="json")
    assert plane.post("agent/sync", sync_body, joined["token"]).json()["code"] == 200
    [host] = admin.call(f"{CUSTOMER}/getContainerInfo", {"id": offer["id"]})["agents"]
    assert (host["host"], host["alive"], host["cpuPercent"], host["diskTotal"]) == ("host-1.example", True, 12.5, 6)
    figures = admin.call(f"{CUSTOMER}/getStatistics", {"containerid": offer["id"]})
    assert (figures["hostsOnline"], figures["cpuPercent"], figures["memoryUsed"]) == (1, 12.5, 3)
    plane.clock.advance(timedelta(seconds=11))
    figures = admin.call(f"{CUSTOMER}/getStatistics", {"containerid": offer["id"]})
    assert (figures["hosts"], figures["hostsOnline"], figures["cpuPercent"]) == (1, 0, None)
    assert admin.call(f"{CUSTOMER}/getExceptionCount", {"containerid": offer["id"]}) == {"count": 1}


def test_join_tokens_are_hashed_and_grow_old(admin: Caller, plane: ControlPlane) -> None:
    offer = _offer(admin)
    again = admin.call(f"{CLUSTER}/join/offer", {"containerid": offer["id"]})
    assert again["token"].encode() not in b"".join(path.read_bytes() for path in plane.data_dir.glob("zcbus.db*"))
    plane.clock.advance(timedelta(minutes=61))
    assert _join(plane, again["token"])["data"]["error"] == "join-token-refused"
    remove_expired(plane.services)
    assert _join(plane, offer["token"])["data"]["error"] == "join-token-refused"


def test_hosts_of_a_container_share_a_bus(admin: Caller, plane: ControlPlane) -> None:
    offer = _offer(admin)
    first = _join(plane, offer["token"], bus="kafka://a:1/zcbus")["data"]
    _register(plane, first["token"], "east", bus="kafka://a:1/zcbus")
    token = admin.call(f"{CLUSTER}/join/offer", {"containerid": offer["id"]})["token"]
    refused = _join(plane, token, "host-2")
    assert refused["data"]["error"] == "bus-not-shared"
    assert "host-1.example" in refused["message"]
    # The token is still good for a host that fits.
    second = _join(plane, token, "host-2", "kafka://a:1/zcbus")["data"]
    assert _register(plane, second["token"], "east", "host-2")["data"]["error"] == "bus-not-shared"
    assert _register(plane, second["token"], "east", "host-2", "kafka://a:1/zcbus")["code"] == 200


def test_services_are_counted_by_type_and_state(link: str, agent: FakeAgent, admin: Caller) -> None:
    container = {"containerid": link}
    assert admin.call(f"{CUSTOMER}/getTypeCount", container) == [
        {"type": "publish", "count": 1},
        {"type": "subscribe", "count": 1},
    ]
    assert admin.call(f"{CUSTOMER}/getStatusCount", container) == [{"status": "normal", "count": 2}]
    healthy = admin.call(f"{CUSTOMER}/getStatusStatistics", {**container, "status": "normal"})
    assert [one["count"] for one in healthy] == [1, 1]
    assert admin.call(f"{CUSTOMER}/getExceptionStatistcsCount", container) == []
    agent.run_services(ServiceState.ABNORMAL)
    agent.report_tables(SyncState.INCREMENTAL_ERROR, ["public.orders"], row_errors=4)
    kinds = admin.call(f"{CUSTOMER}/getExceptionStatistcsCount", container)
    assert {one["kind"]: one["count"] for one in kinds} == {"service-abnormal": 2, "table-error": 1, "row-error": 4}
    assert admin.call(f"{CUSTOMER}/getExceptionCount", container) == {"count": 7}
    chosen = {**container, "type": "publish", "customerid": "", "subtypes": "", "status": ""}
    assert admin.call(f"{CUSTOMER}/getStatusStatistics", chosen) == [
        {"type": "publish", "status": "abnormal", "count": 1}
    ]
    assert admin.call(f"{CUSTOMER}/getStatusStatistics", {**chosen, "status": "started"}) == []
    for kinds, types in (("mysql,oracle", ["subscribe"]), ("postgresql", ["publish"]), ("oracle", [])):
        chosen = admin.call(f"{CUSTOMER}/getStatusStatistics", {**container, "subtypes": kinds})
        assert [one["type"] for one in chosen] == types
    customer = admin.call("subscribe/customer/list", {"clientType": "client"})[0]["customerid"]
    [of_customer] = admin.call(f"{CUSTOMER}/getStatusStatistics", {**container, "customerid": customer})
    assert of_customer["type"] == "subscribe"


@pytest.mark.parametrize("path", ["add", "edit", "delete", "join/offer", "customer/getStatistics"])
def test_only_platform_administrators_keep_containers(path: str, link: str, plane: ControlPlane) -> None:
    add_user(plane, "stranger", "administrator", "south")
    stranger = Caller(plane, plane.sign_in("stranger"))
    body = {"id": link, "containerid": link, "containerName": "mine", "displayName": "mine"}
    assert stranger.refused(f"{CLUSTER}/{path}", body)["code"] == 40103
