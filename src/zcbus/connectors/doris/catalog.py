"""Databases, tables and columns. Keys are those of the models that have one row for each (unique, primary)."""

from collections import defaultdict
from collections.abc import Sequence

from zcbus.connectors.doris.connection import DorisConnection
from zcbus.connectors.doris.types import data_type
from zcbus.connectors.errors import TableMissing
from zcbus.connectors.jdbc.quote import table
from zcbus.model.schema import Column, TableName, TableSchema, TableSummary

_TABLES = "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_ROWS, TABLE_COMMENT FROM information_schema.tables"
_KEYS = "SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_KEY, ORDINAL_POSITION FROM information_schema.columns"


class DorisDiscoverer:
    """See roles.Discoverer."""

    def __init__(self, connection: DorisConnection) -> None:
        self._connection = connection

    def schemas(self) -> list[str]:
        hidden = self._connection.dialect.system_schemas
        return sorted(str(name) for (name, *_) in self._connection.rows("SHOW DATABASES") if name not in hidden)

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        chosen, values = (" AND TABLE_SCHEMA = ?", [schema]) if schema else ("", [])
        found = self._connection.rows(f"{_TABLES} WHERE TABLE_TYPE = 'BASE TABLE'{chosen}", values)
        keys = _keys(self._connection, chosen, values)
        hidden = self._connection.dialect.system_schemas
        names = {TableName(str(row[0]), str(row[1])): row for row in found if row[0] not in hidden}
        return [
            TableSummary(name, _number(row[2]), None, bool(keys[name]), bool(keys[name]), str(row[3] or ""))
            for name, row in sorted(names.items())
        ]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = [(name, describe(self._connection, name)) for name in names]
        for name, schema in found:
            if schema is None:
                raise TableMissing(table=str(name), side=self._connection.side)
        return [schema for _, schema in found if schema is not None]

    def __enter__(self) -> "DorisDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()


def describe(connection: DorisConnection, name: TableName) -> TableSchema | None:
    """A table's schema; None: the table does not exist."""
    values = [name.schema, name.table]
    if not connection.rows(f"{_TABLES} WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", values):
        return None
    # The views of the standard say of every column that it has values, and of some types nothing.
    found = connection.rows(f"DESC {table(name, connection.dialect.quote)}", of=str(name))
    key = _keys(connection, " AND TABLE_SCHEMA = ? AND TABLE_NAME = ?", values)[name]
    columns = tuple(
        Column(str(row[0]), data_type(str(row[1])), str(row[2]).upper() == "YES" and row[0] not in key) for row in found
    )
    return TableSchema(name, connection.dialect.kind, columns, key)


def _keys(connection: DorisConnection, chosen: str, values: Sequence[str]) -> dict[TableName, tuple[str, ...]]:
    found = connection.rows(f"{_KEYS} WHERE COLUMN_KEY IN ('PRI', 'UNI'){chosen}", values)
    keys: dict[TableName, tuple[str, ...]] = defaultdict(tuple)
    for schema, name, column, _, _ in sorted(found, key=lambda row: _number(row[4]) or 0):
        keys[TableName(str(schema), str(name))] += (str(column),)
    return keys


def _number(text: object) -> int | None:
    return None if text is None else int(str(text))
