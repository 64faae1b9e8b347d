"""The part of a TargetSession that knows the tables it has defined, and gives rows their names; see writing.session."""

from abc import abstractmethod
from collections.abc import Sequence

import pyarrow as pa

from zcbus.connectors.errors import RowRefused, TableMissing
from zcbus.connectors.roles import TargetTable
from zcbus.connectors.roles.writer import StateWriter
from zcbus.connectors.sql.columns import column_missing, require_columns
from zcbus.connectors.writing.definition import holds
from zcbus.connectors.writing.store_session import StoreSession
from zcbus.model.schema import TableName, TableSchema


class TableSession(StoreSession):
    """See roles.Sink."""

    def __init__(self, writer: StateWriter) -> None:
        super().__init__(writer)
        self._schemas: dict[TableName, TableSchema] = {}

    @abstractmethod
    def describe(self, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
        """Those of these tables that were defined."""

    def forget_tables(self) -> None:
        self._schemas.clear()

    def _given(self, table: TargetTable, schema: TableSchema, batch: pa.RecordBatch) -> pa.RecordBatch:
        """A batch by the target's names. Raises RowRefused where a column cannot hold it."""
        columns = {column.source: column for column in table.columns}
        for name in batch.schema.names:
            column = columns[name]
            existing = schema.column(column.target).type
            if not holds(column.type, existing):
                detail = f"column {column.target} of type {existing.native} holds no {column.type.native}"
                raise RowRefused(table=str(schema.name), detail=detail)
        return batch.rename_columns([columns[name].target for name in batch.schema.names])

    def _present(self, table: TargetTable) -> TableSchema:
        found = self.describe([table.name]).get(table.name)
        if found is None:
            raise TableMissing(table=str(table.name), side="target")
        return found

    def _schema(self, table: TargetTable) -> TableSchema:
        known = self._schemas.get(table.name)
        # Another session may have added a column since.
        if known is None or column_missing(table, known.names):
            known = self._present(table)
            require_columns(table, known.names)
            self._schemas[table.name] = known
        return known
