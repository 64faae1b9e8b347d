"""Rows after a watermark; see polling.puller.Puller."""

import math
from collections.abc import Iterator, Sequence

import orjson
import pyarrow as pa

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.polling.puller import refused
from zcbus.connectors.sqlite.catalog import describe
from zcbus.connectors.sqlite.connection import connect, identifier, identifiers, translated
from zcbus.connectors.sqlite.rows import batch_of, parts_of
from zcbus.connectors.sqlite.spec import SQLiteOptions
from zcbus.kit.file_folder import confined
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import INTEGERS, Kind

_ORDERED = INTEGERS | {Kind.TIMESTAMP, Kind.TIMESTAMP_TZ, Kind.FLOAT64, Kind.TEXT, Kind.OTHER}
"""Types of columns that may be watermarks: values of days or coarser units stay equal for too long."""


class SQLitePuller:
    """Watermarks are values as SQLite stores and orders them, by their class first, as JSON."""

    def __init__(self, options: SQLiteOptions) -> None:
        self._options = options
        self._names = [name.strip() for name in options.watermark.split(",") if name.strip()]
        self._connection = connect(options, "source")

    def table_schemas(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = []
        with translated(self._options, "source"):
            for name in names:
                schema = describe(self._connection, name)
                if schema is None:
                    raise TableMissing(table=str(name), side="source")
                found.append(schema)
        return found

    def watermark(self, table: TableSchema) -> str:
        column = next((column for name in self._names for column in table.columns if column.name == name), None)
        if column is None:
            raise refused(table, "", "watermark-missing")
        if column.nullable:
            raise refused(table, column.name, "watermark-nullable")
        if column.type.kind not in _ORDERED:
            raise refused(table, column.name, "watermark-unordered")
        return column.name

    def newest(self, table: TableSchema, column: str, behind: int) -> str | None:
        name = identifier(column)
        sql = f"SELECT {name} FROM {identifier(table.name.table)} ORDER BY {name} COLLATE BINARY DESC LIMIT 1 OFFSET ?"
        with translated(self._options, "source", str(table.name)):
            found = self._connection.execute(sql, [behind]).fetchone()
        return None if found is None else _text(table, column, found[0])

    def pull(
        self, table: TableSchema, column: str, after: str | None, rows: int
    ) -> Iterator[tuple[pa.RecordBatch, str]]:
        mark, ties = f"{identifier(column)} COLLATE BINARY", _ties(table)
        place = table.names.index(column)
        behind, values = ("", []) if after is None else (f"WHERE {mark} > ?", [orjson.loads(after)])
        select = f"SELECT {identifiers(table.names)}, {', '.join(ties)} FROM {identifier(table.name.table)}"
        order = f"ORDER BY {', '.join([mark, *ties])} LIMIT {rows}"
        while found := self._page(table, f"{select} {behind} {order}", values, rows):
            last = found[-1]
            yield batch_of(table, [row[: len(table.names)] for row in found]), _text(table, column, last[place])
            behind = f"WHERE ({', '.join([mark, *ties])}) > ({', '.join('?' * (1 + len(ties)))})"
            values = [last[place], *last[len(table.names) :]]

    def _page(self, table: TableSchema, sql: str, values: list[object], rows: int) -> list[tuple[object, ...]]:
        """Read by a statement that ends before the rows are returned: an open one blocks writers of a file without a
        write-ahead log."""
        with translated(self._options, "source", str(table.name)):
            cursor = self._connection.execute(sql, values)
            try:
                return next(parts_of(cursor, rows), [])
            finally:
                cursor.close()

    def identity(self) -> str:
        return f"sqlite:{confined(self._options.tenant, self._options.file)}"

    def __enter__(self) -> "SQLitePuller":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()


def _ties(table: TableSchema) -> list[str]:
    """Order of rows with one watermark: a key, or the rowid."""
    key = table.key()
    if key:
        return [identifier(name) for name in key]
    taken = {name.lower() for name in table.names}
    return [next(name for name in ("rowid", "_rowid_", "oid") if name not in taken)]


def _text(table: TableSchema, column: str, value: object) -> str:
    if isinstance(value, bytes) or value in (None, math.inf, -math.inf):
        raise refused(table, column, "watermark-unordered")
    return orjson.dumps(value).decode()
