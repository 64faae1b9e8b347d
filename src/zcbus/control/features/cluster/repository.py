"""Queries over containers and their hosts."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, case, delete, exists, func, select, update

from zcbus.control.features.cluster.schemas import ANY_STATUS, ContainerPageRequest
from zcbus.control.features.container.views import usable
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import agent, container, service
from zcbus.control.store.tables.identity import tenant
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.model.reduction.services import STALE_AFTER
from zcbus.model.services import AT_WORK
from zcbus.model.states import ServiceState


def container_statement(principal: Principal, now: datetime) -> Select[Any]:
    """Containers the caller may use, with counts of their contents."""
    alive = agent.c.heartbeat_at >= now - STALE_AFTER
    seen = and_(principal.visible(service.c.tenant_id), service.c.removed_at.is_(None))
    return (
        select(
            container.c.id,
            container.c.name.label("container_name"),
            container.c.display_name,
            container.c.description,
            container.c.moves_services,
            container.c.created_at,
            container.c.tenant_id.label("customerid"),
            tenant.c.display_name.label("customer_name"),
            _status(now).label("status"),
            _count(agent).label("hosts"),
            _count(agent, alive).label("hosts_online"),
            _count(service, seen).label("services"),
            _count(service, seen, service.c.current_state.in_(AT_WORK)).label("services_running"),
            _count(service, seen, service.c.current_state == ServiceState.ABNORMAL).label("services_abnormal"),
        )
        .outerjoin(tenant, tenant.c.id == container.c.tenant_id)
        .where(usable(principal))
    )


def page_statement(
    principal: Principal, request: ContainerPageRequest, now: datetime
) -> tuple[Select[Any], Sequence[ColumnElement[Any]]]:
    """Statement, and its usual order."""
    statement = container_statement(principal, now)
    if request.container_name:
        statement = statement.where(container.c.name.icontains(request.container_name, autoescape=True))
    if request.display_name:
        statement = statement.where(container.c.display_name.icontains(request.display_name, autoescape=True))
    if request.status not in ANY_STATUS:
        statement = statement.where(_status(now) == request.status)
    return statement, [container.c.created_at, container.c.id]


def find(
    connection: Connection, principal: Principal, now: datetime, condition: ColumnElement[bool]
) -> Row[Any] | None:
    return connection.execute(container_statement(principal, now).where(condition)).one_or_none()


def change(connection: Connection, container_id: str, **values: Any) -> None:
    connection.execute(update(container).where(container.c.id == container_id).values(values))


def remove(connection: Connection, container_id: str) -> None:
    """The container, its hosts, and the accounts of these."""
    connection.execute(delete(container).where(container.c.id == container_id))


def select_service_names(connection: Connection, container_id: str) -> Sequence[str]:
    """Of every tenant, since none may be lost. Services outside containers do not count."""
    here = and_(service.c.container_id == container_id, service.c.removed_at.is_(None))
    return connection.execute(select(service.c.name).where(here).order_by(service.c.name)).scalars().all()


def leave_taken_out(connection: Connection, container_id: str, to_name: str) -> None:
    """Services that were taken out of a container keep their positions when it is removed, as if they had been taken
    out of another; so do their links."""
    to = select(container.c.id).where(container.c.name == to_name).scalar_subquery()
    for table in (service, sync_link):
        connection.execute(update(table).where(table.c.container_id == container_id).values(container_id=to))


def count_services_of_agents(connection: Connection, container_id: str) -> Mapping[str, tuple[int, int]]:
    """Services and pinned services of each agent that has any."""
    rows = connection.execute(
        select(service.c.agent_id, func.count(), func.sum(case((service.c.pinned, 1), else_=0)))
        .where(service.c.container_id == container_id, service.c.agent_id.is_not(None), service.c.removed_at.is_(None))
        .group_by(service.c.agent_id)
    ).all()
    return {agent_id: (count, pinned) for agent_id, count, pinned in rows}


def _status(now: datetime) -> ColumnElement[int]:
    alive = exists().where(agent.c.container_id == container.c.id, agent.c.heartbeat_at >= now - STALE_AFTER)
    return case((alive, 1), else_=0)


def _count(table: Any, *conditions: ColumnElement[bool]) -> ColumnElement[int]:
    counted = select(func.count()).select_from(table).where(table.c.container_id == container.c.id, *conditions)
    return counted.correlate(container).scalar_subquery()
