"""Rows as statements with literals; see roles.RowStatements."""

import re
from collections.abc import Sequence

import pyarrow as pa

from zcbus.connectors.postgresql.apply.encode import to_input
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.model.schema import TableSchema

SETTINGS = ("SET DateStyle = 'ISO, MDY'", "SET IntervalStyle = 'postgres'", "SET TimeZone = 'UTC'")

_MODIFIER = re.compile(r"\([^)]*\)")
_CATALOG_NAMES = {"character": '"pg_catalog"."bpchar"'}


def insert_statements(table: TargetTable, existing: TableSchema, rows: pa.RecordBatch) -> list[str]:
    """See RowStatements."""
    columns = _columns(table, rows)
    head = f"INSERT INTO {quote.table(table.name)} ({quote.identifiers(column.target for column in columns)})"
    return [
        f"{head} OVERRIDING SYSTEM VALUE VALUES ({', '.join(row)})" for row in _literals(table, existing, columns, rows)
    ]


def update_statements(table: TargetTable, existing: TableSchema, rows: pa.RecordBatch) -> list[str]:
    """See RowStatements."""
    columns = _columns(table, rows)
    keys = [column for column in columns if column.target in table.key]
    others = [column for column in columns if column.target not in table.key]
    if not others:
        return []
    settings = [_terms(others, row, ", ") for row in _literals(table, existing, others, rows)]
    conditions = _conditions(table, existing, keys, rows)
    name = quote.table(table.name)
    return [
        f"UPDATE {name} SET {setting} WHERE {condition}"
        for setting, condition in zip(settings, conditions, strict=True)
    ]


def delete_statements(table: TargetTable, existing: TableSchema, keys: pa.RecordBatch) -> list[str]:
    """See RowStatements."""
    conditions = _conditions(table, existing, _columns(table, keys), keys)
    return [f"DELETE FROM {quote.table(table.name)} WHERE {condition}" for condition in conditions]


def _columns(table: TargetTable, rows: pa.RecordBatch) -> list[MappedColumn]:
    mapped = {column.source: column for column in table.columns}
    return [mapped[name] for name in rows.schema.names]


def _conditions(
    table: TargetTable, existing: TableSchema, keys: Sequence[MappedColumn], rows: pa.RecordBatch
) -> list[str]:
    return [_terms(keys, row, " AND ") for row in _literals(table, existing, keys, rows)]


def _terms(columns: Sequence[MappedColumn], row: Sequence[str], joint: str) -> str:
    return joint.join(
        f"{quote.identifier(column.target)} = {value.strip()}" for column, value in zip(columns, row, strict=True)
    )


def _literals(
    table: TargetTable, existing: TableSchema, columns: Sequence[MappedColumn], rows: pa.RecordBatch
) -> list[tuple[str, ...]]:
    """By row, the values as untyped literals: the server reads each as its column's type."""
    texts = [
        to_input(
            rows.column(column.source),
            column.type,
            _cast_name(existing.column(column.target).type.native),
            str(table.name),
            column.target,
        ).to_pylist()
        for column in columns
    ]
    return [
        tuple("NULL" if text is None else quote.literal(str(text)) for text in row) for row in zip(*texts, strict=True)
    ]


def _cast_name(native: str) -> str:
    """The type's name as `to_input` expects it."""
    name = _MODIFIER.sub("", native).strip()
    return _CATALOG_NAMES.get(name, name)
