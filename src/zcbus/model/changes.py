"""Changes and rows on the bus: column batches, never one object per value."""

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
    """Operation on a row, or on the whole table."""

    INSERT = 0
    UPDATE = 1
    DELETE = 2
    TRUNCATE = 3


@dataclass(frozen=True, slots=True)
class Transactions:
    """Transactions of a frame's changes, in commit order. All three arrays have one length, at least 1."""

    files: ArrowArray
    offsets: ArrowArray
    """With `files`: the transactions' positions (see Position).

    A transaction that is incomplete in this frame already has its true position if the log announces it (PostgreSQL),
    else 0/0.
    """
    commit_times: ArrowArray
    """Milliseconds since 1970-01-01 UTC by the source's clock."""

    def __len__(self) -> int:
        return len(self.commit_times)

    def position(self, index: int) -> Position:
        """The position of one transaction."""
        return Position(self.files[index].as_py(), self.offsets[index].as_py())

    def positions(self) -> list[Position]:
        """Positions of all transactions."""
        return list(map(Position, self._numbers(self.files).tolist(), self._numbers(self.offsets).tolist()))

    def behind(self, position: Position) -> npt.NDArray[np.bool_]:
        """Mask of the transactions behind a position."""
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
    """Columns that identify a row for this publication; (): none, the table is published append-only."""
    operations: ArrowArray
    """Values of Operation."""
    transactions: ArrowArray
    """Index into the frame's transactions."""
    order: ArrowArray
    """Order within the frame over all its tables, strictly increasing."""
    rows: pa.RecordBatch
    """All columns of the schema, after the change.

    INSERT, UPDATE: complete except `unchanged`. DELETE, TRUNCATE: all null.
    """
    keys_before: pa.RecordBatch
    """The columns of `key` before the change.

    UPDATE, DELETE: always set (for an update that keeps its key the same values as in `rows`). INSERT, TRUNCATE:
    null. Without a key: all columns that the source's log contains.
    """
    unchanged: dict[str, ArrowArray] = field(default_factory=dict)
    """Column → mask of values that the source did not send, because the update did not change them.

    PostgreSQL does so with out-of-line values. The value in `rows` is null there and must not be written.
    """
    origin: Origin = ()
    """Tables that the changes came through before they were written into this one; (): made here."""


@dataclass(frozen=True, slots=True)
class ChangeFrame:
    """A segment of a source's log on a real topic.

    A frame either ends at the end of a transaction (`complete`), or is inside one transaction. Then it contains just
    that one in `transactions`, and the transaction continues in the next frame.
    """

    transactions: Transactions
    complete: bool
    tables: tuple[TableChanges, ...]
    """Changes by table, in log order.

    A table occurs several times if its schema or the changes' origin differs, or if there are many changes.
    """
    source: str = ""
    """Identity of the captured database; empty: unknown."""
    gtid_set: str = ""
    """All transactions up to the frame's end, in the notation of all servers of the source's replication.

    MySQL: GTID set; MariaDB: GTID position; partitioned logs: their offsets. A transaction that continues in the next
    frame is not included. Empty: unknown, or positions are equal on all servers.
    """

    @property
    def last_position(self) -> Position:
        """Position of the last transaction."""
        return self.transactions.position(len(self.transactions) - 1)

    @property
    def last_commit_time(self) -> int:
        """Commit time of the last transaction, in milliseconds since 1970-01-01 UTC by the source's clock."""
        times = self.transactions.commit_times
        milliseconds: int = times[len(times) - 1].as_py()
        return milliseconds


@dataclass(frozen=True, slots=True)
class RollbackFrame:
    """Discards the open part of a topic.

    On a real topic: the changes of the open transaction. It is sent again completely, unless it was aborted. Written
    by a capture that resumes after it stopped inside a transaction.

    On a full topic: all rows so far. Written when the snapshot of a table without a key, which has no order to resume
    in, restarts.
    """


@dataclass(frozen=True, slots=True)
class Gap:
    """A segment of the source's log of which a table's changes are not all on the real topic."""

    table: TableName
    since: Position | None
    """The topic has the changes up to this position; None: unknown."""
    until: Position
    """The topic has all changes behind this position; between the two it may have some."""


@dataclass(frozen=True, slots=True)
class CaptureResumed:
    """On a real topic: the capture of tables resumes here after a gap.

    Their changes in the gap are lost: a reader that has applied them up to here must stop.
    """

    tables: tuple[tuple[TableName, int], ...]
    """Table → number of its newest desired snapshot before the gap.

    Snapshots with a higher number are complete.
    """
    gaps: tuple[Gap, ...] = ()
    """Gap of each table captured before, for readers that know tables by name only."""


@dataclass(frozen=True, slots=True)
class HeartbeatFrame:
    """On a real topic: the source's log was read up to `position` and has no changes of the publication."""

    position: Position
    time: int
    """Milliseconds since 1970-01-01 UTC by the clock of the capturing host."""
    answered_ms: int | None = field(default=None, compare=False)
    """Response time of the source, outside its log or in it; None: not measured. Not on the topic."""
    gtid_set: str = ""
    """As in ChangeFrame, up to `position`."""


@dataclass(frozen=True, slots=True)
class SnapshotOffer:
    """On a full topic, first: the rows are offered instead of written.

    The only reader takes them from the source. Rows follow if a reader needs them here. Changes committed after this
    record was written are on the real topic.
    """

    schema: TableSchema
    source: str
    """As in ChangeFrame."""


@dataclass(frozen=True, slots=True)
class SnapshotRows:
    """On a full topic: rows of a chunk in key order. Chunks are in key order too."""

    schema: TableSchema
    rows: pa.RecordBatch
    """Columns as in TableChanges.rows."""
    position: Position
    """The log position of the rows: exactly the table's content there."""
    last_key: tuple[str, ...]
    """Canonical text of the last row's key, behind which a resumed snapshot starts.

    BINARY keys are hexadecimal. Empty if the table has no key.
    """
    estimated_rows: int | None
    """Estimated rows of the whole table; None: unknown."""
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


@dataclass(frozen=True, slots=True)
class TableTotal:
    """How many changes of a table a real topic has got, of complete transactions."""

    name: TableName
    before: int
    """At the previous totals."""
    total: int


@dataclass(frozen=True, slots=True)
class ControlTotals:
    """On a real topic, never inside a transaction: how many changes there are before this record.

    Readers compare them with what they have counted.
    """

    epoch: int
    """Names the count, which grows as long as this stays the same."""
    began: int
    """Offset of the first record that is counted in this epoch."""
    previous: int
    """Offset of the previous totals of this epoch; `began` where there are none."""
    tables: tuple[TableTotal, ...]
    """At least the tables with changes since the previous totals."""
    complete: bool = False
    """Whether these are all tables that the topic ever had changes of in this epoch."""


Streamed = ChangeFrame | HeartbeatFrame | RollbackFrame
"""Frames of a source's change stream."""

Frame = (
    ChangeFrame
    | RollbackFrame
    | HeartbeatFrame
    | CaptureResumed
    | ControlTotals
    | SnapshotOffer
    | SnapshotRows
    | SnapshotEnd
)
