"""Queries over data sources."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import container, service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import customer, customer_database
from zcbus.control.store.tables.sync_link import sync_link


def find(connection: Connection, data_source_id: str) -> Row[Any]:
    return connection.execute(select(data_source).where(data_source.c.id == data_source_id)).one()


def select_known(connection: Connection, data_source_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """Those that there are."""
    return connection.execute(select(data_source).where(data_source.c.id.in_(list(data_source_ids)))).all()


def insert(
    connection: Connection,
    *,
    data_source_id: str,
    tenant_id: str,
    kind: str,
    options: Mapping[str, Any],
    secrets: Mapping[str, str],
    now: datetime,
) -> None:
    connection.execute(
        data_source.insert().values(
            id=data_source_id,
            tenant_id=tenant_id,
            kind=kind,
            options=dict(options),
            secrets=dict(secrets),
            created_at=now,
            updated_at=now,
        )
    )


def change(
    connection: Connection, data_source_id: str, options: Mapping[str, Any], secrets: Mapping[str, str], now: datetime
) -> None:
    connection.execute(
        update(data_source)
        .where(data_source.c.id == data_source_id)
        .values(options=dict(options), secrets=dict(secrets), updated_at=now)
    )


def remove(connection: Connection, data_source_id: str) -> None:
    connection.execute(delete(data_source).where(data_source.c.id == data_source_id))


def find_of_link(connection: Connection, link_id: str, side: str, principal: Principal) -> Row[Any] | None:
    """The data source on one side of a link, with the link's container. Reads the link's tables, because the feature of
    links stands above this one."""
    linked = (
        select(publish_node.c.data_source_id, sync_link.c.container_id)
        .join(sync_link, sync_link.c.node_id == publish_node.c.id)
        .where(sync_link.c.id == link_id, principal.visible(sync_link.c.tenant_id))
        if side == "source"
        else select(customer.c.data_source_id, sync_link.c.container_id)
        .join(sync_link, sync_link.c.customer_id == customer.c.id)
        .where(sync_link.c.id == link_id, principal.visible(sync_link.c.tenant_id))
    ).subquery()
    return connection.execute(
        select(data_source, container.c.id.label("container_id"), container.c.name.label("container_name"))
        .join(linked, linked.c.data_source_id == data_source.c.id)
        .join(container, container.c.id == linked.c.container_id)
    ).one_or_none()


def find_of_node(connection: Connection, node_id: str, principal: Principal) -> Row[Any] | None:
    """The data source of a publish node, with its service's container."""
    return connection.execute(
        select(data_source, container.c.id.label("container_id"), container.c.name.label("container_name"))
        .join(publish_node, publish_node.c.data_source_id == data_source.c.id)
        .join(service, service.c.id == publish_node.c.service_id)
        .join(container, container.c.id == service.c.container_id)
        .where(publish_node.c.id == node_id, principal.visible(publish_node.c.tenant_id))
    ).one_or_none()


def find_of_database(connection: Connection, database_id: str, principal: Principal) -> Row[Any] | None:
    """The data source of a customer's database, with the customer's type and how the database is loaded."""
    return connection.execute(
        select(data_source, customer.c.client_type, customer_database.c.load_type)
        .join(customer_database, customer_database.c.data_source_id == data_source.c.id)
        .join(customer, customer.c.id == customer_database.c.customer_id)
        .where(customer_database.c.id == database_id, principal.visible(customer.c.tenant_id))
    ).one_or_none()
