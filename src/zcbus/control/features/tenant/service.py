"""The rules of tenants."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account import tenants
from zcbus.control.features.tenant import repository
from zcbus.control.features.tenant.errors import TenantCodeTakenError, TenantInUseError, TenantNeededError
from zcbus.control.features.tenant.schemas import (
    TENANTS,
    CustomerEdit,
    CustomerPageRequest,
    CustomerRecord,
    NewCustomer,
)
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import DEFAULT_TENANT
from zcbus.kit.ids import new_id

MENU_KEY = "customer"
NORMAL = "0"


def listing(request: CustomerPageRequest) -> Listing[CustomerRecord]:
    """How tenants are listed."""
    return Listing(TENANTS, *repository.page_statement(request.search, request.status), _record)


def find(connection: Connection, tenant_id: str) -> Row[Any]:
    """A tenant's row. Raises RecordNotFoundError."""
    row = tenants.find_tenant(connection, tenant_id)
    if row is None:
        raise RecordNotFoundError(kind="customer", id=tenant_id)
    return row


def add(connection: Connection, now: datetime, new: NewCustomer) -> str:
    """Make a tenant and return its id. Raises TenantCodeTakenError."""
    if repository.is_code_taken(connection, new.code):
        raise TenantCodeTakenError(code=new.code)
    tenant_id = new_id()
    fields = new.model_dump(by_alias=False, exclude={"name", "code"})
    tenants.insert_tenant(
        connection, id=tenant_id, name=new.code, display_name=new.name, created_at=now, updated_at=now, **fields
    )
    return tenant_id


def edit(connection: Connection, now: datetime, body: CustomerEdit) -> None:
    """Change a tenant. Users of a disabled one are refused from the next call on. Raises TenantNeededError."""
    row = find(connection, body.customerid)
    if row.id == DEFAULT_TENANT and body.status != NORMAL:
        raise TenantNeededError(name=row.display_name)
    fields = body.model_dump(by_alias=False, exclude={"customerid", "name"})
    repository.change(connection, row.id, display_name=body.name, updated_at=now, **fields)


def delete(connection: Connection, row: Row[Any]) -> None:
    """Remove a tenant that has nothing. Raises TenantNeededError, TenantInUseError."""
    if row.id == DEFAULT_TENANT:
        raise TenantNeededError(name=row.display_name)
    users, records = repository.count_of(connection, row.id)
    if users or records:
        raise TenantInUseError(name=row.display_name, users=users, records=records)
    repository.remove(connection, row.id)


def plain(row: Row[Any]) -> dict[str, Any]:
    """A tenant for the operation log."""
    names = ("status", "contact", "phone", "description")
    values = {name: getattr(row, name) for name in names}
    return {"code": row.name, "name": row.display_name, **values, "secondFactor": row.second_factor}


def _record(row: Row[Any]) -> CustomerRecord:
    return CustomerRecord(
        customerid=row.id,
        code=row.name,
        name=row.display_name,
        status=row.status,
        contact=row.contact,
        phone=row.phone,
        description=row.description,
        second_factor=row.second_factor,
        users=row.users,
        links=row.links,
        built_in=row.id == DEFAULT_TENANT,
        created_at=row.created_at,
    )
