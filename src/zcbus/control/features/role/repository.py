"""Queries over roles."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, case, delete, func, or_, select, update

from zcbus.control.features.account.first_start import NAMED_ROLES
from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.identity import role, role_permission, tenant, user, user_role
from zcbus.kit.ids import new_id

# The named roles from the mightiest to the least, then the others by code.
_USUAL_ORDER: Sequence[ColumnElement[Any]] = (
    case({code: order for order, code in enumerate(NAMED_ROLES)}, value=role.c.code, else_=len(NAMED_ROLES)),
    role.c.code,
)


def usable_in(tenant_id: str) -> ColumnElement[bool]:
    """Roles that users of a tenant can have."""
    return or_(role.c.tenant_id.is_(None), role.c.tenant_id == tenant_id)


def select_usable(connection: Connection, tenant_id: str) -> Sequence[Row[Any]]:
    return connection.execute(select(role).where(usable_in(tenant_id)).order_by(*_USUAL_ORDER)).all()


def page_statement(principal: Principal, search: str | None) -> tuple[Select[Any], Sequence[ColumnElement[Any]]]:
    """Roles the caller may see, with counts of the users the caller may see."""
    users = (
        select(func.count())
        .select_from(user_role.join(user, user.c.id == user_role.c.user_id))
        .where(user_role.c.role_id == role.c.id, principal.visible(user.c.tenant_id))
        .scalar_subquery()
        .label("users")
    )
    statement = (
        select(role, tenant.c.display_name.label("tenant_name"), users)
        .outerjoin(tenant, tenant.c.id == role.c.tenant_id)
        .where(visible(principal))
    )
    if search:
        texts = (role.c.code, role.c.name_zh, role.c.name_en)
        statement = statement.where(any_contains(texts, search))
    return statement, _USUAL_ORDER


def visible(principal: Principal) -> ColumnElement[bool]:
    """Roles of all tenants and those of the caller's."""
    return or_(role.c.tenant_id.is_(None), principal.visible(role.c.tenant_id))


def find(connection: Connection, principal: Principal, role_id: str) -> Row[Any] | None:
    statement, _ = page_statement(principal, None)
    return connection.execute(statement.where(role.c.id == role_id)).one_or_none()


def count_users(connection: Connection, role_id: str) -> int:
    statement = select(func.count()).select_from(user_role).where(user_role.c.role_id == role_id)
    return connection.execute(statement).scalar_one()


def insert(connection: Connection, **values: Any) -> str:
    role_id = new_id()
    connection.execute(role.insert().values(id=role_id, **values))
    return role_id


def change(connection: Connection, role_id: str, **values: Any) -> None:
    connection.execute(update(role).where(role.c.id == role_id).values(values))


def replace_permissions(connection: Connection, role_id: str, permissions: Iterable[tuple[str, str]]) -> None:
    connection.execute(delete(role_permission).where(role_permission.c.role_id == role_id))
    rows = [{"role_id": role_id, "menu_key": key, "operation": operation} for key, operation in sorted(permissions)]
    if rows:
        connection.execute(role_permission.insert(), rows)


def remove(connection: Connection, role_id: str) -> None:
    connection.execute(delete(role).where(role.c.id == role_id))
