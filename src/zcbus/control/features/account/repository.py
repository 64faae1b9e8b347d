"""Queries over tenants, users and roles."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update

from zcbus.control.store.tables.identity import role, role_permission, tenant, user, user_role
from zcbus.kit.ids import new_id


def find_user_by_name(connection: Connection, user_name: str) -> Row[Any] | None:
    return connection.execute(select(user).where(user.c.user_name == user_name)).one_or_none()


def find_user(connection: Connection, user_id: str) -> Row[Any] | None:
    return connection.execute(select(user).where(user.c.id == user_id)).one_or_none()


def has_users(connection: Connection) -> bool:
    return connection.execute(select(user.c.id).limit(1)).first() is not None


def insert_user(connection: Connection, **values: Any) -> str:
    user_id = new_id()
    connection.execute(user.insert().values(id=user_id, **values))
    return user_id


def update_password(connection: Connection, user_id: str, password_hash: str, must_change: bool, now: datetime) -> None:
    values = {"password_hash": password_hash, "must_change_password": must_change, "updated_at": now}
    connection.execute(update(user).where(user.c.id == user_id).values(values))


def find_role(connection: Connection, code: str) -> Row[Any] | None:
    return connection.execute(select(role).where(role.c.code == code)).one_or_none()


def insert_role(connection: Connection, permissions: Iterable[tuple[str, str]], **values: Any) -> None:
    role_id = new_id()
    connection.execute(role.insert().values(id=role_id, **values))
    rows = [{"role_id": role_id, "menu_key": key, "operation": operation} for key, operation in permissions]
    if rows:
        connection.execute(role_permission.insert(), rows)


def give_role(connection: Connection, user_id: str, role_id: str) -> None:
    connection.execute(user_role.insert().values(user_id=user_id, role_id=role_id))


def select_tenants(connection: Connection, only: str | None) -> Sequence[Row[Any]]:
    """All tenants by name, or just one."""
    statement = select(tenant).order_by(tenant.c.name)
    return connection.execute(statement if only is None else statement.where(tenant.c.id == only)).all()
