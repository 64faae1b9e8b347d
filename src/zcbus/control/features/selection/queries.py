"""Queries behind the lists to choose from. Each carries the condition that hides other tenants' rows."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from zcbus.control.platform.principal import Principal
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
