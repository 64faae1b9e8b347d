"""Queries over nodes and the channels that receive from them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, String, cast, exists, func, or_, select

from zcbus.control.features.publish import views as publish
from zcbus.control.features.subscribe import views as subscribe
from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.subscribe import channel, customer, master
from zcbus.control.store.tables.sync_link import sync_link, sync_task


def nodes(principal: Principal, search: str | None) -> Select[Any]:
    """The caller's publish nodes, as `publish.views.nodes` has them."""
    node = publish.nodes(principal).subquery("node")
    statement = node.select()
    if not search:
        return statement
    own = (node.c.name, cast(node.c.options, String), node.c.link_name)
    receivers = (customer.c.name, cast(data_source.c.options, String))
    receives = (
        exists()
        .where(master.c.node_id == node.c.id)
        .where(customer.c.id == master.c.customer_id)
        .where(data_source.c.id == func.coalesce(master.c.data_source_id, customer.c.data_source_id))
        .where(any_contains(receivers, search))
    )
    return statement.where(or_(*(searched.icontains(search, autoescape=True) for searched in own), receives))


def select_channels(connection: Connection, principal: Principal, node_ids: Sequence[str]) -> Sequence[Row[Any]]:
    """The caller's channels that receive from these nodes, with customer, target and sync link, by name."""
    name = func.coalesce(sync_link.c.name, customer.c.name)
    statement: Select[Any] = (
        select(
            channel.c.id,
            channel.c.name.label("channel_name"),
            channel.c.service_id,
            master.c.node_id,
            name.label("name"),
            customer.c.client_type,
            data_source.c.kind,
            data_source.c.options,
            sync_link.c.id.label("link_id"),
        )
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(data_source, data_source.c.id == func.coalesce(master.c.data_source_id, customer.c.data_source_id))
        .outerjoin(sync_task, sync_task.c.channel_id == channel.c.id)
        .outerjoin(sync_link, sync_link.c.id == sync_task.c.link_id)
        .where(principal.visible(customer.c.tenant_id), master.c.node_id.in_(node_ids))
        .order_by(name, channel.c.name, channel.c.id)
    )
    return connection.execute(statement).all()


def select_figures(connection: Connection, node_ids: Sequence[str]) -> dict[str, Row[Any]]:
    """`channel_figures` of the channels of these nodes."""
    found = subscribe.channel_figures().subquery("figures")
    rows = connection.execute(found.select().where(found.c.node_id.in_(node_ids)))
    return {row.channel_id: row for row in rows}
