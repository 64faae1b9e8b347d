"""Buses of containers, and the agent to ask about each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.container import agents
from zcbus.control.features.container import service as containers
from zcbus.control.features.message_bus.schemas import BusRecord
from zcbus.control.features.publish import views as publishing
from zcbus.control.platform.agent_requests import Destination
from zcbus.control.platform.call import Call
from zcbus.model.reduction.services import is_stale


@dataclass(frozen=True, slots=True)
class OpenBus:
    """A container's bus, and the publish nodes that the caller may see, by id."""

    destination: Destination
    nodes: dict[str, Row[Any]]


def list_buses(call: Call) -> list[BusRecord]:
    """The caller's containers with their buses, the oldest first."""
    now = call.services.clock.now()
    return [_bus(row, hosts, now) for row, hosts in agents.by_container(call.connection, call.principal)]


def _bus(container: Row[Any], hosts: Sequence[Row[Any]], now: datetime) -> BusRecord:
    named = [host.bus for host in hosts if host.bus is not None]
    return BusRecord(
        container_id=container.id,
        container_name=container.name,
        kind="unknown" if not named else "cluster" if named[0] else "embedded",
        address=named[0] if named else "",
        hosts=sorted(host.host for host in hosts),
        reachable=any(not is_stale(host.heartbeat_at, now) for host in hosts),
    )


def open_bus(call: Call, container_id: str) -> OpenBus:
    """A container's bus. Raises ContainerUnknownError."""
    with call.services.database.read() as store:
        container = containers.find_usable(store, call.principal, container_id)
        nodes = {row.id: row for row in store.execute(publishing.nodes(call.principal))}
    return OpenBus(Destination(container.id, container.name), nodes)
