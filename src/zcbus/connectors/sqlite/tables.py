"""Tables of a target file: created for a source's table, and rebuilt when that changes.

SQLite can change hardly anything of an existing table, so a shadow table is created, filled and renamed, all in one
transaction, as its documentation proposes ("Making Other Kinds Of Table Schema Changes").
"""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.connectors.roles.alteration import Alteration
from zcbus.connectors.sqlite.catalog import describe, read_indexes
from zcbus.connectors.sqlite.connection import identifier, identifiers, literal, table
from zcbus.connectors.sqlite.types import declared
from zcbus.model.defaults import default_elsewhere
from zcbus.model.schema import Column, Index, TableName, TableSchema
from zcbus.model.types import INTEGERS, Kind

_REBUILT = "zcbus_rebuilt"
_PLAIN = INTEGERS | {Kind.YEAR, Kind.FLOAT32, Kind.FLOAT64}


def create(connection: sqlite3.Connection, made: TargetTable) -> None:
    """The table with its key and the source's other unique keys."""
    lines = [_column(made, column) for column in made.columns]
    if made.key:
        lines.append(f"PRIMARY KEY ({identifiers(made.key)})")
    connection.execute(f"CREATE TABLE {table(made.name)} ({', '.join(lines)})")
    for names in _unique_keys(made):
        _create_index(connection, made.name, Index(_index_name(names), (), unique=True), names)


def create_empty_copy(connection: sqlite3.Connection, name: TableName, shadow: TableName) -> None:
    """An empty table like `name`."""
    schema = describe(connection, name)
    if schema is None:
        raise TableMissing(table=str(name), side="target")
    connection.execute(f"DROP TABLE IF EXISTS {table(shadow)}")
    _create_as(connection, shadow, schema.columns, _primary_key(connection, name))


def carry_indexes(connection: sqlite3.Connection, name: TableName, indexes: Sequence[Index]) -> None:
    """Create the missing indexes."""
    existing = {(index.columns, index.unique) for index in read_indexes(connection, name)}
    for index in indexes:
        if (index.columns, index.unique) not in existing:
            _create_index(connection, name, index, index.columns)


def add_columns(connection: sqlite3.Connection, made: TargetTable, columns: Sequence[MappedColumn]) -> None:
    """Add the missing columns; existing rows have no value for them yet."""
    present = describe(connection, made.name)
    for column in columns:
        if present is not None and column.target not in present.names:
            line = _line(replace(_declared(made, column), nullable=True, default=None))
            connection.execute(f"ALTER TABLE {table(made.name)} ADD COLUMN {line}")


def alter(connection: sqlite3.Connection, made: TargetTable, change: Alteration) -> None:
    """Rebuild a table within the open transaction. Completed steps are skipped. Raises TableMissing."""
    present = describe(connection, made.name)
    if present is None:
        raise TableMissing(table=str(made.name), side="target")
    indexes = [index for index in read_indexes(connection, made.name) if index.columns not in change.drop_unique]
    columns, origin = _changed(made, change, present)
    names = {old: column.target for old, column in change.rename}
    rebuilt = replace(made.name, table=_REBUILT)
    connection.execute(f"DROP TABLE IF EXISTS {table(rebuilt)}")
    primary = tuple(names.get(name, name) for name in _primary_key(connection, made.name))
    _create_as(connection, rebuilt, columns, primary)
    into, out = identifiers([column.name for column in columns]), ", ".join(origin)
    connection.execute(f"INSERT INTO {table(rebuilt)} ({into}) SELECT {out} FROM {table(made.name)}")
    connection.execute(f"DROP TABLE {table(made.name)}")
    connection.execute(f"ALTER TABLE {table(rebuilt)} RENAME TO {table(made.name)}")
    left = {column.name for column in columns}
    renamed = dict(change.rename_indexes)
    kept = [
        replace(index.renamed(names), name=renamed.get(index.name, index.name))
        for index in indexes
        if index.name not in change.drop_indexes
    ]
    kept = [index for index in kept if left.issuperset(index.columns)]
    keys_to_change = [Index(_index_name(key), (), unique=True) for key in change.add_unique]
    for index in kept:
        _create_index(connection, made.name, index, index.columns, name=index.name)
    for index, key in zip(keys_to_change, change.add_unique, strict=True):
        if not any(one.unique and set(one.columns) == set(key) for one in kept):
            _create_index(connection, made.name, index, key)
    carry_indexes(connection, made.name, change.indexes)


def _changed(made: TargetTable, change: Alteration, present: TableSchema) -> tuple[tuple[Column, ...], list[str]]:
    """The columns of the rebuilt table, with the expression that fills each."""
    renamed = {old: column for old, column in change.rename if old in present.names}
    redefined = {column.target: column for column in change.redefine}
    columns: list[Column] = []
    origin: list[str] = []
    for column in present.columns:
        if column.name in change.drop and column.name not in renamed:
            continue
        name = renamed[column.name].target if column.name in renamed else column.name
        found = replace(column, name=name)
        if name in redefined:
            found = _declared(made, redefined[name])
        columns.append(found)
        origin.append(identifier(column.name))
    for added in change.add:
        if added.column.target not in {column.name for column in columns}:
            columns.append(_declared(made, added.column))
            origin.append("NULL" if added.value is None else _literal(added.value, added.column))
    return tuple(columns), origin


def _literal(value: str, column: MappedColumn) -> str:
    if column.type.kind is Kind.BOOLEAN:
        return "1" if value in ("t", "1", "true") else "0"
    return value if column.type.kind in _PLAIN else literal(value)


def _declared(made: TargetTable, column: MappedColumn) -> Column:
    """A source's column as declared here."""
    source = made.source_schema.column(column.source)
    native = declared(made.source_schema.dialect, column.type)[0]
    value = source.default if made.source_schema.dialect == "sqlite" else default_elsewhere(source)
    default = None
    if value is not None:
        default = value if made.source_schema.dialect == "sqlite" else _literal(value, column)
    nullable = column.nullable and column.target not in made.key
    return Column(column.target, replace(column.type, native=native), nullable, default)


def _column(made: TargetTable, column: MappedColumn) -> str:
    return _line(_declared(made, column))


def _line(column: Column) -> str:
    parts = [identifier(column.name), column.type.native]
    parts += [] if column.nullable else ["NOT NULL"]
    parts += [] if column.default is None else [f"DEFAULT {column.default}"]
    return " ".join(parts)


def _create_as(
    connection: sqlite3.Connection, name: TableName, columns: Sequence[Column], primary: tuple[str, ...]
) -> None:
    lines = [*map(_line, columns), *([f"PRIMARY KEY ({identifiers(primary)})"] if primary else [])]
    connection.execute(f"CREATE TABLE {table(name)} ({', '.join(lines)})")


def _primary_key(connection: sqlite3.Connection, name: TableName) -> tuple[str, ...]:
    rows = connection.execute(f"PRAGMA table_info({identifier(name.table)})").fetchall()
    return tuple(column for _, column in sorted((row[5], row[1]) for row in rows if row[5]))


def _unique_keys(made: TargetTable) -> Iterator[tuple[str, ...]]:
    """The source's unique keys over replicated columns, except the table's own key."""
    targets = {column.source: column.target for column in made.columns}
    schema = made.source_schema
    for names in (schema.primary_key, *schema.unique_keys):
        mapped = tuple(targets.get(name, "") for name in names)
        if names and all(mapped) and set(mapped) != set(made.key):
            yield mapped


def _index_name(names: Sequence[str]) -> str:
    return "_".join((*names, "key"))


def _create_index(
    connection: sqlite3.Connection, of: TableName, index: Index, columns: Sequence[str], name: str = ""
) -> None:
    """Names of indexes are a file's, so the table's is in front."""
    down = {part.column for part in index.parts if part.descending}
    parts = ", ".join(identifier(column) + (" DESC" if column in down else "") for column in columns)
    unique = "UNIQUE " if index.unique else ""
    full = name or f"{of.table}_{index.name}"
    connection.execute(f"CREATE {unique}INDEX IF NOT EXISTS {identifier(full)} ON {table(of)} ({parts})")
