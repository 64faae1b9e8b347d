"""The role of a kind that is captured by watermark."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import pyarrow as pa

from zcbus.connectors.errors import TableRefused
from zcbus.model.schema import TableName, TableSchema


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
