"""Rows as JSON of a request."""

import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import orjson

from zcbus.connectors.http import paths
from zcbus.connectors.http.parts import ColumnPart
from zcbus.connectors.roles.writer import Row, Value
from zcbus.connectors.writing.json_values import to_json
from zcbus.model.schema import TableSchema
from zcbus.model.types import DataType, Kind

_FLOATS = (Kind.FLOAT32, Kind.FLOAT64)
_MOMENTS = (Kind.TIMESTAMP, Kind.TIMESTAMP_TZ)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def row_to_json(table: TableSchema, row: Row) -> dict[str, Any]:
    """Columns by their names. Raises ValueError for a text that is no value of its type."""
    return {name: None if value is None else _converted(table.column(name).type)(value) for name, value in row.items()}


def record_of(table: TableSchema, parts: Mapping[str, ColumnPart], row: Row) -> dict[str, Any]:
    """Columns at the places that a document declares. Raises ValueError as above."""
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
    return _moment(data, value) if data.kind in _MOMENTS else value


def _of_column(data: DataType, part: ColumnPart, value: Value) -> Any:
    if part.unit is not None:
        return _count(str(value), part.unit)
    return _converted(data)(value)


def _converted(data: DataType) -> Callable[[Any], Any]:
    """JSON is not written as a text, floating-point numbers are numbers, and times are ISO 8601; else as
    writing.json_values."""
    if data.kind is Kind.JSON:
        return _parsed
    if data.kind in _FLOATS:
        return _number
    if data.kind in _MOMENTS:
        return lambda value: _moment(data, value)
    return to_json(data)


def _parsed(text: str) -> Any:
    try:
        return orjson.Fragment(orjson.dumps(orjson.loads(text)))
    except orjson.JSONDecodeError:
        return text


def _number(text: str) -> float | str:
    """A number that JSON does not have stays a text."""
    found = float(text)
    return found if math.isfinite(found) else text


def _moment(data: DataType, text: str) -> str:
    if text.endswith("infinity") or text.endswith("BC"):
        return text
    iso = text.replace(" ", "T", 1)
    return iso.removesuffix("+00") + "Z" if data.kind is Kind.TIMESTAMP_TZ and iso.endswith("+00") else iso


def _count(text: str, unit: Literal["seconds", "milliseconds"]) -> int:
    moment = datetime.fromisoformat(text.removesuffix("+00")).replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(**{unit: 1})
