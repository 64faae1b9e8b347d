"""Roles of users and their permissions."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.identity import role, role_permission, user_role


def find_by_code(connection: Connection, code: str) -> Row[Any] | None:
    return connection.execute(select(role).where(role.c.code == code)).one_or_none()


def permissions_of(connection: Connection, role_ids: Iterable[str]) -> dict[str, set[tuple[str, str]]]:
    """The permissions of each role."""
    ids = list(role_ids)
    found: dict[str, set[tuple[str, str]]] = {role_id: set() for role_id in ids}
    for row in connection.execute(select(role_permission).where(role_permission.c.role_id.in_(ids))):
        found[row.role_id].add((row.menu_key, row.operation))
    return found


def roles_of_user(connection: Connection, user_id: str) -> Sequence[Row[Any]]:
    statement = select(role).join(user_role, user_role.c.role_id == role.c.id).where(user_role.c.user_id == user_id)
    return connection.execute(statement.order_by(role.c.code)).all()


def set_role_of_user(connection: Connection, user_id: str, role_id: str) -> None:
    connection.execute(delete(user_role).where(user_role.c.user_id == user_id))
    connection.execute(user_role.insert().values(user_id=user_id, role_id=role_id))


def principal_of(connection: Connection, row: Row[Any]) -> Principal:
    """A user as a caller."""
    roles = roles_of_user(connection, row.id)
    permissions = permissions_of(connection, [role.id for role in roles])
    return Principal(
        kind="session",
        user_id=row.id,
        user_name=row.user_name,
        tenant_id=row.tenant_id,
        roles=tuple(role.code for role in roles),
        permissions=frozenset().union(*permissions.values()),
        spans_tenants=any(role.spans_tenants for role in roles) and not row.client_remote,
        client_remote=row.client_remote,
    )
