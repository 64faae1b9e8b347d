"""Services go to another host when theirs is gone for certain, and never before."""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.support.control_plane import ControlPlane
from zcbus.protocol.agent import Order, Registration, SyncRequest, SyncResponse

BUS = "kafka://a:1/zcbus"


@dataclass
class Host:
    """An agent that keeps leases; it syncs when the test says so."""

    plane: ControlPlane
    name: str
    version: str = ""
    orders: tuple[Order, ...] = ()

    def register(self) -> None:
        message = Registration(agent=self.name, host=self.name, pid=1, version="0", container="default", bus=BUS)
        self._post("register", message)

    def sync(self) -> SyncResponse:
        request = SyncRequest(
            agent=self.name, orders_version=self.version, keeps_leases=True, at=self.plane.clock.now()
        )
        response = SyncResponse.model_validate(self._post("sync", request))
        if response.orders is not None:
            self.version, self.orders = response.orders.version, response.orders.orders
        return response

    def _post(self, verb: str, message: Registration | SyncRequest) -> object:
        token = (self.plane.data_dir / "agent-token").read_text("utf-8").strip()
        answer = self.plane.post(f"agent/{verb}", message.model_dump(mode="json"), token).json()
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
    # Nobody else is there now: it may go on without the control plane.
    assert not any(order.leased for order in two.orders)
    one.sync()
    assert one.orders == ()


def test_a_host_that_did_not_take_leased_orders_keeps_its_services(plane: ControlPlane, one: Host) -> None:
    two = Host(plane, "two")
    two.register()
    pass_time(plane, 60, two)
    assert two.orders == ()


def test_nothing_moves_just_because_the_control_plane_was_away(plane: ControlPlane, one: Host, two: Host) -> None:
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
