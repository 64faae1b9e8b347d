"""A database's tables, columns, keys and indexes, from java.sql.DatabaseMetaData."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

import jpype

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.jdbc.connection import Connection
from zcbus.connectors.jdbc.types import data_type
from zcbus.model.schema import Column, Index, IndexPart, TableName, TableSchema, TableSummary

OWN_TABLES = frozenset({"zcbus_lane", "zcbus_row_error"})
_TABLE_TYPES = ("TABLE", "BASE TABLE")
_NULLABLE = "1"
_COLUMN = (
    "TABLE_SCHEM",
    "TABLE_NAME",
    "COLUMN_NAME",
    "DATA_TYPE",
    "TYPE_NAME",
    "COLUMN_SIZE",
    "DECIMAL_DIGITS",
    "NULLABLE",
    "COLUMN_DEF",
    "ORDINAL_POSITION",
    "IS_AUTOINCREMENT",
    "IS_GENERATEDCOLUMN",
)


class JdbcDiscoverer:
    """See roles.Discoverer."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def schemas(self) -> list[str]:
        hidden = self._connection.dialect.system_schemas
        found = self._connection.metadata("getSchemas", columns=["TABLE_SCHEM"])
        return sorted({str(name) for (name,) in found} - hidden)

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        names = [name for name in table_names(self._connection, schema) if name.table not in OWN_TABLES]
        return [self._summary(name) for name in names]

    def _summary(self, name: TableName) -> TableSummary:
        keyed = bool(primary_key(self._connection, name)[1])
        unique = any(index.unique for index in indexes(self._connection, name))
        return TableSummary(name, None, None, keyed, unique)

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = [(name, describe(self._connection, name)) for name in names]
        for name, schema in found:
            if schema is None:
                raise TableMissing(table=str(name), side=self._connection.side)
        return [schema for _, schema in found if schema is not None]

    def __enter__(self) -> "JdbcDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()


def table_names(connection: Connection, schema: str | None = None) -> list[TableName]:
    """All base tables that are not the server's own, by name."""
    kinds = jpype.JArray(jpype.java.lang.String)(list(_TABLE_TYPES))
    found = connection.metadata("getTables", None, None, None, kinds, columns=["TABLE_SCHEM", "TABLE_NAME"])
    names = (TableName(str(space), str(table)) for space, table in found)
    hidden = connection.dialect.system_schemas
    return sorted(name for name in names if name.schema not in hidden and schema in (None, name.schema))


def exists(connection: Connection, name: TableName) -> bool:
    """Whether a table of that name exists."""
    return bool(_columns(connection, name))


def describe(connection: Connection, name: TableName) -> TableSchema | None:
    """A table's schema; None: the table does not exist."""
    columns = _columns(connection, name)
    if not columns:
        return None
    required = {column.name for column in columns if not column.nullable}
    _, primary = primary_key(connection, name)
    others = [index for index in indexes(connection, name) if index.columns != primary]
    unique = {index.columns for index in others if index.unique and required.issuperset(index.columns)}
    return TableSchema(
        name,
        connection.dialect.kind,
        columns,
        primary,
        tuple(sorted(unique)),
        indexes=tuple(index for index in others if index.columns not in unique),
    )


def _columns(connection: Connection, name: TableName) -> tuple[Column, ...]:
    # Arguments are patterns: names with `_` and `%` match others, which are left out here.
    found = connection.metadata("getColumns", None, None, _pattern(connection, name.table), None, columns=_COLUMN)
    own = [row for row in found if row[:2] == (name.schema, name.table)]
    return tuple(_column(connection, row) for row in sorted(own, key=lambda row: int(row[9] or 0)))


def _pattern(connection: Connection, text: str) -> str | None:
    """A pattern that matches at least the name."""
    return None if "\\" in text else text


def _column(connection: Connection, row: tuple[str | None, ...]) -> Column:
    _, _, name, code, kind, size, digits, nullable, default, _, numbered, generated = row
    data = data_type(connection.dialect, int(code or 0), str(kind), _number(size), _number(digits))
    made = str(generated).upper() == "YES"
    identity = str(numbered).upper() == "YES"
    shown = None if identity or made or default is None or default.upper() == "NULL" else default
    return Column(str(name), data, nullable == _NULLABLE, shown, made, identity)


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def primary_key(connection: Connection, name: TableName) -> tuple[str, tuple[str, ...]]:
    """Name and columns of the primary key; empty where there is none."""
    found = connection.metadata(
        "getPrimaryKeys", None, name.schema, name.table, columns=["COLUMN_NAME", "KEY_SEQ", "PK_NAME"]
    )
    ordered = sorted(found, key=lambda row: int(row[1] or 0))
    return (str(ordered[0][2]) if ordered else ""), tuple(str(row[0]) for row in ordered)


def indexes(connection: Connection, name: TableName) -> list[Index]:
    """Indexes by name, those of keys among them."""
    columns = ["INDEX_NAME", "ORDINAL_POSITION", "COLUMN_NAME", "ASC_OR_DESC", "NON_UNIQUE"]
    found = connection.metadata("getIndexInfo", None, name.schema, name.table, False, True, columns=columns)
    rows = sorted((row for row in found if row[0] and row[2]), key=lambda row: (str(row[0]), int(row[1] or 0)))
    return [_index(index, list(parts)) for index, parts in _grouped(rows, lambda row: str(row[0]))]


def _grouped(rows: Iterable[Any], by: Callable[[Any], str]) -> Iterable[tuple[str, Iterable[Any]]]:
    return groupby(rows, by)


def _index(name: str, rows: list[tuple[str | None, ...]]) -> Index:
    parts = tuple(IndexPart(str(row[2]), None, row[3] == "D") for row in rows)
    return Index(name, parts, str(rows[0][4]).lower() == "false")
