"""Changes and rows as they travel through the bus: column batches, never one object per value."""

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zcbus.model.arrow import ArrowArray
from zcbus.model.origin import Origin
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema


class Operation(IntEnum):
    """What happened to a row, or to the whole table."""

    INSERT = 0
    UPDATE = 1
    DELETE = 2
    TRUNCATE = 3


@dataclass(frozen=True, slots=True)
class Transactions:
    """The transactions that a frame's changes belong to, in commit order. All three of one length, at least 1."""

    files: ArrowArray
    offsets: ArrowArray
    """With `files`: the transactions' positions (see Position). A transaction that is not complete in this frame
    already has its true position where the log tells it beforehand (PostgreSQL), else 0/0."""
    commit_times: ArrowArray
    """Milliseconds since 1970-01-01 UTC by the source's clock."""

    def __len__(self) -> int:
        return len(self.commit_times)

    def position(self, place: int) -> Position:
        """Of one transaction."""
        return Position(self.files[place].as_py(), self.offsets[place].as_py())

    def positions(self) -> list[Position]:
        """Of all transactions."""
        return list(map(Position, self._numbers(self.files).tolist(), self._numbers(self.offsets).tolist()))

    def behind(self, position: Position) -> npt.NDArray[np.bool_]:
        """Which transactions stand behind a position."""
        files, offsets = self._numbers(self.files), self._numbers(self.offsets)
        newer: npt.NDArray[np.bool_] = (files > position.file) | (
            (files == position.file) & (offsets > position.offset)
        )
        return newer

    @staticmethod
    def _numbers(values: ArrowArray) -> npt.NDArray[np.int64]:
        return np.asarray(values).astype(np.int64)


@dataclass(frozen=True, slots=True)
class TableChanges:
    """Changes of one table within a frame, in log order. All arrays have the same length n.

    Columns of `rows` and `keys_before` are pa.string(), or pa.binary() for Kind.BINARY, in the canonical forms of
    zcbus.model.types, named as in the schema.
    """

    schema: TableSchema
    key: tuple[str, ...]
    """The columns that identify a row for this publication; (): none do, the table is published append-only."""
    operations: ArrowArray
    """Values of Operation."""
    transactions: ArrowArray
    """Index into the frame's transactions."""
    order: ArrowArray
    """Place within the frame over all its tables, strictly increasing."""
    rows: pa.RecordBatch
    """All columns of the schema, the image after the change. INSERT, UPDATE: complete but for `unchanged`.
    DELETE, TRUNCATE: all null."""
    keys_before: pa.RecordBatch
    """The columns of `key` before the change. UPDATE, DELETE: always set (for an update that keeps its key the same
    values as in `rows`). INSERT, TRUNCATE: null. Without a key: all columns, as far as the source's log has them."""
    unchanged: dict[str, ArrowArray] = field(default_factory=dict)
    """Per column that has any: true where the source did not send the value because the update did not touch it
    (PostgreSQL's out-of-line values); the value in `rows` is null there and must not be written."""
    origin: Origin = ()
    """Places that the changes came through before they were written into this table; (): they were made here."""


@dataclass(frozen=True, slots=True)
class ChangeFrame:
    """A stretch of a source's log on a real topic.

    A frame either ends where a transaction ends (`complete`), or lies wholly inside one transaction, has just that
    one in `transactions`, and the transaction goes on in the next frame.
    """

    transactions: Transactions
    complete: bool
    tables: tuple[TableChanges, ...]
    """A table may be there several times, in log order: where its structure or the changes' origin differs, or where
    there are many changes."""
    source: str = ""
    """Identity of the captured database; empty: not known (yet)."""
    executed: str = ""
    """All transactions up to the frame's end as every server of the source's replication knows them (MySQL: GTID set;
    MariaDB: GTID position); without the one that goes on in the next frame. Empty: not known, or positions are the same
    on all servers."""

    @property
    def last_position(self) -> Position:
        """Position of the last transaction."""
        return self.transactions.position(len(self.transactions) - 1)

    @property
    def last_commit_time(self) -> int:
        """When the last transaction was committed, in milliseconds since 1970-01-01 UTC by the source's clock."""
        times = self.transactions.commit_times
        milliseconds: int = times[len(times) - 1].as_py()
        return milliseconds


@dataclass(frozen=True, slots=True)
class RollbackFrame:
    """On a real topic: what came of the transaction that is open is to be thrown away; it will be sent again whole,
    unless it never ended. Written when a capture that stopped inside a transaction goes on.

    On a full topic: the same of all rows so far. Written when a snapshot of a table without a key, which has no order
    to go on in, begins anew.
    """


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of the source's log of which a table's changes are not all on the real topic."""

    table: TableName
    since: Position | None
    """The topic has the changes up to here; None: that is not known."""
    until: Position
    """Behind here it has all of them again; between the two it may have some."""


@dataclass(frozen=True, slots=True)
class CaptureResumed:
    """On a real topic: tables that were not captured for a while are captured again from here on. What they changed
    meanwhile is nowhere: whoever has applied them up to here must not go on."""

    tables: tuple[tuple[TableName, int], ...]
    """With the number of the newest snapshot that was wanted of each before; those with a higher one lack nothing."""
    gaps: tuple[Gap, ...] = ()
    """What is missing of each table that was captured before, for those who know tables by their names only."""


@dataclass(frozen=True, slots=True)
class HeartbeatFrame:
    """On a real topic: the source's log was read up to `position`, and nothing of the publication was in it."""

    position: Position
    time: int
    """Milliseconds since 1970-01-01 UTC by the clock of the capturing host."""
    answered_ms: int | None = field(default=None, compare=False)
    """How long the source took to answer a question beside its log, or in it; None: it was not asked. Not on the
    topic."""
    executed: str = ""
    """As in ChangeFrame, up to `position`."""


@dataclass(frozen=True, slots=True)
class SnapshotOffer:
    """On a full topic, first: rows follow only if somebody comes who needs them here. The only reader takes them from
    the source itself; changes that are committed after this record was written are on the real topic."""

    schema: TableSchema
    source: str
    """As in ChangeFrame."""


@dataclass(frozen=True, slots=True)
class SnapshotRows:
    """On a full topic: rows of a chunk, in key order; chunks follow each other in key order."""

    schema: TableSchema
    rows: pa.RecordBatch
    """Columns as in TableChanges.rows."""
    position: Position
    """The rows are the table's content exactly at this position of the log."""
    last_key: tuple[str, ...]
    """Canonical text of the last row's key; what a resumed snapshot starts behind. BINARY keys in hexadecimal. Empty
    where the table has no key."""
    estimated_rows: int | None
    """Of the whole table; None: unknown."""
    source: str = ""
    """As in ChangeFrame."""


@dataclass(frozen=True, slots=True)
class SnapshotEnd:
    """On a full topic: the snapshot is complete.

    Equal positions: one consistent image. Otherwise the snapshot was resumed in between, and the target is consistent
    once the real topic has been applied from `first` (exclusive) to `last`.
    """

    schema: TableSchema
    first: Position
    last: Position
    rows: int
    source: str = ""
    """As in ChangeFrame."""


Streamed = ChangeFrame | HeartbeatFrame | RollbackFrame
"""What a source's change stream gives."""

Frame = ChangeFrame | RollbackFrame | HeartbeatFrame | CaptureResumed | SnapshotOffer | SnapshotRows | SnapshotEnd
