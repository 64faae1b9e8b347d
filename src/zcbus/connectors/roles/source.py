"""Roles of a source: changes in the order of its log, and snapshots of its tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.roles.snapshot import SnapshotReader
from zcbus.model.changes import Streamed
from zcbus.model.position import Position
from zcbus.model.schema import TableName, TableSchema


@dataclass(frozen=True, slots=True)
class CapturedTable:
    """A table whose changes are captured."""

    name: TableName
    key: tuple[str, ...]
    """Columns that identify a row. Empty: none do, and updates and deletes carry the complete row before them."""


class SchemaHistory(Protocol):
    """A source's storage for facts about the captured log, such as schemas by position: one document in its own
    format."""

    def read(self) -> bytes:
        """The last written document; empty: none."""

    def write(self, data: bytes) -> None:
        """Durable when it returns. Raises TransientError where that is not possible now."""


class ChangeStream(Protocol):
    """Changes of a source in commit order. Context manager."""

    def read(self, timeout: float) -> Sequence[Streamed]:
        """The next frames, waiting up to `timeout` seconds for the first; [] after a time-out.

        Frames follow the rules of ChangeFrame; a RollbackFrame ends a transaction that was returned in part and that
        the source did not complete. A frame holds what was received together, so low load gives low delay and high load
        gives large batches. No frame is larger than about 8 MiB: a larger transaction comes in several, memory stays
        bounded.

        An idle source returns a HeartbeatFrame about once a second with the position reached. Raises SourceUnavailable,
        LogPositionLost, TableRefused (an undecodable change).
        """

    def acknowledge(self, position: Position) -> None:
        """Report that everything up to `position` is durable on the bus: the source may remove it. Never goes back;
        cheap."""

    def __enter__(self) -> "ChangeStream": ...
    def __exit__(self, *details: object) -> None: ...


class SnapshotSource(Protocol):
    """Creates snapshots of its tables."""

    def open_snapshot(self) -> SnapshotReader:
        """A new consistent image, now. Raises SourceUnavailable where another server answers than the log's."""

    def estimate(self, table: TableSchema) -> int | None:
        """As SnapshotReader.estimate, without an image."""

    def identity(self) -> str:
        """Identifies this database: the same for all readers and writers, and after a restart. Places (model.origin)
        are named by it."""


class ChangeSource(Protocol):
    """Delivers changes in the order of a log. Only the source interprets a position: it orders, prints and resumes."""

    def prepare(self, node: str, tables: Sequence[CapturedTable], after: Position | None = None) -> Position:
        """Prepare the source to deliver the changes of exactly these tables under the name `node`.

        PostgreSQL: publication and replication slot; MySQL: checks only. Idempotent; called at each start and whenever
        the set of tables changes. A new slot starts at the returned position, otherwise the current one is returned.
        Raises SourceNotReady, AccessDenied, TableRefused (with the correction) before anything is changed.

        `after`: position of an earlier capture. Then a slot is never created again: raises LogPositionLost.
        """

    def refusals(
        self, tables: Sequence[CapturedTable], schemas: Sequence[TableSchema]
    ) -> Sequence[TableMissing | TableRefused]:
        """The errors that `prepare` for a new node would raise for these tables, for each refused one.

        `schemas`: their schemas, in the same order, from a Discoverer. Changes nothing.
        """

    def open_changes(
        self,
        node: str,
        tables: Sequence[CapturedTable],
        after: Position | None,
        history: SchemaHistory | None = None,
        gtid_set: str = "",
    ) -> ChangeStream:
        """Changes with a position > `after` (None: from the start position of `prepare`).

        Raises LogPositionLost if the source cannot deliver them all: its log no longer reaches so far back, or ends
        before `after` (another server replaced it and lacks the newest changes); TableMissing, TableRefused. `history`:
        the node's; None: schemas are forgotten with the stream. `gtid_set`: of the frame that ended at `after` (see
        ChangeFrame). If `after` belongs to an earlier log than this source's, the stream continues after it: raises
        LogPositionLost if this server cannot prove that nothing is missing, SourceUnavailable while it may still
        receive it.
        """

    def log_end(self) -> Position:
        """The current end of the log: every transaction that was visibly committed is at or before it."""

    def describe_position(self, position: Position) -> str:
        """The position in the database's own notation (`0/16B3748`, `binlog.000002:379`), for people."""


class Source(SnapshotSource, ChangeSource, Protocol):
    """The required roles for a publish service. The roles below are optional."""


@runtime_checkable
class IdentifiedLog(Protocol):
    """Optional role of a Source: another server may replace the captured one. Without it `open_changes` detects another
    server by itself."""

    def log_identity(self) -> str:
        """Identifies the log of the positions among all servers. When it changes, and positions have `gtid_set`,
        capture continues with the next SourceLog."""


@runtime_checkable
class MeasuredLog(Protocol):
    """Optional role of a Source: measures the unread log. `Capabilities.retains_log` says whether it fills the source's
    disk."""

    def backlog_bytes(self, node: str, after: Position | None) -> int | None:
        """Bytes of log that `node` has not read: what the source retains for it or, if the source removes its log by
        time, what it has after `after`. None: unknown."""


@runtime_checkable
class RegisteredReader(Protocol):
    """Optional role of a Source: `prepare` creates objects in the source that stay until they are dropped."""

    def drop(self, node: str) -> None:
        """Remove the objects that `prepare` created. Idempotent."""


def log_identity(source: Source) -> str:
    """See IdentifiedLog; empty without the role."""
    return source.log_identity() if isinstance(source, IdentifiedLog) else ""


def backlog_bytes(source: Source, node: str, after: Position | None) -> int | None:
    """See MeasuredLog; None without the role."""
    return source.backlog_bytes(node, after) if isinstance(source, MeasuredLog) else None


def drop(source: Source, node: str) -> None:
    """See RegisteredReader; nothing without the role."""
    if isinstance(source, RegisteredReader):
        source.drop(node)
