"""A target's table as sessions are told of it, and what they know of it."""

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
    """The source's type: tells the canonical form of the values."""
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
class InexactKey:
    """A key column that takes values for equal which the source tells apart: their rows would become one."""

    column: str
    collation: str
    """What it compares by, in the target's words: a collation, or a type."""
    remedy: str
    """The statement after which it compares exactly."""
