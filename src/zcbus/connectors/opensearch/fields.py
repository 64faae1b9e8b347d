"""Documents by others as rows: their id, the fields that an operator declared as columns, and all others as JSON.

Values are those of `_source`, not what the server made of them to search by.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.formats.declared import CONVERSIONS, columns_for
from zcbus.connectors.formats.json_text import Number, json_of
from zcbus.connectors.opensearch.names import MAX_ID_BYTES
from zcbus.connectors.opensearch.spec import ID, REST, SCHEMA
from zcbus.connectors.roles.writer import Row
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

_JSON = DataType(Kind.JSON, "document")
_ID = DataType(Kind.TEXT, "id", length=MAX_ID_BYTES)
_SHOWN = 60
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS = {"epoch_millis": timedelta(milliseconds=1), "epoch_second": timedelta(seconds=1)}
_ISO_FORMATS = frozenset({"strict_date_optional_time", "strict_date_optional_time_nanos"})
_DEFAULT_FORMAT = "strict_date_optional_time||epoch_millis"
_YEAR_DIGITS = 4
_NAME = re.compile(r"[^\s,:;\x00-\x1f\x7f]{1,128}")
_TYPES = {
    **dict.fromkeys(("keyword", "text", "constant_keyword", "wildcard", "match_only_text", "version"), "text"),
    **dict.fromkeys(("byte", "short", "integer", "long"), "bigint"),
    **dict.fromkeys(("float", "double", "half_float", "scaled_float", "unsigned_long"), "decimal"),
    **dict.fromkeys(("date", "date_nanos"), "timestamptz"),
    "boolean": "boolean",
}
"""By the type of a field."""
Field = Mapping[str, Any]
"""The mapping of a field: `type`, and `format` of times."""


def schema_of(table: str, columns: str) -> TableSchema:
    """The table of an index. `columns`: the option."""
    found = tuple(Column(name, data) for name, data in columns_for(table, columns).items())
    every = (Column(ID, _ID, False), *found, Column(REST, _JSON, False))
    return TableSchema(TableName(SCHEMA, table), SCHEMA, every, (ID,))


def row_of(table: TableSchema, fields: Mapping[str, Field], hit: Mapping[str, Any]) -> Row:
    """A document as a row. `hit`: of a search, parsed by json_text.parse. Raises TableRefused where a value is not of
    its column's type, or the index stores no documents."""
    rest = hit.get("_source")
    if rest is None:
        raise _unfit(table, REST, hit["_id"], "no _source")
    row: Row = {ID: str(hit["_id"])}
    for column in table.columns[1:-1]:
        value = rest.pop(column.name, None)
        try:
            row[column.name] = None if value is None else _text(column.type, fields.get(column.name, {}), value)
        except (ValueError, ArithmeticError) as error:
            raise _unfit(table, column.name, hit["_id"], json_of(value)) from error
    row[REST] = json_of(rest)
    return row


def suggested(fields: Mapping[str, Field]) -> str:
    """Columns as the option has them, of fields that have one of its types; all others stay in the column for the
    rest."""
    names = (name for name in fields if _NAME.fullmatch(name) and name not in (ID, REST))
    types = ((name, _TYPES.get(str(fields[name].get("type")))) for name in names)
    return ", ".join(f"{name} {type_}" for name, type_ in types if type_)


def _text(data: DataType, field: Field, value: Any) -> str:
    """Raises ValueError, ArithmeticError."""
    if data.kind is Kind.JSON:
        return json_of(value)
    return _FORMS.get(data.kind, _number)(data, field, value)


def _words(_: DataType, __: Field, value: Any) -> str:
    if not isinstance(value, str) or isinstance(value, Number):
        raise ValueError("no text")
    return value


def _truth(_: DataType, __: Field, value: Any) -> str:
    if not isinstance(value, bool):
        raise ValueError("not true or false")
    return "t" if value else "f"


def _number(data: DataType, _: Field, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("no number")
    whole = data.kind is Kind.INT64 and isinstance(value, Number)
    return CONVERSIONS[data.kind](_integral(value) if whole else str(value), data)


def _integral(text: str) -> str:
    number = Decimal(text)
    if number.adjusted() > _LONGEST or number != number.to_integral_value():
        raise ValueError("no integer")
    return str(int(number))


_LONGEST = 19
"""More digits has no integer of 64 bits."""


def _day(data: DataType, _: Field, value: Any) -> str:
    return CONVERSIONS[data.kind](_words(data, _, value), data)


def _moment(data: DataType, field: Field, value: Any) -> str:
    """A time without an offset is one in UTC to the server, where its field has times."""
    if isinstance(value, Number):
        value = (_EPOCH + int(_integral(value)) * _unit(field, value)).isoformat()
        value = value if data.kind is Kind.TIMESTAMP_TZ else value.removesuffix("+00:00")
    text = _words(data, field, value)
    if data.kind is Kind.TIMESTAMP_TZ and str(field.get("type", "")).startswith("date"):
        clock = text[len("2026-01-01") :]
        text = text if clock.endswith("Z") or "+" in clock or "-" in clock else f"{text}Z"
    return CONVERSIONS[data.kind](text, data)


def _unit(field: Field, number: str) -> timedelta:
    """What a number in a field of times counts since 1970. Raises ValueError where that is not sure: the server tries
    one format after the other, and takes four digits for a year."""
    formats = set(str(field.get("format", _DEFAULT_FORMAT)).split("||"))
    units = [unit for name, unit in _UNITS.items() if name in formats]
    if len(units) != 1 or formats - _ISO_FORMATS - set(_UNITS) or len(number) <= _YEAR_DIGITS:
        raise ValueError("a number that may be several times")
    return units[0]


_FORMS: dict[Kind, Callable[[DataType, Field, Any], str]] = {
    Kind.TEXT: _words,
    Kind.BOOLEAN: _truth,
    Kind.DATE: _day,
    Kind.TIMESTAMP: _moment,
    Kind.TIMESTAMP_TZ: _moment,
}


def _unfit(table: TableSchema, column: str, key: object, detail: str) -> TableRefused:
    detail = f"_id {str(key)[:_SHOWN]}: {detail[:_SHOWN]}"
    return TableRefused(table=str(table.name), column=column, reason="document-unfit", detail=detail)
