"""Containers and services as lists of other features begin with them."""

from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, case, or_, select

from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import agent, container, service
from zcbus.model.reduction.services import EXPLAINED_BY_AGENT, Worker

_next_agent = agent.alias("next_agent")


def usable(principal: Principal) -> ColumnElement[bool]:
    """Containers the caller may run services in: the tenant's own and the shared ones."""
    return or_(container.c.tenant_id.is_(None), principal.visible(container.c.tenant_id))


def by_tenant(principal: Principal) -> ColumnElement[bool]:
    """Services of the caller's tenants."""
    return principal.visible(service.c.tenant_id)


def services() -> Select[Any]:
    """Services with their container's name and their agent's host and heartbeat."""
    return (
        select(
            service,
            container.c.name.label("container_name"),
            agent.c.host.label("agent_host"),
            agent.c.heartbeat_at.label("agent_seen_at"),
            agent.c.orders_revision.label("agent_revision"),
            agent.c.machine_code,
            agent.c.serial_number,
            _next_agent.c.host.label("next_host"),
        )
        .join(container, container.c.id == service.c.container_id)
        .outerjoin(agent, agent.c.id == service.c.agent_id)
        .outerjoin(_next_agent, _next_agent.c.id == service.c.next_agent_id)
    )


def trouble_of(of: FromClause) -> ColumnElement[Any]:
    """The reason why the process of a service does not work: its agent's where there is none, else its own. NULL: it
    works, or is not to run, or its reports do not answer the newest order yet. `of`: the service, or an alias."""
    return case((of.c.worker.in_(EXPLAINED_BY_AGENT), of.c.reason), (of.c.worker == Worker.BLOCKED, of.c.report_reason))
