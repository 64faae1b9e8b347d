"""What a source does: gives its changes in the order of its log, and images of its tables."""

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
    """A table whose changes are wanted."""

    name: TableName
    key: tuple[str, ...]
    """Columns that identify a row; (): none do, and updates and deletes are told with the whole row before them."""


class SchemaHistory(Protocol):
    """Where a source keeps what it knows of the log that was captured, as the structure of tables at its places: one
    document of its own form."""

    def read(self) -> bytes:
        """What was written last; empty: nothing was."""

    def write(self, data: bytes) -> None:
        """Durable when it returns. Raises TransientError where that is not possible now."""


class ChangeStream(Protocol):
    """Changes of a source in commit order. Context manager."""

    def read(self, timeout: float) -> Sequence[Streamed]:
        """What came, waiting up to `timeout` seconds for something. Frames follow the rules of ChangeFrame; a
        RollbackFrame ends a transaction of which a part was given and that the source itself did not complete. A frame
        holds what was received together, so low load gives low delay and high load gives large batches; no frame is
        larger than about 8 MiB (a transaction larger than that comes in several, memory stays bounded).

        An idle source gives a HeartbeatFrame about once a second with the position reached. [] when nothing came.
        Raises SourceUnavailable, LogPositionLost, TableRefused (a change that can't be decoded).
        """

    def acknowledge(self, position: Position) -> None:
        """Everything up to `position` is durable on the bus; the source may forget it. Never goes back; cheap."""

    def __enter__(self) -> "ChangeStream": ...
    def __exit__(self, *details: object) -> None: ...


class SnapshotSource(Protocol):
    """Gives images of its tables."""

    def open_snapshot(self) -> SnapshotReader:
        """A new consistent image, now. Raises SourceUnavailable where another server answers than the log's."""

    def estimate(self, table: TableSchema) -> int | None:
        """As SnapshotReader.estimate, without an image."""

    def identity(self) -> str:
        """What tells this database from all others: the same for everybody who reads or writes it, and after a
        restart. Places (model.origin) are named by it."""


class ChangeSource(Protocol):
    """Gives its changes in the order of a log. Only the source interprets a position: it orders, prints and resumes."""

    def prepare(self, node: str, tables: Sequence[CapturedTable], after: Position | None = None) -> Position:
        """Make the source ready to give the changes of exactly these tables under the name `node` (PostgreSQL:
        publication and replication slot; MySQL: checks only). Idempotent; called at each start and whenever the set of
        tables changes. A new slot starts at the returned position, otherwise the current one is returned. Raises
        SourceNotReady, AccessDenied, TableRefused (with how to mend it) before anything is changed.

        `after`: where an earlier capture got to. Then a slot is never made anew: raises LogPositionLost."""

    def refusals(
        self, tables: Sequence[CapturedTable], schemas: Sequence[TableSchema]
    ) -> Sequence[TableMissing | TableRefused]:
        """What `prepare` for a new node would say of each of these tables that it refuses. `schemas`: their structures,
        in the same order, as a Discoverer told them. Changes nothing."""

    def open_changes(
        self,
        node: str,
        tables: Sequence[CapturedTable],
        after: Position | None,
        history: SchemaHistory | None = None,
        executed: str = "",
    ) -> ChangeStream:
        """Changes with a position > `after` (None: from where `prepare` began). Raises LogPositionLost where the source
        cannot give them all: its log no longer goes back so far, or ends in front of `after` (another server took its
        place and lacks the newest changes); TableMissing, TableRefused. `history`: the node's; None: what is known of
        structures is forgotten with the stream. `executed`: of the frame that ended at `after` (see ChangeFrame). Where
        `after` is of an earlier log than this source's, the stream goes on behind it: raises LogPositionLost where this
        server cannot prove that nothing is missing, SourceUnavailable while it may still get it."""

    def log_end(self) -> Position:
        """How far the log goes now: every transaction that anybody has seen committed is at or before it."""

    def describe_position(self, position: Position) -> str:
        """The position in the database's own words (`0/16B3748`, `binlog.000002:379`), for people."""


class Source(SnapshotSource, ChangeSource, Protocol):
    """What a publish service needs. The roles below are optional."""


@runtime_checkable
class IdentifiedLog(Protocol):
    """Optional role of a Source: another server may take the place of the captured one. Without it `open_changes`
    notices another server by itself."""

    def log_identity(self) -> str:
        """What tells the log that positions speak of from any other server's. Where it changes, and positions have
        `executed`, capture goes on with the next SourceLog."""


@runtime_checkable
class MeasuredLog(Protocol):
    """Optional role of a Source: knows how much log waits. `Capabilities.retains_log` says whether it fills the disk of
    the source."""

    def backlog_bytes(self, node: str, after: Position | None) -> int | None:
        """Bytes of log that wait for `node`: what the source holds back for it, or, where it forgets its log by time
        whoever reads it, what it has behind `after`. None where that is not known."""


@runtime_checkable
class RegisteredReader(Protocol):
    """Optional role of a Source: `prepare` makes objects in the source that stay until they are dropped."""

    def drop(self, node: str) -> None:
        """Remove what `prepare` made. Idempotent."""


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
