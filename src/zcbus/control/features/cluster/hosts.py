"""Removing a host that is gone for good."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.cluster.errors import HostAliveError, HostNeededError
from zcbus.control.features.container import agents
from zcbus.control.platform.host_tokens import revoke_host
from zcbus.model.reduction.services import is_stale
from zcbus.model.states import DesiredState

NAMED_SERVICES = 10


def remove(connection: Connection, host: Row[Any], now: datetime) -> Sequence[str]:
    """Delete a host that an operator declares gone; others of its container get its services, pinned ones too. Returns
    their names. Its tokens are refused from now on; its agent stops its services once it is refused.

    Raises HostAliveError; HostNeededError where services are to run and no other host reaches their bus.
    """
    if not is_stale(host.heartbeat_at, now):
        raise HostAliveError(host=host.host)
    services = agents.services_of(connection, host)
    names = [row.name for row in services]
    running = [row.name for row in services if row.desired == DesiredState.RUNNING]
    if running and not agents.has_other(connection, host, lambda other: _reaches_as(host, other, now)):
        raise HostNeededError(host=host.host, count=len(running), services=listed(running))
    agents.remove(connection, host)
    revoke_host(connection, host.id, now)
    return names


def _reaches_as(host: Row[Any], other: Row[Any], now: datetime) -> bool:
    return bool(host.bus) and other.bus == host.bus and not is_stale(other.heartbeat_at, now)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence; of many only the first ones."""
    return ", ".join(names[:NAMED_SERVICES]) + (", …" if len(names) > NAMED_SERVICES else "")
