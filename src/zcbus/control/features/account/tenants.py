"""Tenants, and which of them a caller works on."""

from typing import Any

from sqlalchemy import Connection, Row, select

from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.identity import tenant


def tenant_to_use(connection: Connection, principal: Principal, tenant_id: str | None) -> str:
    """The requested tenant, else the caller's own. Raises RecordNotFoundError for one the caller may not see."""
    if tenant_id is None or tenant_id == principal.tenant_id:
        return principal.tenant_id
    if not principal.may_see_tenant(tenant_id) or find_tenant(connection, tenant_id) is None:
        raise RecordNotFoundError(kind="customer", id=tenant_id)
    return tenant_id


def find_tenant(connection: Connection, tenant_id: str) -> Row[Any] | None:
    return connection.execute(select(tenant).where(tenant.c.id == tenant_id)).one_or_none()


def insert_tenant(connection: Connection, **values: Any) -> None:
    connection.execute(tenant.insert().values(**values))
