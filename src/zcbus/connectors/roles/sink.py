"""Roles of a target session: writing rows, storing positions with them, creating tables.

The statements of the data methods belong to the open transaction; each begins one if none is open. Batches are in the
canonical forms; columns are named by MappedColumn.source. Errors: TargetUnavailable, RowRefused, TableMissing.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

import pyarrow as pa

from zcbus.connectors.roles.alteration import Alteration
from zcbus.connectors.roles.target_table import Checkpoint, InexactKey, MappedColumn, TargetTable
from zcbus.connectors.row_errors import RowErrorStore
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import CleanMode


class Sink(Protocol):
    """Writes rows of existing tables."""

    def describe(self, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
        """Current schemas of those of these target tables that exist, in a handful of queries for all of them."""

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        """Add rows that do not exist yet, by the target's bulk path or by statements, as the load type says.

        Without a key the rows are added to any existing ones.
        """

    def add(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        """As upsert, for rows that according to the log do not exist yet; an existing row is replaced nevertheless."""

    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        """Replace or add complete rows by key. Each key occurs once.

        Correct also if rows of the batch swap values of other unique keys among themselves.
        """

    def update(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        """Set only the columns of `rows` in the rows with the keys (columns named by MappedColumn.source of the key).

        Missing rows are skipped. May change key columns.
        """

    def delete(self, table: TargetTable, keys: pa.RecordBatch) -> int | None:
        """Delete by key; missing keys are no error. Returns the number of deleted rows; None: unknown."""

    def truncate(self, table: TargetTable) -> None:
        """Empty the table within the open transaction (DELETE where the target's TRUNCATE would commit)."""

    def forget_tables(self) -> None:
        """Drop cached schemas, because other sessions may have changed the tables. No transaction may be open."""


class TransactionalSink(Protocol):
    """Stores the position in the transaction of the rows. At most one transaction is open."""

    @property
    def identity(self) -> str:
        """As Source.identity of the same database."""

    def savepoint(self) -> AbstractContextManager[None]:
        """A part of the open transaction that may fail: an error undoes the part and nothing else, and the transaction
        continues."""

    def prepare_store(self) -> None:
        """Create the missing tables for checkpoints and row errors. Idempotent; commits."""

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        """All checkpoints of a subscription."""

    def lock_checkpoints(self, subscription: str) -> list[Checkpoint]:
        """As `checkpoints`, within the open transaction; other transactions cannot write them until it ends."""

    def write_checkpoints(self, checkpoints: Sequence[Checkpoint]) -> None:
        """Store each checkpoint's data as version `checkpoint.version`, in their order; the stored version must be one
        less (0: no row yet). Raises Fenced. Belongs to the open transaction."""

    def delete_checkpoints(self, subscription: str, name: str | None = None) -> None:
        """Forget one checkpoint, or all of a subscription with its row errors. Commits."""

    def commit(self, durable: bool = True) -> None:
        """Commit the open transaction, and make it durable with all earlier ones.

        If this raises TargetUnavailable, the checkpoint's version shows on a new session whether it succeeded.

        Without `durable` it need not wait for the disk: a server that fails may lose the last such transactions, each
        completely, and the checkpoint's version shows that as well.
        """

    def rollback(self) -> None:
        """Throw the open transaction away."""


class SchemaSink(Protocol):
    """Creates and alters tables."""

    def inexact_keys(self, table: TargetTable) -> list[InexactKey]:
        """Columns of the key that the target compares less exactly than the source: ignoring case, accents or trailing
        blanks.

        A column that compares as the source's own key is exact enough. A missing table has none.
        """

    def create_table(self, table: TargetTable, clean: CleanMode, for_load: bool = False) -> None:
        """Prepare the target table for a full load: create schema and table if missing; otherwise as `clean` says (spec
        chapter 4).

        Foreign keys are not created. Commits. Idempotent: a repetition before any row was loaded ends in the same
        state.

        With `for_load` a new table may lack the index over its key until `complete_table`, if that is faster.
        """

    def complete_table(self, table: TargetTable) -> None:
        """Create the parts that `create_table` left out for the load, and `table.indexes`.

        Runs within the open transaction if DDL is transactional; otherwise no transaction may be open. Indexes that the
        server refuses are skipped. Idempotent. Raises RowRefused if several rows have one key.
        """

    def create_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        """Create an empty table with the target table's current columns and keys, replacing one of that name.
        Commits."""

    def apply_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        """Replace the rows of the target table by those of the shadow table, within the open transaction.

        Equal rows stay untouched, and readers see either the old rows or the new ones. Columns that are not mapped keep
        their values in rows that stay. Without a key all rows are replaced.
        """

    def drop_table(self, name: TableName) -> None:
        """Drop a table of `create_shadow_table`; a missing one is no error. Commits."""

    def add_columns(self, table: TargetTable, columns: Sequence[MappedColumn]) -> None:
        """Add columns that the source got. Commits."""

    def alter_table(self, table: TargetTable, alteration: Alteration) -> None:
        """Change the existing table, which becomes `table`. Commits.

        Idempotent: completed steps are skipped. Raises RowRefused if the server refuses a step, TableMissing.
        """


class RowErrorSink(Protocol):
    """Stores changes that the target refused."""

    @property
    def row_errors(self) -> RowErrorStore:
        """Storage of changes that the target refused; its writes belong to the open transaction."""


class TargetSession(Sink, TransactionalSink, SchemaSink, RowErrorSink, Protocol):
    """One connection to a transactional target, as a subscribe service needs it. Context manager: leaving without
    commit rolls back. The roles below are optional."""

    def __enter__(self) -> "TargetSession": ...
    def __exit__(self, *details: object) -> None: ...


@runtime_checkable
class RawSink(Protocol):
    """Optional role of a TargetSession: loads rows without inspecting them."""

    def raw_load(self, table: TargetTable, form: str) -> Callable[[Iterable[memoryview]], int] | None:
        """As `load`, for all parts of `RawRows.read` or `PackedPart.lines`, with the columns in the table's order.

        Returns the number of rows. None: this table, or this session, does not accept rows of that form.
        """


@runtime_checkable
class KeyParallelSink(Protocol):
    """Optional role of a TargetSession: several sessions write into one table at once."""

    def supports_parallel_keys(self, table: TargetTable) -> bool:
        """Whether several sessions may change rows with different keys at once and end as one that does it all: only
        the key is unique, no foreign key of or to the table is checked, and key texts are equal only if they are so
        without case and punctuation. Raises TableMissing."""


@runtime_checkable
class RegisteredSession(Protocol):
    """Optional role of a TargetSession: sessions of the server, with their locks, may outlive their process."""

    def register(self, owner: str, number: int, dead: Collection[int] = ()) -> None:
        """Register this session with the server as session `number` (0 to 127) of `owner`.

        Ends the sessions with that number or one of `dead`, with their transactions: the server may not have noticed
        that their connection or their host is dead, and would keep their locks for hours. Has only the rights of the
        user; if the server refuses, checkpoints are fenced nevertheless. Waits some seconds for the rollback of ended
        sessions. No transaction may be open.
        """


@runtime_checkable
class LockObserver(Protocol):
    """Optional role of a TargetSession: the server reports lock holders."""

    def lock_holders(self, name: TableName) -> str:
        """Holders of locks on a table, and since when, for people; empty if unknown. No transaction may be open."""


@runtime_checkable
class ConstraintSession(Protocol):
    """Optional role of a TargetSession: it can check foreign keys and fire triggers, which a link leaves to its
    source."""

    def enforce_constraints(self) -> None:
        """From now on. No transaction may be open."""


@runtime_checkable
class DeclaredTables(Protocol):
    """Optional role of a TargetSession: the connection says which tables may be written, and what can be done to
    them."""

    def refusal(self, name: TableName, clean: CleanMode) -> str:
        """Why `create_table` would refuse a table because of its name or of the clean mode: a key of the catalogues,
        after `refusal.`; empty: it would not."""


Wait = Callable[[float], object]
"""Waits for some seconds, or until there is a reason to continue at once."""


@runtime_checkable
class PacedSession(Protocol):
    """Optional role of a TargetSession: a commit may wait, so that more changes come together."""

    def pace(self, wait: Wait) -> None:
        """Wait by this from now on."""


RawLoad = Callable[[Iterable[memoryview]], int]


def raw_load(session: Sink, table: TargetTable, form: str) -> RawLoad | None:
    """See RawSink; None without the role."""
    return session.raw_load(table, form) if isinstance(session, RawSink) else None


def supports_parallel_keys(session: Sink, table: TargetTable) -> bool:
    """See KeyParallelSink; False without the role."""
    return isinstance(session, KeyParallelSink) and session.supports_parallel_keys(table)


def register(session: Sink, owner: str, number: int, dead: Collection[int] = ()) -> None:
    """See RegisteredSession; nothing without the role."""
    if isinstance(session, RegisteredSession):
        session.register(owner, number, dead)


def pace(session: Sink, wait: Wait) -> None:
    """See PacedSession; nothing without the role."""
    if isinstance(session, PacedSession):
        session.pace(wait)


def lock_holders(session: Sink, name: TableName) -> str:
    """See LockObserver; empty without the role."""
    return session.lock_holders(name) if isinstance(session, LockObserver) else ""


def enforce_constraints(session: Sink) -> None:
    """See ConstraintSession; nothing without the role: the session does it always, or the kind has none."""
    if isinstance(session, ConstraintSession):
        session.enforce_constraints()


def refusal(session: Sink, name: TableName, clean: CleanMode) -> str:
    """See DeclaredTables; empty without the role."""
    return session.refusal(name, clean) if isinstance(session, DeclaredTables) else ""
