"""The rules of departments."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account.tenants import tenant_to_use
from zcbus.control.features.department import repository
from zcbus.control.features.department.errors import (
    DepartmentInItselfError,
    DepartmentInUseError,
    DepartmentNameTakenError,
)
from zcbus.control.features.department.schemas import DepartmentEdit, DepartmentRecord, NewDepartment
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.principal import Principal

MENU_KEY = "authority-management/dept-management"


def tree(connection: Connection, principal: Principal, tenant_id: str | None) -> list[DepartmentRecord]:
    """The departments the caller may see, topmost first, each with those beneath it."""
    rows = repository.select_departments(connection, principal, tenant_id)
    records = {row.id: _record(row) for row in rows}
    topmost: list[DepartmentRecord] = []
    for record in records.values():
        parent = records.get(record.parent_id or "")
        (parent.children if parent else topmost).append(record)
    return topmost


def find(connection: Connection, principal: Principal, department_id: str) -> Row[Any]:
    """A department the caller may see. Raises RecordNotFoundError."""
    row = repository.find(connection, principal, department_id)
    if row is None:
        raise RecordNotFoundError(kind="department", id=department_id)
    return row


def add(connection: Connection, principal: Principal, now: datetime, new: NewDepartment) -> str:
    """Make a department and return its id. Raises DepartmentNameTakenError, RecordNotFoundError."""
    tenant_id = tenant_to_use(connection, principal, new.customer_id)
    _check_parent(connection, principal, tenant_id, new.parent_id)
    _check_name(connection, tenant_id, new.parent_id, new.name, None)
    values = new.model_dump(by_alias=False, exclude={"customer_id"})
    return repository.insert(connection, tenant_id=tenant_id, created_at=now, updated_at=now, **values)


def edit(connection: Connection, principal: Principal, now: datetime, body: DepartmentEdit) -> None:
    """Change a department. Raises DepartmentNameTakenError, DepartmentInItselfError, RecordNotFoundError."""
    row = find(connection, principal, body.id)
    _check_parent(connection, principal, row.tenant_id, body.parent_id)
    if body.id in _line_of(connection, body.parent_id):
        raise DepartmentInItselfError(name=row.name)
    _check_name(connection, row.tenant_id, body.parent_id, body.name, body.id)
    repository.change(connection, body.id, updated_at=now, **body.model_dump(by_alias=False, exclude={"id"}))


def delete(connection: Connection, row: Row[Any]) -> None:
    """Remove a department. Raises DepartmentInUseError while something is in it."""
    departments = repository.count_children(connection, row.id)
    users = repository.count_users(connection, row.id)
    if departments or users:
        raise DepartmentInUseError(name=row.name, departments=departments, users=users)
    repository.remove(connection, row.id)


def plain(row: Row[Any]) -> dict[str, Any]:
    """A department for the operation log."""
    return {
        "name": row.name,
        "parentId": row.parent_id,
        "customerId": row.tenant_id,
        "position": row.position,
        "description": row.description,
    }


def _record(row: Row[Any]) -> DepartmentRecord:
    return DepartmentRecord(
        id=row.id,
        parent_id=row.parent_id,
        customer_id=row.tenant_id,
        customer_name=row.tenant_name,
        name=row.name,
        position=row.position,
        description=row.description,
        users=row.user_count,
        children=[],
    )


def _check_parent(connection: Connection, principal: Principal, tenant_id: str, parent_id: str | None) -> None:
    if parent_id is not None and find(connection, principal, parent_id).tenant_id != tenant_id:
        raise RecordNotFoundError(kind="department", id=parent_id)


def _check_name(connection: Connection, tenant_id: str, parent_id: str | None, name: str, besides: str | None) -> None:
    if repository.is_name_taken(connection, tenant_id, parent_id, name, besides):
        raise DepartmentNameTakenError(name=name)


def _line_of(connection: Connection, department_id: str | None) -> set[str]:
    """A department and all above it."""
    line: set[str] = set()
    while department_id is not None and department_id not in line:
        line.add(department_id)
        department_id = repository.parent_of(connection, department_id)
    return line
