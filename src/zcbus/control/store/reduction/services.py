"""Services and the channels that are in their states."""

from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, Select, or_, select

from zcbus.control.store.among import among
from zcbus.control.store.live import announce
from zcbus.control.store.reduction.rows import Moment, save
from zcbus.control.store.tables.container import agent, service
from zcbus.control.store.tables.subscribe import channel
from zcbus.model.reduction.services import (
    ServiceFacts,
    channel_state,
    is_progressing,
    service_state,
    worker_of,
)
from zcbus.model.services import AT_REST
from zcbus.model.states import DesiredState, ServiceState

_REDUCED = ("current_state", "current_since", "worker", "worker_started_at", "has_run")


def reduce_services(connection: Connection, moment: Moment) -> set[str]:
    """Reduce the marked services; returns those in whose state something changed."""
    changed, tenants = [], set()
    rows = connection.execute(facts().where(service.c.unreduced)).all()
    if not rows:
        return set()
    for row in rows:
        reduced = reduce(row, moment)
        if any(reduced[name] != getattr(row, name) for name in _REDUCED):
            changed.append({"row_id": row.id, **reduced})
            tenants.add(row.tenant_id)
    save(connection, service, changed)
    announce(connection, "service", tenants)
    return {row["row_id"] for row in changed}


@cache
def facts() -> Select[Any]:
    """Facts that determine services' states, and their stored values."""
    columns = (
        *("id", "tenant_id", "desired", "observed", "observed_since", "agent_id", "revision", "started_at"),
        *("report_state", "progress_at", "reported_at", *_REDUCED),
    )
    agents = agent.c.orders_revision, agent.c.heartbeat_at
    found: Select[Any] = select(*(service.c[name] for name in columns), *agents)
    return found.outerjoin(agent, agent.c.id == service.c.agent_id)


def reduce(row: Row[Any], moment: Moment) -> dict[str, Any]:
    """The reduced columns of a row of `facts`."""
    known = ServiceFacts(
        desired=DesiredState(row.desired),
        observed=ServiceState(row.observed),
        taken=row.agent_id is not None,
        pending=row.agent_id is not None and row.orders_revision is not None and row.orders_revision < row.revision,
        report_state=row.report_state,
        progressing=is_progressing(row.progress_at, row.heartbeat_at, moment.now),
        expired=moment.expired,
    )
    state = service_state(known)
    same = state == row.current_state
    return {
        "current_state": state.value,
        "current_since": row.current_since if same else moment.since(row.current_since, row.observed_since),
        "worker": worker_of(known).value,
        "worker_started_at": row.started_at,
        "has_run": row.has_run or row.reported_at is not None or known.observed not in AT_REST,
    }


def reduce_channels(connection: Connection, services: set[str]) -> None:
    """Reduce the marked channels and those of services that changed."""
    concerned = or_(channel.c.unreduced, among(channel.c.service_id, services))
    found: Select[Any] = select(
        channel.c.id, channel.c.current_state, service.c.current_state.label("of_service"), service.c.has_run
    ).join(service, service.c.id == channel.c.service_id)
    changed = []
    rows = connection.execute(found.where(concerned)).all()
    if not rows:
        return
    for row in rows:
        state = channel_state(ServiceState(row.of_service), row.has_run)
        if state != row.current_state:
            changed.append({"row_id": row.id, "current_state": state.value})
    save(connection, channel, changed)
