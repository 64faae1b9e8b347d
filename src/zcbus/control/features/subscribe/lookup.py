"""One customer, database, master or channel by its id, and the channels of a master. Each hides other tenants' rows."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select

from zcbus.control.features.subscribe import queries
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal, local_principal
from zcbus.control.store.tables.subscribe import channel, customer, customer_database, master


def find_customer(connection: Connection, principal: Principal, customer_id: str) -> Row[Any]:
    """Raises RecordNotFoundError, as those below."""
    return _one(connection, queries.customers(principal).where(customer.c.id == customer_id), "customer", customer_id)


def find_database(connection: Connection, principal: Principal, database_id: str) -> Row[Any]:
    found = queries.databases(principal).where(customer_database.c.id == database_id)
    return _one(connection, found, "customer-database", database_id)


def find_master(connection: Connection, principal: Principal, master_id: str) -> Row[Any]:
    return _one(connection, queries.masters(principal).where(master.c.id == master_id), "master", master_id)


def find_channel(connection: Connection, principal: Principal, channel_id: str) -> Row[Any]:
    return _one(connection, queries.channels(principal).where(channel.c.id == channel_id), "channel", channel_id)


def channels_of_master(connection: Connection, principal: Principal, master_id: str) -> list[Row[Any]]:
    """By name."""
    found = queries.channels(principal).where(channel.c.master_id == master_id)
    return list(connection.execute(found.order_by(channel.c.name)).all())


def channels_without_link(connection: Connection) -> Sequence[Row[Any]]:
    """Channels of all tenants without a sync link."""
    return connection.execute(queries.channels(local_principal()).where(queries.without_link())).all()


def _one(connection: Connection, statement: Select[Any], kind: str, record_id: str) -> Row[Any]:
    row = connection.execute(statement).first()
    if row is None:
        raise RecordNotFoundError(kind=kind, id=record_id)
    return row
