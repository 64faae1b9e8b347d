"""The rows of an object as a document, and back.

Restoring gives what the store would have, had the object never been deleted: a row whose parent was deleted meanwhile
is left out, and a reference that the store would have set to NULL is NULL.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Table, delete, select

from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.store.columns import UtcTimestamp, metadata

Document = dict[str, list[dict[str, Any]]]
"""Rows by table, parents first; moments as ISO 8601."""

_NOTHING: Mapping[str, list[dict[str, Any]]] = {}


def take(connection: Connection, table: Table, object_id: str) -> Document:
    """Delete an object's row and all that the store deletes with it; returns those rows. Raises RecordNotFoundError."""
    # The lock keeps others from adding rows to the object between reading and deleting it.
    locked = connection.execute(select(table.c.id).where(table.c.id == object_id).with_for_update()).first()
    if locked is None:
        raise RecordNotFoundError(kind=table.name, id=object_id)
    taken: dict[Table, list[dict[str, Any]]] = {}
    for child in metadata.sorted_tables:
        found: dict[tuple[Any, ...], dict[str, Any]] = {}
        for condition in _conditions(child, table, object_id, taken):
            for row in connection.execute(select(child).where(condition)).mappings():
                found[tuple(row[column.name] for column in child.primary_key)] = dict(row)
        if found:
            taken[child] = list(found.values())
    connection.execute(delete(table).where(table.c.id == object_id))
    return {str(one.name): [_stored(row) for row in rows] for one, rows in taken.items()}


def put_back(connection: Connection, document: Document) -> None:
    """Insert the rows again. Columns that are gone since are left out, new ones get the store's default."""
    for name, rows in document.items():
        table = metadata.tables[name]
        for row in rows:
            restored = _restored(connection, table, row)
            if restored is not None and not _is_kept(connection, table, restored):
                connection.execute(table.insert().values(**restored))


def missing(connection: Connection, document: Document) -> set[str]:
    """Tables of the rows that an object refers to and that were deleted meanwhile."""
    return {
        key.column.table.name
        for name, rows in document.items()
        for row in rows
        for key in _broken(connection, metadata.tables[name], row, document)
    }


def _conditions(child: Table, table: Table, object_id: str, taken: dict[Table, list[dict[str, Any]]]) -> Iterator[Any]:
    if child is table:
        yield table.c.id == object_id
    for key in _cascades(child):
        parents = taken.get(key.column.table, []) if key.column.table is not child else []
        if parents:
            yield key.parent.in_([row[key.column.name] for row in parents])


def _cascades(table: Table) -> Iterator[ForeignKey]:
    return (key for key in table.foreign_keys if key.ondelete == "CASCADE")


def _stored(row: dict[str, Any]) -> dict[str, Any]:
    # The library's names are subclasses of str, which JSON does not take as keys.
    return {str(name): value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}


def _restored(connection: Connection, table: Table, stored: dict[str, Any]) -> dict[str, Any] | None:
    """The row as it can be inserted; None: the store would have deleted it meanwhile."""
    row = {column.name: _value(column, stored[column.name]) for column in table.columns if column.name in stored}
    for key in _broken(connection, table, row, _NOTHING):
        if key.ondelete == "CASCADE":
            return None
        row[key.parent.name] = None
    return row


def _value(column: Column[Any], stored: Any) -> Any:
    is_moment = isinstance(column.type, UtcTimestamp) and stored is not None
    return datetime.fromisoformat(stored) if is_moment else stored


def _broken(
    connection: Connection, table: Table, row: Mapping[str, Any], document: Mapping[str, list[dict[str, Any]]]
) -> Iterator[ForeignKey]:
    """The references of a row to rows that are neither in the store nor in the document."""
    for key in table.foreign_keys:
        value, column = row.get(key.parent.name), key.column
        if value is None or any(one[column.name] == value for one in document.get(column.table.name, ())):
            continue
        if connection.execute(select(column).where(column == value).limit(1)).first() is None:
            yield key


def _is_kept(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Whether a row took its key meanwhile: something else has what the object had."""
    same = [column == row[column.name] for column in table.primary_key]
    return connection.execute(select(*table.primary_key).where(*same).limit(1)).first() is not None
