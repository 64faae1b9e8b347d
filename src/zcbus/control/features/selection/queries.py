"""Queries behind the lists to choose from. Each carries the condition that hides other tenants' rows."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, or_, select

from zcbus.control.platform.menus import CUSTOMER_PAGES
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.contrast import contrast
from zcbus.control.store.tables.data_service import data_service
from zcbus.control.store.tables.policy import strategy, strategy_customer
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.stream import computation
from zcbus.control.store.tables.subscribe import channel, customer, master
from zcbus.control.store.tables.sync_link import sync_link

_FREE = select(service.c.id).where(service.c.removed_at.is_not(None))


def select_customers(
    connection: Connection, principal: Principal, client_types: Collection[str] | None, *, free_only: bool = False
) -> Sequence[Row[Any]]:
    """By name; None: of every type. `free_only`: with a service that no container runs."""
    statement = select(customer).where(_seen(principal))
    if client_types is not None:
        statement = statement.where(customer.c.client_type.in_(client_types))
    if free_only:
        owners = select(master.c.customer_id).join(channel, channel.c.master_id == master.c.id)
        computing = select(computation.c.customer_id).where(computation.c.service_id.in_(_FREE))
        owning = or_(customer.c.id.in_(owners.where(channel.c.service_id.in_(_FREE))), customer.c.id.in_(computing))
        statement = statement.where(owning)
    return connection.execute(statement.order_by(customer.c.name, customer.c.id)).all()


def select_customers_to_compare(connection: Connection, principal: Principal, client_type: str) -> Sequence[Row[Any]]:
    """Customers with a master whose tables no running container compares, by name."""
    running = select(contrast.c.master_id).where(contrast.c.service_id.not_in(_FREE))
    owners = select(master.c.customer_id).join(channel, channel.c.master_id == master.c.id)
    statement = select(customer).where(_seen(principal), customer.c.id.in_(owners.where(master.c.id.not_in(running))))
    if client_type:
        statement = statement.where(customer.c.client_type == client_type)
    return connection.execute(statement.order_by(customer.c.name, customer.c.id)).all()


def _seen(principal: Principal) -> ColumnElement[bool]:
    """Customers that the caller's permissions reach; all of the tenant for a caller who may see links or containers."""
    visible = principal.visible(customer.c.tenant_id)
    entered = principal.entered_by
    if entered is None or entered & {"sync-link", "container"}:
        return visible
    return and_(visible, customer.c.client_type.in_([name for name, key in CUSTOMER_PAGES.items() if key in entered]))


def sees_customer(connection: Connection, principal: Principal, customer_id: str) -> bool:
    found = select(customer.c.id).where(customer.c.id == customer_id, _seen(principal))
    return connection.execute(found).first() is not None


def select_channels(connection: Connection, customer_id: str) -> Sequence[Row[Any]]:
    """By name."""
    return connection.execute(
        select(channel)
        .join(master, master.c.id == channel.c.master_id)
        .where(master.c.customer_id == customer_id)
        .order_by(channel.c.name, channel.c.id)
    ).all()


def strategies_of(customer_id: str) -> Select[Any]:
    """The strategies assigned to a customer."""
    given = strategy_customer.c.strategy_id == strategy.c.id
    delivered = strategy_customer.c.customer_id == customer_id, strategy_customer.c.version.is_not(None)
    return select(strategy).join(strategy_customer, given).where(*delivered)


def select_data_services(
    connection: Connection, principal: Principal, *, free_only: bool = False
) -> Sequence[Row[Any]]:
    """By name. `free_only`: with a service that no container runs."""
    statement = select(data_service).where(principal.visible(data_service.c.tenant_id))
    if free_only:
        statement = statement.where(data_service.c.service_id.in_(_FREE))
    return connection.execute(statement.order_by(data_service.c.name, data_service.c.id)).all()


def select_nodes(
    connection: Connection, principal: Principal, *, free_only: bool = False, own_only: bool = False
) -> Sequence[Row[Any]]:
    """By name. `free_only`: with a service that no container runs. `own_only`: that no sync link steers."""
    statement = select(publish_node).where(principal.visible(publish_node.c.tenant_id))
    if free_only:
        statement = statement.where(publish_node.c.service_id.in_(_FREE))
    if own_only:
        statement = statement.where(publish_node.c.id.not_in(select(sync_link.c.node_id)))
    return connection.execute(statement.order_by(publish_node.c.name, publish_node.c.id)).all()
