"""Columns of other databases as fields (https://docs.opensearch.org/latest/field-types/).

What is stored is exact, as JSON: integers and booleans, binary values in base64, times as ISO 8601, and all else as
canonical text (model.types). Fields say how it is searched: as a number, a time, words. A value that has no place in
its field, as an infinite time, is stored and returned all the same, and not found by searches for values.
"""

import base64
import re
from collections.abc import Callable
from typing import Any

from zcbus.connectors.roles import MappingNote, mapping_notes
from zcbus.connectors.roles.writer import Value
from zcbus.model.schema import TableSchema
from zcbus.model.types import INTEGERS, DataType, Kind

_WHOLE = INTEGERS | {Kind.YEAR}
_TIMES = {Kind.TIMESTAMP, Kind.TIMESTAMP_TZ}
_CANONICAL_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?(\+00)?")
_ISO_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?")
_MAX_TERM_LENGTH = 8191
"""Characters; a term has 32,766 bytes at most."""
_FIELDS: dict[Kind, dict[str, Any]] = {
    Kind.BOOLEAN: {"type": "boolean"},
    Kind.UINT64: {"type": "unsigned_long"},
    Kind.FLOAT32: {"type": "double"},
    Kind.FLOAT64: {"type": "double"},
    Kind.DECIMAL: {"type": "double"},
    Kind.BINARY: {"type": "binary"},
    Kind.DATE: {"type": "date", "format": "strict_date"},
    Kind.TIMESTAMP: {"type": "date", "format": "strict_date_optional_time"},
    Kind.TIMESTAMP_TZ: {"type": "date", "format": "strict_date_optional_time"},
    Kind.TEXT: {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 256}}},
}
_KEYWORD = {"type": "keyword", "ignore_above": _MAX_TERM_LENGTH}


def field(data: DataType) -> dict[str, Any]:
    """The mapping of a column's field. Wide, since a field's type never changes."""
    if data.kind in _FIELDS:
        return _FIELDS[data.kind]
    return {"type": "long"} if data.kind in _WHOLE else _KEYWORD


def map_columns(schema: TableSchema) -> list[MappingNote]:
    """See roles.Target."""
    return mapping_notes(schema, lambda column: (str(field(column.type)["type"]), ""))


def to_json(data: DataType) -> Callable[[Any], object]:
    """Conversion of a canonical value to JSON."""
    if data.kind in _WHOLE:
        return int
    if data.kind is Kind.BOOLEAN:
        return lambda text: text == "t"
    if data.kind is Kind.BINARY:
        return lambda value: base64.b64encode(value).decode()
    return _iso if data.kind in _TIMES else str


def from_json(data: DataType, value: Any) -> Value:
    """Inverse of `to_json`. Raises ValueError, TypeError for what others wrote."""
    if value is None:
        return None
    if data.kind is Kind.BOOLEAN:
        return "t" if value else "f"
    if data.kind is Kind.BINARY:
        return base64.b64decode(value)
    if data.kind is Kind.YEAR:
        return f"{int(value):04}"
    return _canonical(str(value)) if data.kind in _TIMES else str(value)


def _iso(text: str) -> str:
    if not _CANONICAL_TIME.fullmatch(text):
        return text
    return f"{text[:10]}T{text[11:].replace('+00', 'Z')}"


def _canonical(text: str) -> str:
    if not _ISO_TIME.fullmatch(text):
        return text
    return f"{text[:10]} {text[11:].replace('Z', '+00')}"
