"""The role of a kind that is captured by watermark."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import pyarrow as pa

from zcbus.connectors.errors import TableRefused
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import INTEGERS, Kind

_ORDERED = INTEGERS | {Kind.DECIMAL, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ}
"""Types of columns that may be watermarks: values of days or coarser units stay equal for too long."""


class Puller(Protocol):
    """Reads tables in the order of their watermark, over one connection. Context manager. Raises SourceUnavailable."""

    def table_schemas(self, names: Sequence[TableName]) -> list[TableSchema]:
        """Current schemas of tables, in the requested order. Raises TableMissing."""

    def watermark(self, table: TableSchema) -> str:
        """The column whose value grows with each change of a row; empty: each round reads the complete table. Raises
        TableRefused if neither is possible."""

    def newest(self, table: TableSchema, column: str, behind: int) -> str | None:
        """The watermark of the row that has `behind` rows with a later one, in the puller's own notation; None: there
        are fewer rows."""

    def pull(
        self, table: TableSchema, column: str, after: str | None, rows: int
    ) -> Iterator[tuple[pa.RecordBatch, str]]:
        """Rows with a watermark after `after` (None: all), by watermark.

        Batches have at most `rows` rows and about 8 MiB, each with the watermark of its last row. Each batch sees the
        data committed at its query. Memory does not grow with the table, and no lock is held between batches.
        """

    def identity(self) -> str:
        """As Source.identity."""

    def __enter__(self) -> "Puller": ...
    def __exit__(self, *details: object) -> None: ...


OpenPuller = Callable[[], Puller]


def refused(table: TableSchema, column: str, reason: str) -> TableRefused:
    """Reasons: watermark-missing, watermark-nullable, watermark-unordered, watermark-needs-key,
    watermark-too-many-rows."""
    return TableRefused(table=str(table.name), column=column, reason=reason)


def ordered_watermark(table: TableSchema, names: str) -> str:
    """See Puller.watermark, of a database whose columns have types. `names`: those that may be it, divided by commas,
    in any case."""
    wanted = [name.strip().lower() for name in names.split(",") if name.strip()]
    named = (column for name in wanted for column in table.columns if column.name.lower() == name)
    column = next(named, None)
    if column is None:
        raise refused(table, "", "watermark-missing")
    if column.nullable:
        raise refused(table, column.name, "watermark-nullable")
    if column.type.kind not in _ORDERED:
        raise refused(table, column.name, "watermark-unordered")
    if not table.key():
        raise refused(table, "", "watermark-needs-key")
    return column.name
