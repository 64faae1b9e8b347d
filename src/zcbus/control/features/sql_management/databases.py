"""Stored databases that statements can be run against: those of publish nodes, customers and API groups."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row, Select, String, literal, null, select, union_all

from zcbus.connectors.options import parse
from zcbus.connectors.registry import KINDS
from zcbus.control.features.container.service import find_destination
from zcbus.control.features.datasource import connections
from zcbus.control.features.datasource.connections import spec_of
from zcbus.control.features.datasource.service import inventory
from zcbus.control.features.sql_management.errors import SqlNotOfferedError
from zcbus.control.features.sql_management.schemas import (
    SqlCatalog,
    SqlColumnsRequest,
    SqlDatabase,
    SqlTable,
    SqlTableColumns,
)
from zcbus.control.platform.agent_requests import Destination, ask
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import container, service
from zcbus.control.store.tables.data_service import api_group, data_service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import customer, customer_database
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.protocol.answers import Descriptions
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.requests import DescribeTables

_MAX_TABLES = 5_000
_OFFERED = sorted(kind for kind, entry in KINDS.items() if entry.spec.query_rules is not None)


@dataclass(frozen=True, slots=True)
class Database:
    """Where statements are run, and by whose agent."""

    id: str
    name: str
    place: Destination
    connection: Connection


def list_all(call: Call, kinds: Collection[str] = _OFFERED) -> list[SqlDatabase]:
    """By owner and name; each once. `kinds`: those that run statements by default."""
    return [_record(row) for row in _distinct(call.connection, call.principal, kinds)]


def find(call: Call, database_id: str, kinds: Collection[str] = _OFFERED) -> Database:
    """Raises RecordNotFoundError, SqlNotOfferedError, ContainerUnknownError. Opens its own transaction."""
    with call.services.database.read() as store:
        return find_in(store, call, database_id, kinds)


def find_in(store: StoreConnection, call: Call, database_id: str, kinds: Collection[str] = _OFFERED) -> Database:
    """As `find`, in a transaction."""
    found = [row for row in _distinct(store, call.principal, kinds) if row.id == database_id]
    if not found:
        raise RecordNotFoundError(kind="database", id=database_id)
    [row] = found
    connection = connections.open_stored(store, call.services.secrets, row.id)
    place = _place(store, call.principal, row.container_id)
    if connection.kind not in kinds:
        raise SqlNotOfferedError(kind=connection.kind)
    return Database(row.id, row.name, place, connection)


def catalog(call: Call, database_id: str) -> SqlCatalog:
    """The tables of a database, from the cache of its agent's answers. Raises what `find` and `ask` raise."""
    database = find(call, database_id)
    tables = inventory.tables(call.services, database.place, database.connection, refresh=False)
    named = [SqlTable(schema_name=line.schema_name, table=line.table) for line in tables[:_MAX_TABLES]]
    return SqlCatalog(tables=named, more=len(tables) > _MAX_TABLES)


def columns(call: Call, request: SqlColumnsRequest) -> list[SqlTableColumns]:
    """Columns of those tables that exist. Raises what `find` and `ask` raise."""
    database = find(call, request.database_id)
    known = inventory.tables(call.services, database.place, database.connection, refresh=False)
    there = {(line.schema_name, line.table) for line in known}
    refs = tuple(
        TableRef(schema_name=one.schema_name, table=one.table)
        for one in request.tables
        if (one.schema_name, one.table) in there
    )
    if not refs:
        return []
    answer = ask(
        call.services, database.place, DescribeTables(connection=database.connection, tables=refs), Descriptions
    )
    return [
        SqlTableColumns(schema_name=one.schema_name, table=one.table, columns=[column.name for column in one.columns])
        for one in answer.tables
    ]


def _place(store: StoreConnection, principal: Principal, container_id: str | None) -> Destination:
    row = (
        store.execute(select(container.c.id, container.c.name).where(container.c.id == container_id)).first()
        if container_id is not None
        else None
    )
    return Destination(row.id, row.name) if row is not None else find_destination(store, principal)


def _distinct(store: StoreConnection, principal: Principal, kinds: Collection[str]) -> Iterator[Row[Any]]:
    seen: set[str] = set()
    for row in store.execute(_stored(principal, kinds)):
        if row.id not in seen:
            seen.add(row.id)
            yield row


def _stored(principal: Principal, kinds: Collection[str]) -> Select[Any]:
    """Several uses of one database are several rows."""
    of_nodes = (
        select(publish_node.c.data_source_id, publish_node.c.name, _use("publish"), service.c.container_id)
        .join(service, service.c.id == publish_node.c.service_id)
        .where(principal.visible(publish_node.c.tenant_id))
    )
    of_links = (
        select(customer.c.data_source_id, customer.c.name, _use("subscribe"), sync_link.c.container_id)
        .join(sync_link, sync_link.c.customer_id == customer.c.id)
        .where(principal.visible(customer.c.tenant_id))
    )
    of_customers = (
        select(
            customer_database.c.data_source_id,
            (customer.c.name + " / " + customer_database.c.name).label("name"),
            _use("subscribe"),
            null().label("container_id"),
        )
        .join(customer, customer.c.id == customer_database.c.customer_id)
        .where(principal.visible(customer.c.tenant_id))
    )
    of_groups = (
        select(api_group.c.data_source_id, api_group.c.name, _use("api"), service.c.container_id)
        .join(data_service, data_service.c.id == api_group.c.data_service_id)
        .join(service, service.c.id == data_service.c.service_id)
        .where(principal.visible(data_service.c.tenant_id))
    )
    used = union_all(of_nodes, of_links, of_customers, of_groups).subquery("used")
    return (
        select(
            data_source.c.id, data_source.c.kind, data_source.c.options, used.c.name, used.c.use, used.c.container_id
        )
        .join(used, used.c.data_source_id == data_source.c.id)
        .where(principal.visible(data_source.c.tenant_id), data_source.c.kind.in_(kinds))
        .order_by(used.c.use, used.c.name, data_source.c.id)
    )


def _use(name: str) -> Any:
    return literal(name, String(10)).label("use")


def _record(row: Row[Any]) -> SqlDatabase:
    place = parse(spec_of(row.kind).model, row.options).place
    return SqlDatabase(id=row.id, name=row.name, use=row.use, kind=row.kind, place=place)
