"""Table schemas as JSON text; equal schemas give equal text."""

from functools import lru_cache
from typing import Any

import orjson

from zcbus.model.schema import Column, Index, IndexPart, TableName, TableSchema
from zcbus.model.types import DataType, Kind


@lru_cache(maxsize=4096)
def schema_to_json(schema: TableSchema) -> str:
    """JSON text of a schema."""
    return orjson.dumps(schema, option=orjson.OPT_SORT_KEYS).decode()


def schema_from_json(text: str) -> TableSchema:
    """Inverse of schema_to_json. Raises KeyError, TypeError or ValueError for invalid text."""
    return schema_from_dict(orjson.loads(text))


def schema_from_dict(data: Any) -> TableSchema:
    """A schema from its JSON object."""
    return TableSchema(
        name=TableName(**data["name"]),
        dialect=data["dialect"],
        columns=tuple(column_from_dict(column) for column in data["columns"]),
        primary_key=tuple(data["primary_key"]),
        unique_keys=tuple(tuple(key) for key in data["unique_keys"]),
        comment=data["comment"],
        indexes=tuple(index_from_dict(index) for index in data.get("indexes", ())),
    )


def index_from_dict(data: Any) -> Index:
    """An index from its JSON object."""
    return Index(data["name"], tuple(IndexPart(**part) for part in data["parts"]), data["unique"])


def column_from_dict(data: Any) -> Column:
    """A column from its JSON object."""
    return Column(**{**data, "type": _data_type(data["type"])})


def _data_type(data: Any) -> DataType:
    element = _data_type(data["element"]) if data["element"] else None
    return DataType(**{**data, "kind": Kind(data["kind"]), "values": tuple(data["values"]), "element": element})
