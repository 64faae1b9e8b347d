"""Services go to another host when theirs is gone for certain, and never before."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent, host_token
from tests.support.control_plane import ControlPlane
from zcbus.model.states import DesiredState, ServiceState
from zcbus.protocol.agent import Join, Order, Registration, SyncRequest, SyncResponse
from zcbus.protocol.reports import ServiceStatus

BUS = "kafka://a:1/zcbus"


@dataclass
class Host:
    """An agent that keeps leases; it syncs when the test says so."""

    plane: ControlPlane
    name: str
    container: str = "default"
    token: str = ""
    version: str = ""
    orders: tuple[Order, ...] = ()
    stops: bool = True
    """Whether its processes end on order."""

    def register(self) -> None:
        message = Registration(agent=self.name, host=self.name, pid=1, version="0", container=self.container, bus=BUS)
        self._post("register", message)

    def sync(self) -> SyncResponse:
        request = SyncRequest(
            agent=self.name,
            orders_version=self.version,
            statuses=tuple(map(self._status, self.orders)),
            keeps_leases=True,
            at=self.plane.clock.now(),
        )
        response = SyncResponse.model_validate(self._post("sync", request))
        if response.orders is not None:
            self.version, self.orders = response.orders.version, response.orders.orders
        return response

    def _status(self, order: Order) -> ServiceStatus:
        runs = order.desired == DesiredState.RUNNING or not self.stops
        state = ServiceState.STARTED if runs else ServiceState.STOPPED
        return ServiceStatus(service=order.service, state=state, at=self.plane.clock.now())

    def running(self) -> set[str]:
        """Its orders to run, and whether they are on a lease."""
        return {f"{order.task.type}{' leased' * order.leased}" for order in self.orders if order.desired == "running"}

    def _post(self, verb: str, message: Registration | SyncRequest) -> object:
        self.token = self.token or host_token(self.plane, self.name, self.name, self.container)
        answer = self.plane.post(f"agent/{verb}", message.model_dump(mode="json"), self.token).json()
        assert answer["code"] == 200, answer
        return answer["data"]


@pytest.fixture
def one(plane: ControlPlane, admin: Caller, agent: FakeAgent) -> Host:
    """The host that has a link's two services."""
    admin.call("sync/link/apply", {"document": document(), "start": False})
    agent.stop()
    with plane.services.database.write() as connection:
        connection.exec_driver_sql("UPDATE service SET agent_id = NULL")
        connection.exec_driver_sql("DELETE FROM agent")
    host = Host(plane, "one")
    host.register()
    # A host must have been there for a while before it counts.
    pass_time(plane, 2, host)
    assert len(host.orders) == 2
    return host


@pytest.fixture
def two(plane: ControlPlane, one: Host) -> Host:
    """A second host that has been there for long enough to take over."""
    host = Host(plane, "two")
    host.register()
    pass_time(plane, 12, one, host)
    return host


def pass_time(plane: ControlPlane, seconds: int, *hosts: Host) -> None:
    """Let time pass while these hosts sync."""
    for _ in range(seconds):
        plane.clock.advance(timedelta(seconds=1))
        for host in hosts:
            host.sync()


def test_a_lone_host_needs_no_lease(one: Host) -> None:
    assert one.sync().lease_s is None
    assert not any(order.leased for order in one.orders)


def test_services_move_once_the_lease_is_over(plane: ControlPlane, one: Host, two: Host) -> None:
    assert one.sync().lease_s == 6
    assert [order.leased for order in one.orders] == [True, True]
    assert two.orders == ()
    pass_time(plane, 9, two)
    assert two.orders == ()
    pass_time(plane, 3, two)
    assert len(two.orders) == 2
    # It is the only host now: it may run without the control plane.
    assert not any(order.leased for order in two.orders)
    one.sync()
    assert one.orders == ()


def test_a_host_that_did_not_take_leased_orders_keeps_its_services(plane: ControlPlane, one: Host) -> None:
    two = Host(plane, "two")
    two.register()
    pass_time(plane, 60, two)
    assert two.orders == ()


def test_no_service_moves_because_the_control_plane_was_away(plane: ControlPlane, one: Host, two: Host) -> None:
    plane.clock.advance(timedelta(minutes=5))
    pass_time(plane, 9, two)
    assert two.orders == ()
    pass_time(plane, 5, one, two)
    assert (len(one.orders), two.orders) == (2, ())


def test_services_stay_where_the_container_does_not_move_them(
    plane: ControlPlane, admin: Caller, one: Host, two: Host
) -> None:
    [container] = admin.call("container/cluster/getAll", {})["records"]
    change = {"id": container["id"], "displayName": "default", "movesServices": False}
    admin.call("container/cluster/edit", change)
    assert one.sync().lease_s is None
    pass_time(plane, 60, two)
    assert two.orders == ()


# Its queries run on both stores elsewhere.
one_store = pytest.mark.parametrize("prepared_store", ["sqlite"], indirect=True)
PLACE = "container/service/place"
PAGE = "container/cluster/customer/page"


def find(admin: Caller, kind: str) -> dict[str, Any]:
    found: dict[str, Any] = admin.call(PAGE, {"type": kind})["records"][0]
    return found


@pytest.fixture
def running(plane: ControlPlane, admin: Caller, one: Host, two: Host) -> dict[str, Any]:
    """The publish service, which runs on host one as the other does."""
    ids = [record["id"] for record in admin.call(PAGE, {})["records"]]
    admin.call("container/cluster/customer/modfiystatus", {"status": "started", "ids": ids})
    pass_time(plane, 2, one, two)
    assert one.running() == {"publish leased", "subscribe leased"}
    return find(admin, "publish")


def put(admin: Caller, row: dict[str, Any], host: Host | None, pinned: bool) -> Any:
    body = {"ids": [row["id"]], "deviceId": host.name if host else "", "pinned": pinned}
    [result] = admin.call(PLACE, body)
    return result["error"]


def test_a_service_goes_where_it_is_placed_once_it_has_stopped(
    plane: ControlPlane, admin: Caller, one: Host, two: Host, running: dict[str, Any]
) -> None:
    one.stops = False
    assert put(admin, running, two, pinned=True) is None
    pass_time(plane, 3, one, two)
    # It has not stopped yet.
    assert (one.running(), two.orders) == ({"subscribe leased"}, ())
    shown = find(admin, "publish")
    assert (shown["agentHost"], shown["nextHost"], shown["pinned"]) == ("one", "two", True)
    one.stops = True
    pass_time(plane, 2, one, two)
    assert (one.running(), two.running()) == ({"subscribe leased"}, {"publish"})
    shown = find(admin, "publish")
    assert (shown["agentHost"], shown["nextHost"], shown["desired"]) == ("two", None, "running")
    # Pinned, it stays though its host is gone; released before, it would go.
    pass_time(plane, 30, one)
    assert one.running() == {"subscribe"}
    assert put(admin, running, one, pinned=False) == "service-host-silent"
    records = admin.call("monitor/operation-log/page", {"size": 10})["records"]
    assert "service_place" in {record["action"] for record in records}


@one_store
def test_a_pin_is_set_and_released_where_the_service_is(
    plane: ControlPlane, admin: Caller, one: Host, two: Host, running: dict[str, Any]
) -> None:
    assert put(admin, running, None, pinned=True) is None
    pass_time(plane, 1, one, two)
    assert one.running() == {"publish", "subscribe leased"}
    assert put(admin, running, one, pinned=False) is None
    pass_time(plane, 1, one, two)
    assert one.running() == {"publish leased", "subscribe leased"}


@one_store
def test_a_move_to_a_host_can_be_cancelled(
    plane: ControlPlane, admin: Caller, one: Host, two: Host, running: dict[str, Any]
) -> None:
    one.stops = False
    put(admin, running, two, pinned=False)
    pass_time(plane, 1, one, two)
    put(admin, running, one, pinned=False)
    one.stops = True
    pass_time(plane, 3, one, two)
    assert (len(one.running()), two.orders) == (2, ())


@one_store
def test_a_host_that_goes_while_it_stops_a_service_loses_it_to_the_chosen_one(
    plane: ControlPlane, admin: Caller, one: Host, two: Host, running: dict[str, Any]
) -> None:
    three = Host(plane, "three")
    three.register()
    pass_time(plane, 12, one, two, three)
    one.stops = False
    put(admin, running, two, pinned=True)
    pass_time(plane, 1, one, two, three)
    pass_time(plane, 12, two, three)
    assert two.running() == {"publish"}
    assert three.running() == {"subscribe leased"}


@one_store
def test_a_service_is_not_placed_where_it_cannot_run(
    plane: ControlPlane, admin: Caller, one: Host, two: Host, running: dict[str, Any]
) -> None:
    offer = admin.call("container/cluster/add", {"containerName": "east", "displayName": "East"})
    join = Join(token=offer["token"], agent="far", host="far", bus=BUS).model_dump(mode="json")
    far = Host(plane, "far", "east", plane.post("agent/join", join).json()["data"]["token"])
    far.register()
    assert put(admin, running, far, pinned=False) == "service-host-elsewhere"
    pass_time(plane, 11, one)
    assert put(admin, running, two, pinned=False) == "service-host-away"
    assert admin.refused(PLACE, {"ids": [running["id"]], "deviceId": "nobody", "pinned": True})["code"] == 404
    assert one.running() == {"publish", "subscribe"}


REMOVE = "container/host/delete"


def test_a_host_that_is_gone_is_removed_and_its_pinned_services_go_elsewhere(
    plane: ControlPlane, admin: Caller, one: Host, two: Host, running: dict[str, Any]
) -> None:
    put(admin, running, None, pinned=True)
    pass_time(plane, 1, one, two)
    assert admin.refused(REMOVE, {"deviceId": "one"})["data"]["error"] == "host-alive"
    pass_time(plane, 12, two)
    assert two.running() == {"subscribe"}
    assert admin.call(REMOVE, {"deviceId": "one"}) == {"services": [running["serviceName"]]}
    pass_time(plane, 1, two)
    assert two.running() == {"publish", "subscribe"}
    [container] = admin.call("container/cluster/getAll", {})["records"]
    detail = admin.call("container/cluster/customer/getContainerInfo", {"id": container["id"]})
    assert [(host["host"], host["services"], host["pinned"]) for host in detail["agents"]] == [("two", 2, 0)]
    # It was only cut off: it comes back, and learns that it has nothing to run.
    message = SyncRequest(agent="one", at=plane.clock.now()).model_dump(mode="json")
    assert plane.post("agent/sync", message, one.token).json()["data"]["error"] == "host-removed"


@one_store
def test_the_last_host_with_services_stays(
    plane: ControlPlane, admin: Caller, one: Host, two: Host, running: dict[str, Any]
) -> None:
    pass_time(plane, 60)
    refused = admin.refused(REMOVE, {"deviceId": "one"})
    assert (refused["data"]["error"], running["serviceName"] in refused["message"]) == ("host-needed", True)
    # Services to run cannot be stopped for certain; the absence of their host is shown with a remedy.
    ids = [record["id"] for record in admin.call(PAGE, {})["records"]]
    admin.call("container/cluster/customer/modfiystatus", {"status": "stopped", "ids": ids})
    gone = find(admin, "publish")
    assert (gone["state"], gone["reason"]["code"], gone["reason"]["facts"]["host"]) == (
        "stopping",
        "host-silent",
        "one",
    )
    assert "remove it from the container" in gone["reason"]["remedy"]
    admin.call(REMOVE, {"deviceId": "one"})
    gone = find(admin, "publish")
    assert (gone["state"], gone["reason"], gone["agentHost"]) == ("stopped", None, None)
    admin.call(REMOVE, {"deviceId": "two"})
    records = admin.call("monitor/operation-log/page", {"size": 10})["records"]
    assert "cluster_delete_host" in {record["action"] for record in records}
