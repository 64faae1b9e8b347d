"""The rules of the recycle bin."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, select, update

from zcbus.control.features.container.service import notify_container
from zcbus.control.features.parameter.service import recycle_bin_days
from zcbus.control.features.recycle_bin.errors import (
    RecycledNameTakenError,
    RecycledParentGoneError,
    RecycledUserAboveError,
)
from zcbus.control.features.recycle_bin.kinds import DEPENDING, KINDS, MISSING, MissingObject, RecycledKind
from zcbus.control.features.recycle_bin.rows import (
    Document,
    Renewed,
    collect,
    missing,
    put_back,
    renumbered,
    taken_name,
)
from zcbus.control.features.recycle_bin.schemas import RECYCLED, RecycledPageRequest, RecycledRecord, RestorePreview
from zcbus.control.features.role.user_roles import principal_of
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.json_topics import keep_json_topics
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Operation, Principal
from zcbus.control.platform.services import Services
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.container import service
from zcbus.control.store.tables.identity import user
from zcbus.control.store.tables.publish import publish_node
from zcbus.control.store.tables.recycle_bin import recycled_object
from zcbus.kit.ids import new_id

_PURGED_AT_ONCE = 100

# Without the content, which may be long.
_SHOWN = tuple(column for column in recycled_object.c if column.name != "content")


def recycle(call: Call, kind: RecycledKind, object_id: str) -> None:
    """Move an object of one table, and what the store deletes with it, into the bin, in the transaction of the call.
    The caller of this has checked the right to delete it and that nothing depends on it."""
    definition = KINDS[kind]
    keep(call.connection, call.services, call.principal, kind, object_id)
    call.connection.execute(delete(definition.table).where(definition.table.c.id == object_id))


def keep(
    store: Connection,
    services: Services,
    principal: Principal,
    kind: RecycledKind,
    object_id: str,
    *,
    tenant_id: str | None = None,
) -> None:
    """Put an object into the bin that the caller deletes in the same transaction. `tenant_id`: the object's, where its
    row has none. Raises RecordNotFoundError."""
    definition, now = KINDS[kind], services.clock.now()
    content = collect(store, definition, object_id)
    [row] = content[definition.table.name]
    store.execute(
        recycled_object.insert().values(
            id=new_id(),
            tenant_id=tenant_id or row["tenant_id"],
            kind=kind,
            name=row[definition.name.name],
            content=content,
            deleted_by=principal.user_name[:50],
            deleted_at=now,
            expires_at=now + timedelta(days=recycle_bin_days(store)),
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
    found = missing(call.connection, KINDS[row.kind], content)
    return RestorePreview(
        name_taken=taken_name(call.connection, KINDS[row.kind], content) is not None,
        missing=_names(found.tables - found.blocking),
        blocking=_names(found.blocking),
    )


def restore(call: Call, row: Row[Any]) -> None:
    """Put an object back. Raises ForbiddenError without the right to create its kind, RecycledNameTakenError,
    RecycledParentGoneError, RecycledUserAboveError."""
    definition = KINDS[row.kind]
    definition.check_create(call.principal)
    # Two callers who restore or delete the same object wait for each other here.
    kept = select(recycled_object.c.content).where(recycled_object.c.id == row.id).with_for_update()
    content = call.connection.execute(kept).scalar_one_or_none()
    if content is None:
        raise RecordNotFoundError(kind="recycled-object", id=row.id)
    if (name := taken_name(call.connection, definition, content)) is not None:
        raise RecycledNameTakenError(name=name)
    if blocking := _names(missing(call.connection, definition, content).blocking):
        parents = ", ".join(call.text(f"recycled.{one}") for one in blocking)
        raise RecycledParentGoneError(name=row.name, parents=parents)
    restored, renewed = put_back(call.connection, definition, content, call.services.clock.now())
    _follow(call.connection, row.tenant_id, renewed)
    topics = {one["json_topic"] for one in restored.get(publish_node.name, ()) if one.get("json_topic")}
    keep_json_topics(call.connection, call.services.secrets, topics)
    for container_id in sorted({one["container_id"] for one in restored.get(service.name, ())}):
        notify_container(call.connection, container_id)
    if row.kind == "user":
        _check_not_above(call, content)
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


def _follow(store: Connection, tenant_id: str, renewed: Renewed) -> None:
    """Give other deleted objects the new ids of what they refer to, so that they can be restored too."""
    if not renewed:
        return
    depending = select(recycled_object.c.id, recycled_object.c.content).where(
        recycled_object.c.tenant_id == tenant_id, recycled_object.c.kind.in_(DEPENDING)
    )
    for one in store.execute(depending.with_for_update()).all():
        content = renumbered(one.content, renewed)
        if content != one.content:
            store.execute(update(recycled_object).where(recycled_object.c.id == one.id).values(content=content))


def _names(tables: Iterable[str]) -> list[MissingObject]:
    return sorted({MISSING[table] for table in tables})


def _check_not_above(call: Call, content: Document) -> None:
    """No caller restores a user who may do more."""
    [stored] = content[user.name]
    row = call.connection.execute(select(user).where(user.c.id == stored["id"])).one()
    restored = principal_of(call.connection, row)
    spans_more = restored.spans_tenants and not call.principal.spans_tenants
    if spans_more or not call.principal.covers(restored.permissions):
        raise RecycledUserAboveError(name=restored.user_name)
