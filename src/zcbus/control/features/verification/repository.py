"""Queries over the verification of subscribed tables."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, func, or_, select, update

from zcbus.control.store.among import among
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.publish import publish_node, published_table
from zcbus.control.store.tables.subscribe import channel, customer, master, subscribed_table
from zcbus.control.store.tables.verification import verification


def select_reported(connection: Connection, tables: Collection[str]) -> Mapping[str, Row[Any]]:
    """Known verification of tables, by their ids."""
    found = select(verification).where(among(verification.c.table_id, tables))
    return {row.table_id: row for row in connection.execute(found)}


def tables_of_services(connection: Connection, services: Iterable[str], tables: Collection[str]) -> set[str]:
    """Those of the tables that a channel of these services has."""
    statement = (
        select(subscribed_table.c.id)
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
        .where(channel.c.service_id.in_(list(services)), among(subscribed_table.c.id, tables))
    )
    return set(connection.execute(statement).scalars())


def kinds(connection: Connection, tables: Collection[str]) -> Mapping[str, tuple[str, str]]:
    """Kinds of the source and of the target of tables, by the tables' ids."""
    source, target = data_source.alias("verified_source"), data_source.alias("verified_target")
    statement = (
        select(subscribed_table.c.id, source.c.kind, target.c.kind)
        .join(published_table, published_table.c.id == subscribed_table.c.published_table_id)
        .join(publish_node, publish_node.c.id == published_table.c.node_id)
        .join(source, source.c.id == publish_node.c.data_source_id)
        .join(channel, channel.c.id == subscribed_table.c.channel_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(customer, customer.c.id == master.c.customer_id)
        .join(target, target.c.id == func.coalesce(master.c.data_source_id, customer.c.data_source_id))
        .where(among(subscribed_table.c.id, tables))
    )
    return {id_: (source_kind, target_kind) for id_, source_kind, target_kind in connection.execute(statement)}


def insert(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        connection.execute(verification.insert(), list(rows))


def change(connection: Connection, table: str, values: Mapping[str, Any]) -> None:
    connection.execute(update(verification).where(verification.c.table_id == table).values(**values))


def mark(connection: Connection, tables: Collection[str]) -> None:
    """Mark tables for reduction, whose states depend on the reports."""
    if tables:
        connection.execute(update(subscribed_table).where(among(subscribed_table.c.id, tables)).values(unreduced=True))


def ask(connection: Connection, tables: Iterable[str], column: str) -> None:
    """Raise a request number (`number`, `repair`) of tables that have a row."""
    statement = update(verification).where(among(verification.c.table_id, list(tables)))
    connection.execute(statement.values({column: verification.c[column] + 1}))


def requests(connection: Connection, channels: Collection[str]) -> Sequence[Row[Any]]:
    """Requests of the tables of channels: `channel_id`, `table_id`, `number`, `repair`."""
    statement: Select[Any] = (
        select(subscribed_table.c.channel_id, verification.c.table_id, verification.c.number, verification.c.repair)
        .join(subscribed_table, subscribed_table.c.id == verification.c.table_id)
        .where(
            among(subscribed_table.c.channel_id, channels), or_(verification.c.number > 0, verification.c.repair > 0)
        )
        .order_by(verification.c.table_id)
    )
    return connection.execute(statement).all()


def sources(connection: Connection, channels: Collection[str]) -> Mapping[str, str]:
    """The data sources that channels' nodes capture, by channel."""
    statement = (
        select(channel.c.id, publish_node.c.data_source_id)
        .join(master, master.c.id == channel.c.master_id)
        .join(publish_node, publish_node.c.id == master.c.node_id)
        .where(among(channel.c.id, channels))
    )
    return {row.id: row.data_source_id for row in connection.execute(statement)}
