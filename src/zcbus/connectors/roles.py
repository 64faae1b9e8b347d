"""The small roles a connector plays; the engine knows nothing else of a database.

All methods block. An object is used by one thread at a time unless said otherwise. Network trouble raises
SourceUnavailable or TargetUnavailable (try again on a new object), everything that a person must mend a TerminalError.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.errors import TableMissing, TableRefused
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.raw_rows import PackedRows, RawRows
from zcbus.connectors.row_errors import RowErrorStore
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.model.arrow import ArrowArray
from zcbus.model.changes import ChangeFrame, HeartbeatFrame
from zcbus.model.origin import Origin
from zcbus.model.position import Position
from zcbus.model.schema import Dialect, Index, TableName, TableSchema, TableSummary
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType

if TYPE_CHECKING:
    from zcbus.connectors.alteration import Alteration
    from zcbus.connectors.queries import QueryRunner
    from zcbus.connectors.reading import TableReader

Side = Literal["source", "target"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One row of a connection test."""

    item: str
    """Key of the check: reachable, login, version, permissions, log-settings, replication-rights, …"""
    statement: str
    """What was run, as SQL or in words (`TCP connect to host:port`)."""
    ok: bool
    blocking: bool
    """A failed check that is not blocking is a warning."""
    detail: str
    """What was found, in the database's own words or figures."""
    remedy: str = ""
    """How to mend it: statements or settings to run, empty where ok."""


class Tester(Protocol):
    """Tests a connection check by check."""

    def test(self, options: ConnectionOptions, side: Side) -> list[CheckResult]:
        """All checks in order; checks that need a failed one are left out. Never raises for what the database says,
        gives up after 15 seconds, changes nothing."""


class Discoverer(Protocol):
    """Tells what is there. Context manager: leaving closes the connection."""

    def schemas(self) -> list[str]:
        """Schemas (databases for MySQL) the user can see, without the system's own."""

    def tables(self, schema: str | None = None) -> list[TableSummary]:
        """Ordinary and partitioned base tables, by name; all schemas where None. 6,000 tables take one query."""

    def describe(self, names: Sequence[TableName]) -> list[TableSchema]:
        """Schemas in the order asked, in a handful of queries for all of them. Raises TableMissing."""

    def __enter__(self) -> "Discoverer": ...
    def __exit__(self, *details: object) -> None: ...


@dataclass(frozen=True, slots=True)
class CapturedTable:
    """A table whose changes are wanted."""

    name: TableName
    key: tuple[str, ...]
    """Columns that identify a row."""


class StructureHistory(Protocol):
    """Where a source keeps what it knows of the log that was captured, as the structure of tables at its places: one
    document of its own form."""

    def read(self) -> bytes:
        """What was written last; empty: nothing was."""

    def write(self, data: bytes) -> None:
        """Durable when it returns. Raises TransientError where that is not possible now."""


class ChangeStream(Protocol):
    """Changes of a source in commit order. Context manager."""

    def read(self, timeout: float) -> Sequence[ChangeFrame | HeartbeatFrame]:
        """What came, waiting up to `timeout` seconds for something. Frames follow the rules of ChangeFrame. A frame
        holds what was received together, so low load gives low delay and high load gives large batches; no frame is
        larger than about 8 MiB (a transaction larger than that comes in several, memory stays bounded).

        An idle source gives a HeartbeatFrame about once a second with the position reached. [] when nothing came.
        Raises SourceUnavailable, LogPositionLost, TableRefused (a change that can't be decoded).
        """

    def confirm(self, position: Position) -> None:
        """Everything up to `position` is durable on the bus; the source may forget it. Never goes back; cheap."""

    def __enter__(self) -> "ChangeStream": ...
    def __exit__(self, *details: object) -> None: ...


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
        not come."""

    def raw_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> RawRows | None:
        """These columns of a table as the source itself hands rows on; None: not in a form that any target takes."""

    def text_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> RawRows | None:
        """As raw_rows, in the form LINES, which databases of other kinds may take; None: the source has no such."""

    def packed_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> PackedRows | None:
        """These columns of a table for one reader that does next to nothing, so that others do the work with what it
        read; None: not for these columns, or the source's rows are read over several connections instead."""

    def __enter__(self) -> "SnapshotReader": ...
    def __exit__(self, *details: object) -> None: ...


class Source(Protocol):
    """Makes what a publish service needs."""

    def prepare(self, node: str, tables: Sequence[CapturedTable], after: Position | None = None) -> Position:
        """Make the source ready to give the changes of exactly these tables under the name `node` (PostgreSQL:
        publication and replication slot; MySQL: checks only). Idempotent; called at each start and whenever the set of
        tables changes. A new slot starts at the returned position, otherwise the current one is returned. Raises
        SourceNotReady, AccessDenied, TableRefused (with how to mend it) before anything is changed.

        `after`: where an earlier capture got to. Then a slot is never made anew: raises LogPositionLost."""

    def refusals(self, tables: Sequence[CapturedTable]) -> Sequence[TableMissing | TableRefused]:
        """What `prepare` for a new node would say of each of these tables that it refuses. Changes nothing."""

    def open_changes(
        self,
        node: str,
        tables: Sequence[CapturedTable],
        after: Position | None,
        history: StructureHistory | None = None,
        executed: str = "",
    ) -> ChangeStream:
        """Changes with a position > `after` (None: from where `prepare` began). Raises LogPositionLost where the source
        cannot give them all: its log no longer goes back so far, or ends in front of `after` (another server took its
        place and lacks the newest changes); TableMissing, TableRefused. `history`: the node's; None: what is known of
        structures is forgotten with the stream. `executed`: of the frame that ended at `after` (see ChangeFrame). Where
        `after` is of an earlier log than this source's, the stream goes on behind it: raises LogPositionLost where this
        server cannot prove that nothing is missing, SourceUnavailable while it may still get it."""

    def open_snapshot(self) -> SnapshotReader:
        """A new consistent image, now. Raises SourceUnavailable where another server answers than the log's."""

    def estimate(self, table: TableSchema) -> int | None:
        """As SnapshotReader.estimate, without an image."""

    def log_identity(self) -> str:
        """What tells the log that positions speak of from any other server's; empty where `open_changes` notices
        another server by itself (PostgreSQL: the slot is not there). Where it changes, and positions have `executed`,
        capture goes on with the next SourceLog."""

    def log_end(self) -> Position:
        """How far the log goes now: every transaction that anybody has seen committed is at or before it."""

    def describe_position(self, position: Position) -> str:
        """The position in the database's own words (`0/16B3748`, `binlog.000002:379`), for people."""

    def identity(self) -> str:
        """What tells this database from all others: the same for everybody who reads or writes it, and after a
        restart. Places (model.origin) are named by it."""

    def backlog_bytes(self, node: str) -> int | None:
        """Bytes of log the source holds back for `node`; None where it does not tell."""

    def drop(self, node: str) -> None:
        """Remove what `prepare` made. Idempotent."""


@dataclass(frozen=True, slots=True)
class MappedColumn:
    """A column on its way from source to target."""

    source: str
    """Name in the batches that are handed over."""
    target: str
    type: DataType
    """The source's type: tells the canonical form of the values."""
    nullable: bool = True


@dataclass(frozen=True, slots=True)
class TargetTable:
    """Where the rows of a source table go."""

    name: TableName
    columns: tuple[MappedColumn, ...]
    key: tuple[str, ...]
    """Names of the target's columns that identify a row."""
    source_schema: TableSchema
    indexes: tuple[Index, ...] = ()
    """Those of the source that a target table made for it gets besides its keys, in the target's names of columns."""
    origin: Origin = ()
    """Places that the rows come through. The data methods of a session mark their changes with it, so that a capture
    of the target tells it (TableChanges.origin)."""


@dataclass(frozen=True, slots=True)
class Lane:
    """What a target knows of one lane: stored in the target, in the transaction of the data it speaks of.

    `data` is a JSON object of the engine's. `version` grows by one with each write and fences leftovers out.
    """

    subscription: str
    lane: str
    version: int
    data: str


@dataclass(frozen=True, slots=True)
class MappingNote:
    """What becomes of a column on this target; `blocking`: it cannot be done."""

    column: str
    target_type: str
    note: str = ""
    """Key of a message (`type-widened`, `stored-as-text`, `zone-dropped-utc` …); empty: the same type."""
    blocking: bool = False
    facts: tuple[tuple[str, str], ...] = ()


class TargetSession(Protocol):
    """One connection to a target with at most one open transaction. Context manager: leaving without commit rolls back.

    Statements of the data methods belong to the open transaction; each begins one where none is open. Batches are in
    the canonical forms; columns are named by MappedColumn.source. Errors: TargetUnavailable, RowRefused, TableMissing.
    """

    @property
    def identity(self) -> str:
        """As Source.identity of the same database."""

    @property
    def row_errors(self) -> RowErrorStore:
        """Changes that the target refused; what is kept there belongs to the open transaction."""

    def savepoint(self) -> AbstractContextManager[None]:
        """A part of the open transaction that may fail: leaving it with an error undoes the part and nothing else, and
        the transaction goes on."""

    def prepare_store(self) -> None:
        """Create the tables that keep lanes and row errors where they are missing. Idempotent; commits."""

    def lanes(self, subscription: str) -> list[Lane]:
        """All lanes of a subscription."""

    def hold_lanes(self, subscription: str) -> list[Lane]:
        """As `lanes`, within the open transaction; nobody else writes one of them until it ends."""

    def write_lane(self, lane: Lane) -> None:
        """Store the lane's data as version `lane.version`; the stored version must be one less (0: no row yet).
        Raises Fenced. Belongs to the open transaction."""

    def delete_lanes(self, subscription: str, lane: str | None = None) -> None:
        """Forget one lane, or all of a subscription with its row errors. Commits."""

    def describe(self, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
        """Those of these target tables that are there, as they are, in a handful of queries for all of them."""

    def lock_holders(self, name: TableName) -> str:
        """Who holds locks on a table, and since when, for people; empty where the server does not tell. Nothing may be
        open."""

    def create_table(self, table: TargetTable, clean: CleanMode, for_load: bool = False) -> None:
        """Make the target table ready for a full load: create schema and table where missing; otherwise as `clean`
        says (spec chapter 4). Foreign keys are not carried over. Commits. Idempotent: repeating it before any row was
        loaded ends in the same state.

        With `for_load` a new table may lack the index over its key until `complete_table`, where that is quicker."""

    def complete_table(self, table: TargetTable) -> None:
        """Make what `create_table` left out for the load, and `table.indexes`, within the open transaction where
        changes of structure belong to transactions; elsewhere nothing may be open. Indexes that the server refuses are
        passed over. Idempotent. Raises RowRefused where several rows have one key."""

    def create_beside(self, table: TargetTable, beside: TableName) -> None:
        """Make an empty table with the columns and keys that the target table has now, replacing one of that name.
        Commits."""

    def take_rows(self, table: TargetTable, beside: TableName) -> None:
        """Make the rows of the target table those of the one beside it, within the open transaction: what is equal
        stays untouched, and readers see either the old rows or the new ones. Columns that are not mapped keep their
        values in rows that stay."""

    def drop_table(self, name: TableName) -> None:
        """Drop a table that `create_beside` made; none is no error. Commits."""

    def add_columns(self, table: TargetTable, columns: Sequence[MappedColumn]) -> None:
        """Add columns that the source got. Commits."""

    def alter_table(self, table: TargetTable, alteration: "Alteration") -> None:
        """Change the existing table, which becomes `table`. Commits. Idempotent: what is done already is passed over.
        Raises RowRefused where the server refuses a step, TableMissing."""

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        """Add rows that are not there yet, by the target's bulk path or by statements, as the load type says."""

    def raw_load(self, table: TargetTable, form: str) -> "Callable[[Iterable[memoryview]], int] | None":
        """As `load`, for all the parts that `RawRows.read` or `PackedPart.lines` gives, with the columns in the table's
        order; returns the number of rows. None: this table, or this session, takes no rows of that form."""

    def add(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        """As upsert, for rows of which the log says that they are not there yet; where one is there all the same it is
        replaced."""

    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        """Replace or add whole rows by key. Each key occurs once. Right also where rows of the batch swap values of
        other unique keys among themselves."""

    def update(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        """Set only the columns of `rows` in the rows that have the keys (columns named by MappedColumn.source of the
        key); rows that are not there are left out. May change key columns."""

    def delete(self, table: TargetTable, keys: pa.RecordBatch) -> int:
        """Delete by key; keys that are not there are no error. Returns how many rows went."""

    def truncate(self, table: TargetTable) -> None:
        """Empty the table within the open transaction (DELETE where the target's TRUNCATE would commit)."""

    def commit(self) -> None:
        """Make the open transaction durable. If this raises TargetUnavailable, the lane's version tells on a new
        session whether it went through."""

    def rollback(self) -> None:
        """Throw the open transaction away."""

    def forget_tables(self) -> None:
        """Look at the structure of tables anew: others may have changed it. Nothing may be open."""

    def __enter__(self) -> "TargetSession": ...
    def __exit__(self, *details: object) -> None: ...


class Target(Protocol):
    """Makes what a subscribe service needs."""

    @property
    def dialect(self) -> Dialect: ...

    def map_columns(self, schema: TableSchema, key: tuple[str, ...]) -> list[MappingNote]:
        """What each column becomes here. Pure: no connection is made."""

    def stored_form(self, values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
        """What a reader of the target gives of a source's canonical values once they were written into a column of
        that type, as far as the two databases write the same value in different words. Pure."""

    def default_schema(self, source: TableName, source_dialect: Dialect) -> str:
        """Schema (database) that a table goes to where nobody says otherwise."""

    def open(self) -> TargetSession:
        """A new session. Raises TargetUnavailable, AccessDenied."""


class Connector(Protocol):
    """All that one kind can do; made by the registry."""

    def tester(self) -> Tester: ...
    def discoverer(self, options: ConnectionOptions) -> Discoverer: ...
    def source(self, options: ConnectionOptions, log: SourceLog = FIRST_LOG) -> Source:
        """`log`: which log positions are of; by default the first one, whichever server answers."""

    def target(self, options: ConnectionOptions) -> Target: ...
    def reader(self, options: ConnectionOptions, side: Side) -> "TableReader": ...
    def query_runner(self, options: ConnectionOptions) -> "QueryRunner": ...
