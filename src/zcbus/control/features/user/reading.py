"""Users as they are shown."""

from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.account import service as accounts
from zcbus.control.features.account.schemas import UserRecord
from zcbus.control.features.department import service as departments
from zcbus.control.features.role import user_roles as roles
from zcbus.control.features.user import repository
from zcbus.control.features.user.schemas import USERS, UserListRecord, UserPageRequest
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal


def listing(call: Call, request: UserPageRequest) -> Listing[UserListRecord]:
    """How users are listed. Raises RecordNotFoundError for a department the caller may not see."""
    beneath = None
    if request.dept_id is not None:
        found = departments.find(call.connection, call.principal, request.dept_id)
        beneath = repository.departments_beneath(call.connection, found.id)
    return Listing(USERS, *repository.page_statement(call.principal, request, beneath, call.language), _list_record)


def find(connection: Connection, principal: Principal, user_id: str) -> Row[Any]:
    """A user the caller may see. Raises RecordNotFoundError."""
    row = repository.find(connection, principal, user_id)
    if row is None:
        raise RecordNotFoundError(kind="user", id=user_id)
    return row


def describe(connection: Connection, row: Row[Any]) -> UserRecord:
    """All fields of a user without secrets."""
    return accounts.describe(connection, roles.principal_of(connection, row))


def plain(connection: Connection, row: Row[Any]) -> dict[str, Any]:
    """A user for the operation log."""
    return describe(connection, row).model_dump(mode="json", by_alias=True, exclude={"menu_permission"})


def _list_record(row: Row[Any]) -> UserListRecord:
    return UserListRecord(
        user_id=row.id,
        user_name=row.user_name,
        nick_name=row.nick_name,
        role_code=row.role_code,
        role_name=row.role_name,
        dept_id=row.dept_id,
        dept_name=row.dept_name,
        customer_id=row.tenant_id,
        customer_name=row.tenant_name,
        phone=row.phone,
        email=row.email,
        status=row.status,
        user_type=row.user_type,
        client_remote=row.client_remote,
        second_factor=row.second_factor,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
