"""Reading current rows with read rights only: what comparisons need of either side."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import pyarrow as pa

from zcbus.connectors.conditions import Condition
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


Key = tuple[str, ...]
"""Canonical texts of a row's key, bytes in hexadecimal; see SnapshotReader."""

ROW_BYTES = "\0row"
"""Name of a column that no database has: a row's bytes; see FullRowReader.read_full_rows."""


def ordered_by_value(column: Column) -> bool:
    """Whether the shared order of a column is that of its values, which every database has; else it is that of the
    bytes of its text in UTF-8."""
    return column.type.kind in _BY_VALUE


@dataclass(frozen=True, slots=True)
class Extent:
    """Of a table by the first column of its key."""

    low: int
    high: int
    rows: int
    """By the server's statistics."""


@dataclass(frozen=True, slots=True)
class Sum:
    """Checksum of the rows of a key range."""

    rows: int
    sum: str
    """The same where the rows are; other rows have the same with a probability of 2^-64."""


class KeySums(Protocol):
    """Checksums over ranges of a table whose key begins with an integer, as of the time of the call.

    Equal sums mean equal values, whatever their spelling. Belongs to a TableReader that has no other call in progress.
    """

    @property
    def form(self) -> str:
        """Sums of one form can be compared."""

    def extent(self) -> Extent | None:
        """None: the table is empty."""

    def read(self, low: int | None, high: int | None, base: int, step: int, last: int) -> dict[int, Sum]:
        """Sums by number n: of the rows whose key is in [base + n steps, base + (n + 1) steps).

        Number 0 also has all earlier rows, `last` all later ones. `low` and `high`, both inclusive, limit the keys if
        given. Numbers without rows are left out. Blocks until the server has them.
        """


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

    def border(self, table: TableSchema, key: tuple[str, ...], after: tuple[str, ...] | None, rows: int) -> Key | None:
        """The key of the row that is `rows` rows after `after` (see `read`); None: there are fewer."""

    def estimate(self, table: TableSchema) -> int | None:
        """As SnapshotReader.estimate."""

    def count(self, table: TableSchema) -> int:
        """The current number of rows. Blocks until they are counted."""

    def interrupt(self) -> None:
        """Make the server end its work for this reader, which is unusable afterwards: the waiting call raises.

        Thread-safe. Never raises itself; may take as long as liveness.PROBE_SECONDS.
        """

    def __enter__(self) -> "TableReader": ...
    def __exit__(self, *details: object) -> None: ...


@runtime_checkable
class FullRowReader(Protocol):
    """Optional role of a TableReader: rows as bytes that can be compared without being looked into."""

    def full_row_form(self, table: TableSchema) -> str:
        """The form of the rows of `read_full_rows`. If it is equal on two sides, rows of equal bytes are equal. Empty:
        rows cannot be read in this way."""

    def read_full_rows(self, table: TableSchema, key: tuple[str, ...], rows: int) -> Iterator[pa.RecordBatch]:
        """All rows in the order of `read`, as the key columns and each row's bytes in the column ROW_BYTES (binary):
        for tests of equality without the values."""


@runtime_checkable
class SummingReader(Protocol):
    """Optional role of a TableReader: the server sums up ranges of rows."""

    def key_sums(self, table: TableSchema, key: tuple[str, ...]) -> KeySums | None:
        """Sums over this table; None: the server or the table's types don't allow them."""


def full_row_form(reader: TableReader, table: TableSchema) -> str:
    """See FullRowReader; empty without the role."""
    return reader.full_row_form(table) if isinstance(reader, FullRowReader) else ""


def read_full_rows(
    reader: TableReader, table: TableSchema, key: tuple[str, ...], rows: int
) -> Iterator[pa.RecordBatch]:
    """See FullRowReader; only where `full_row_form` is not empty."""
    assert isinstance(reader, FullRowReader)
    return reader.read_full_rows(table, key, rows)


def key_sums(reader: TableReader, table: TableSchema, key: tuple[str, ...]) -> KeySums | None:
    """See SummingReader; None without the role."""
    return reader.key_sums(table, key) if isinstance(reader, SummingReader) else None
