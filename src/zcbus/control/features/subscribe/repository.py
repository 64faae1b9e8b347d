"""Queries over customers, their databases, masters and channels."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, select, update

from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.contrast import contrast
from zcbus.control.store.tables.subscribe import channel, customer, customer_database, master
from zcbus.kit.ids import new_id


def insert_customer(connection: Connection, **values: Any) -> str:
    return _insert(connection, customer, values)


def insert_master(connection: Connection, **values: Any) -> str:
    return _insert(connection, master, values)


def insert_channel(connection: Connection, **values: Any) -> str:
    return _insert(connection, channel, values)


def insert_database(connection: Connection, **values: Any) -> str:
    return _insert(connection, customer_database, values)


def rename_customer(connection: Connection, customer_id: str, name: str) -> None:
    connection.execute(update(customer).where(customer.c.id == customer_id).values(name=name))


def customer_of_name(connection: Connection, tenant_id: str, name: str) -> str | None:
    query = select(customer.c.id).where(customer.c.tenant_id == tenant_id, customer.c.name == name)
    return connection.execute(query.limit(1)).scalar()


def change_database(connection: Connection, database_id: str, **values: Any) -> None:
    connection.execute(update(customer_database).where(customer_database.c.id == database_id).values(values))


def delete_database(connection: Connection, database_id: str) -> None:
    connection.execute(delete(customer_database).where(customer_database.c.id == database_id))


def database_of_name(connection: Connection, customer_id: str, name: str) -> str | None:
    query = select(customer_database.c.id)
    query = query.where(customer_database.c.customer_id == customer_id, customer_database.c.name == name)
    return connection.execute(query).scalar()


def data_sources_of(connection: Connection, customer_id: str) -> Sequence[str]:
    query = select(customer_database.c.data_source_id).where(customer_database.c.customer_id == customer_id)
    return connection.execute(query).scalars().all()


def services_of_target(connection: Connection, data_source_id: str) -> Sequence[str]:
    """Services of the channels that write to a database."""
    query = select(channel.c.service_id).join(master, master.c.id == channel.c.master_id)
    return connection.execute(query.where(master.c.data_source_id == data_source_id)).scalars().all()


def change_master(connection: Connection, master_id: str, **values: Any) -> None:
    connection.execute(update(master).where(master.c.id == master_id).values(values))


def master_of_name(connection: Connection, customer_id: str, name: str) -> str | None:
    query = select(master.c.id).where(master.c.customer_id == customer_id, master.c.name == name)
    return connection.execute(query.limit(1)).scalar()


def delete_master(connection: Connection, master_id: str) -> None:
    """With channels and subscribed tables, which go by cascade."""
    connection.execute(delete(master).where(master.c.id == master_id))


def change_channel(connection: Connection, channel_id: str, **values: Any) -> None:
    connection.execute(update(channel).where(channel.c.id == channel_id).values(values))


def delete_channel(connection: Connection, channel_id: str) -> None:
    connection.execute(delete(channel).where(channel.c.id == channel_id))


def service_of(connection: Connection, channel_id: str) -> str:
    return str(connection.execute(select(channel.c.service_id).where(channel.c.id == channel_id)).scalar_one())


def select_customers_of(connection: Connection, principal: Principal, ids: Iterable[str]) -> Sequence[Row[Any]]:
    statement = select(customer).where(principal.visible(customer.c.tenant_id), customer.c.id.in_(list(ids)))
    return connection.execute(statement.order_by(customer.c.name)).all()


def find_customer(connection: Connection, customer_id: str) -> Row[Any]:
    return connection.execute(select(customer).where(customer.c.id == customer_id)).one()


def count_masters_of(connection: Connection, principal: Principal) -> int:
    """Masters of customers the caller may see."""
    counted = select(func.count()).select_from(master).join(customer, customer.c.id == master.c.customer_id)
    return int(connection.execute(counted.where(principal.visible(customer.c.tenant_id))).scalar_one())


def count_masters(connection: Connection, node_id: str) -> int:
    return int(
        connection.execute(select(func.count()).select_from(master).where(master.c.node_id == node_id)).scalar_one()
    )


def channel_exists(connection: Connection, master_id: str, name: str) -> bool:
    found = select(channel.c.id).where(channel.c.master_id == master_id, channel.c.name == name)
    return connection.execute(found).first() is not None


def select_channels_of_customer(connection: Connection, customer_id: str) -> Sequence[Row[Any]]:
    return connection.execute(
        select(channel).join(master, master.c.id == channel.c.master_id).where(master.c.customer_id == customer_id)
    ).all()


def contrast_services(connection: Connection, masters: ColumnElement[bool]) -> Sequence[str]:
    """The services that compare the tables of some masters."""
    statement = select(contrast.c.service_id).join(master, master.c.id == contrast.c.master_id)
    return connection.execute(statement.where(masters)).scalars().all()


def delete_customer(connection: Connection, customer_id: str) -> None:
    """With masters, channels and subscribed tables, which go by cascade."""
    connection.execute(delete(customer).where(customer.c.id == customer_id))


def _insert(connection: Connection, table: Any, values: Mapping[str, Any]) -> str:
    row_id = new_id()
    connection.execute(table.insert().values(id=row_id, **values))
    return row_id
