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
        """Rows in key order after `after` up to `until`, as a stream.

        `after`: canonical key text as returned earlier; None: from the start. `until`: the same; None: to the end.
        Batches have at most `rows` rows and about 8 MiB, each with the canonical key text of its last row. Memory does
        not grow with the table. `where`: rows that do not satisfy it may be left out. Without a `key` rows come in any
        order, and `after` and `until` do not apply.
        """

    def __enter__(self) -> "SnapshotReader": ...
    def __exit__(self, *details: object) -> None: ...


@runtime_checkable
class RawSnapshot(Protocol):
    """Optional role of a SnapshotReader: rows as the source itself hands them on, over several connections."""

    def raw_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> RawRows | None:
        """These columns of a table in the source's own form; None: not in a form that any target accepts."""

    def text_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> RawRows | None:
        """As raw_rows, in the form LINES, which databases of other kinds may accept; None: not for these columns."""


@runtime_checkable
class PackedSnapshot(Protocol):
    """Optional role of a SnapshotReader: rows over the image's one connection, for others to decode."""

    def packed_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> PackedRows | None:
        """These columns of a table for a reader with minimal work, so that other threads process its data; None: not
        available for these columns."""
