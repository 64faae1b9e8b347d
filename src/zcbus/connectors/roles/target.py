"""What a target does: maps tables, and opens sessions that write them."""

from dataclasses import dataclass
from typing import Protocol

from zcbus.connectors.roles.sink import TargetSession
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import DataType


@dataclass(frozen=True, slots=True)
class MappingNote:
    """What becomes of a column on this target; `blocking`: it cannot be done."""

    column: str
    target_type: str
    note: str = ""
    """Key of a message (`type-widened`, `stored-as-text`, `zone-dropped-utc` …); empty: the same type."""
    blocking: bool = False
    facts: tuple[tuple[str, str], ...] = ()


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
