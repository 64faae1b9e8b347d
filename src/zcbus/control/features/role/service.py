"""The rules of roles."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account.first_start import NAMED_ROLES, SUPER_ADMINISTRATOR_ROLE
from zcbus.control.features.account.tenants import tenant_to_use
from zcbus.control.features.role import repository, user_roles
from zcbus.control.features.role.errors import (
    RoleAboveError,
    RoleCodeTakenError,
    RoleForeignError,
    RoleInUseError,
    RoleLockedError,
    RoleNamedError,
)
from zcbus.control.features.role.permissions import Pair, grouped, pairs_of
from zcbus.control.features.role.schemas import (
    ROLES,
    NewRole,
    RoleDetail,
    RoleEdit,
    RoleOption,
    RolePageRequest,
    RoleRecord,
)
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.language import Language
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal

MENU_KEY = "authority-management/role-management"


def listing(call: Call, request: RolePageRequest) -> Listing[RoleRecord]:
    """How roles are listed."""
    statement = repository.page_statement(call.principal, request.search)
    return Listing(ROLES, *statement, lambda row: record(row, call.principal, call.language))


def find(connection: Connection, principal: Principal, role_id: str) -> Row[Any]:
    """A role the caller may see. Raises RecordNotFoundError."""
    row = repository.find(connection, principal, role_id)
    if row is None:
        raise RecordNotFoundError(kind="role", id=role_id)
    return row


def detail(call: Call, row: Row[Any]) -> RoleDetail:
    """A role with its permissions."""
    permissions = user_roles.permissions_of(call.connection, [row.id])[row.id]
    return RoleDetail(**dict(record(row, call.principal, call.language)), permissions=grouped(permissions))


def options(connection: Connection, principal: Principal, tenant_id: str, language: Language) -> list[RoleOption]:
    """Roles that the caller may assign to users of a tenant."""
    rows = repository.select_usable(connection, tenant_id)
    permissions = user_roles.permissions_of(connection, [row.id for row in rows])
    return [
        RoleOption(code=row.code, name=name_of(row, language))
        for row in rows
        if is_within(principal, row, permissions[row.id])
    ]


def is_within(principal: Principal, row: Row[Any], permissions: set[Pair]) -> bool:
    """Whether a role allows nothing that the caller is not allowed."""
    return (principal.spans_tenants or not row.spans_tenants) and principal.covers(permissions)


def add(connection: Connection, principal: Principal, now: datetime, new: NewRole) -> str:
    """Make a role and return its id. Raises RoleCodeTakenError, RoleAboveError, PermissionUnknownError."""
    if user_roles.find_by_code(connection, new.code) is not None:
        raise RoleCodeTakenError(code=new.code)
    permissions = pairs_of(new.permissions)
    _check_not_above(principal, new.name_zh, new.spans_tenants, permissions)
    everybodys = principal.spans_tenants and new.customer_id is None
    role_id = repository.insert(
        connection,
        tenant_id=None if everybodys else tenant_to_use(connection, principal, new.customer_id),
        created_at=now,
        updated_at=now,
        **new.model_dump(by_alias=False, include={"code", "name_zh", "name_en", "description", "spans_tenants"}),
    )
    repository.replace_permissions(connection, role_id, permissions)
    return role_id


def edit(connection: Connection, principal: Principal, now: datetime, row: Row[Any], body: RoleEdit) -> None:
    """Change a role; its holders are bound by it from their next call on. Raises as `add`, RoleLockedError,
    RoleForeignError."""
    _check_changeable(connection, principal, row)
    permissions = pairs_of(body.permissions)
    _check_not_above(principal, row.code, body.spans_tenants, permissions)
    fields = {"description", "spans_tenants"} | (set() if row.code in NAMED_ROLES else {"name_zh", "name_en"})
    repository.change(connection, row.id, updated_at=now, **body.model_dump(by_alias=False, include=fields))
    repository.replace_permissions(connection, row.id, permissions)


def delete(connection: Connection, principal: Principal, row: Row[Any]) -> None:
    """Remove a role without users. Raises RoleNamedError, RoleForeignError, RoleInUseError."""
    if row.code in NAMED_ROLES:
        raise RoleNamedError(name=row.code)
    _check_changeable(connection, principal, row)
    users = repository.count_users(connection, row.id)
    if users:
        raise RoleInUseError(name=row.code, users=users)
    repository.remove(connection, row.id)


def plain(connection: Connection, row: Row[Any]) -> dict[str, Any]:
    """A role for the operation log."""
    permissions = grouped(user_roles.permissions_of(connection, [row.id])[row.id])
    return {
        "code": row.code,
        "nameZh": row.name_zh,
        "nameEn": row.name_en,
        "description": row.description,
        "spansTenants": row.spans_tenants,
        "permissions": [permission.model_dump(mode="json", by_alias=True) for permission in permissions],
    }


def name_of(row: Row[Any], language: Language) -> str:
    """A role's name in the caller's language."""
    name: str = row.name_zh if language == "zh" else row.name_en
    return name


def record(row: Row[Any], principal: Principal, language: Language) -> RoleRecord:
    """A row of `repository.page_statement` as a record."""
    return RoleRecord(
        id=row.id,
        code=row.code,
        name=name_of(row, language),
        name_zh=row.name_zh,
        name_en=row.name_en,
        description=row.description,
        customer_id=row.tenant_id,
        customer_name=row.tenant_name,
        spans_tenants=row.spans_tenants,
        named=row.code in NAMED_ROLES,
        changeable=row.code != SUPER_ADMINISTRATOR_ROLE and _is_own(principal, row),
        users=row.users,
        created_at=row.created_at,
    )


def _is_own(principal: Principal, row: Row[Any]) -> bool:
    return principal.spans_tenants or row.tenant_id is not None


def _check_changeable(connection: Connection, principal: Principal, row: Row[Any]) -> None:
    if row.code == SUPER_ADMINISTRATOR_ROLE:
        raise RoleLockedError(name=row.code)
    if not _is_own(principal, row):
        raise RoleForeignError(name=row.code)
    _check_not_above(principal, row.code, row.spans_tenants, user_roles.permissions_of(connection, [row.id])[row.id])


def _check_not_above(principal: Principal, name: str, spans_tenants: bool, permissions: set[Pair]) -> None:
    if (spans_tenants and not principal.spans_tenants) or not principal.covers(permissions):
        raise RoleAboveError(name=name)
