"""The rows of an object as a document, and back.

Restoring gives what the store would have, had the object never been deleted, but for what `contents` leaves out: a row
whose parent was deleted meanwhile is left out, and a reference that the store would have set to NULL is NULL.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, Table, or_, select, update

from zcbus.control.features.recycle_bin.contents import LOOSE, RENEWED, first_values, kept_columns
from zcbus.control.features.recycle_bin.kinds import KindDefinition
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.store.among import among
from zcbus.control.store.columns import UtcTimestamp, metadata
from zcbus.control.store.tables.publish import published_table
from zcbus.control.store.tables.subscribe import subscribed_table
from zcbus.kit.ids import new_id
from zcbus.model.reduction.subscribed_tables import begins_with_load

Document = dict[str, list[dict[str, Any]]]
"""Rows by table, parents first; moments as ISO 8601. Under `LOOSENED`: other objects' references to these rows, which
the store sets to NULL, as table, id, column, value."""

LOOSENED = "@loosened"

Renewed = dict[str, str]
"""New ids by the old ones."""

_Taken = dict[Table, dict[tuple[Any, ...], dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Missing:
    """References of a document to rows that were deleted meanwhile, by the table of these. `blocking`: without them
    there is no object."""

    tables: frozenset[str]
    blocking: frozenset[str]


def collect(connection: Connection, definition: KindDefinition, object_id: str) -> Document:
    """The rows of an object, which the caller deletes afterwards. Raises RecordNotFoundError."""
    table = definition.table
    # The lock keeps others from adding rows to the object between reading and deleting it.
    root = connection.execute(select(table).where(table.c.id == object_id).with_for_update()).mappings().first()
    if root is None:
        raise RecordNotFoundError(kind=table.name, id=object_id)
    taken: _Taken = {table: {(object_id,): dict(root)}}
    known = 0
    while known != (known := sum(map(len, taken.values()))):
        for part in definition.parts:
            _collect_children(connection, part, taken)
        for reference in definition.owned:
            _collect_owned(connection, reference, taken)
    ordered = [table for table in metadata.sorted_tables if table in taken]
    document = {str(one.name): [_stored(one, row) for row in taken[one].values()] for one in ordered}
    if loosened := list(_loosened(connection, taken)):
        document[LOOSENED] = loosened
    return document


def put_back(
    connection: Connection, definition: KindDefinition, document: Document, now: datetime
) -> tuple[Document, Renewed]:
    """Insert the rows again, all that can be; returns them, and the ids that are new. Columns that are gone since are
    left out, new ones get the store's default."""
    renewed = _new_ids(document)
    tenant_id = _tenant_of(document)
    restored: Document = {}
    for table, stored in _by_table(document):
        rows = [_with_ids(table, row, renewed) for row in stored]
        rows = _whole(connection, table, rows, restored, tenant_id)
        rows = [row for row in rows if not _is_kept(connection, table, row)]
        if table is published_table:
            rows = [row | {"generation": min(row["generation"], 1)} for row in rows]
        elif table is subscribed_table:
            rows = _begun_again(connection, rows)
        if rows:
            first = first_values(table, now)
            connection.execute(table.insert(), [first | _row(table, row) for row in rows])
        restored[table.name] = rows
    for one in document.get(LOOSENED, ()):
        _fasten(connection, one, renewed)
    return restored, renewed


def missing(connection: Connection, definition: KindDefinition, document: Document) -> Missing:
    """The rows that an object refers to and that were deleted meanwhile."""
    needed = {definition.table.name, *_owned_tables(definition)}
    tables, blocking = set(), set()
    for table, rows in _by_table(document):
        for column, parent, rule in _references(table):
            if _gone(connection, column, parent, rows, document, _tenant_of(document)):
                tables.add(parent.table.name)
                if table.name in needed and rule != "SET NULL":
                    blocking.add(parent.table.name)
    return Missing(frozenset(tables), frozenset(blocking))


def taken_name(connection: Connection, definition: KindDefinition, document: Document) -> str | None:
    """A name of the object that another one has by now."""
    for columns in definition.unique:
        table = columns[0].table
        for row in document.get(table.name, ()):
            if any(row.get(column.name) is None for column in columns):
                continue
            same = [column == row[column.name] for column in columns]
            if connection.execute(select(table.c.id).where(*same).limit(1)).first() is not None:
                return str(row[columns[-1].name])
    return None


def renumbered(document: Document, renewed: Renewed) -> Document:
    """A document with the new ids of rows that it refers to."""
    return document | {
        str(table.name): [_with_ids(table, row, renewed) for row in rows] for table, rows in _by_table(document)
    }


def _with_ids(table: Table, row: Mapping[str, Any], renewed: Renewed) -> dict[str, Any]:
    """A row with the new ids, its own and those that it refers to."""
    named = {column.name for column in table.primary_key} if table in RENEWED else set()
    named |= {column.name for column, parent, _ in _references(table) if parent.table in RENEWED}
    return {name: renewed.get(value, value) if name in named else value for name, value in row.items()}


def _begun_again(connection: Connection, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Subscribed tables at the beginning of a generation of their own, for which those that load get a new snapshot. A
    suspended one gets it when it resumes."""
    known = among(published_table.c.id, {row["published_table_id"] for row in rows})
    columns = (published_table.c.id, published_table.c.generation, published_table.c.reported_generation)
    published = {row.id: row for row in connection.execute(select(*columns).where(known))}
    begun = []
    for row in rows:
        source = published[row["published_table_id"]]
        # A snapshot that was not made yet, as of a node that was restored with the table, serves it too.
        generation = max(1, source.generation + (source.reported_generation > 0))
        begun.append(row | {"generation": generation})
        if generation > source.generation and begins_with_load(row["load_mode"], None) and not row["suspended"]:
            change = update(published_table).where(published_table.c.id == source.id)
            connection.execute(change.values(generation=generation))
    return begun


def _collect_children(connection: Connection, part: Table, taken: _Taken) -> None:
    for key in part.foreign_keys:
        parents = taken.get(key.column.table, {}) if key.column.table is not part else {}
        if key.ondelete == "CASCADE" and parents:
            ids = [row[key.column.name] for row in parents.values()]
            _note(connection, part, among(key.parent, ids), taken)


def _collect_owned(connection: Connection, reference: Column[Any], taken: _Taken) -> None:
    [key] = reference.foreign_keys
    ids = [row[reference.name] for row in taken.get(reference.table, {}).values()]
    if ids:
        _note(connection, key.column.table, among(key.column, ids), taken)


def _note(connection: Connection, table: Table, condition: Any, taken: _Taken) -> None:
    rows = taken.setdefault(table, {})
    for row in connection.execute(select(table).where(condition)).mappings():
        rows[tuple(row[column.name] for column in table.primary_key)] = dict(row)


def _stored(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    # The library's names are subclasses of str, which JSON does not take as keys.
    values = ((str(column.name), row[column.name]) for column in kept_columns(table))
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values}


def _row(table: Table, stored: Mapping[str, Any]) -> dict[str, Any]:
    return {column.name: _value(column, stored[column.name]) for column in table.columns if column.name in stored}


def _value(column: Column[Any], stored: Any) -> Any:
    is_moment = isinstance(column.type, UtcTimestamp) and stored is not None
    return datetime.fromisoformat(stored) if is_moment else stored


def _new_ids(document: Document) -> Renewed:
    return {row["id"]: new_id() for table, rows in _by_table(document) if table in RENEWED for row in rows}


def _by_table(document: Document) -> Iterator[tuple[Table, list[dict[str, Any]]]]:
    return ((metadata.tables[name], rows) for name, rows in document.items() if name != LOOSENED)


def _loosened(connection: Connection, taken: _Taken) -> Iterator[dict[str, str]]:
    for table in metadata.sorted_tables:
        for key in table.foreign_keys:
            parents = taken.get(key.column.table)
            if key.ondelete != "SET NULL" or not parents or table in taken:
                continue
            values = among(key.parent, [row[key.column.name] for row in parents.values()])
            for row in connection.execute(select(table.c.id, key.parent).where(values)):
                yield {"table": str(table.name), "id": row[0], "column": str(key.parent.name), "value": row[1]}


def _fasten(connection: Connection, loosened: Mapping[str, str], renewed: Renewed) -> None:
    table = metadata.tables[loosened["table"]]
    value = renewed.get(loosened["value"], loosened["value"])
    loose = (table.c.id == loosened["id"], table.c[loosened["column"]].is_(None))
    connection.execute(update(table).where(*loose).values({loosened["column"]: value}))


def _whole(
    connection: Connection, table: Table, rows: list[dict[str, Any]], restored: Document, tenant_id: str | None
) -> list[dict[str, Any]]:
    """The rows that can be inserted, their broken references set to NULL where the store would have done it."""
    for column, parent, rule in _references(table):
        gone = _gone(connection, column, parent, rows, restored, tenant_id)
        if gone and rule == "SET NULL":
            rows = [row | {column.name: None} if row.get(column.name) in gone else row for row in rows]
        else:
            rows = [row for row in rows if row.get(column.name) not in gone]
    return rows


def _references(table: Table) -> Iterator[tuple[Column[Any], Column[Any], str | None]]:
    """Column, the column that it refers to, and what becomes of it once that row is gone."""
    for key in table.foreign_keys:
        yield key.parent, key.column, key.ondelete
    yield from ((column, parent, "SET NULL") for column, parent in LOOSE.items() if column.table is table)


def _gone(
    connection: Connection,
    column: Column[Any],
    parent: Column[Any],
    rows: Iterable[Mapping[str, Any]],
    document: Document,
    tenant_id: str | None,
) -> set[Any]:
    """The values of a reference whose rows are neither in the document nor, for this tenant, in the store."""
    own = {row[parent.name] for row in document.get(parent.table.name, ())}
    values = {str(row[column.name]) for row in rows if row.get(column.name) is not None} - own
    if not values:
        return set()
    found = select(parent).where(among(parent, values))
    owner = parent.table.c.get("tenant_id")
    if tenant_id is not None and owner is not None:
        found = found.where(or_(owner.is_(None), owner == tenant_id))
    return values - set(connection.execute(found).scalars())


def _tenant_of(document: Document) -> str | None:
    return next((row["tenant_id"] for rows in document.values() for row in rows if row.get("tenant_id")), None)


def _is_kept(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Whether a row took its key meanwhile: something else has what the object had."""
    if table in RENEWED:
        return False
    same = [column == row[column.name] for column in table.primary_key]
    return connection.execute(select(*table.primary_key).where(*same).limit(1)).first() is not None


def _owned_tables(definition: KindDefinition) -> Iterator[str]:
    for reference in definition.owned:
        [key] = reference.foreign_keys
        yield key.column.table.name
