"""Where an answer has its records, and the columns and key of a record."""

from dataclasses import dataclass
from itertools import islice

from zcbus.connectors.http import paths
from zcbus.connectors.http.openapi.description import Description, Json, type_of

_ENVELOPES = (
    "data",
    "items",
    "results",
    "records",
    "values",
    "value",
    "rows",
    "list",
    "entries",
    "content",
    "elements",
)
"""Usual names of the array of records."""
_WIDEST_ENVELOPE = 8
_KEYS = ("id", "uuid", "guid", "key", "code", "sha", "number", "slug", "name")
_KEY_TYPES = ("bigint", "text")
_MAX_COLUMNS = 500
_SCALARS = {"integer": "bigint", "number": "double", "boolean": "boolean", "object": "json", "array": "json"}
_FORMATS = {"date-time": "timestamptz", "date": "date"}


@dataclass(frozen=True, slots=True)
class Shape:
    """Records of an answer."""

    path: str
    columns: dict[str, str]
    """Types by name."""
    key: str
    """Guessed from names."""


def shape_of(description: Description, schema: Json, table: str) -> Shape | None:
    """The shape of an answer's records; None: it has no array of objects, or no column that can be a key."""
    found = _array(description, schema)
    if found is None:
        return None
    path, record = found
    columns = {}
    for name, part in islice(description.properties(record), _MAX_COLUMNS):
        columns[name] = _type(part)
    key = _key(columns, record, table)
    return Shape(path, columns, key) if key else None


def _array(description: Description, schema: Json) -> tuple[str, Json] | None:
    """Path and schema of the records."""
    record = _record(description, schema)
    if record is not None:
        return "$", record
    arrays, has_id, width = dict[tuple[str, ...], Json](), False, 0
    for name, part in description.properties(schema):
        has_id, width = has_id or name == "id", width + 1
        if (record := _record(description, part)) is not None:
            arrays[(name,)] = record
        elif type_of(part) == "object":
            for below, inner in description.properties(part):
                if (record := _record(description, inner)) is not None:
                    arrays[(name, below)] = record
    usual = sorted(
        (steps for steps in arrays if steps[-1] in _ENVELOPES), key=lambda steps: _ENVELOPES.index(steps[-1])
    )
    # A single record may contain arrays of objects too: without a usual name it takes an object that is little else.
    chosen = usual[:1] or (list(arrays) if len(arrays) == 1 and not has_id and width <= _WIDEST_ENVELOPE else [])
    return (paths.written(chosen[0]), arrays[chosen[0]]) if chosen else None


def _record(description: Description, schema: Json) -> Json | None:
    """The schema of an array's elements, where they are objects with properties."""
    if type_of(schema) != "array":
        return None
    record = description.schema(schema.get("items"))
    return record if record.get("properties") else None


def _type(schema: Json) -> str:
    found = type_of(schema)
    if found == "string":
        return _FORMATS.get(str(schema.get("format", "")), "text")
    return _SCALARS.get(found, "text")


def _key(columns: dict[str, str], record: Json, table: str) -> str:
    """By usual names, else the first required property of a suitable type."""
    named = (*_KEYS[:3], f"{table}_id", f"{table.removesuffix('s')}_id", f"{table.removesuffix('s')}Id", *_KEYS[3:])
    required = record.get("required")
    candidates = (*named, *(required if isinstance(required, list) else ()))
    return next((str(one) for one in candidates if columns.get(str(one)) in _KEY_TYPES), "")
