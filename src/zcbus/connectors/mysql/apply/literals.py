"""Statements that carry their rows as literals."""

from collections.abc import Iterator, Sequence
from typing import Any

from zcbus.connectors.mysql.apply.encode import EncodedColumn, Form
from zcbus.connectors.mysql.connection import quote
from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute
from zcbus.model.schema import TableSchema
from zcbus.model.types import INTEGERS, DataType, Kind

_NUMBERS = INTEGERS | {Kind.DECIMAL}

_STATEMENT_BYTES = 512 << 10
_KEYS_IN_STATEMENT = 500
_AROUND = {
    Form.TEXT: ("'", "'"),
    Form.HEX: ("X'", "'"),
    Form.BITS: ("b'", "'"),
    Form.NUMBER: ("CAST('", "' AS UNSIGNED)"),
    Form.DIGITS: ("", ""),
}
_ANYTHING, _NUMBER, _DATE = "", r"^-?\d+(\.\d+)?$", r"^\d{4}-\d\d-\d\d"


def as_keys(columns: Sequence[EncodedColumn], table: TableSchema) -> list[EncodedColumn] | None:
    """The columns as keys for `update_statements` and `delete_statements`; None: literals would not find such rows."""
    keys = [_as_key(column, table.column(column.name).type) for column in columns]
    known = [key for key in keys if key is not None]
    return known if len(known) == len(keys) else None


def _as_key(column: EncodedColumn, target: DataType) -> EncodedColumn | None:
    pattern = _comparable(target)
    if pattern is None:
        return None
    if pattern and not compute.all(compute.match_substring_regex(column.text, pattern), min_count=0).as_py():
        return None
    # The server would compare a decimal number with a text as floating-point numbers.
    return EncodedColumn(column.name, column.text, Form.DIGITS) if target.kind in _NUMBERS else column


def _comparable(target: DataType) -> str | None:
    """A pattern of the texts that a column stores unchanged, without rounding or padding; None: no text.

    (A FLOAT does not equal the number that it was made of.)
    """
    if target.kind in _NUMBERS:
        return _NUMBER
    if target.kind is Kind.DATE:
        return f"{_DATE}$"
    if target.kind in (Kind.TIMESTAMP, Kind.TIMESTAMP_TZ):
        fraction = rf"(\.\d{{1,{target.precision}}})?" if target.precision else ""
        return rf"{_DATE} \d\d:\d\d:\d\d{fraction}$"
    return _ANYTHING if target.kind is Kind.TEXT or (target.kind is Kind.BINARY and not target.fixed) else None


def insert_statements(table: str, columns: Sequence[EncodedColumn], replace: bool) -> Iterator[str]:
    """INSERT or REPLACE statements of a bounded size."""
    return _with_rows(f"{'REPLACE' if replace else 'INSERT'} INTO {table}", columns, "")


def merge_statements(table: str, columns: Sequence[EncodedColumn]) -> Iterator[str]:
    """INSERT statements of a bounded size that set these columns where a row with the key exists."""
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
    conditions = [str(condition) for condition in _conditions(keys).to_pylist()]
    for start in range(0, len(conditions), _KEYS_IN_STATEMENT):
        yield f"DELETE FROM {table} WHERE {' OR '.join(conditions[start : start + _KEYS_IN_STATEMENT])}"


def _with_rows(head: str, columns: Sequence[EncodedColumn], tail: str) -> Iterator[str]:
    texts = [literals(column) for column in columns]
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
    return _joined(f"{quote.identifier(column.name)} = ", compute.fill_null(literals(column), "NULL"))


def _conditions(keys: Sequence[EncodedColumn]) -> ArrowArray:
    """For each row a condition on the row with its key; NULL matches NULL."""
    parts = [
        compute.fill_null(_joined(f"{name} = ", literals(column)), f"{name} IS NULL")
        for column in keys
        for name in [quote.identifier(column.name)]
    ]
    equalities: ArrowArray = compute.binary_join_element_wise(*parts, " AND ")
    return _joined("(", equalities, ")")


def literals(column: EncodedColumn) -> ArrowArray:
    """Each value as a statement has it; null for none."""
    text: Any = column.text
    if column.form in (Form.TEXT, Form.NUMBER):
        for character, escape in (("\\", "\\\\"), ("'", "''"), ("\0", "\\0")):
            text = compute.replace_substring(text, character, escape)
    before, after = _AROUND[column.form]
    return _joined(before, text, after)


def _joined(*parts: Any) -> ArrowArray:
    result: ArrowArray = compute.binary_join_element_wise(*parts, "")
    return result
