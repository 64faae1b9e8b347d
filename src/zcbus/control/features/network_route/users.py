"""Which connections take a route. Reads the tables of their owners, because those features stand above this one."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Row, Select, String, literal, select, union_all

from zcbus.connectors.options import ROUTE, parse
from zcbus.connectors.registry import KINDS
from zcbus.control.features.network_route.schemas import RouteUser
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.data_service import api_group, data_service
from zcbus.control.store.tables.data_source import data_source
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.subscribe import customer, customer_database


def counts(connection: Connection, principal: Principal) -> Counter[tuple[str, str]]:
    """Connections by tenant and route."""
    rows = connection.execute(
        select(data_source.c.tenant_id, data_source.c.options).where(principal.visible(data_source.c.tenant_id))
    )
    named = ((row.tenant_id, str(row.options.get(ROUTE, ""))) for row in rows)
    return Counter(pair for pair in named if pair[1])


def of_route(connection: Connection, tenant_id: str, name: str) -> list[RouteUser]:
    """By name; a database with several owners is there for each."""
    return [_record(row) for row in connection.execute(_owned(tenant_id)) if row.options.get(ROUTE) == name]


def count(connection: Connection, tenant_id: str, name: str) -> int:
    """Also connections whose owner is in no list."""
    rows = connection.execute(select(data_source.c.options).where(data_source.c.tenant_id == tenant_id))
    return sum(row.options.get(ROUTE) == name for row in rows)


def containers(connection: Connection, tenant_id: str) -> Iterable[str]:
    """Containers whose agents have services of a tenant."""
    return connection.execute(
        select(service.c.container_id).where(service.c.tenant_id == tenant_id).distinct()
    ).scalars()


def _owned(tenant_id: str) -> Select[Any]:
    owners = union_all(
        select(publish_node.c.data_source_id, publish_node.c.name, _use("publish")),
        select(customer.c.data_source_id, customer.c.name, _use("subscribe")),
        select(
            customer_database.c.data_source_id,
            (customer.c.name + " / " + customer_database.c.name).label("name"),
            _use("subscribe"),
        ).join(customer, customer.c.id == customer_database.c.customer_id),
        select(api_group.c.data_source_id, api_group.c.name, _use("api")).join(
            data_service, data_service.c.id == api_group.c.data_service_id
        ),
    ).subquery("owners")
    return (
        select(data_source.c.kind, data_source.c.options, owners.c.name, owners.c.use)
        .join(owners, owners.c.data_source_id == data_source.c.id)
        .where(data_source.c.tenant_id == tenant_id)
        .order_by(owners.c.name, owners.c.use)
    )


def _use(name: str) -> Any:
    return literal(name, String(10)).label("use")


def _record(row: Row[Any]) -> RouteUser:
    place = parse(KINDS[row.kind].spec.model, row.options).place
    return RouteUser(use=row.use, name=row.name, kind=row.kind, place=place)
