"""Description of a target's table for sessions, and the facts they report about it."""

from dataclasses import dataclass

from zcbus.model.origin import Origin
from zcbus.model.schema import Index, TableName, TableSchema
from zcbus.model.types import DataType


@dataclass(frozen=True, slots=True)
class MappedColumn:
    """A column on its way from source to target."""

    source: str
    """Name in the batches that are handed over."""
    target: str
    type: DataType
    """The source's type: it determines the canonical form of the values."""
    nullable: bool = True


@dataclass(frozen=True, slots=True)
class TargetTable:
    """Where the rows of a source table go."""

    name: TableName
    columns: tuple[MappedColumn, ...]
    key: tuple[str, ...]
    """Names of the target's columns that identify a row. Empty: no column does, and only the data methods `load`,
    `apply_shadow_table` and `truncate` are used."""
    source_schema: TableSchema
    indexes: tuple[Index, ...] = ()
    """Indexes of the source that a new target table gets besides its keys, with the target's names of columns."""
    origin: Origin = ()
    """Path of the rows. The data methods of a session mark their changes with it, so that a capture of the target
    reports it (TableChanges.origin)."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint as stored in the target, in the transaction of the data that it covers.

    `data` is a JSON object of the engine's. `version` grows by one with each write and fences stale writers.
    """

    subscription: str
    name: str
    version: int
    data: str


@dataclass(frozen=True, slots=True)
class InexactKey:
    """A key column for which values that the source distinguishes are equal: their rows would become one."""

    column: str
    collation: str
    """Collation or type by which it compares, in the target's terms."""
    remedy: str
    """The statement after which it compares exactly."""
