"""What a target does: takes rows and changes, and keeps in the same transactions how far they got."""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from zcbus.connectors.row_errors import RowErrorStore
from zcbus.model.arrow import ArrowArray
from zcbus.model.origin import Origin
from zcbus.model.schema import Index, TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType

if TYPE_CHECKING:
    from zcbus.connectors.alteration import Alteration


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
    """Names of the target's columns that identify a row; (): none do, and of the data methods only `load`, `take_rows`
    and `truncate` are used."""
    source_schema: TableSchema
    indexes: tuple[Index, ...] = ()
    """Those of the source that a target table made for it gets besides its keys, in the target's names of columns."""
    origin: Origin = ()
    """Places that the rows come through. The data methods of a session mark their changes with it, so that a capture
    of the target tells it (TableChanges.origin)."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a target knows of one checkpoint: stored in the target, in the transaction of the data it speaks of.

    `data` is a JSON object of the engine's. `version` grows by one with each write and fences leftovers out.
    """

    subscription: str
    name: str
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


@dataclass(frozen=True, slots=True)
class InexactKey:
    """A key column that takes values for equal which the source tells apart: their rows would become one."""

    column: str
    collation: str
    """What it compares by, in the target's words: a collation, or a type."""
    remedy: str
    """The statement after which it compares exactly."""


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

    def announce(self, owner: str, number: int, gone: Collection[int] = ()) -> None:
        """Tell the server that this is session `number` (0 to 127) of `owner`, and end those that it has by that number
        or by one of `gone`, with all they have open: the server need not have noticed that their connection or their
        host is dead, and would hold their locks for hours. Does what the user may do; where the server refuses,
        checkpoints are fenced all the same. Waits some seconds for what is ended to be rolled back. Nothing may be
        open."""

    def prepare_store(self) -> None:
        """Create the tables that keep checkpoints and row errors where they are missing. Idempotent; commits."""

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        """All checkpoints of a subscription."""

    def hold_checkpoints(self, subscription: str) -> list[Checkpoint]:
        """As `checkpoints`, within the open transaction; nobody else writes one of them until it ends."""

    def write_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Store the checkpoint's data as version `checkpoint.version`; the stored version must be one less (0: no row
        yet). Raises Fenced. Belongs to the open transaction."""

    def delete_checkpoints(self, subscription: str, name: str | None = None) -> None:
        """Forget one checkpoint, or all of a subscription with its row errors. Commits."""

    def describe(self, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
        """Those of these target tables that are there, as they are, in a handful of queries for all of them."""

    def takes_keys_apart(self, table: TargetTable) -> bool:
        """Whether several sessions may change rows with different keys at once and end as one that does it all: only
        the key is unique, no foreign key of or to the table is checked, and key texts are equal only if they are so
        without case and punctuation. Raises TableMissing."""

    def inexact_keys(self, table: TargetTable) -> list[InexactKey]:
        """Columns of the key that the target compares less exactly than the source: ignoring case, accents or blanks at
        the end. A column that compares just as the source's own key is exact enough. A table that is not there has
        none."""

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
        values in rows that stay. Without a key all rows are exchanged."""

    def drop_table(self, name: TableName) -> None:
        """Drop a table that `create_beside` made; none is no error. Commits."""

    def add_columns(self, table: TargetTable, columns: Sequence[MappedColumn]) -> None:
        """Add columns that the source got. Commits."""

    def alter_table(self, table: TargetTable, alteration: "Alteration") -> None:
        """Change the existing table, which becomes `table`. Commits. Idempotent: what is done already is passed over.
        Raises RowRefused where the server refuses a step, TableMissing."""

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        """Add rows that are not there yet (without a key: rows, whatever is there), by the target's bulk path or by
        statements, as the load type says."""

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

    def commit(self, durable: bool = True) -> None:
        """Commit the open transaction, and make it durable with all that were committed before it. If this raises
        TargetUnavailable, the checkpoint's version tells on a new session whether it went through.

        Without `durable` it need not wait for the disk: a server that fails may lose the last such transactions,
        each of them whole, and the checkpoint's version tells that as well."""

    def rollback(self) -> None:
        """Throw the open transaction away."""

    def forget_tables(self) -> None:
        """Look at the structure of tables anew: others may have changed it. Nothing may be open."""

    def __enter__(self) -> "TargetSession": ...
    def __exit__(self, *details: object) -> None: ...


class Target(Protocol):
    """Makes what a subscribe service needs."""

    @property
    def dialect(self) -> str: ...

    def map_columns(self, schema: TableSchema, key: tuple[str, ...]) -> list[MappingNote]:
        """What each column becomes here. Pure: no connection is made."""

    def stored_form(self, values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
        """What a reader of the target gives of a source's canonical values once they were written into a column of
        that type, as far as the two databases write the same value in different words. Pure."""

    def default_schema(self, source: TableName, source_dialect: str) -> str:
        """Schema (database) that a table goes to where nobody says otherwise."""

    def open(self) -> TargetSession:
        """A new session. Raises TargetUnavailable, AccessDenied."""
