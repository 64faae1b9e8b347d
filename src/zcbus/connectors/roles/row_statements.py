"""Optional role of a target: its writes as statements that a person can read and run."""

from typing import Protocol, runtime_checkable

import pyarrow as pa

from zcbus.connectors.roles.target_table import TargetTable
from zcbus.model.schema import TableSchema


@runtime_checkable
class RowStatements(Protocol):
    """Spells rows as statements with literals, one for each row, without an end mark.

    Batches are in the canonical forms, columns named by MappedColumn.source. `existing`: the target's table. Pure: no
    connection is made. Raises RowRefused for values that the database cannot hold.
    """

    @property
    def statement_settings(self) -> tuple[str, ...]:
        """Statements by which another session reads the literals as the connector means them."""

    def insert_statements(self, table: TargetTable, existing: TableSchema, rows: pa.RecordBatch) -> list[str]:
        """Add complete rows."""

    def update_statements(self, table: TargetTable, existing: TableSchema, rows: pa.RecordBatch) -> list[str]:
        """Set all columns besides the key of rows that exist. A table of key columns only has none to set: []."""

    def delete_statements(self, table: TargetTable, existing: TableSchema, keys: pa.RecordBatch) -> list[str]:
        """Delete rows by key."""
