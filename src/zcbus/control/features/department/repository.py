"""Queries over departments."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from zcbus.control.platform.principal import Principal
from zcbus.control.store.tables.identity import department, tenant, user
from zcbus.kit.ids import new_id


def select_departments(connection: Connection, principal: Principal, tenant_id: str | None) -> Sequence[Row[Any]]:
    """Departments of the tenants the caller may see, in their order, with their tenants' names and counts of users."""
    users = (
        select(user.c.dept_id, func.count().label("users"))
        .where(user.c.dept_id.is_not(None))
        .group_by(user.c.dept_id)
        .subquery()
    )
    statement = (
        select(
            department, tenant.c.display_name.label("tenant_name"), func.coalesce(users.c.users, 0).label("user_count")
        )
        .join(tenant, tenant.c.id == department.c.tenant_id)
        .outerjoin(users, users.c.dept_id == department.c.id)
        .where(principal.visible(department.c.tenant_id))
        .order_by(tenant.c.name, department.c.position, department.c.name)
    )
    if tenant_id is not None:
        statement = statement.where(department.c.tenant_id == tenant_id)
    return connection.execute(statement).all()


def find(connection: Connection, principal: Principal, department_id: str) -> Row[Any] | None:
    """A department the caller may see."""
    statement = select(department).where(department.c.id == department_id, principal.visible(department.c.tenant_id))
    return connection.execute(statement).one_or_none()


def is_name_taken(
    connection: Connection, tenant_id: str, parent_id: str | None, name: str, besides: str | None
) -> bool:
    statement = select(department.c.id).where(
        department.c.tenant_id == tenant_id,
        department.c.parent_id.is_(None) if parent_id is None else department.c.parent_id == parent_id,
        department.c.name == name,
        department.c.id != (besides or ""),
    )
    return connection.execute(statement).first() is not None


def parent_of(connection: Connection, department_id: str) -> str | None:
    return connection.execute(select(department.c.parent_id).where(department.c.id == department_id)).scalar()


def insert(connection: Connection, **values: Any) -> str:
    department_id = new_id()
    connection.execute(department.insert().values(id=department_id, **values))
    return department_id


def change(connection: Connection, department_id: str, **values: Any) -> None:
    connection.execute(update(department).where(department.c.id == department_id).values(values))


def remove(connection: Connection, department_id: str) -> None:
    connection.execute(delete(department).where(department.c.id == department_id))


def count_children(connection: Connection, department_id: str) -> int:
    statement = select(func.count()).select_from(department).where(department.c.parent_id == department_id)
    return connection.execute(statement).scalar_one()


def count_users(connection: Connection, department_id: str) -> int:
    statement = select(func.count()).select_from(user).where(user.c.dept_id == department_id)
    return connection.execute(statement).scalar_one()
