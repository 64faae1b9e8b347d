"""Fields of documents by others as the columns that an operator declared, and all other fields as JSON."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from uuid import UUID

import orjson
from bson import Decimal128, Int64, ObjectId, json_util
from bson.datetime_ms import DatetimeMS

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.formats.declared import CONVERSIONS, columns_for
from zcbus.connectors.mongodb.moments import DAY_MS, day_text, moment_text
from zcbus.connectors.mongodb.spec import ID, REST, SCHEMA
from zcbus.connectors.mongodb.types import float_text, whole
from zcbus.connectors.roles.writer import Key, Row
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

NATIVE_ID = "objectId"
_ID_LENGTH = 36
"""Characters of a UUID; an ObjectId has 24."""
_JSON = DataType(Kind.JSON, "document")
_LONGEST = 1 << 63
_EXACT = 1 << 53
"""Integers up to here are exact as a double."""
_SHOWN = 60
_OPTIONS = json_util.RELAXED_JSON_OPTIONS

Converter = Callable[[Any, DataType], str]


def schema_of(collection: str, columns: str) -> TableSchema:
    """The table of a collection. `columns`: the option."""
    found = columns_for(collection, columns)
    key = found.get(ID, DataType(Kind.TEXT, NATIVE_ID, length=_ID_LENGTH))
    others = tuple(Column(name, data) for name, data in found.items() if name != ID)
    name = TableName(SCHEMA, collection)
    return TableSchema(name, SCHEMA, (Column(ID, key, False), *others, Column(REST, _JSON, False)), (ID,))


def row_of(table: TableSchema, document: Mapping[str, Any]) -> Row:
    """A document as a row. Raises TableRefused where a value is not of its column's type."""
    rest = dict(document)
    row: Row = {}
    for column in table.columns[:-1]:
        value = rest.pop(column.name, None)
        try:
            row[column.name] = key_text(column.type, value) if column.name == ID else _text(column.type, value)
        except (ValueError, ArithmeticError, TypeError) as error:
            raise _unfit(table, column.name, document.get(ID), value) from error
    row[REST] = json_of(rest)
    return row


def key_of(table: TableSchema, document: Mapping[str, Any]) -> Key:
    """The key of a document. Raises TableRefused."""
    try:
        return (key_text(table.column(ID).type, document[ID]),)
    except (ValueError, ArithmeticError, TypeError) as error:
        raise _unfit(table, ID, document[ID], document[ID]) from error


def key_text(data: DataType, value: Any) -> str:
    """An id as canonical text. Raises ValueError for one of another type."""
    if data.native == NATIVE_ID and isinstance(value, ObjectId | UUID):
        return str(value)
    if data.kind is Kind.INT64:
        return _integer(value, data)
    if data.native != NATIVE_ID and isinstance(value, str):
        return value
    raise ValueError(f"{type(value).__name__} as a key")


def id_of(data: DataType, text: str) -> Any:
    """Inverse of `key_text`. Raises ValueError for a text that no id has."""
    if data.kind is Kind.INT64:
        return Int64(int(text))
    if data.native != NATIVE_ID:
        return text
    return ObjectId(text) if ObjectId.is_valid(text) else UUID(text)


def json_of(value: Any) -> str:
    """A value as relaxed Extended JSON, without blanks (https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/)."""
    return json_util.dumps(value, json_options=_OPTIONS, ensure_ascii=False, separators=(",", ":"))


def _text(data: DataType, value: Any) -> str | None:
    return None if value is None else _converters()[data.kind](value, data)


@cache
def _converters() -> Mapping[Kind, Converter]:
    return {
        Kind.TEXT: _words,
        Kind.INT64: _integer,
        Kind.DECIMAL: _exact,
        Kind.FLOAT64: _double,
        Kind.BOOLEAN: _truth,
        Kind.DATE: _day,
        Kind.TIMESTAMP: _moment,
        Kind.TIMESTAMP_TZ: _moment,
        Kind.JSON: lambda value, _: json_of(value),
    }


def _words(value: Any, _: DataType) -> str:
    if isinstance(value, str | ObjectId | UUID):
        return str(value)
    raise ValueError("no text")


def _integer(value: Any, _: DataType) -> str:
    number = whole(value)
    if not -_LONGEST <= number < _LONGEST:
        raise ValueError("beyond 64 bits")
    return str(number)


def _exact(value: Any, data: DataType) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal128):
        raise ValueError("no number")
    spelled = repr(value) if isinstance(value, float) else str(int(value) if isinstance(value, int) else value)
    return CONVERSIONS[Kind.DECIMAL](spelled, data)


def _double(value: Any, data: DataType) -> str:
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or (isinstance(value, int) and abs(value) > _EXACT)
    ):
        raise ValueError("no double")
    return float_text(float(value), data)


def _truth(value: Any, _: DataType) -> str:
    if not isinstance(value, bool):
        raise ValueError("not true or false")
    return "t" if value else "f"


def _day(value: Any, data: DataType) -> str:
    if isinstance(value, DatetimeMS) and int(value) % DAY_MS == 0:
        return day_text(int(value) // DAY_MS)
    return _parsed(value, data)


def _moment(value: Any, data: DataType) -> str:
    if isinstance(value, DatetimeMS):
        return moment_text(int(value)) + ("+00" if data.kind is Kind.TIMESTAMP_TZ else "")
    return _parsed(value, data)


def _parsed(value: Any, data: DataType) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"no {data.native}")
    return CONVERSIONS[data.kind](value, data)


def _unfit(table: TableSchema, column: str, key: Any, value: Any) -> TableRefused:
    spelled = value if isinstance(value, str) else json_of(value)
    detail = f"_id {json_of(key)[:_SHOWN]}: {type(value).__name__} {orjson.dumps(spelled[:_SHOWN]).decode()}"
    reason = "document-keys" if column == ID else "document-unfit"
    return TableRefused(table=str(table.name), column=column, reason=reason, detail=detail)
