"""Schemas, tables and columns of a database, from its INFORMATION_SCHEMA. Declared keys are not enforced there."""

from collections import defaultdict
from collections.abc import Sequence

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.jdbc.quote import identifier, table
from zcbus.connectors.snowflake.connection import SnowflakeConnection
from zcbus.connectors.snowflake.types import data_type
from zcbus.model.schema import Column, TableName, TableSchema, TableSummary

_TABLES = "SELECT TABLE_SCHEMA, TABLE_NAME, ROW_COUNT, BYTES, COMMENT FROM INFORMATION_SCHEMA.TABLES"
_COLUMNS = (
    "SELECT COLUMN_NAME, DATA_TYPE, IS_NULLABLE, CHARACTER_MAXIMUM_LENGTH, NUMERIC_PRECISION, NUMERIC_SCALE, "
    "DATETIME_PRECISION FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? "
    "ORDER BY ORDINAL_POSITION"
)
Keys = dict[TableName, tuple[str, ...]]


class SnowflakeDiscoverer:
    """See roles.Discoverer."""

    def __init__(self, connection: SnowflakeConnection) -> None:
        self._connection = connection

    def schemas(self) -> list[str]:
        hidden = self._connection.dialect.system_schemas
        found = self._connection.rows("SELECT SCHEMA_NAME FROM INFORMATION_SCHEMA.SCHEMATA")
        return sorted({str(name) for (name,) in found} - hidden)

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        chosen, values = (" AND TABLE_SCHEMA = ?", [schema]) if schema else ("", [])
        found = self._connection.rows(f"{_TABLES} WHERE TABLE_TYPE = 'BASE TABLE'{chosen}", values)
        keys = _keys(self._connection, f"IN DATABASE {identifier(self._connection.options.database)}")
        names = {TableName(str(row[0]), str(row[1])): row for row in found}
        return [
            TableSummary(name, _number(row[2]), _number(row[3]), bool(keys[name]), False, str(row[4] or ""))
            for name, row in sorted(names.items())
        ]

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = [(name, describe(self._connection, name)) for name in names]
        for name, schema in found:
            if schema is None:
                raise TableMissing(table=str(name), side=self._connection.side)
        return [schema for _, schema in found if schema is not None]

    def __enter__(self) -> "SnowflakeDiscoverer":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()


def describe(connection: SnowflakeConnection, name: TableName) -> TableSchema | None:
    """A table's schema; None: the table does not exist."""
    found = connection.rows(_COLUMNS, [name.schema, name.table], of=str(name))
    if not found:
        return None
    key = _keys(connection, f"IN TABLE {table(name)}", str(name))[name]
    columns = tuple(
        Column(str(row[0]), data_type(str(row[1]), *map(_number, row[3:])), row[2] == "YES" and row[0] not in key)
        for row in found
    )
    return TableSchema(name, connection.dialect.kind, columns, key)


def _keys(connection: SnowflakeConnection, where: str, of: str = "") -> Keys:
    keys: Keys = defaultdict(tuple)
    found = connection.named(f"SHOW PRIMARY KEYS {where}", of)
    for row in sorted(found, key=lambda row: _number(row["key_sequence"]) or 0):
        keys[TableName(str(row["schema_name"]), str(row["table_name"]))] += (str(row["column_name"]),)
    return keys


def _number(text: object) -> int | None:
    return None if text is None else int(str(text))
