"""Queries over where services are."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, func, not_, or_, select, update

from zcbus.control.store.tables.container import agent, container, service
from zcbus.model.services import AT_REST


def set_leased(connection: Connection, agent_id: str, leased: bool) -> None:
    connection.execute(update(agent).where(agent.c.id == agent_id).values(leased=leased))


def has_unclaimed(connection: Connection, container_id: str) -> bool:
    """Whether a container has services without a host; locks nothing."""
    return connection.execute(select(service.c.id).where(_unclaimed(container_id)).limit(1)).first() is not None


def select_unclaimed(connection: Connection, container_id: str) -> Sequence[str]:
    """Services without a host, locked until this transaction ends."""
    statement = select(service.c.id).where(_unclaimed(container_id))
    return connection.execute(statement.order_by(service.c.id).with_for_update()).scalars().all()


def select_gone_hosts(connection: Connection, by: Row[Any], earliest: datetime, latest: datetime) -> Sequence[str]:
    """Other hosts of an agent's container and bus that follow leased orders, have no heartbeat since `earliest` (nor
    one after `latest`), and have services that can move."""
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


def select_movable(connection: Connection, host_id: str) -> Sequence[Any]:
    """Services of a host that may move, with the host that an operator chose."""
    statement = select(service.c.id, service.c.next_agent_id).where(_movable_from(host_id))
    return connection.execute(statement.order_by(service.c.id).with_for_update()).all()


def select_stopped_for_others(connection: Connection, host_id: str, orders_revision: int) -> dict[str, list[str]]:
    """Services of a host that an operator moved to another one, by that one, as far as this host stopped them because
    of the orders of this revision."""
    statement = select(service.c.next_agent_id, service.c.id).where(
        service.c.agent_id == host_id,
        service.c.next_agent_id.is_not(None),
        service.c.observed.in_(AT_REST),
        service.c.revision <= orders_revision,
    )
    found: dict[str, list[str]] = {}
    for row in connection.execute(statement.order_by(service.c.id).with_for_update()):
        found.setdefault(row.next_agent_id, []).append(row.id)
    return found


def count_services(connection: Connection, by: Row[Any], since: datetime, contact: datetime) -> dict[str, int]:
    """Number of services per host of an agent's container and bus, by host id. Only hosts with a heartbeat since
    `since` and without a gap since `contact`."""
    services = select(func.count()).select_from(service).where(service.c.agent_id == agent.c.id)
    rows: Sequence[Any] = connection.execute(
        select(agent.c.id, services.correlate(agent).scalar_subquery()).where(
            agent.c.container_id == by.container_id,
            agent.c.bus == (by.bus or None),
            agent.c.heartbeat_at >= since,
            agent.c.contact_since <= contact,
        )
    ).all()
    return dict(map(tuple, rows))


def _unclaimed(container_id: str) -> ColumnElement[bool]:
    return and_(service.c.container_id == container_id, service.c.agent_id.is_(None), service.c.removed_at.is_(None))


def _gone(earliest: datetime, latest: datetime) -> ColumnElement[bool]:
    return or_(agent.c.heartbeat_at < earliest, agent.c.heartbeat_at > latest)


def _movable_from(host: Any) -> ColumnElement[bool]:
    on_its_way = service.c.next_agent_id.is_not(None)
    stays = and_(service.c.pinned, not_(on_its_way))
    return and_(service.c.agent_id == host, not_(stays), service.c.removed_at.is_(None))
