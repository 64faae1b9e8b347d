"""Rows as JSON of a request."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from zcbus.connectors.emitting.json_events import MOMENTS, converted, moment
from zcbus.connectors.http import paths
from zcbus.connectors.http.parts import ColumnPart
from zcbus.connectors.roles.writer import Row, Value
from zcbus.model.schema import TableSchema
from zcbus.model.types import DataType, Kind

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def record_of(table: TableSchema, parts: Mapping[str, ColumnPart], row: Row) -> dict[str, Any]:
    """Columns at the places that a document declares. Raises ValueError for a text that is no
    value of its type."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        part = parts[name]
        steps = paths.steps(part.path) if part.path is not None else (name,)
        below = found
        for step in steps[:-1]:
            below = below.setdefault(str(step), {})
        below[str(steps[-1])] = None if value is None else _of_column(table.column(name).type, part, value)
    return found


def text_of(data: DataType, value: Value) -> str:
    """A value as a part of an address or a header."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.hex()
    if data.kind is Kind.BOOLEAN:
        return "true" if value == "t" else "false"
    return moment(data, value) if data.kind in MOMENTS else value


def _of_column(data: DataType, part: ColumnPart, value: Value) -> Any:
    if part.unit is not None:
        return _count(str(value), part.unit)
    return converted(data)(value)


def _count(text: str, unit: Literal["seconds", "milliseconds"]) -> int:
    moment = datetime.fromisoformat(text.removesuffix("+00")).replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(**{unit: 1})
