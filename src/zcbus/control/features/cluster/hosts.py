"""Removing a host that is gone for good."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.cluster.errors import HostAliveError, HostNeededError
from zcbus.control.features.container import repository as containers
from zcbus.control.platform.host_tokens import revoke_host
from zcbus.model.reduction.services import is_stale
from zcbus.model.states import DesiredState

NAMED_SERVICES = 10


def remove(connection: Connection, host: Row[Any], now: datetime) -> Sequence[str]:
    """Forget a host of which somebody says that it is gone; others of its container get its services, pinned ones too.
    Returns their names. Its tokens are refused from now on; its agent stops its services once it hears so.

    Raises HostAliveError; HostNeededError where services are to run and no other host reaches the bus they work with.
    """
    if not is_stale(host.heartbeat_at, now):
        raise HostAliveError(host=host.host)
    services = containers.select_services_of_agent(connection, host.id)
    names = [row.name for row in services]
    others = containers.select_other_hosts(connection, host.container_id, host.id)
    wanted = [row.name for row in services if row.desired == DesiredState.RUNNING]
    if wanted and not any(
        host.bus and other.bus == host.bus for other in others if not is_stale(other.heartbeat_at, now)
    ):
        raise HostNeededError(host=host.host, count=len(wanted), services=listed(wanted))
    containers.release(connection, [row.id for row in services])
    containers.cancel_moves(connection, host.id)
    containers.remove_agent(connection, host.id)
    revoke_host(connection, host.id, now)
    containers.bump_revision(connection, host.container_id)
    return names


def listed(names: Sequence[str]) -> str:
    """Names in a sentence; of many only the first ones."""
    return ", ".join(names[:NAMED_SERVICES]) + (", …" if len(names) > NAMED_SERVICES else "")
