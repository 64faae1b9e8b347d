"""Which connections take a route."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Row, select

from zcbus.connectors.options import ROUTE, parse
from zcbus.connectors.registry import KINDS
from zcbus.control.features.network_route.schemas import RouteUser
from zcbus.control.platform.principal import Principal
from zcbus.control.store.data_source_owners import owned_data_sources
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.data_source import data_source


def counts(connection: Connection, principal: Principal) -> Counter[tuple[str, str]]:
    """Connections by tenant and route."""
    rows = connection.execute(
        select(data_source.c.tenant_id, data_source.c.options).where(principal.visible(data_source.c.tenant_id))
    )
    named = ((row.tenant_id, str(row.options.get(ROUTE, ""))) for row in rows)
    return Counter(pair for pair in named if pair[1])


def of_route(connection: Connection, tenant_id: str, name: str) -> list[RouteUser]:
    """By name; a database with several owners is there for each."""
    owned = owned_data_sources().where(data_source.c.tenant_id == tenant_id)
    return [_record(row) for row in connection.execute(owned) if row.options.get(ROUTE) == name]


def count(connection: Connection, tenant_id: str, name: str) -> int:
    """Also connections whose owner is in no list."""
    rows = connection.execute(select(data_source.c.options).where(data_source.c.tenant_id == tenant_id))
    return sum(row.options.get(ROUTE) == name for row in rows)


def containers(connection: Connection, tenant_id: str) -> Iterable[str]:
    """Containers whose agents have services of a tenant."""
    return connection.execute(
        select(service.c.container_id).where(service.c.tenant_id == tenant_id).distinct()
    ).scalars()


def _record(row: Row[Any]) -> RouteUser:
    place = parse(KINDS[row.kind].spec.model, row.options).place
    return RouteUser(use=row.use, name=row.name, kind=row.kind, place=place)
