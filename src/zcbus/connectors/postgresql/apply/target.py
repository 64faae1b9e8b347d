"""PostgreSQL as a target; see roles.Target."""

import pyarrow as pa

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.apply import mapping, row_statements
from zcbus.connectors.postgresql.apply.encode import stored_form
from zcbus.connectors.postgresql.apply.session import PostgreSQLSession
from zcbus.connectors.roles import MappingNote, RowStatements, TargetTable
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.types import DataType


class PostgreSQLTarget(RowStatements):
    """See roles.Target."""

    def __init__(self, options: ConnectionOptions) -> None:
        self._options = options

    @property
    def dialect(self) -> str:
        return "postgresql"

    def map_columns(self, schema: TableSchema, key: tuple[str, ...]) -> list[MappingNote]:
        return mapping.map_columns(schema)

    def stored_form(self, values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
        return stored_form(values, source, target)

    def default_schema(self, source: TableName, source_dialect: str) -> str:
        """The same schema from PostgreSQL, else `public`: MySQL's databases are not schemas."""
        return source.schema if source_dialect == "postgresql" else "public"

    def open(self) -> PostgreSQLSession:
        return PostgreSQLSession(self._options)

    @property
    def statement_settings(self) -> tuple[str, ...]:
        return row_statements.SETTINGS

    def insert_statements(self, table: TargetTable, existing: TableSchema, rows: pa.RecordBatch) -> list[str]:
        return row_statements.insert_statements(table, existing, rows)

    def update_statements(self, table: TargetTable, existing: TableSchema, rows: pa.RecordBatch) -> list[str]:
        return row_statements.update_statements(table, existing, rows)

    def delete_statements(self, table: TargetTable, existing: TableSchema, keys: pa.RecordBatch) -> list[str]:
        return row_statements.delete_statements(table, existing, keys)
