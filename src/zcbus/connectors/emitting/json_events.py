"""Events and rows as JSON. JSON is not written as a text, floating-point numbers are numbers, times are ISO 8601."""

import math
from collections.abc import Callable
from typing import Any

import orjson

from zcbus.connectors.emitting.events import Event, Operation
from zcbus.connectors.roles.writer import Row
from zcbus.connectors.writing.json_values import to_json
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import DataType, Kind

MOMENTS = (Kind.TIMESTAMP, Kind.TIMESTAMP_TZ)
_FLOATS = (Kind.FLOAT32, Kind.FLOAT64)


def event_to_json(event: Event) -> dict[str, Any]:
    """An event as its receiver gets it."""
    table = event.table
    found: dict[str, Any] = {"id": event.id, "table": table.name.table, "operation": str(event.operation)}
    if event.operation is Operation.STRUCTURE:
        found["columns"] = [_column_to_json(column) for column in table.columns]
    elif event.operation is not Operation.TRUNCATE:
        found["key"] = row_to_json(table, event.key)
    if event.row:
        found["row"] = row_to_json(table, event.row)
    if event.operation is Operation.UPDATE:
        found["unchanged"] = [name for name in table.names if name not in event.row]
    return {**found, "time": event.time}


def row_to_json(table: TableSchema, row: Row) -> dict[str, Any]:
    """Columns by their names. Raises ValueError for a text that is no value of its type."""
    return {name: None if value is None else converted(table.column(name).type)(value) for name, value in row.items()}


def converted(data: DataType) -> Callable[[Any], Any]:
    """JSON is not written as a text, floating-point numbers are numbers, and times are ISO 8601; else as
    writing.json_values."""
    if data.kind is Kind.JSON:
        return _parsed
    if data.kind in _FLOATS:
        return _number
    if data.kind in MOMENTS:
        return lambda value: moment(data, value)
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


def moment(data: DataType, text: str) -> str:
    """A time in ISO 8601; infinity and years before our era as they are."""
    if text.endswith("infinity") or text.endswith("BC"):
        return text
    iso = text.replace(" ", "T", 1)
    return iso.removesuffix("+00") + "Z" if data.kind is Kind.TIMESTAMP_TZ and iso.endswith("+00") else iso


def _column_to_json(column: Column) -> dict[str, Any]:
    return {"name": column.name, "type": column.type.native, "nullable": column.nullable}
