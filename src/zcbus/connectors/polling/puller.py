"""What a kind gives to be captured by watermark."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import pyarrow as pa

from zcbus.connectors.errors import TableRefused
from zcbus.model.schema import TableName, TableSchema


class Puller(Protocol):
    """Reads tables in the order of their watermark, over one connection. Context manager. Raises SourceUnavailable."""

    def structures(self, names: Sequence[TableName]) -> list[TableSchema]:
        """Tables as they are now, in the order asked. Raises TableMissing."""

    def watermark(self, table: TableSchema) -> str:
        """The column whose value grows with each change of a row; empty: the table is read whole in each round. Raises
        TableRefused where there is neither."""

    def newest(self, table: TableSchema, column: str, behind: int) -> str | None:
        """The watermark of the row that has `behind` rows with a later one, in the puller's own words; None: there are
        not so many rows."""

    def pull(
        self, table: TableSchema, column: str, after: str | None, rows: int
    ) -> Iterator[tuple[pa.RecordBatch, str]]:
        """Rows with a watermark behind `after` (None: all), by watermark, in batches of at most `rows` rows and about
        8 MiB, each with the watermark of its last row. Each batch sees what was committed when it was asked for. Memory
        does not grow with the table, and nothing is kept locked between batches."""

    def identity(self) -> str:
        """As Source.identity."""

    def __enter__(self) -> "Puller": ...
    def __exit__(self, *details: object) -> None: ...


OpenPuller = Callable[[], Puller]


def refused(table: TableSchema, column: str, reason: str) -> TableRefused:
    """Reasons: watermark-missing, watermark-nullable, watermark-unordered, watermark-needs-key,
    watermark-too-many-rows."""
    return TableRefused(table=str(table.name), column=column, reason=reason)
