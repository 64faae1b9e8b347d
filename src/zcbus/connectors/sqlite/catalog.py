"""A database file's tables, columns, keys and indexes."""

import sqlite3
from collections.abc import Sequence

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.roles import Side
from zcbus.connectors.sqlite.connection import connect, identifier, literal, translated
from zcbus.connectors.sqlite.spec import SCHEMA, SQLiteOptions
from zcbus.connectors.sqlite.types import data_type
from zcbus.model.schema import Column, Index, IndexPart, TableName, TableSchema, TableSummary

OWN_TABLES = ("zcbus_lane", "zcbus_row_error")


class SQLiteDiscoverer:
    """See roles.Discoverer."""

    def __init__(self, options: SQLiteOptions, side: Side = "target") -> None:
        self._options, self._side = options, side
        self._connection = connect(options, side)

    def schemas(self) -> list[str]:
        return [SCHEMA]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        if schema not in (None, SCHEMA):
            return []
        with translated(self._options, self._side):
            names = self._connection.execute(_TABLES).fetchall()
            found = [describe(self._connection, TableName(SCHEMA, name)) for (name,) in names if name not in OWN_TABLES]
        return [
            TableSummary(one.name, None, None, bool(one.primary_key), bool(one.unique_keys))
            for one in found
            if one is not None
        ]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        with translated(self._options, self._side):
            found = [(name, describe(self._connection, name)) for name in names]
        for name, schema in found:
            if schema is None:
                raise TableMissing(table=str(name), side=self._side)
        return [schema for _, schema in found if schema is not None]

    def __enter__(self) -> "SQLiteDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()


_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name"


def describe(connection: sqlite3.Connection, name: TableName) -> TableSchema | None:
    """A table's schema; None: the table does not exist."""
    rows = connection.execute(f"PRAGMA table_info({identifier(name.table)})").fetchall()
    if not rows:
        return None
    keys = sorted((place, column) for _, column, _, _, _, place in rows if place)
    primary = tuple(column for _, column in keys)
    # The one integer column of a primary key is the row's number itself and holds no NULL.
    numbered = len(keys) == 1 and any(row[1] == primary[0] and row[2].upper() == "INTEGER" for row in rows)
    columns = tuple(
        Column(column, data_type(kind), not (not_null or (place and numbered)), default)
        for _, column, kind, not_null, default, place in rows
    )
    required = {column.name for column in columns if not column.nullable}
    indexes = read_indexes(connection, name)
    unique = tuple(index.columns for index in indexes if index.unique and required.issuperset(index.columns))
    is_key = required.issuperset(primary)
    return TableSchema(
        name,
        "sqlite",
        columns,
        primary if is_key else (),
        unique,
        indexes=tuple(index for index in indexes if index.columns not in unique),
    )


def read_indexes(connection: sqlite3.Connection, name: TableName) -> tuple[Index, ...]:
    """Indexes over complete columns, without conditions, except the primary key's own."""
    found = []
    listed = connection.execute(f"PRAGMA index_list({identifier(name.table)})").fetchall()
    for _, index, unique, origin, partial in listed:
        if origin == "pk" or partial:
            continue
        parts = [row for row in connection.execute(f"PRAGMA index_xinfo({literal(index)})") if row[5]]
        if all(number >= 0 for _, number, *_ in parts):
            columns = tuple(IndexPart(column, None, bool(down)) for _, _, column, down, *_ in parts)
            found.append(Index(index, columns, bool(unique)))
    return tuple(sorted(found, key=lambda index: index.name))


def unique_sets(connection: sqlite3.Connection, name: TableName) -> list[frozenset[str]]:
    """Columns of each unique index, the primary key's among them."""
    rows = connection.execute(f"PRAGMA table_info({identifier(name.table)})").fetchall()
    primary = frozenset(row[1] for row in rows if row[5])
    return [
        *([primary] if primary else []),
        *(frozenset(i.columns) for i in read_indexes(connection, name) if i.unique),
    ]


def key_collations(connection: sqlite3.Connection, name: TableName) -> dict[str, str]:
    """Collations by column of a unique index."""
    found: dict[str, str] = {}
    for _, index, unique, *_ in connection.execute(f"PRAGMA index_list({identifier(name.table)})").fetchall():
        if unique:
            for _, _, column, _, collation, is_key in connection.execute(f"PRAGMA index_xinfo({literal(index)})"):
                if is_key and column is not None and collation.upper() != "BINARY":
                    found[column] = collation
    return found
