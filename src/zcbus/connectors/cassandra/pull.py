"""Rows after a watermark; see polling.puller.Puller.

The server finds no rows by their watermark. So each poll scans key and watermark of the whole table, and then reads
those rows by key that are beyond. A row without a watermark would never be found: it stops the table. `writetime` is no
watermark: neither a value that becomes null nor a row of nothing but a key has one.
"""

import heapq
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import islice

import pyarrow as pa

from zcbus.connectors.cassandra.connection import CassandraConnection
from zcbus.connectors.cassandra.rows import Rows
from zcbus.connectors.cassandra.types import declared
from zcbus.connectors.errors import TableMissing
from zcbus.connectors.polling.puller import refused
from zcbus.connectors.polling.sorting import Sorted
from zcbus.connectors.writing.order import key_of, texts
from zcbus.connectors.writing.session import batch_of, in_parts
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import INTEGERS, Kind

_ORDERED = INTEGERS | {Kind.DECIMAL, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ}
_SCANNED = 5000

Place = tuple[int | Decimal, tuple[str, ...]]
"""Of a row: its watermark, a moment in milliseconds, and its key."""


class CassandraPuller:
    """Watermarks are numbers; moments are in milliseconds since 1970."""

    def __init__(self, connection: CassandraConnection) -> None:
        self._connection, self._rows = connection, Rows(connection)
        self._names = [name.strip() for name in connection.options.watermark.split(",") if name.strip()]

    def table_schemas(self, names: Sequence[TableName]) -> list[TableSchema]:
        found = self._rows.tables(names)
        for name in names:
            if name not in found:
                raise TableMissing(table=str(name), side="source")
        return [found[name] for name in names]

    def watermark(self, table: TableSchema) -> str:
        column = next((column for name in self._names for column in table.columns if column.name == name), None)
        if column is None:
            raise refused(table, "", "watermark-missing")
        is_moment = column.type.kind in (Kind.TIMESTAMP, Kind.TIMESTAMP_TZ)
        if column.type.kind not in _ORDERED or (is_moment and declared(column.type) != "timestamp"):
            raise refused(table, column.name, "watermark-unordered")
        return column.name

    def newest(self, table: TableSchema, column: str, behind: int) -> str | None:
        greatest = heapq.nlargest(behind + 1, (mark for mark, _ in self._places(table, column, None)))
        return str(greatest[behind]) if len(greatest) > behind else None

    def pull(
        self, table: TableSchema, column: str, after: str | None, rows: int
    ) -> Iterator[tuple[pa.RecordBatch, str]]:
        columns = [table.column(name) for name in table.primary_key]
        with Sorted(self._places(table, column, after), _written, _read) as places:
            while part := list(islice(places, min(rows, _SCANNED))):
                keys = [key_of(columns, key) for _, key in part]
                read = self._rows.rows(table, keys)
                # A row that changed since it was scanned has a later watermark, and is found again by that.
                found = [(row, str(mark)) for row, (mark, _) in zip(read, part, strict=True) if row is not None]
                yield from in_parts(batch_of(table, [row for row, _ in found]), [mark for _, mark in found])

    def identity(self) -> str:
        ((cluster,),) = self._connection.rows("SELECT cluster_name FROM system.local")
        return f"cassandra:{cluster}/{self._connection.options.keyspace}"

    def __enter__(self) -> "CassandraPuller":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()

    def _places(self, table: TableSchema, column: str, after: str | None) -> Iterator[Place]:
        """Of the rows after a watermark, in any order. Raises TableRefused."""
        width = len(table.primary_key)
        beyond = None if after is None else Decimal(after)
        for page in self._rows.scan(table, (*table.primary_key, column), _SCANNED):
            for row in page:
                if row[width] is None:
                    raise refused(table, column, "watermark-nullable")
                mark = int.from_bytes(row[width], signed=True) if isinstance(row[width], bytes) else row[width]
                if beyond is None or mark > beyond:
                    yield mark, texts(self._rows.key_of(table, row))


def _written(place: Place) -> list[str]:
    mark, key = place
    return [str(mark), *key]


def _read(stored: list[str]) -> Place:
    mark, *key = stored
    return Decimal(mark), tuple(key)
