"""Columns of Cassandra in neutral types and columns of other databases here, with their values
(https://cassandra.apache.org/doc/latest/cassandra/developing/cql/types.html).

A `timestamp` has milliseconds. Moments that may have more are stored as canonical texts, which sort alike: nothing is
cut off.
"""

import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa
from cassandra.util import Date, Time

from zcbus.connectors.roles import MappingNote, mapping_notes
from zcbus.connectors.roles.writer import Value
from zcbus.connectors.typed_arrow import canonical
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import INTEGERS, DataType, Kind

_NATIVE = {
    "boolean": Kind.BOOLEAN,
    "tinyint": Kind.INT8,
    "smallint": Kind.INT16,
    "int": Kind.INT32,
    "bigint": Kind.INT64,
    "counter": Kind.INT64,
    "varint": Kind.DECIMAL,
    "decimal": Kind.DECIMAL,
    "float": Kind.FLOAT32,
    "double": Kind.FLOAT64,
    "text": Kind.TEXT,
    "ascii": Kind.TEXT,
    "blob": Kind.BINARY,
    "date": Kind.DATE,
    "time": Kind.TIME,
    "timestamp": Kind.TIMESTAMP_TZ,
    "uuid": Kind.UUID,
    "timeuuid": Kind.UUID,
    "inet": Kind.OTHER,
    "duration": Kind.OTHER,
}
_FRACTION = {"timestamp": 3, "time": 9}
"""Digits of seconds."""
_DECLARED = {
    Kind.BOOLEAN: "boolean",
    Kind.INT8: "tinyint",
    Kind.INT16: "smallint",
    Kind.INT24: "int",
    Kind.INT32: "int",
    Kind.INT64: "bigint",
    Kind.UINT8: "smallint",
    Kind.UINT16: "int",
    Kind.UINT24: "int",
    Kind.UINT32: "bigint",
    Kind.UINT64: "varint",
    Kind.YEAR: "smallint",
    Kind.DECIMAL: "decimal",
    Kind.FLOAT32: "float",
    Kind.FLOAT64: "double",
    Kind.TEXT: "text",
    Kind.BINARY: "blob",
    Kind.DATE: "date",
    Kind.TIME: "time",
    Kind.UUID: "uuid",
}
_MOMENTS = (Kind.TIMESTAMP, Kind.TIMESTAMP_TZ)
_MILLISECONDS = 3
_WHOLE = INTEGERS | {Kind.YEAR}
_DAY = re.compile(r"(\d{4,})(-\d\d-\d\d)( BC)?")
_MOMENT = re.compile(r"(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,6})?)( BC)?(?:\+00)?")
_CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?")
_LAST_DAY = 1 << 31
"""Days before and after 1970 that a `date` has."""
_DAY_MS = 86_400_000

Encoder = Callable[[Any], Any]
Decoder = Callable[[Any], Value]


def data_type(native: str, *, in_key: bool, static: bool) -> DataType:
    """The neutral type of a column as the server names its type."""
    if static:
        return DataType(Kind.UNSUPPORTED, native, reason=f"static {native}")
    kind = _NATIVE.get(native)
    if kind is None and (in_key or native.startswith("'")):
        # Its JSON text cannot be a bound of a query, or the type is a class that only the server has.
        return DataType(Kind.UNSUPPORTED, native, reason=native)
    return DataType(kind or Kind.JSON, native, precision=_FRACTION.get(native))


def declared(data: DataType) -> str:
    """The type of a column here."""
    if data.kind in _MOMENTS:
        exact = data.precision is not None and data.precision <= _MILLISECONDS
        return "timestamp" if exact else "text"
    if data.kind is Kind.DECIMAL and data.native == "varint":
        return "varint"
    return _DECLARED.get(data.kind, "text")


def map_columns(schema: TableSchema) -> list[MappingNote]:
    """See roles.Target."""
    return mapping_notes(schema, _mapped)


def _mapped(column: Column) -> tuple[str, str]:
    native = declared(column.type)
    return native, "stored-as-text" if native == "text" and column.type.kind is not Kind.TEXT else ""


@cache
def encoder(data: DataType) -> Encoder:
    """Conversion of canonical values to those of the driver. Raises ValueError for a value that the type here does not
    have."""
    kind, native = data.kind, declared(data)
    if kind in _WHOLE or native == "varint":
        return _integer(native)
    if native == "timestamp":
        return _milliseconds
    special: dict[Kind, Encoder] = {
        Kind.BOOLEAN: lambda text: text == "t",
        Kind.DECIMAL: _decimal,
        Kind.FLOAT32: float,
        Kind.FLOAT64: float,
        Kind.DATE: lambda text: Date(_days(text)),
        Kind.TIME: _nanoseconds,
        Kind.UUID: UUID,
    }
    return special.get(kind, lambda value: value)


@cache
def decoder(data: DataType) -> Decoder:
    """Inverse of `encoder`; of a `timestamp` column its bytes are read, since moments of all years must be."""
    kind, native = data.kind, declared(data)
    if native == "timestamp":
        zone = "+00" if kind is Kind.TIMESTAMP_TZ else ""
        return lambda value: _moment(int.from_bytes(value, signed=True)) + zone
    special: dict[Kind, Decoder] = {
        Kind.BOOLEAN: lambda value: "t" if value else "f",
        Kind.DECIMAL: lambda value: f"{value:f}" if isinstance(value, Decimal) else str(value),
        Kind.FLOAT32: lambda value: _float(value, pa.float32()),
        Kind.FLOAT64: lambda value: _float(value, pa.float64()),
        Kind.DATE: lambda value: _day(value.days_from_epoch),
        Kind.TIME: lambda value: _time(value.nanosecond_time),
        Kind.YEAR: lambda value: f"{value:04}",
        Kind.BINARY: bytes,
    }
    return special.get(kind, str)


def _integer(native: str) -> Encoder:
    bits = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}.get(native)

    def whole(text: str) -> int:
        number = int(text)
        if bits is not None and not -(1 << bits - 1) <= number < 1 << bits - 1:
            raise ValueError(f"beyond {native}")
        return number

    return whole


def _decimal(text: str) -> Decimal:
    number = Decimal(text)
    if not number.is_finite():
        raise ValueError("not a finite number")
    return number


def _milliseconds(text: str) -> int:
    match = _MOMENT.fullmatch(text)
    if match is None:
        raise ValueError("not a moment")
    milliseconds, rest = divmod(int(_nanoseconds(match[2]).nanosecond_time), 10**6)
    if rest:
        raise ValueError("more than milliseconds")
    return _days(match[1] + (match[3] or "")) * _DAY_MS + milliseconds


def _days(text: str) -> int:
    """Since 1970."""
    match = _DAY.fullmatch(text)
    year = int(match[1]) if match else 0
    if match is None or not year:
        raise ValueError("not a day")
    days = int(np.datetime64(f"{1 - year if match[3] else year:05}{match[2]}", "D").astype(np.int64))
    if not -_LAST_DAY <= days < _LAST_DAY:
        raise ValueError("beyond the days that there are")
    return days


def _nanoseconds(text: str) -> Time:
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ValueError("not a time of a day")
    seconds = (int(match[1]) * 60 + int(match[2])) * 60 + int(match[3])
    return Time(seconds * 10**9 + int((match[4] or "").ljust(9, "0")))


def _moment(milliseconds: int) -> str:
    days, rest = divmod(milliseconds, _DAY_MS)
    day, clock = _day(days), _time(rest * 10**6)
    return f"{day[:-3]} {clock} BC" if day.endswith(" BC") else f"{day} {clock}"


def _day(days: int) -> str:
    """Of days since 1970."""
    day = str(np.datetime64(days, "D"))
    number, behind = int(day[:-6]), day[-6:]
    return f"{number:04}{behind}" if number > 0 else f"{1 - number:04}{behind} BC"


def _time(nanoseconds: int) -> str:
    seconds, fraction = divmod(nanoseconds, 10**9)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{clock}.{fraction:09}".rstrip("0") if fraction else clock


def _float(value: float, data: pa.DataType) -> str:
    return str(canonical(pa.array([value], data))[0].as_py())
