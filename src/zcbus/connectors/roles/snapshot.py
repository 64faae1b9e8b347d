"""An image of a source's tables, and the quicker ways through which some kinds hand its rows on."""

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.raw_rows import PackedRows, RawRows
from zcbus.model.position import Position
from zcbus.model.schema import TableSchema


class SnapshotReader(Protocol):
    """A consistent image of a source at one position of its log, without locks on its tables. Context manager."""

    @property
    def position(self) -> Position:
        """The image contains exactly the transactions up to here (see Position)."""

    def estimate(self, table: TableSchema) -> int | None:
        """Estimated number of rows from statistics."""

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        rows: int,
        until: tuple[str, ...] | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        """Rows in key order behind `after` (canonical key text as given back earlier; None: from the start) up to
        `until` (the same; None: to the end), in batches of at most `rows` rows and about 8 MiB, each with the canonical
        key text of its last row. Streams: memory does not grow with the table. `where`: rows that do not fulfil it need
        not come. Without a `key` rows come in any order, and there is no `after` or `until`."""

    def __enter__(self) -> "SnapshotReader": ...
    def __exit__(self, *details: object) -> None: ...


@runtime_checkable
class RawSnapshot(Protocol):
    """Optional role of a SnapshotReader: rows as the source itself hands them on, over several connections."""

    def raw_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> RawRows | None:
        """These columns of a table as the source itself hands rows on; None: not in a form that any target takes."""

    def text_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> RawRows | None:
        """As raw_rows, in the form LINES, which databases of other kinds may take; None: not for these columns."""


@runtime_checkable
class PackedSnapshot(Protocol):
    """Optional role of a SnapshotReader: rows over the image's one connection, for others to decode."""

    def packed_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> PackedRows | None:
        """These columns of a table for one reader that does next to nothing, so that others do the work with what it
        read; None: not for these columns."""
