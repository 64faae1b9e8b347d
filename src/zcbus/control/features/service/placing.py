"""Placement of services on hosts of their container."""

from typing import Any

from sqlalchemy import Row

from zcbus.control.features.container import agents
from zcbus.control.features.container import service as containers
from zcbus.control.features.service import queries
from zcbus.control.features.service.actions import each, found_by_id
from zcbus.control.features.service.errors import (
    HostAwayError,
    HostBusElsewhereError,
    HostElsewhereError,
    HostSilentError,
    ServiceUnplacedError,
)
from zcbus.control.features.service.listing import Moment
from zcbus.control.features.service.schemas import ServiceResult, ServicesPlacement
from zcbus.control.platform.call import Call
from zcbus.model.reduction.services import is_stale
from zcbus.model.services import WITHOUT_PROCESS, ServiceAction
from zcbus.model.states import ServiceState


def place(call: Call, request: ServicesPlacement) -> list[ServiceResult]:
    """Move services to a host, or pin or release them. Raises RecordNotFoundError."""
    host = agents.find_agent(call.connection, call.principal, request.device_id) if request.device_id else None

    def put(row: Row[Any]) -> None:
        if host is None or row.agent_id == host.id:
            _note(call, row, request.pinned, returns=host is not None)
        else:
            _move(call, row, host, request.pinned)

    return each(call, list(dict.fromkeys(request.ids)), found_by_id(call, request.ids), ServiceAction.PLACE, put)


def _note(call: Call, row: Row[Any], pinned: bool, *, returns: bool) -> None:
    """Where it is, or is about to be; `returns`: it is not to go elsewhere any more."""
    if pinned and row.agent_id is None:
        raise ServiceUnplacedError(name=row.name)
    if returns and row.next_agent_id is not None:
        containers.order_services(call.connection, [row.id], {"next_agent_id": None})
    queries.change(call.connection, [row.id], {"pinned": pinned})


def _move(call: Call, row: Row[Any], host: Row[Any], pinned: bool) -> None:
    moment = Moment.of(call.services)
    at_rest = ServiceState(row.current_state) in WITHOUT_PROCESS
    _check(row, host, moment, at_rest)
    if at_rest:
        containers.assign_services(call.connection, [row.id], host.id, moment.now)
    else:
        containers.order_services(call.connection, [row.id], {"next_agent_id": host.id})
    queries.change(call.connection, [row.id], {"pinned": pinned})


def _check(row: Row[Any], host: Row[Any], moment: Moment, at_rest: bool) -> None:
    if host.container_id != row.container_id:
        raise HostElsewhereError(name=row.name, container=row.container_name)
    if row.agent_id is not None and not (host.bus and host.bus == row.agent_bus):
        raise HostBusElsewhereError(name=row.name, host=host.host)
    if is_stale(host.heartbeat_at, moment.now):
        raise HostAwayError(name=row.name, host=host.host)
    if not at_rest and is_stale(row.agent_seen_at, moment.now):
        raise HostSilentError(name=row.name, host=row.agent_host)
