"""Tables of a target file: created for a source's table, and rebuilt when that changes.

DuckDB refuses most changes of a table with keys or indexes, so a shadow table is created, filled and renamed, all in
one transaction.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import duckdb

from zcbus.connectors.duckdb.catalog import describe, read_indexes
from zcbus.connectors.duckdb.connection import identifier, identifiers, table
from zcbus.connectors.duckdb.shared import CATALOG, literal
from zcbus.connectors.duckdb.types import declared, spelled
from zcbus.connectors.errors import TableMissing
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.connectors.roles.alteration import Alteration
from zcbus.model.defaults import default_elsewhere
from zcbus.model.schema import Column, Index, IndexPart, TableName, TableSchema

_REBUILT = "zcbus_rebuilt"
Engine = duckdb.DuckDBPyConnection


def create(engine: Engine, made: TargetTable) -> None:
    """The table with its key and the source's other unique keys."""
    engine.execute(f"CREATE SCHEMA IF NOT EXISTS {CATALOG}.{identifier(made.name.schema)}")
    _create_as(engine, made.name, [_declared(made, column) for column in made.columns], made.key)
    for names in _unique_keys(made):
        create_index(engine, made.name, _unique(names))


def create_empty_copy(engine: Engine, name: TableName, shadow: TableName) -> None:
    """An empty table like `name`."""
    schema = _present(engine, name)
    engine.execute(f"DROP TABLE IF EXISTS {table(shadow)}")
    _create_as(engine, shadow, schema.columns, schema.primary_key)


def missing_indexes(engine: Engine, name: TableName, indexes: Sequence[Index]) -> list[Index]:
    """The indexes to create."""
    existing = {(index.columns, index.unique) for index in read_indexes(engine, name)}
    return [index for index in indexes if (index.columns, index.unique) not in existing]


def create_index(engine: Engine, of: TableName, index: Index, name: str = "") -> None:
    """Names of indexes are a schema's, so the table's is in front."""
    unique = "UNIQUE " if index.unique else ""
    full = name or f"{of.table}_{index.name}"
    parts = identifiers(index.columns)
    engine.execute(f"CREATE {unique}INDEX IF NOT EXISTS {identifier(full)} ON {table(of)} ({parts})")


def add_columns(engine: Engine, made: TargetTable, columns: Sequence[MappedColumn]) -> None:
    """Add the missing columns; existing rows have no value for them yet."""
    present = _present(engine, made.name)
    for column in columns:
        if column.target not in present.names:
            line = _line(replace(_declared(made, column), nullable=True, default=None))
            engine.execute(f"ALTER TABLE {table(made.name)} ADD COLUMN {line}")


def alter(engine: Engine, made: TargetTable, change: Alteration) -> list[Index]:
    """Rebuild a table. Returns the additional indexes to create, which may be refused.

    Completed steps are skipped. Raises TableMissing.
    """
    present = _present(engine, made.name)
    indexes = [index for index in read_indexes(engine, made.name) if index.columns not in change.drop_unique]
    columns, origin = _changed(made, change, present)
    names = {old: column.target for old, column in change.rename}
    rebuilt = replace(made.name, table=_REBUILT)
    engine.execute(f"DROP TABLE IF EXISTS {table(rebuilt)}")
    _create_as(engine, rebuilt, columns, tuple(names.get(name, name) for name in present.primary_key))
    into = identifiers([column.name for column in columns])
    out = ", ".join(f"CAST({value} AS {column.type.native})" for value, column in zip(origin, columns, strict=True))
    engine.execute(f"INSERT INTO {table(rebuilt)} ({into}) SELECT {out} FROM {table(made.name)}")
    engine.execute(f"DROP TABLE {table(made.name)}")
    engine.execute(f"ALTER TABLE {table(rebuilt)} RENAME TO {identifier(made.name.table)}")
    left, renamed = {column.name for column in columns}, dict(change.rename_indexes)
    kept = [
        replace(index.renamed(names), name=renamed.get(index.name, index.name))
        for index in indexes
        if index.name not in change.drop_indexes
    ]
    kept = [index for index in kept if left.issuperset(index.columns)]
    for index in kept:
        create_index(engine, made.name, index, name=index.name)
    for key in change.add_unique:
        if not any(one.unique and set(one.columns) == set(key) for one in kept):
            create_index(engine, made.name, _unique(key))
    return missing_indexes(engine, made.name, change.indexes)


def _present(engine: Engine, name: TableName) -> TableSchema:
    found = describe(engine, [name]).get(name)
    if found is None:
        raise TableMissing(table=str(name), side="target")
    return found


def _changed(made: TargetTable, change: Alteration, present: TableSchema) -> tuple[list[Column], list[str]]:
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
            origin.append("NULL" if added.value is None else literal(spelled(added.value, added.column.type)))
    return columns, origin


def _declared(made: TargetTable, column: MappedColumn) -> Column:
    """A source's column as declared here."""
    source = made.source_schema.column(column.source)
    own = made.source_schema.dialect == "duckdb"
    native = declared(made.source_schema.dialect, column.type)[0]
    value = source.default if own else default_elsewhere(source)
    default = None
    if value is not None:
        default = value if own else f"CAST({literal(value)} AS {native})"
    nullable = column.nullable and column.target not in made.key
    return Column(column.target, replace(column.type, native=native), nullable, default)


def _line(column: Column) -> str:
    parts = [identifier(column.name), column.type.native]
    parts += [] if column.nullable else ["NOT NULL"]
    parts += [] if column.default is None else [f"DEFAULT {column.default}"]
    return " ".join(parts)


def _create_as(engine: Engine, name: TableName, columns: Sequence[Column], primary: tuple[str, ...]) -> None:
    lines = [*map(_line, columns), *([f"PRIMARY KEY ({identifiers(primary)})"] if primary else [])]
    engine.execute(f"CREATE TABLE {table(name)} ({', '.join(lines)})")


def _unique_keys(made: TargetTable) -> Iterator[tuple[str, ...]]:
    """The source's unique keys over replicated columns, except the table's own key."""
    targets = {column.source: column.target for column in made.columns}
    schema = made.source_schema
    for names in (schema.primary_key, *schema.unique_keys):
        mapped = tuple(targets.get(name, "") for name in names)
        if names and all(mapped) and set(mapped) != set(made.key):
            yield mapped


def _unique(names: Sequence[str]) -> Index:
    return Index("_".join((*names, "key")), tuple(map(IndexPart, names)), unique=True)
