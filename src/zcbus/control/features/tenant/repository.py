"""Queries over tenants."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, delete, func, or_, select, update

from zcbus.control.store.search import any_contains
from zcbus.control.store.tables import metadata
from zcbus.control.store.tables.identity import role, tenant, user
from zcbus.control.store.tables.sync_link import sync_link


def page_statement(search: str | None, status: str | None) -> tuple[Select[Any], Sequence[ColumnElement[Any]]]:
    """Tenants with their counts: statement, and their usual order."""
    users, links = _count(user).label("users"), _count(sync_link).label("links")
    statement = select(tenant, users, links)
    if search:
        texts = (tenant.c.name, tenant.c.display_name, tenant.c.contact)
        statement = statement.where(any_contains(texts, search))
    if status is not None:
        statement = statement.where(tenant.c.status == status)
    return statement, [tenant.c.name]


def is_code_taken(connection: Connection, code: str) -> bool:
    """An id may not be used either: the first tenant's id is its code."""
    statement = select(tenant.c.id).where(or_(tenant.c.name == code, tenant.c.id == code))
    return connection.execute(statement).first() is not None


def change(connection: Connection, tenant_id: str, **values: Any) -> None:
    connection.execute(update(tenant).where(tenant.c.id == tenant_id).values(values))


def remove(connection: Connection, tenant_id: str) -> None:
    connection.execute(delete(tenant).where(tenant.c.id == tenant_id))


def count_of(connection: Connection, tenant_id: str) -> tuple[int, int]:
    """How many users, and how many records of any other kind that do not go with it, belong to a tenant."""
    counts = {
        table.name: connection.execute(
            select(func.count()).select_from(table).where(table.c.tenant_id == tenant_id)
        ).scalar_one()
        for table in metadata.sorted_tables
        if table is role or any(key.column is tenant.c.id and key.ondelete is None for key in table.foreign_keys)
    }
    users = counts.pop(user.name, 0)
    return users, sum(counts.values())


def _count(table: Table) -> ColumnElement[int]:
    return select(func.count()).select_from(table).where(table.c.tenant_id == tenant.c.id).scalar_subquery()
