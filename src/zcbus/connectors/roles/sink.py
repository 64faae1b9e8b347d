"""What a session with a target does: writes rows, keeps positions with them, makes tables.

The statements of the data methods belong to the open transaction; each begins one where none is open. Batches are in
the canonical forms; columns are named by MappedColumn.source. Errors: TargetUnavailable, RowRefused, TableMissing.
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
        """Those of these target tables that are there, as they are, in a handful of queries for all of them."""

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        """Add rows that are not there yet (without a key: rows, whatever is there), by the target's bulk path or by
        statements, as the load type says."""

    def add(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        """As upsert, for rows of which the log says that they are not there yet; where one is there all the same it is
        replaced."""

    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        """Replace or add whole rows by key. Each key occurs once. Right also where rows of the batch swap values of
        other unique keys among themselves."""

    def update(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        """Set only the columns of `rows` in the rows that have the keys (columns named by MappedColumn.source of the
        key); rows that are not there are left out. May change key columns."""

    def delete(self, table: TargetTable, keys: pa.RecordBatch) -> int | None:
        """Delete by key; keys that are not there are no error. Returns how many rows went; None where the target does
        not tell."""

    def truncate(self, table: TargetTable) -> None:
        """Empty the table within the open transaction (DELETE where the target's TRUNCATE would commit)."""

    def forget_tables(self) -> None:
        """Look at the structure of tables anew: others may have changed it. Nothing may be open."""


class TransactionalSink(Protocol):
    """Keeps the position in the transaction of the rows. At most one transaction is open."""

    @property
    def identity(self) -> str:
        """As Source.identity of the same database."""

    def savepoint(self) -> AbstractContextManager[None]:
        """A part of the open transaction that may fail: leaving it with an error undoes the part and nothing else, and
        the transaction goes on."""

    def prepare_store(self) -> None:
        """Create the tables that keep checkpoints and row errors where they are missing. Idempotent; commits."""

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        """All checkpoints of a subscription."""

    def hold_checkpoints(self, subscription: str) -> list[Checkpoint]:
        """As `checkpoints`, within the open transaction; nobody else writes one of them until it ends."""

    def write_checkpoints(self, checkpoints: Sequence[Checkpoint]) -> None:
        """Store each checkpoint's data as version `checkpoint.version`, in their order; the stored version must be one
        less (0: no row yet). Raises Fenced. Belongs to the open transaction."""

    def delete_checkpoints(self, subscription: str, name: str | None = None) -> None:
        """Forget one checkpoint, or all of a subscription with its row errors. Commits."""

    def commit(self, durable: bool = True) -> None:
        """Commit the open transaction, and make it durable with all that were committed before it. If this raises
        TargetUnavailable, the checkpoint's version tells on a new session whether it went through.

        Without `durable` it need not wait for the disk: a server that fails may lose the last such transactions,
        each of them whole, and the checkpoint's version tells that as well."""

    def rollback(self) -> None:
        """Throw the open transaction away."""


class SchemaSink(Protocol):
    """Makes and alters tables."""

    def inexact_keys(self, table: TargetTable) -> list[InexactKey]:
        """Columns of the key that the target compares less exactly than the source: ignoring case, accents or blanks at
        the end. A column that compares just as the source's own key is exact enough. A table that is not there has
        none."""

    def create_table(self, table: TargetTable, clean: CleanMode, for_load: bool = False) -> None:
        """Make the target table ready for a full load: create schema and table where missing; otherwise as `clean`
        says (spec chapter 4). Foreign keys are not carried over. Commits. Idempotent: repeating it before any row was
        loaded ends in the same state.

        With `for_load` a new table may lack the index over its key until `complete_table`, where that is quicker."""

    def complete_table(self, table: TargetTable) -> None:
        """Make what `create_table` left out for the load, and `table.indexes`, within the open transaction where
        changes of structure belong to transactions; elsewhere nothing may be open. Indexes that the server refuses are
        passed over. Idempotent. Raises RowRefused where several rows have one key."""

    def create_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        """Make an empty table with the columns and keys that the target table has now, replacing one of that name.
        Commits."""

    def apply_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        """Make the rows of the target table those of the one beside it, within the open transaction: what is equal
        stays untouched, and readers see either the old rows or the new ones. Columns that are not mapped keep their
        values in rows that stay. Without a key all rows are exchanged."""

    def drop_table(self, name: TableName) -> None:
        """Drop a table that `create_shadow_table` made; none is no error. Commits."""

    def add_columns(self, table: TargetTable, columns: Sequence[MappedColumn]) -> None:
        """Add columns that the source got. Commits."""

    def alter_table(self, table: TargetTable, alteration: Alteration) -> None:
        """Change the existing table, which becomes `table`. Commits. Idempotent: what is done already is passed over.
        Raises RowRefused where the server refuses a step, TableMissing."""


class RowErrorSink(Protocol):
    """Keeps changes that the target refused."""

    @property
    def row_errors(self) -> RowErrorStore:
        """Changes that the target refused; what is kept there belongs to the open transaction."""


class TargetSession(Sink, TransactionalSink, SchemaSink, RowErrorSink, Protocol):
    """One connection to a transactional target, as a subscribe service needs it. Context manager: leaving without
    commit rolls back. The roles below are optional."""

    def __enter__(self) -> "TargetSession": ...
    def __exit__(self, *details: object) -> None: ...


@runtime_checkable
class RawSink(Protocol):
    """Optional role of a TargetSession: takes rows that nobody looks into."""

    def raw_load(self, table: TargetTable, form: str) -> Callable[[Iterable[memoryview]], int] | None:
        """As `load`, for all the parts that `RawRows.read` or `PackedPart.lines` gives, with the columns in the table's
        order; returns the number of rows. None: this table, or this session, takes no rows of that form."""


@runtime_checkable
class KeyParallelSink(Protocol):
    """Optional role of a TargetSession: several sessions write into one table at once."""

    def supports_parallel_keys(self, table: TargetTable) -> bool:
        """Whether several sessions may change rows with different keys at once and end as one that does it all: only
        the key is unique, no foreign key of or to the table is checked, and key texts are equal only if they are so
        without case and punctuation. Raises TableMissing."""


@runtime_checkable
class RegisteredSession(Protocol):
    """Optional role of a TargetSession: a server keeps sessions, with their locks, that outlive their process."""

    def register(self, owner: str, number: int, gone: Collection[int] = ()) -> None:
        """Tell the server that this is session `number` (0 to 127) of `owner`, and end those that it has by that number
        or by one of `gone`, with all they have open: the server need not have noticed that their connection or their
        host is dead, and would hold their locks for hours. Does what the user may do; where the server refuses,
        checkpoints are fenced all the same. Waits some seconds for what is ended to be rolled back. Nothing may be
        open."""


@runtime_checkable
class LockObserver(Protocol):
    """Optional role of a TargetSession: a server tells who holds locks."""

    def lock_holders(self, name: TableName) -> str:
        """Who holds locks on a table, and since when, for people; empty where the server does not tell. Nothing may be
        open."""


Wait = Callable[[float], object]
"""Waits for so many seconds, or until there is a reason to go on at once."""


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


def register(session: Sink, owner: str, number: int, gone: Collection[int] = ()) -> None:
    """See RegisteredSession; nothing without the role."""
    if isinstance(session, RegisteredSession):
        session.register(owner, number, gone)


def pace(session: Sink, wait: Wait) -> None:
    """See PacedSession; nothing without the role."""
    if isinstance(session, PacedSession):
        session.pace(wait)


def lock_holders(session: Sink, name: TableName) -> str:
    """See LockObserver; empty without the role."""
    return session.lock_holders(name) if isinstance(session, LockObserver) else ""
