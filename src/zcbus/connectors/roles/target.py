"""Roles of a target: mapping tables, and opening sessions that write them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from zcbus.connectors.roles.sink import TargetSession
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind


@dataclass(frozen=True, slots=True)
class MappingNote:
    """Mapping of a column to this target; `blocking`: there is none."""

    column: str
    target_type: str
    note: str = ""
    """Key of a message (`type-widened`, `stored-as-text`, `zone-dropped-utc` …); empty: the same type."""
    blocking: bool = False
    facts: tuple[tuple[str, str], ...] = ()


def mapping_notes(schema: TableSchema, declare: Callable[[Column], tuple[str, str]]) -> list[MappingNote]:
    """For Target.map_columns. `declare`: type and note of a column whose values the source can read."""
    return [
        MappingNote(column.name, column.type.native, "unsupported-type", True, (("reason", column.type.reason),))
        if column.type.kind is Kind.UNSUPPORTED
        else MappingNote(column.name, *declare(column))
        for column in schema.columns
    ]


class Target(Protocol):
    """Creates sessions for a subscribe service."""

    @property
    def dialect(self) -> str: ...

    def map_columns(self, schema: TableSchema, key: tuple[str, ...]) -> list[MappingNote]:
        """The mapping of each column. Pure: no connection is made."""

    def stored_form(self, values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
        """The values that a reader of the target returns after canonical values of the source were written to a column
        of that type.

        Covers types for which the two databases spell the same value differently. Pure.
        """

    def default_schema(self, source: TableName, source_dialect: str) -> str:
        """Default schema (database) for a table."""

    def open(self) -> TargetSession:
        """A new session. Raises TargetUnavailable, AccessDenied."""
