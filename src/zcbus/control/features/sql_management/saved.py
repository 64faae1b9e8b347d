"""Statements that people keep, shared within their tenant."""

from typing import Any

from sqlalchemy import Connection, Row, Select, select, update

from zcbus.control.features.recycle_bin.service import recycle
from zcbus.control.features.sql_management.errors import SqlDescriptionTakenError
from zcbus.control.features.sql_management.schemas import STATEMENTS, SqlInput, SqlPageRequest, SqlRecord
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Principal
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.sql_management import sql_statement
from zcbus.kit.ids import new_id


def listing(principal: Principal, request: SqlPageRequest) -> Listing[SqlRecord]:
    """By description."""
    statement = _visible(principal)
    if request.search.strip():
        searched = (sql_statement.c.description, sql_statement.c.statement)
        statement = statement.where(any_contains(searched, request.search.strip()))
    return Listing(STATEMENTS, statement, [sql_statement.c.description, sql_statement.c.id], SqlRecord.of_row)


def find(connection: Connection, principal: Principal, identifier: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = connection.execute(_visible(principal).where(sql_statement.c.id == identifier)).first()
    if row is None:
        raise RecordNotFoundError(kind="sql-statement", id=identifier)
    return row


def add(call: Call, given: SqlInput) -> SqlRecord:
    """Raises SqlDescriptionTakenError."""
    tenant_id, identifier = call.principal.tenant_id, new_id()
    _check_description(call.connection, tenant_id, given.description, "")
    call.connection.execute(sql_statement.insert().values(id=identifier, tenant_id=tenant_id, **_values(call, given)))
    return record(find(call.connection, call.principal, identifier))


def edit(call: Call, row: Row[Any], given: SqlInput) -> SqlRecord:
    """Raises SqlDescriptionTakenError."""
    _check_description(call.connection, row.tenant_id, given.description, row.id)
    changed = update(sql_statement).where(sql_statement.c.id == row.id).values(**_values(call, given))
    call.connection.execute(changed)
    return record(find(call.connection, call.principal, row.id))


def remove(call: Call, row: Row[Any]) -> None:
    """Move a statement into the recycle bin."""
    recycle(call, "saved-sql", row.id)


def record(row: Row[Any]) -> SqlRecord:
    """A saved statement as a record, also for the operation log."""
    return SqlRecord.of_row(row)


def _visible(principal: Principal) -> Select[Any]:
    return select(sql_statement).where(principal.visible(sql_statement.c.tenant_id))


def _check_description(connection: Connection, tenant_id: str, description: str, besides: str) -> None:
    same = (
        sql_statement.c.tenant_id == tenant_id,
        sql_statement.c.description == description,
        sql_statement.c.id != besides,
    )
    if connection.execute(select(sql_statement.c.id).where(*same)).first() is not None:
        raise SqlDescriptionTakenError(description=description)


def _values(call: Call, given: SqlInput) -> dict[str, Any]:
    return {
        **given.model_dump(include=set(SqlInput.model_fields), by_alias=False),
        "updated_by": call.principal.user_name[:50],
        "updated_at": call.services.clock.now(),
    }
