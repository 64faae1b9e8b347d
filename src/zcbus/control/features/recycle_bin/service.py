"""The rules of the recycle bin."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, Select, delete, select

from zcbus.control.features.parameter.service import recycle_bin_days
from zcbus.control.features.recycle_bin.errors import RecycledNameTakenError
from zcbus.control.features.recycle_bin.kinds import KINDS, MISSING, RecycledKind
from zcbus.control.features.recycle_bin.rows import Document, missing, put_back, take
from zcbus.control.features.recycle_bin.schemas import RECYCLED, RecycledPageRequest, RecycledRecord, RestorePreview
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Operation, Principal
from zcbus.control.platform.services import Services
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.recycle_bin import recycled_object
from zcbus.kit.ids import new_id

_PURGED_AT_ONCE = 100

# Without the content, which may be long.
_SHOWN = tuple(column for column in recycled_object.c if column.name != "content")


def recycle(call: Call, kind: RecycledKind, object_id: str) -> None:
    """Move an object that exists into the bin, in the transaction of the call. The caller of this has checked the right
    to delete it and that nothing depends on it."""
    definition, now = KINDS[kind], call.services.clock.now()
    content = take(call.connection, definition.table, object_id)
    [row] = content[definition.table.name]
    call.connection.execute(
        recycled_object.insert().values(
            id=new_id(),
            tenant_id=row["tenant_id"],
            kind=kind,
            name=row[definition.name.name],
            content=content,
            deleted_by=call.principal.user_name[:50],
            deleted_at=now,
            expires_at=now + timedelta(days=recycle_bin_days(call.connection)),
        )
    )


def listing(principal: Principal, request: RecycledPageRequest) -> Listing[RecycledRecord]:
    """The newest first."""
    statement = _visible(principal)
    if request.search.strip():
        searched = (recycled_object.c.name, recycled_object.c.deleted_by)
        statement = statement.where(any_contains(searched, request.search.strip()))
    if request.kind is not None:
        statement = statement.where(recycled_object.c.kind == request.kind)
    usual = [recycled_object.c.deleted_at.desc(), recycled_object.c.id]
    return Listing(RECYCLED, statement, usual, RecycledRecord.of_row)


def find(call: Call, recycled_id: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = call.connection.execute(_visible(call.principal).where(recycled_object.c.id == recycled_id)).first()
    if row is None:
        raise RecordNotFoundError(kind="recycled-object", id=recycled_id)
    return row


def preview(call: Call, row: Row[Any]) -> RestorePreview:
    """Obstacles to restoring an object at this moment."""
    kept = select(recycled_object.c.content).where(recycled_object.c.id == row.id)
    content: Document = call.connection.execute(kept).scalar_one()
    gone = sorted({MISSING[table] for table in missing(call.connection, content)})
    return RestorePreview(name_taken=_name_is_taken(call, row), missing=gone)


def restore(call: Call, row: Row[Any]) -> None:
    """Put an object back as it was deleted, with its ids. Raises ForbiddenError without the right to create its kind,
    RecycledNameTakenError."""
    KINDS[row.kind].create.check(call.principal)
    # Two callers who restore or delete the same object wait for each other here.
    kept = select(recycled_object.c.content).where(recycled_object.c.id == row.id).with_for_update()
    content = call.connection.execute(kept).scalar_one_or_none()
    if content is None:
        raise RecordNotFoundError(kind="recycled-object", id=row.id)
    if _name_is_taken(call, row):
        raise RecycledNameTakenError(name=row.name)
    put_back(call.connection, content)
    call.connection.execute(delete(recycled_object).where(recycled_object.c.id == row.id))


def purge(call: Call, row: Row[Any]) -> None:
    """Delete an object for good. Raises ForbiddenError without the right to delete its kind."""
    KINDS[row.kind].delete.check(call.principal)
    call.connection.execute(delete(recycled_object).where(recycled_object.c.id == row.id))


def empty(call: Call, until: datetime) -> list[str]:
    """Delete for good what was deleted until then, of the kinds that the caller may view and delete; returns the
    names."""
    deletable = [kind for kind, one in KINDS.items() if call.principal.may(one.menu_key, Operation.DELETE)]
    chosen = (recycled_object.c.kind.in_(deletable), recycled_object.c.deleted_at <= until)
    rows = call.connection.execute(_visible(call.principal).where(*chosen).with_for_update()).all()
    ids = [row.id for row in rows]
    for first in range(0, len(ids), _PURGED_AT_ONCE):
        some = recycled_object.c.id.in_(ids[first : first + _PURGED_AT_ONCE])
        call.connection.execute(delete(recycled_object).where(some))
    return [row.name for row in rows]


def purge_expired(services: Services) -> None:
    """Delete expired objects for good, some at a time. Safe to run twice at once."""
    expired = select(recycled_object.c.id).where(recycled_object.c.expires_at <= services.clock.now())
    purged = _PURGED_AT_ONCE
    while purged == _PURGED_AT_ONCE:
        some = expired.limit(_PURGED_AT_ONCE)
        with services.database.write() as store:
            purged = store.execute(delete(recycled_object).where(recycled_object.c.id.in_(some))).rowcount


def _visible(principal: Principal) -> Select[Any]:
    """Objects of the caller's tenant whose kind the caller may view."""
    kinds = [kind for kind, definition in KINDS.items() if principal.may(definition.menu_key, Operation.VIEW)]
    return select(*_SHOWN).where(principal.visible(recycled_object.c.tenant_id), recycled_object.c.kind.in_(kinds))


def _name_is_taken(call: Call, row: Row[Any]) -> bool:
    definition = KINDS[row.kind]
    same = (definition.table.c.tenant_id == row.tenant_id, definition.name == row.name)
    return call.connection.execute(select(definition.table.c.id).where(*same)).first() is not None
