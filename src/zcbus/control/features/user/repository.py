"""Queries over users."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, exists, func, select, update

from zcbus.control.features.user.schemas import UserPageRequest
from zcbus.control.platform.language import Language
from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.identity import department, role, second_factor, tenant, user, user_role


def page_statement(
    principal: Principal, request: UserPageRequest, departments: Iterable[str] | None, language: Language
) -> tuple[Select[Any], Sequence[ColumnElement[Any]]]:
    """Users the caller may see: statement, and their usual order."""
    role_code, role_name = _role_of(role.c.code), _role_of(role.c.name_zh if language == "zh" else role.c.name_en)
    statement = (
        select(
            user,
            department.c.name.label("dept_name"),
            tenant.c.display_name.label("tenant_name"),
            role_code.label("role_code"),
            role_name.label("role_name"),
            exists().where(second_factor.c.user_id == user.c.id).label("second_factor"),
        )
        .join(tenant, tenant.c.id == user.c.tenant_id)
        .outerjoin(department, department.c.id == user.c.dept_id)
        .where(principal.visible(user.c.tenant_id), *_filters(request, departments, role_code))
    )
    return statement, [user.c.user_name]


def find(connection: Connection, principal: Principal, user_id: str) -> Row[Any] | None:
    """A user the caller may see."""
    statement = select(user).where(user.c.id == user_id, principal.visible(user.c.tenant_id))
    return connection.execute(statement).one_or_none()


def departments_beneath(connection: Connection, department_id: str) -> set[str]:
    """A department and all beneath it."""
    found, level = {department_id}, {department_id}
    while level:
        below = select(department.c.id).where(department.c.parent_id.in_(level))
        level = set(connection.execute(below).scalars()) - found
        found |= level
    return found


def change(connection: Connection, user_id: str, **values: Any) -> None:
    connection.execute(update(user).where(user.c.id == user_id).values(values))


def remove(connection: Connection, user_id: str) -> None:
    connection.execute(delete(user).where(user.c.id == user_id))


def _filters(
    request: UserPageRequest, departments: Iterable[str] | None, role_code: ColumnElement[Any]
) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if request.search:
        texts = (user.c.user_name, user.c.nick_name, user.c.phone, user.c.email)
        found.append(any_contains(texts, request.search))
    if departments is not None:
        found.append(user.c.dept_id.in_(departments))
    for value, column in (
        (request.role_code, role_code),
        (request.status, user.c.status),
        (request.customer_id, user.c.tenant_id),
    ):
        if value is not None:
            found.append(column == value)
    return found


def _role_of(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """The first of a user's roles; the console assigns one."""
    return (
        select(func.min(column))
        .select_from(user_role.join(role, role.c.id == user_role.c.role_id))
        .where(user_role.c.user_id == user.c.id)
        .scalar_subquery()
    )
