"""Queries over where services are."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, func, not_, or_, select

from zcbus.control.features.container import repository
from zcbus.control.store.tables.container import agent, container, service


def select_unclaimed(connection: Connection, container_id: str) -> Sequence[str]:
    """Services that nobody has; they stay so until this transaction ends, whoever else wants them."""
    statement = select(service.c.id).where(repository.unclaimed(container_id))
    return connection.execute(statement.order_by(service.c.id).with_for_update()).scalars().all()


def select_gone_hosts(connection: Connection, by: Row[Any], earliest: datetime, latest: datetime) -> Sequence[str]:
    """Other hosts of an agent's container and bus that follow leased orders, were not heard of since `earliest` (nor
    seem to be heard of after `latest`), and have services that can move."""
    statement = (
        select(agent.c.id)
        .join(container, container.c.id == agent.c.container_id)
        .where(
            container.c.moves_services,
            agent.c.container_id == by.container_id,
            agent.c.id != by.id,
            agent.c.bus == (by.bus or None),
            agent.c.leased,
            _gone(earliest, latest),
            select(service.c.id).where(_movable_from(agent.c.id)).exists(),
        )
        .order_by(agent.c.id)
    )
    return connection.execute(statement).scalars().all()


def is_still_gone(connection: Connection, host_id: str, earliest: datetime, latest: datetime) -> bool:
    """The same, after every call of that host has ended, and until this transaction ends."""
    statement = select(agent.c.id).where(agent.c.id == host_id).with_for_update()
    connection.execute(statement)
    gone = select(agent.c.id).where(agent.c.id == host_id, agent.c.leased, _gone(earliest, latest))
    return connection.execute(gone).first() is not None


def select_movable(connection: Connection, host_id: str) -> Sequence[str]:
    """Services of a host that another one may get."""
    statement = select(service.c.id).where(_movable_from(host_id)).order_by(service.c.id).with_for_update()
    return connection.execute(statement).scalars().all()


def count_services(connection: Connection, by: Row[Any], heard: datetime, contact: datetime) -> dict[str, int]:
    """Hosts of an agent's container and bus with the numbers of their services: those heard of since `heard`, without a
    gap since `contact` at the latest."""
    services = select(func.count()).select_from(service).where(service.c.agent_id == agent.c.id)
    rows: Sequence[Any] = connection.execute(
        select(agent.c.id, services.correlate(agent).scalar_subquery()).where(
            agent.c.container_id == by.container_id,
            agent.c.bus == (by.bus or None),
            agent.c.heartbeat_at >= heard,
            agent.c.contact_since <= contact,
        )
    ).all()
    return dict(map(tuple, rows))


def _gone(earliest: datetime, latest: datetime) -> ColumnElement[bool]:
    return or_(agent.c.heartbeat_at < earliest, agent.c.heartbeat_at > latest)


def _movable_from(host: Any) -> ColumnElement[bool]:
    return and_(service.c.agent_id == host, not_(service.c.pinned), service.c.removed_at.is_(None))
