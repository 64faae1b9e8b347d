"""Columns that a target table must have for the rows that are written into it."""

from collections.abc import Container

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.roles import TargetTable


def column_missing(table: TargetTable, present: Container[str]) -> TableRefused | None:
    """The error for an existing table that lacks a column; `present`: the names of its columns."""
    for column in table.columns:
        if column.target not in present:
            return TableRefused(table=str(table.name), column=column.target, reason="target-column-missing")
    return None


def require_columns(table: TargetTable, present: Container[str]) -> None:
    """Raise TableRefused where the table lacks a column."""
    error = column_missing(table, present)
    if error is not None:
        raise error
