"""DDL for target tables by source schemas."""

import re
from collections.abc import Iterator, Sequence

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.postgresql.apply.mapping import map_type
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.model.defaults import default_elsewhere
from zcbus.model.schema import Column
from zcbus.model.types import DataType, Kind

_PLAIN_DEFAULT = re.compile(
    r"(?:NULL|true|false|-?\d+(?:\.\d+)?|\(-\d+(?:\.\d+)?\)|'(?:[^'\\]|'')*'"
    r"|CURRENT_TIMESTAMP|CURRENT_DATE|LOCALTIMESTAMP|now\(\)|gen_random_uuid\(\))(?:::[\w\" .(),\[\]]+)?",
    re.IGNORECASE,
)
"""Defaults that mean the same in every database. Others (sequences, functions of users) are not carried over: rows
arrive with all their values anyway."""
_EVERYWHERE = frozenset({'pg_catalog."C"', 'pg_catalog."POSIX"'})


_EXACT_KINDS = frozenset({Kind.TEXT, Kind.BINARY, Kind.UUID, Kind.ENUM, Kind.DECIMAL}) | frozenset(
    kind for kind in Kind if kind.startswith(("int", "uint"))
)
"""Kinds whose different values stay different here."""


def preserves_key_uniqueness(table: TargetTable) -> bool:
    """Whether rows of the source cannot have equal keys in the target: then the key need not be checked during the
    load."""
    columns = {column.target: column for column in table.columns}
    key = [columns[name] for name in table.key]
    schema = table.source_schema
    known = {frozenset(names) for names in (schema.primary_key, *schema.unique_keys) if names}
    return frozenset(column.source for column in key) in known and all(
        column.type.kind in _EXACT_KINDS for column in key
    )


def create_statements(connection: Connection, table: TargetTable, with_key: bool = True) -> Iterator[str]:
    """The statements that create the table with its key, its comments and the types it needs."""
    yield f"CREATE SCHEMA IF NOT EXISTS {quote.identifier(table.name.schema)}"
    yield from type_statements(connection, table)
    lines = [_column_line(connection, table, column) for column in table.columns]
    if table.key and with_key:
        lines.append(f"PRIMARY KEY ({quote.identifiers(table.key)})")
    name = quote.table(table.name)
    yield f"CREATE TABLE {name} (\n  " + ",\n  ".join(lines) + "\n)"
    yield from unique_statements(table)
    if table.source_schema.comment:
        yield f"COMMENT ON TABLE {name} IS {quote.literal(table.source_schema.comment)}"
    for column in table.columns:
        if comment := _source_column(table, column).comment:
            yield f"COMMENT ON COLUMN {name}.{quote.identifier(column.target)} IS {quote.literal(comment)}"


def type_statements(connection: Connection, table: TargetTable) -> Iterator[str]:
    """Enum types that are missing, and labels that existing ones lack. Raises TableRefused for other missing types."""
    if table.source_schema.dialect != "postgresql":
        return
    needed = {_innermost(column.type): column for column in table.columns if not column.type.computed}
    existing = _existing_types(connection, [data.native for data in needed])
    for data, column in needed.items():
        exists = data.native in existing
        if data.kind == Kind.ENUM:
            yield from _enum_statements(connection, data, exists)
        elif not exists and data.kind != Kind.TEXT:
            # A type of the source's owner or of an extension: only its owner can create it here.
            raise TableRefused(
                table=str(table.name), column=column.target, reason="type-missing-in-target", type=data.native
            )


def unique_statements(table: TargetTable) -> Iterator[str]:
    """The source's unique keys, where all their columns are carried."""
    targets = {column.source: column.target for column in table.columns}
    for key in table.source_schema.unique_keys:
        names = tuple(targets[name] for name in key if name in targets)
        if len(names) == len(key) and names != table.key:
            yield f"CREATE UNIQUE INDEX ON {quote.table(table.name)} ({quote.identifiers(names)})"


def add_column_statement(connection: Connection, table: TargetTable, column: MappedColumn) -> str:
    """Add a column as nullable, because existing rows have no value for it."""
    declared = f"{quote.identifier(column.target)} {column_type(connection, table, column)}"
    return f"ALTER TABLE {quote.table(table.name)} ADD COLUMN IF NOT EXISTS {declared}"


def column_type(connection: Connection, table: TargetTable, column: MappedColumn) -> str:
    """The declared type of a column in PostgreSQL. Raises TableRefused."""
    mapped = map_type(table.source_schema.dialect, column.type)
    if mapped.blocking:
        reason = column.type.reason or mapped.note
        raise TableRefused(table=str(table.name), column=column.target, reason=reason)
    if column.type.kind == Kind.TEXT and "." in mapped.type and not _existing_types(connection, [mapped.type]):
        return "text"  # citext without its extension
    return mapped.type


def default_clause(table: TargetTable, column: MappedColumn) -> str:
    """The column's default expression where it means the same here; empty: none."""
    source = _source_column(table, column)
    if source.default is None:
        return ""
    if table.source_schema.dialect == "postgresql":
        return source.default if _PLAIN_DEFAULT.fullmatch(source.default) else ""
    value = default_elsewhere(source)
    return "" if value is None else quote.literal(value)


def _column_line(connection: Connection, table: TargetTable, column: MappedColumn) -> str:
    source = _source_column(table, column)
    words = [quote.identifier(column.target), column_type(connection, table, column)]
    if table.source_schema.dialect == "postgresql" and source.collation in _EVERYWHERE:
        words.append(f"COLLATE {source.collation}")
    if default := default_clause(table, column):
        words.append(f"DEFAULT {default}")
    if not column.nullable or column.target in table.key:
        words.append("NOT NULL")
    return " ".join(words)


def _source_column(table: TargetTable, column: MappedColumn) -> Column:
    for candidate in table.source_schema.columns:
        if candidate.name == column.source:
            return candidate
    return Column(column.source, column.type, column.nullable)


def _innermost(data: DataType) -> DataType:
    return data.element if data.kind == Kind.ARRAY and data.element is not None else data


def _existing_types(connection: Connection, natives: Sequence[str]) -> set[str]:
    return {row[0] for row in connection.execute(_TYPES, [list(natives)])}


def _enum_statements(connection: Connection, data: DataType, exists: bool) -> Iterator[str]:
    if not exists:
        names = connection.execute("SELECT pg_catalog.parse_ident(%s)", [data.native]).fetchone()
        if names and len(names[0]) > 1:
            yield f"CREATE SCHEMA IF NOT EXISTS {quote.identifier(names[0][0])}"
        yield f"CREATE TYPE {data.native} AS ENUM ({_literals(data.values)})"
        return
    rows = connection.execute(_LABELS, [data.native]).fetchall()
    present = {row[0] for row in rows}
    for label in data.values:
        if label not in present:
            yield f"ALTER TYPE {data.native} ADD VALUE IF NOT EXISTS {quote.literal(label)}"


def _literals(texts: Sequence[str]) -> str:
    return ", ".join(quote.literal(text) for text in texts)


_TYPES = """
SELECT name FROM pg_catalog.unnest(%s::pg_catalog.text[]) AS wanted(name) WHERE pg_catalog.to_regtype(name) IS NOT NULL
"""

_LABELS = """
SELECT enumlabel::text FROM pg_catalog.pg_enum WHERE enumtypid = pg_catalog.to_regtype(%s)::pg_catalog.oid
"""
