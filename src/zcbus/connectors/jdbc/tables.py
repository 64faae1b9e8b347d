"""Tables of a target: created for a source's table, and changed when that changes.

Each statement is a step of its own: H2 and HSQLDB commit with each. A repetition skips what is done.
"""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.jdbc.catalog import describe, exists, indexes, primary_key
from zcbus.connectors.jdbc.connection import Connection
from zcbus.connectors.jdbc.quote import identifier, identifiers, literal, table
from zcbus.connectors.jdbc.types import declared
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.connectors.roles.alteration import AddedColumn, Alteration
from zcbus.kit.errors import TerminalError
from zcbus.model.defaults import default_elsewhere
from zcbus.model.schema import Column, Index, TableName, TableSchema
from zcbus.model.types import INTEGERS, Kind

_PLAIN = INTEGERS | {Kind.YEAR, Kind.DECIMAL, Kind.FLOAT32, Kind.FLOAT64}


def create(connection: Connection, made: TargetTable) -> None:
    """The table with its key and the source's other unique keys, and its schema where it is missing."""
    create_schema(connection, made.name.schema)
    lines = [_line(_declared(connection, made, column)) for column in made.columns]
    if made.key:
        lines.append(_primary_line(made.name, made.key))
    connection.execute(f"CREATE TABLE {table(made.name)} ({', '.join(lines)})")
    for names in _unique_keys(made):
        _add_unique(connection, made.name, names)


def create_schema(connection: Connection, name: str) -> None:
    """Create a missing schema."""
    if (name,) not in connection.metadata("getSchemas", columns=["TABLE_SCHEM"]):
        connection.execute(f"CREATE SCHEMA {identifier(name)}")


def create_empty_copy(connection: Connection, name: TableName, shadow: TableName) -> None:
    """An empty table like `name`."""
    schema = describe(connection, name)
    if schema is None:
        raise TableMissing(table=str(name), side="target")
    drop(connection, shadow)
    lines = [_line(replace(column, default=None)) for column in schema.columns]
    if schema.primary_key:
        lines.append(_primary_line(shadow, schema.primary_key))
    connection.execute(f"CREATE TABLE {table(shadow)} ({', '.join(lines)})")


def drop(connection: Connection, name: TableName) -> None:
    """Drop a table; a missing one is no error."""
    if exists(connection, name):
        connection.execute(f"DROP TABLE {table(name)}")


def carry_indexes(connection: Connection, name: TableName, wanted: Sequence[Index]) -> None:
    """Create the missing indexes. Those that the server refuses are skipped: rows do not wait for them."""
    existing = {index.columns for index in indexes(connection, name)}
    for index in wanted:
        if index.columns in existing:
            continue
        try:
            with connection.savepoint():
                _create_index(connection, name, index)
        except TerminalError:
            continue


def add_columns(connection: Connection, made: TargetTable, columns: Sequence[MappedColumn]) -> None:
    """Add the missing columns; existing rows have no value for them yet."""
    present = describe(connection, made.name)
    for column in columns:
        if present is not None and column.target not in present.names:
            line = _line(replace(_declared(connection, made, column), nullable=True, default=None))
            connection.execute(f"ALTER TABLE {table(made.name)} ADD COLUMN {line}", of=str(made.name))


def alter(connection: Connection, made: TargetTable, change: Alteration) -> None:
    """Change an existing table; completed steps are skipped. Raises TableMissing, RowRefused."""
    present = describe(connection, made.name)
    if present is None:
        raise TableMissing(table=str(made.name), side="target")
    for key in change.drop_unique:
        _drop_unique(connection, made.name, key)
    for name in change.drop_indexes:
        _drop_index(connection, made.name, name)
    for name in change.drop:
        _alter_if(connection, made, name in present.names, f"DROP COLUMN {identifier(name)}")
    for old, column in change.rename:
        step = f"ALTER COLUMN {identifier(old)} RENAME TO {identifier(column.target)}"
        _alter_if(connection, made, old in present.names, step)
    for column in change.redefine:
        _redefine(connection, made, column)
    for added in change.add:
        _add(connection, made, added)
    for key in change.add_unique:
        _add_unique(connection, made.name, key)
    carry_indexes(connection, made.name, change.indexes)


def _alter_if(connection: Connection, made: TargetTable, needed: bool, step: str) -> None:
    if needed:
        connection.execute(f"ALTER TABLE {table(made.name)} {step}", of=str(made.name))


def _redefine(connection: Connection, made: TargetTable, column: MappedColumn) -> None:
    """Type, default and nullability, each where it differs."""
    wanted, present = _declared(connection, made, column), _present(connection, made)
    if wanted.name not in present.names:
        return
    found, name = present.column(wanted.name), identifier(wanted.name)
    _alter_if(
        connection,
        made,
        wanted.type.native.upper() != found.type.native.upper(),
        f"ALTER COLUMN {name} SET DATA TYPE {wanted.type.native}",
    )
    default = "DROP DEFAULT" if wanted.default is None else f"SET DEFAULT {wanted.default}"
    _alter_if(connection, made, wanted.default != found.default, f"ALTER COLUMN {name} {default}")
    null = "DROP NOT NULL" if wanted.nullable else "SET NOT NULL"
    _alter_if(connection, made, wanted.nullable is not found.nullable, f"ALTER COLUMN {name} {null}")


def _add(connection: Connection, made: TargetTable, added: AddedColumn) -> None:
    """The column gets its name when its old rows have their values: a process may end in between."""
    column, present = added.column, _present(connection, made).names
    if column.target in present:
        return
    wanted, aside = _declared(connection, made, column), _aside(column)
    _alter_if(connection, made, aside in present, f"DROP COLUMN {identifier(aside)}")
    _alter_if(connection, made, True, f"ADD COLUMN {_line(replace(wanted, name=aside, nullable=True))}")
    value = "NULL" if added.value is None else _literal(added.value, column)
    connection.execute(f"UPDATE {table(made.name)} SET {identifier(aside)} = {value}", of=str(made.name))
    _alter_if(connection, made, not wanted.nullable, f"ALTER COLUMN {identifier(aside)} SET NOT NULL")
    _alter_if(connection, made, True, f"ALTER COLUMN {identifier(aside)} RENAME TO {identifier(column.target)}")


def _aside(column: MappedColumn) -> str:
    """A name that is the same at each attempt."""
    return f"zcbus_{zlib.crc32(column.target.encode()):08x}"


def _present(connection: Connection, made: TargetTable) -> TableSchema:
    present = describe(connection, made.name)
    if present is None:
        raise TableMissing(table=str(made.name), side="target")
    return present


def _declared(connection: Connection, made: TargetTable, column: MappedColumn) -> Column:
    """A source's column as declared here."""
    dialect, own = connection.dialect, made.source_schema.dialect == connection.dialect.kind
    source = made.source_schema.column(column.source)
    in_key = column.target in made.key or any(column.target in names for names in _unique_keys(made))
    native, _ = declared(dialect, made.source_schema.dialect, column.type, in_key=in_key)
    value = source.default if own else default_elsewhere(source)
    default = value if own or value is None else _literal(value, column)
    return Column(
        column.target, replace(column.type, native=native), column.nullable and column.target not in made.key, default
    )


def _literal(value: str, column: MappedColumn) -> str:
    if column.type.kind is Kind.BOOLEAN:
        return "TRUE" if value in ("t", "1", "true") else "FALSE"
    return value if column.type.kind in _PLAIN else literal(value)


def _line(column: Column) -> str:
    parts = [identifier(column.name), column.type.native]
    parts += [] if column.default is None else [f"DEFAULT {column.default}"]
    parts += [] if column.nullable else ["NOT NULL"]
    return " ".join(parts)


def _primary_line(name: TableName, key: Sequence[str]) -> str:
    return f"CONSTRAINT {identifier(f'{name.table}_pkey')} PRIMARY KEY ({identifiers(key)})"


def _unique_keys(made: TargetTable) -> Iterator[tuple[str, ...]]:
    """The source's unique keys over replicated columns, except the table's own key."""
    targets = {column.source: column.target for column in made.columns}
    schema = made.source_schema
    for names in (schema.primary_key, *schema.unique_keys):
        mapped = tuple(targets.get(name, "") for name in names)
        if names and all(mapped) and set(mapped) != set(made.key):
            yield mapped


def _constraint(name: TableName, columns: Sequence[str]) -> str:
    """Names of constraints are a schema's, so the table's is in front."""
    return identifier("_".join((name.table, *columns, "key")))


def _add_unique(connection: Connection, name: TableName, columns: Sequence[str]) -> None:
    """Add a missing constraint."""
    if not any(set(index.columns) == set(columns) for index in indexes(connection, name)):
        constraint = f"CONSTRAINT {_constraint(name, columns)} UNIQUE ({identifiers(columns)})"
        connection.execute(f"ALTER TABLE {table(name)} ADD {constraint}", of=str(name))


def _drop_unique(connection: Connection, name: TableName, columns: Sequence[str]) -> None:
    """A constraint of `_add_unique`; else an index that a user created."""
    present = [index for index in indexes(connection, name) if set(index.columns) == set(columns)]
    primary, _ = primary_key(connection, name)
    for index in present:
        if index.name == primary:
            continue
        try:
            with connection.savepoint():
                connection.execute(f"ALTER TABLE {table(name)} DROP CONSTRAINT {_constraint(name, columns)}")
        except TerminalError:
            _drop_index(connection, name, index.name)


def _drop_index(connection: Connection, name: TableName, index: str) -> None:
    names = {one.name for one in indexes(connection, name)}
    for found in names & {index, f"{name.table}_{index}"}:
        connection.execute(f"DROP INDEX {identifier(name.schema)}.{identifier(found)}")


def _create_index(connection: Connection, of: TableName, index: Index) -> None:
    down = {part.column for part in index.parts if part.descending}
    parts = ", ".join(identifier(column) + (" DESC" if column in down else "") for column in index.columns)
    unique = "UNIQUE " if index.unique else ""
    name = f"{identifier(of.schema)}.{identifier(f'{of.table}_{index.name}')}"
    connection.execute(f"CREATE {unique}INDEX {name} ON {table(of)} ({parts})", of=str(of))
