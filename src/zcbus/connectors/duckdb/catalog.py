"""A database file's tables, columns, keys and indexes."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from zcbus.connectors.duckdb.connection import DatabaseFile
from zcbus.connectors.duckdb.shared import CATALOG
from zcbus.connectors.duckdb.spec import DuckDBOptions
from zcbus.connectors.duckdb.types import data_type
from zcbus.connectors.errors import TableMissing
from zcbus.connectors.roles import Side
from zcbus.model.schema import Column, Index, IndexPart, TableName, TableSchema, TableSummary

OWN_TABLES = ("zcbus_lane", "zcbus_row_error")
_PART = re.compile(r"\s*(?:'((?:[^'\\]|\\.)*)'|([^,'()]+))\s*(?:,|$)")
_BARE = re.compile(r'"(?:[^"]|"")+"|[A-Za-z_]\w*')


class DuckDBDiscoverer:
    """See roles.Discoverer."""

    def __init__(self, options: DuckDBOptions, side: Side = "target") -> None:
        self._side: Side = side
        self._file = DatabaseFile(options, side)

    def schemas(self) -> list[str]:
        with self._file.reading() as engine:
            found = engine.execute(
                "SELECT schema_name FROM duckdb_schemas() WHERE database_name = ? AND NOT internal "
                "UNION SELECT 'main' ORDER BY 1",
                [CATALOG],
            ).fetchall()
        return [name for (name,) in found]

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        sql = (
            "SELECT schema_name, table_name, estimated_size, has_primary_key, coalesce(comment, '') "
            "FROM duckdb_tables() WHERE database_name = ? AND NOT internal AND (? IS NULL OR schema_name = ?)"
        )
        with self._file.reading() as engine:
            rows = engine.execute(f"{sql} ORDER BY 1, 2", [CATALOG, schema, schema]).fetchall()
            unique = engine.execute(_UNIQUE, [CATALOG, CATALOG]).fetchall()
        keys = {TableName(*name) for name in unique}
        return [
            TableSummary(name, estimated, None, primary, name in keys, comment)
            for space, table, estimated, primary, comment in rows
            if table not in OWN_TABLES
            for name in (TableName(space, table),)
        ]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        with self._file.reading() as engine:
            found = describe(engine, names)
        for name in names:
            if name not in found:
                raise TableMissing(table=str(name), side=self._side)
        return [found[name] for name in names]

    def __enter__(self) -> "DuckDBDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._file.close()


_UNIQUE = (
    "SELECT schema_name, table_name FROM duckdb_constraints() WHERE database_name = ? AND constraint_type = 'UNIQUE' "
    "UNION SELECT schema_name, table_name FROM duckdb_indexes() "
    "WHERE database_name = ? AND is_unique AND NOT is_primary"
)


def describe(engine: duckdb.DuckDBPyConnection, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
    """Those of these tables that exist."""
    columns = _by_table(
        engine,
        names,
        "SELECT schema_name, table_name, column_name, data_type, is_nullable, column_default, coalesce(comment, '') "
        "FROM duckdb_columns() WHERE database_name = ? AND list_contains(?, schema_name) "
        "AND list_contains(?, table_name) ORDER BY column_index",
    )
    constraints = _by_table(engine, names, _CONSTRAINTS)
    indexes = _by_table(engine, names, _INDEXES)
    tables = _tables(engine, names)
    return {
        name: _schema(name, columns.get(name, []), constraints.get(name, []), indexes.get(name, [])) for name in tables
    }


def _schema(name: TableName, columns: list[Any], constraints: list[Any], indexes: list[Any]) -> TableSchema:
    found = tuple(
        Column(column, data_type(kind), nullable, default, comment=comment)
        for column, kind, nullable, default, comment in columns
    )
    required = {column.name for column in found if not column.nullable}
    primary = next((tuple(of) for kind, of, _ in constraints if kind == "PRIMARY KEY"), ())
    kept = _kept(constraints, indexes)
    keys = tuple(index.columns for index in kept if index.unique and required.issuperset(index.columns))
    others = tuple(index for index in kept if not (index.unique and index.columns in keys))
    return TableSchema(name, "duckdb", found, primary, keys, indexes=others)


_CONSTRAINTS = (
    "SELECT schema_name, table_name, constraint_type, constraint_column_names, constraint_name "
    "FROM duckdb_constraints() WHERE database_name = ? AND list_contains(?, schema_name) "
    "AND list_contains(?, table_name) ORDER BY constraint_index"
)
_INDEXES = (
    "SELECT schema_name, table_name, index_name, is_unique, expressions FROM duckdb_indexes() "
    "WHERE database_name = ? AND list_contains(?, schema_name) AND list_contains(?, table_name) ORDER BY index_name"
)


def read_indexes(engine: duckdb.DuckDBPyConnection, name: TableName) -> list[Index]:
    """Indexes over complete columns, unique constraints included, except the primary key's own."""
    constraints, indexes = _by_table(engine, [name], _CONSTRAINTS), _by_table(engine, [name], _INDEXES)
    return _kept(constraints.get(name, []), indexes.get(name, []))


def _kept(constraints: list[Any], indexes: list[Any]) -> list[Index]:
    unique = [Index(by, tuple(map(IndexPart, of)), unique=True) for kind, of, by in constraints if kind == "UNIQUE"]
    return [*unique, *(index for index in map(_index, indexes) if index is not None)]


def _index(row: Any) -> Index | None:
    """None: it is over expressions."""
    name, unique, expressions = row
    text, parts = str(expressions).strip().removeprefix("[").removesuffix("]"), []
    at = 0
    while at < len(text):
        match = _PART.match(text, at)
        if match is None:
            return None
        quoted = match[1] if match[1] is not None else match[2].strip()
        if _BARE.fullmatch(quoted) is None:
            return None
        parts.append(quoted[1:-1].replace('""', '"') if quoted.startswith('"') else quoted)
        at = match.end()
    return Index(name, tuple(map(IndexPart, parts)), bool(unique)) if parts else None


def unique_sets(schema: TableSchema) -> list[frozenset[str]]:
    """Columns of each unique key, the primary one's among them."""
    found = [schema.primary_key, *schema.unique_keys, *(index.columns for index in schema.indexes if index.unique)]
    return [frozenset(names) for names in found if names]


def key_collations(engine: duckdb.DuckDBPyConnection, name: TableName) -> dict[str, str]:
    """Collations by column, for columns that do not compare by bytes. Only the table's CREATE statement has them."""
    statement = _tables(engine, [name]).get(name, "")
    found = re.findall(r'("(?:[^"]|"")+"|\w+) VARCHAR COLLATE ([\w.]+)', statement)
    return {
        (column[1:-1].replace('""', '"') if column.startswith('"') else column): collation
        for column, collation in found
        if collation.lower() not in ("binary", "c", "posix")
    }


def _tables(engine: duckdb.DuckDBPyConnection, names: Sequence[TableName]) -> Mapping[TableName, str]:
    rows = _by_table(
        engine,
        names,
        "SELECT schema_name, table_name, sql FROM duckdb_tables() WHERE database_name = ? "
        "AND list_contains(?, schema_name) AND list_contains(?, table_name)",
    )
    return {name: found[0][0] for name, found in rows.items()}


def _by_table(
    engine: duckdb.DuckDBPyConnection, names: Sequence[TableName], sql: str
) -> dict[TableName, list[tuple[Any, ...]]]:
    requested = set(names)
    spaces, tables = sorted({name.schema for name in names}), sorted({name.table for name in names})
    found: dict[TableName, list[tuple[Any, ...]]] = {}
    for space, table, *rest in engine.execute(sql, [CATALOG, spaces, tables]).fetchall():
        if (name := TableName(space, table)) in requested:
            found.setdefault(name, []).append(tuple(rest))
    return found


def exists(engine: duckdb.DuckDBPyConnection, name: TableName) -> bool:
    """Whether the table exists."""
    return name in _tables(engine, [name])
