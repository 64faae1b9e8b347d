"""Reading rows as they are now, with nothing but the right to read: what comparisons need of either side."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.raw_rows import RawRows
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import INTEGERS, Kind

_BY_VALUE = frozenset(
    {
        Kind.BOOLEAN,
        *INTEGERS,
        Kind.DECIMAL,
        Kind.FLOAT32,
        Kind.FLOAT64,
        Kind.BINARY,
        Kind.DATE,
        Kind.TIME,
        Kind.TIMESTAMP,
        Kind.TIMESTAMP_TZ,
        Kind.DURATION,
        Kind.YEAR,
        Kind.BIT,
    }
)


def ordered_by_value(column: Column) -> bool:
    """Whether the shared order of a column is that of its values, which every database has; else it is that of the
    bytes of its text in UTF-8."""
    return column.type.kind in _BY_VALUE


class TableReader(Protocol):
    """Rows of a database over an ordinary connection, in the order of a key that all databases share (see
    `ordered_by_value`). Each call sees the rows committed when it began. Context manager; errors as of Source."""

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        rows: int,
        until: tuple[str, ...] | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        """As SnapshotReader.read, in the shared order."""

    def raw_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> RawRows | None:
        """As SnapshotReader.raw_rows; `beside` belongs to images only."""

    def __enter__(self) -> "TableReader": ...
    def __exit__(self, *details: object) -> None: ...
