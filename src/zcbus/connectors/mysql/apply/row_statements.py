"""Rows as statements with literals; see roles.RowStatements."""

import pyarrow as pa

from zcbus.connectors.mysql.apply import literals
from zcbus.connectors.mysql.apply.encode import EncodedColumn, encode
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import SQL_MODE
from zcbus.connectors.roles import TargetTable
from zcbus.model.schema import TableSchema

SETTINGS = ("SET NAMES utf8mb4", f"SET SESSION sql_mode = '{SQL_MODE}', time_zone = '+00:00'")


def insert_statements(table: TargetTable, existing: TableSchema, rows: pa.RecordBatch) -> list[str]:
    """See RowStatements."""
    columns = _encoded(table, existing, rows)
    name = quote.table(table.name)
    return [
        statement
        for index in range(rows.num_rows)
        for statement in literals.insert_statements(name, [_row(column, index) for column in columns], replace=False)
    ]


def update_statements(table: TargetTable, existing: TableSchema, rows: pa.RecordBatch) -> list[str]:
    """See RowStatements."""
    columns = _encoded(table, existing, rows)
    others = [column for column in columns if column.name not in table.key]
    if not others or not rows.num_rows:
        return []
    keys = [column for column in columns if column.name in table.key]
    return list(literals.update_statements(quote.table(table.name), _as_keys(keys, existing), others))


def delete_statements(table: TargetTable, existing: TableSchema, keys: pa.RecordBatch) -> list[str]:
    """See RowStatements."""
    columns = _as_keys(_encoded(table, existing, keys), existing)
    name = quote.table(table.name)
    return [
        statement
        for index in range(keys.num_rows)
        for statement in literals.delete_statements(name, [_row(column, index) for column in columns])
    ]


def _as_keys(columns: list[EncodedColumn], existing: TableSchema) -> list[EncodedColumn]:
    return literals.as_keys(columns, existing) or columns


def _row(column: EncodedColumn, index: int) -> EncodedColumn:
    return EncodedColumn(column.name, column.text.slice(index, 1), column.form)


def _encoded(table: TargetTable, existing: TableSchema, rows: pa.RecordBatch) -> list[EncodedColumn]:
    mapped = {column.source: column for column in table.columns}
    return [
        encode(
            rows.column(name),
            mapped[name].type,
            existing.column(mapped[name].target).type,
            mapped[name].target,
            in_key=mapped[name].target in table.key,
        )
        for name in rows.schema.names
    ]
