"""Role of a target without SQL sessions: a collected transaction is written in one step.

`connectors.writing` makes a TargetSession and a TableReader of a Writer; a kind implements nothing else. Rows are in
canonical form (model.types) and named by the target's columns. Errors: TargetUnavailable, AccessDenied, RowRefused.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import pyarrow as pa

from zcbus.connectors.roles.target_table import Checkpoint
from zcbus.model.row_errors import RowError
from zcbus.model.schema import TableName, TableSchema

Value = str | bytes | None
Key = tuple[str | bytes, ...]
"""Values of a table's primary key, in its order."""
Row = dict[str, Value]
"""Values of all columns of a table."""


class Cause(Enum):
    """Why rows are written."""

    LOAD = "load"
    INSERT = "insert"
    CHANGE = "change"
    """An update, or it is unknown whether the row exists."""


@dataclass(frozen=True, slots=True)
class PutRows:
    """Complete rows, each with a key of its own, that replace rows with the same keys."""

    table: TableSchema
    rows: pa.RecordBatch
    """All columns of the table, in any order. Values of the key are not null."""
    cause: Cause = Cause.CHANGE
    typed: pa.RecordBatch | None = None
    """The same values in the target's own types, from TypedValues; None: they are not at hand."""


@dataclass(frozen=True, slots=True)
class RemoveRows:
    """Rows by key; missing keys are no error."""

    table: TableSchema
    keys: pa.RecordBatch
    """The columns of the primary key, in its order."""


RowOperation = PutRows | RemoveRows


@dataclass(frozen=True, slots=True)
class RowErrorChange:
    """Change of one row error of a subscription. `error`: None deletes it."""

    subscription: str
    id: str
    error: RowError | None


@dataclass(frozen=True, slots=True)
class Transaction:
    """The contents of one atomic write."""

    operations: Iterable[RowOperation] = ()
    """In their order: a later one counts. Can be iterated more than once."""
    checkpoints: Sequence[Checkpoint] = ()
    row_errors: Sequence[RowErrorChange] = ()


class StateWriter(Protocol):
    """The part of a Writer that keeps the state of subscriptions, and commits."""

    @property
    def identity(self) -> str:
        """As Source.identity."""

    def prepare_store(self) -> None:
        """Create the storage of checkpoints, row errors and table definitions, if necessary. Idempotent."""

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        """All checkpoints of a subscription, as one transaction left them."""

    def row_errors(self, subscription: str) -> list[RowError]:
        """All row errors of a subscription."""

    def forget(self, subscription: str, name: str | None) -> None:
        """Delete one checkpoint, or all of a subscription with its row errors."""

    def hold(self, subscription: str) -> None:
        """From now on only this writer writes checkpoints and row errors of the subscription, until its next `write` or
        `release`. Raises TargetLocked after `KindOptions.lock_wait`."""

    def fence(self, checkpoints: Sequence[Checkpoint]) -> None:
        """Raise Fenced unless each stored version is one less than the checkpoint's (0: none is stored)."""

    def write(self, transaction: Transaction) -> None:
        """Do all of it or nothing, checking the checkpoints as `fence` does in the same step. Raises Fenced.

        If TargetUnavailable is raised, the checkpoints' versions show whether it was done.
        """

    def release(self) -> None:
        """Release the lock of `hold`."""

    def close(self) -> None:
        """Close the connection; never raises. Idempotent."""


class Writer(StateWriter, Protocol):
    """One connection to a target, used by one thread at a time."""

    def tables(self, names: Sequence[TableName] | None = None) -> dict[TableName, TableSchema]:
        """Those of these tables, or of all, that were defined."""

    def define(self, table: TableSchema) -> None:
        """Store a table's definition, replacing an earlier one. Raises TableRefused if an undefined table would have
        rows of another writer."""

    def undefine(self, name: TableName) -> None:
        """Forget a table that has no rows any more. Idempotent."""

    def keys(self, table: TableSchema) -> Iterator[list[Key]]:
        """The keys of all rows, in any order, each once, in lists of bounded length. Rows added or removed meanwhile
        may be missing."""

    def rows(self, table: TableSchema, keys: Sequence[Key]) -> list[Row | None]:
        """The rows with these keys, in their order; None: the row does not exist."""
