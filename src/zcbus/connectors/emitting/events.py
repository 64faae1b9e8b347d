"""What a target without rows receives: an event for each change."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from zcbus.connectors.roles.writer import Row
from zcbus.model.schema import TableName, TableSchema


class Operation(StrEnum):
    """What happened to a row, or to the table."""

    LOAD = "load"
    """A row of a full load."""
    INSERT = "insert"
    UPSERT = "upsert"
    """A complete row, of which it is unknown whether it existed."""
    UPDATE = "update"
    """Some columns of a row: the source did not send the others."""
    DELETE = "delete"
    TRUNCATE = "truncate"
    """All rows are gone."""
    STRUCTURE = "structure"
    """The table has the columns of `table` from now on."""


OF_TABLES = frozenset({Operation.TRUNCATE, Operation.STRUCTURE})


@dataclass(frozen=True, slots=True)
class Event:
    """One event. Values are canonical texts (model.types) by the target's names."""

    table: TableSchema
    operation: Operation
    key: Row = field(default_factory=dict)
    """Where the row is before the change; empty for a table's event."""
    row: Row = field(default_factory=dict)
    """The row; of an update the columns that were sent, of a deletion none."""
    id: str = ""
    """Equal whenever the same event is sent again, also after a kill; empty for an emitter that needs none."""
    time: str = ""
    """When it was sent first, ISO 8601 in UTC."""


class Emitter(Protocol):
    """Sends events to one target. Used by one thread. Errors: TargetUnavailable, AccessDenied, DatabaseFailed."""

    @property
    def identity(self) -> str:
        """As Source.identity."""

    def declared(self, name: TableName) -> TableSchema | None:
        """The table as the connection declares it, which is there before anything is sent; None: it declares no
        columns."""

    def declares(self) -> Sequence[TableSchema]:
        """All tables with declared columns."""

    def accepts(self, name: TableName) -> bool:
        """Whether a table of that name may be sent, declared or not."""

    def is_numbered(self, name: TableName) -> bool:
        """Whether events of that table need an id."""

    def has_table_events(self, name: TableName) -> bool:
        """Whether the receiver understands the operations OF_TABLES."""

    def send(self, events: Sequence[Event]) -> list[str]:
        """Send events of one table, those of one key in their order; returns when all are answered.

        For each event why the target refused it; empty: it has accepted it. After an error any part of them may have
        been accepted.
        """

    def close(self) -> None:
        """Idempotent; never raises."""
