"""Queries behind the lists to choose from. Each carries the condition that hides other tenants' rows."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, case, exists, select

from zcbus.control.features.container.repository import usable
from zcbus.control.features.container.service import STALE_AFTER
from zcbus.control.features.selection.schemas import ANY_STATUS, ContainerOption, ContainerPageRequest
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import agent, container
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import channel, customer, master


def select_customers(connection: Connection, principal: Principal, client_type: str) -> Sequence[Row[Any]]:
    """By name; an empty type is every type."""
    statement = select(customer).where(principal.visible(customer.c.tenant_id))
    if client_type:
        statement = statement.where(customer.c.client_type == client_type)
    return connection.execute(statement.order_by(customer.c.name, customer.c.id)).all()


def sees_customer(connection: Connection, principal: Principal, customer_id: str) -> bool:
    found = select(customer.c.id).where(customer.c.id == customer_id, principal.visible(customer.c.tenant_id))
    return connection.execute(found).first() is not None


def select_channels(connection: Connection, customer_id: str) -> Sequence[Row[Any]]:
    """By name."""
    return connection.execute(
        select(channel)
        .join(master, master.c.id == channel.c.master_id)
        .where(master.c.customer_id == customer_id)
        .order_by(channel.c.name, channel.c.id)
    ).all()


def select_nodes(connection: Connection, principal: Principal) -> Sequence[Row[Any]]:
    """By name."""
    return connection.execute(
        select(publish_node)
        .where(principal.visible(publish_node.c.tenant_id))
        .order_by(publish_node.c.name, publish_node.c.id)
    ).all()


def container_listing(principal: Principal, request: ContainerPageRequest, now: datetime) -> Listing[ContainerOption]:
    """Containers the caller may run services in."""
    alive = exists().where(agent.c.container_id == container.c.id, agent.c.heartbeat_at >= now - STALE_AFTER)
    status = case((alive, 1), else_=0)
    columns = (
        container.c.id,
        container.c.name.label("container_name"),
        container.c.display_name,
        status.label("status"),
    )
    statement: Select[Any] = select(*columns).where(usable(principal), *_conditions(request, status))
    sortable = {"containerName": container.c.name, "displayName": container.c.display_name, "status": status}
    return Listing(statement, sortable, [container.c.created_at, container.c.id], ContainerOption.of_row)


def _conditions(request: ContainerPageRequest, status: ColumnElement[int]) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if request.container_name:
        conditions.append(container.c.name.icontains(request.container_name, autoescape=True))
    if request.display_name:
        conditions.append(container.c.display_name.icontains(request.display_name, autoescape=True))
    if request.status not in ANY_STATUS:
        conditions.append(status == request.status)
    return conditions
