"""Statements that carry their rows as literals."""

from collections.abc import Iterator, Sequence
from typing import Any

from zcbus.connectors.mysql import quote
from zcbus.connectors.mysql.encode import EncodedColumn, Form
from zcbus.connectors.mysql.vectors import compute
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableSchema
from zcbus.model.types import Kind

WHOLE = frozenset(
    {Kind.INT8, Kind.INT16, Kind.INT24, Kind.INT32, Kind.INT64}
    | {Kind.UINT8, Kind.UINT16, Kind.UINT24, Kind.UINT32, Kind.UINT64}
)
_NUMBERS = WHOLE | {Kind.DECIMAL}
_COMPARABLE = _NUMBERS | {Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ, Kind.TEXT, Kind.BINARY}
"""Types of columns that a literal equals exactly where the same value stands. (A FLOAT does not equal the number that
it was made of.)"""

_STATEMENT_BYTES = 512 << 10
_KEYS_IN_STATEMENT = 500
_AROUND = {
    Form.TEXT: ("'", "'"),
    Form.HEX: ("X'", "'"),
    Form.BITS: ("b'", "'"),
    Form.NUMBER: ("CAST('", "' AS UNSIGNED)"),
    Form.DIGITS: ("", ""),
}
_NUMBER = r"^-?\d+(\.\d+)?$"


def as_keys(columns: Sequence[EncodedColumn], table: TableSchema) -> list[EncodedColumn] | None:
    """The columns as `update_statements` and `delete_statements` take keys; None: a literal does not find such rows."""
    kinds = [table.column(column.name).type.kind for column in columns]
    if not _COMPARABLE.issuperset(kinds):
        return None
    return [_as_key(column, kind) for column, kind in zip(columns, kinds, strict=True)]


def _as_key(column: EncodedColumn, kind: Kind) -> EncodedColumn:
    """The server would compare a decimal number with a text as floating-point numbers: numbers go without quotes."""
    if kind not in _NUMBERS or not compute.all(compute.match_substring_regex(column.text, _NUMBER)).as_py():
        return column
    return EncodedColumn(column.name, column.text, Form.DIGITS)


def insert_statements(table: str, columns: Sequence[EncodedColumn], replace: bool) -> Iterator[str]:
    """INSERT or REPLACE statements of a bounded size."""
    return _with_rows(f"{'REPLACE' if replace else 'INSERT'} INTO {table}", columns, "")


def merge_statements(table: str, columns: Sequence[EncodedColumn]) -> Iterator[str]:
    """INSERT statements of a bounded size that set these columns where a row of the key is there."""
    names = [quote.identifier(column.name) for column in columns]
    settings = ", ".join(f"{name} = VALUES({name})" for name in names)
    return _with_rows(f"INSERT INTO {table}", columns, f" ON DUPLICATE KEY UPDATE {settings}")


def update_statements(table: str, keys: Sequence[EncodedColumn], columns: Sequence[EncodedColumn]) -> Iterator[str]:
    """A statement for each row that sets its columns where the key is."""
    settings = compute.binary_join_element_wise(*(_setting(column) for column in columns), ", ")
    for setting, condition in zip(settings.to_pylist(), _conditions(keys).to_pylist(), strict=True):
        yield f"UPDATE {table} SET {setting} WHERE {condition}"


def delete_statements(table: str, keys: Sequence[EncodedColumn]) -> Iterator[str]:
    """DELETE statements for so many keys each."""
    conditions: list[str] = _conditions(keys).to_pylist()
    for start in range(0, len(conditions), _KEYS_IN_STATEMENT):
        yield f"DELETE FROM {table} WHERE {' OR '.join(conditions[start : start + _KEYS_IN_STATEMENT])}"


def _with_rows(head: str, columns: Sequence[EncodedColumn], tail: str) -> Iterator[str]:
    texts = [_literals(column) for column in columns]
    rows = compute.binary_join_element_wise(*texts, ",", null_handling="replace", null_replacement="NULL")
    head = f"{head} ({quote.identifiers(column.name for column in columns)}) VALUES "
    pending: list[str] = []
    size = 0
    for row in rows.to_pylist():
        if pending and size + len(row) > _STATEMENT_BYTES:
            yield head + ",".join(pending) + tail
            pending, size = [], 0
        pending.append(f"({row})")
        size += len(row) + 3
    yield head + ",".join(pending) + tail


def _setting(column: EncodedColumn) -> ArrowArray:
    return _joined(f"{quote.identifier(column.name)} = ", compute.fill_null(_literals(column), "NULL"))


def _conditions(keys: Sequence[EncodedColumn]) -> ArrowArray:
    """For each row what is true of the row with its key; nulls match nulls."""
    parts = [
        compute.fill_null(_joined(f"{name} = ", _literals(column)), f"{name} IS NULL")
        for column in keys
        for name in [quote.identifier(column.name)]
    ]
    whole: ArrowArray = compute.binary_join_element_wise(*parts, " AND ")
    return _joined("(", whole, ")")


def _literals(column: EncodedColumn) -> ArrowArray:
    text: Any = column.text
    if column.form in (Form.TEXT, Form.NUMBER):
        for character, escape in (("\\", "\\\\"), ("'", "''"), ("\0", "\\0")):
            text = compute.replace_substring(text, character, escape)
    before, after = _AROUND[column.form]
    return _joined(before, text, after)


def _joined(*parts: Any) -> ArrowArray:
    result: ArrowArray = compute.binary_join_element_wise(*parts, "")
    return result
