"""Readers of topics, and what masks their rows."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, case, distinct, func, or_, select

from zcbus.control.features.subscribe import table_state
from zcbus.control.store.among import among
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.stream import computation, computation_input
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table

_TO_LOAD = and_(
    table_state.loads(),
    or_(
        subscribed_table.c.load_finished_at.is_(None),
        subscribed_table.c.reported_generation < subscribed_table.c.generation,
    ),
)
_SERVICE = (service.c.needs, service.c.needs_at, service.c.current_state)


def channels(connection: Connection, node_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Channels that read from these nodes, with the number of their tables and of those that are still to be loaded."""
    table_count = func.count(subscribed_table.c.id)
    statement: Select[Any] = (
        select(
            channel.c.id,
            channel.c.name,
            customer.c.name.label("owner"),
            master.c.node_id,
            *_SERVICE,
            table_count.label("tables"),
            func.sum(case((_TO_LOAD, 1), else_=0)).label("loading"),
        )
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(service, service.c.id == channel.c.service_id)
        .outerjoin(subscribed_table, subscribed_table.c.channel_id == channel.c.id)
        .where(among(master.c.node_id, node_ids))
        .group_by(channel.c.id, channel.c.name, customer.c.name, master.c.node_id, *_SERVICE)
        .order_by(customer.c.name, channel.c.name)
    )
    return connection.execute(statement).all()


def stream_queries(connection: Connection, node_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Stream queries over tables of these nodes, one row for each of their nodes."""
    statement: Select[Any] = (
        select(
            computation.c.id,
            computation.c.name,
            customer.c.name.label("owner"),
            published_table.c.node_id,
            *_SERVICE,
            func.count(distinct(published_table.c.id)).label("tables"),
        )
        .join(computation_input, computation_input.c.computation_id == computation.c.id)
        .join(published_table, published_table.c.id == computation_input.c.published_table_id)
        .join(customer, customer.c.id == computation.c.customer_id)
        .join(service, service.c.id == computation.c.service_id)
        .where(among(published_table.c.node_id, node_ids))
        .group_by(computation.c.id, computation.c.name, customer.c.name, published_table.c.node_id, *_SERVICE)
        .order_by(customer.c.name, computation.c.name)
    )
    return connection.execute(statement).all()


def json_topics(connection: Connection, node_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Nodes with a JSON topic, and what their service last reported about it."""
    statement: Select[Any] = (
        select(
            publish_node.c.id,
            publish_node.c.json_topic,
            publish_node.c.name.label("owner"),
            service.c.feed,
            service.c.current_state,
            service.c.reported_at,
        )
        .join(service, service.c.id == publish_node.c.service_id)
        .where(among(publish_node.c.id, node_ids), publish_node.c.json_topic.is_not(None))
    )
    return connection.execute(statement).all()


def loads(connection: Connection, table_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Subscribed tables that are still to load full data of these published tables."""
    statement: Select[Any] = (
        select(
            subscribed_table.c.id,
            subscribed_table.c.published_table_id,
            subscribed_table.c.generation,
            subscribed_table.c.target_schema,
            subscribed_table.c.target_table,
            subscribed_table.c.rows_loaded,
            subscribed_table.c.rows_total,
            subscribed_table.c.reported_at,
            channel.c.name.label("channel_name"),
            customer.c.name.label("owner"),
            service.c.current_state,
        )
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(service, service.c.id == channel.c.service_id)
        .where(among(subscribed_table.c.published_table_id, table_ids), _TO_LOAD)
        .order_by(customer.c.name, subscribed_table.c.target_schema, subscribed_table.c.target_table)
    )
    return connection.execute(statement).all()


def computed_inputs(connection: Connection, table_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Stream queries that may still load these published tables; what they have loaded is in their own state."""
    statement: Select[Any] = (
        select(
            computation.c.id,
            computation.c.name,
            computation.c.input_rows,
            computation_input.c.published_table_id,
            computation_input.c.name.label("input"),
            customer.c.name.label("owner"),
            service.c.current_state,
            computation.c.reported_at,
            computation.c.reported_generation,
            computation.c.generation,
        )
        .join(computation_input, computation_input.c.computation_id == computation.c.id)
        .join(customer, customer.c.id == computation.c.customer_id)
        .join(service, service.c.id == computation.c.service_id)
        .where(among(computation_input.c.published_table_id, table_ids))
        .order_by(customer.c.name, computation.c.name)
    )
    return connection.execute(statement).all()


def published_tables(connection: Connection, node_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Tables of nodes: what a full topic's name refers to."""
    statement: Select[Any] = select(
        published_table.c.id,
        published_table.c.node_id,
        published_table.c.schema_name,
        published_table.c.table_name,
        published_table.c.generation,
    ).where(among(published_table.c.node_id, node_ids))
    return connection.execute(statement).all()


def transforms(connection: Connection, node_id: str) -> Sequence[Row[Any]]:
    """The tables of a node, with how they are transformed on their way to each subscriber (NULL: there is none)."""
    statement: Select[Any] = (
        select(published_table.c.schema_name, published_table.c.table_name, subscribed_table.c.transform)
        .outerjoin(subscribed_table, subscribed_table.c.published_table_id == published_table.c.id)
        .where(published_table.c.node_id == node_id)
    )
    return connection.execute(statement).all()
