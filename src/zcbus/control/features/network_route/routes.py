"""Stored routes, and how the connections that name one get it."""

from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection as StoreConnection
from sqlalchemy import Row, select

from zcbus.connectors.options import ROUTE
from zcbus.control.platform.secrets import SecretBox
from zcbus.control.store.sealed import place
from zcbus.control.store.tables.network_route import network_route
from zcbus.protocol.base import Connection, NetworkRoute


def with_route(store: StoreConnection, secrets: SecretBox, connection: Connection) -> Connection:
    """A connection for agents with the route that its options name. One that there is not stays away: the agent says
    so, and connects by no other."""
    name = str(connection.options.get(ROUTE, ""))
    row = _named(store, connection.tenant, name) if name else None
    if row is None:
        return connection
    field = "referring_route" if row.secret_references else "route"
    return connection.model_copy(update={field: opened(secrets, row)})


def opened(secrets: SecretBox, row: Row[Any]) -> NetworkRoute:
    """A route with its secrets, for agents only."""
    known = open_secrets(secrets, row)
    return NetworkRoute(
        name=row.name,
        kind=row.kind,
        host=row.host,
        port=row.port,
        user=row.user,
        host_key=row.host_key,
        source=row.source,
        targets=tuple(row.targets),
        password=SecretStr(known.get("password", "")),
        key=SecretStr(known.get("key", "")),
        references=row.secret_references or {},
    )


def open_secrets(secrets: SecretBox, row: Row[Any]) -> dict[str, str]:
    """By their names."""
    return {
        name: secrets.open(sealed, place(network_route.c.secrets, row.id, name)) for name, sealed in row.secrets.items()
    }


def _named(store: StoreConnection, tenant_id: str, name: str) -> Row[Any] | None:
    of_name = (network_route.c.tenant_id == tenant_id, network_route.c.name == name)
    return store.execute(select(network_route).where(*of_name)).one_or_none()
