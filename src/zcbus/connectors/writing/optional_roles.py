"""Optional roles of a Writer; see roles.Writer."""

from typing import Protocol, runtime_checkable

import pyarrow as pa

from zcbus.connectors.roles.sink import Wait
from zcbus.connectors.writing.definition import Reshaping
from zcbus.model.schema import TableSchema


@runtime_checkable
class TypedValues(Protocol):
    """Columns have types of the target's own, which reject some canonical values."""

    def check(self, table: TableSchema, rows: pa.RecordBatch) -> pa.RecordBatch | None:
        """Raise RowRefused unless the table accepts these values. Rows may have some of its columns.

        Returns them in the target's own types, if it has such, so that they are converted once; see PutRows.
        """


@runtime_checkable
class TableClearer(Protocol):
    """Empties a table at once. Errors: TargetUnavailable, TableMissing."""

    def clear(self, table: TableSchema) -> None:
        """Delete all rows. A kill may leave the table undefined."""


@runtime_checkable
class TableDropper(Protocol):
    """Drops a table with its rows, without deleting them one by one. Errors: TargetUnavailable."""

    def drop(self, table: TableSchema) -> None:
        """Delete the table, its rows and its definition. A kill may leave the definition."""


@runtime_checkable
class TableRewriter(Protocol):
    """Changes a complete table in one step. Errors: TargetUnavailable, TableMissing."""

    def reshape(self, change: Reshaping) -> None:
        """Change structure and rows, from any state between the structure before and `change.after`."""


@runtime_checkable
class PacedWriter(Protocol):
    """`write` may wait, so that more changes come together."""

    def pace(self, wait: Wait) -> None:
        """Wait by this from now on."""
