"""Columns of other databases as fields (https://www.mongodb.com/docs/manual/reference/bson-types/).

A field may hold values of several types. So each value is stored in the type of its column where that has it, and as
its canonical text where not, as an infinite date or a number of 40 digits: nothing is refused, and nothing is cut off.
A date of BSON has milliseconds: moments that may have more are texts, all of their column, which sort alike.
"""

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import cache
from math import copysign, isfinite
from typing import Any
from uuid import UUID

import pyarrow as pa
from bson import Binary, Decimal128, Int64
from bson.datetime_ms import DatetimeMS

from zcbus.connectors.mongodb.moments import DAY_MS, day_text, days, milliseconds, moment_text
from zcbus.connectors.roles import MappingNote, mapping_notes
from zcbus.connectors.roles.writer import Value
from zcbus.connectors.typed_arrow import canonical
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import INTEGERS, DataType, Kind

_MOMENTS = (Kind.TIMESTAMP, Kind.TIMESTAMP_TZ)
_MILLISECONDS = 3
"""Digits of seconds."""
_SMALL = frozenset({Kind.INT8, Kind.INT16, Kind.INT24, Kind.INT32, Kind.UINT8, Kind.UINT16, Kind.UINT24, Kind.YEAR})
_WHOLE = INTEGERS | {Kind.YEAR}
_NAMES = {
    Kind.BOOLEAN: "bool",
    Kind.DECIMAL: "decimal",
    Kind.FLOAT32: "double",
    Kind.FLOAT64: "double",
    Kind.BINARY: "binData",
    Kind.DATE: "date",
    Kind.UUID: "uuid",
}
_FLOATS = {Kind.FLOAT32: pa.float32(), Kind.FLOAT64: pa.float64()}

Encoder = Callable[[Any], Any]


def declared(data: DataType) -> str:
    """The type of a column's values here, as BSON names it."""
    if data.kind in _MOMENTS:
        return "date" if data.precision is not None and data.precision <= _MILLISECONDS else "string"
    if data.kind in _WHOLE:
        return "int" if data.kind in _SMALL else "long"
    return _NAMES.get(data.kind, "string")


def map_columns(schema: TableSchema) -> list[MappingNote]:
    """See roles.Target."""
    return mapping_notes(schema, _mapped)


def _mapped(column: Column) -> tuple[str, str]:
    native = declared(column.type)
    return native, "stored-as-text" if native == "string" and column.type.kind is not Kind.TEXT else ""


@cache
def encoder(data: DataType, *, common: bool) -> Encoder:
    """Conversion of canonical values to BSON. `common`: see the option `values`. Never raises."""
    special: dict[str, Encoder] = {
        "bool": lambda text: text == "t",
        "int": int,
        "long": lambda text: _long(text, common=common),
        "decimal": str if common else _decimal,
        "double": lambda text: _double(text, common=common),
        "binData": Binary,
        "uuid": UUID,
        "date": _date if data.kind is Kind.DATE else lambda text: DatetimeMS(milliseconds(text)),
    }
    convert = special.get(declared(data))
    return _or_text(convert) if convert else lambda text: text


def decode(data: DataType, value: Any) -> Value:
    """Inverse of `encoder`; what others wrote as its text. Raises ValueError for what is none of the column's."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "t" if value else "f"
    if data.kind in _FLOATS and isinstance(value, int | float):
        return float_text(float(value), data)
    if isinstance(value, int):
        return f"{value:04}" if data.kind is Kind.YEAR else str(int(value))
    if isinstance(value, Decimal128):
        return f"{value.to_decimal():f}"
    if isinstance(value, DatetimeMS):
        return _moment(data, int(value))
    if isinstance(value, bytes) and data.kind is Kind.BINARY:
        return bytes(value)
    if isinstance(value, UUID):
        return str(value)
    raise ValueError(f"{type(value).__name__} is not of type {data.native}")


def float_text(number: float, data: DataType) -> str:
    """The canonical text of a floating-point number."""
    return str(canonical(pa.array([number], _FLOATS[data.kind]))[0].as_py())


def _or_text(convert: Encoder) -> Encoder:
    def converted(value: Any) -> Any:
        try:
            return convert(value)
        except (ValueError, ArithmeticError, InvalidOperation):
            return value

    return converted


def _long(text: str, *, common: bool) -> Any:
    number = int(text)
    if -(1 << 63) <= number < 1 << 63:
        return Int64(number)
    return text if common else Decimal128(text)


def _decimal(text: str) -> Decimal128 | str:
    """The text where the number has more digits, or zeros at their end."""
    found = Decimal128(text)
    return found if f"{found.to_decimal():f}" == text else text


def _double(text: str, *, common: bool) -> Any:
    number = float(text)
    if common and (not isfinite(number) or (number == 0 and copysign(1, number) < 0)):
        return text
    return number


def _date(text: str) -> DatetimeMS:
    return DatetimeMS(days(text) * DAY_MS)


def _moment(data: DataType, number: int) -> str:
    if data.kind is Kind.DATE and number % DAY_MS == 0:
        return day_text(number // DAY_MS)
    return moment_text(number) + ("+00" if data.kind is Kind.TIMESTAMP_TZ else "")


def whole(value: Any) -> int:
    """An integer of any numeric type. Raises ValueError for another value."""
    number = value.to_decimal() if isinstance(value, Decimal128) else value
    if isinstance(number, bool) or not isinstance(number, int | float | Decimal) or number != number:
        raise ValueError(f"{type(value).__name__} is no integer")
    if number in (float("inf"), float("-inf")) or number != int(number):
        raise ValueError(f"{number} is no integer")
    return int(number)
