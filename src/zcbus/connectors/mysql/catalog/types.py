"""The server's column types as neutral types."""

import re
from dataclasses import dataclass

from zcbus.model.types import DataType, Kind

_INTEGERS = {
    "tinyint": (Kind.INT8, Kind.UINT8),
    "smallint": (Kind.INT16, Kind.UINT16),
    "mediumint": (Kind.INT24, Kind.UINT24),
    "int": (Kind.INT32, Kind.UINT32),
    "integer": (Kind.INT32, Kind.UINT32),
    "bigint": (Kind.INT64, Kind.UINT64),
}
_FLOATS = {"float": Kind.FLOAT32, "double": Kind.FLOAT64, "real": Kind.FLOAT64}
_TEXTS = frozenset({"char", "varchar", "tinytext", "text", "mediumtext", "longtext"})
_BINARIES = frozenset({"binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob"})
_SIZED = frozenset({"char", "varchar", "binary", "varbinary"})
_TIMES = {"time": Kind.DURATION, "datetime": Kind.TIMESTAMP, "timestamp": Kind.TIMESTAMP_TZ}
_PLAIN = {"date": Kind.DATE, "year": Kind.YEAR, "json": Kind.JSON, "uuid": Kind.UUID}
_ADDRESSES = frozenset({"inet4", "inet6"})
_SPATIAL = frozenset(
    {
        "geometry",
        "point",
        "linestring",
        "polygon",
        "multipoint",
        "multilinestring",
        "multipolygon",
        "geometrycollection",
        "geomcollection",
    }
)
_LABEL = re.compile(r"'((?:[^']|'')*)'")


@dataclass(frozen=True, slots=True)
class DeclaredType:
    """The description of a column's type in information_schema."""

    column_type: str
    data_type: str
    length: int | None = None
    """Characters, or bytes for binary types."""
    precision: int | None = None
    scale: int | None = None
    fraction: int | None = None
    """Digits of the second's fraction."""
    charset: str | None = None
    is_json: bool = False
    """A MariaDB text column that its own check restricts to JSON."""


def neutral_type(declared: DeclaredType) -> DataType:
    """The neutral type; Kind.UNSUPPORTED with a reason for types that cannot be replicated."""
    native = declared.column_type
    if "COMPRESSED" in native:
        return DataType(Kind.UNSUPPORTED, native, reason="compressed-column")
    name = declared.data_type.lower()
    if declared.is_json:
        return DataType(Kind.JSON, "json")
    return _number(name, declared) or _characters(name, declared) or _other(name, declared)


def is_zerofill(data_type: DataType) -> bool:
    """Whether the server pads the column's numbers with zeros when it prints them."""
    return "zerofill" in data_type.native.lower()


def _number(name: str, declared: DeclaredType) -> DataType | None:
    native = declared.column_type
    if name in _INTEGERS:
        return DataType(_INTEGERS[name]["unsigned" in native.lower()], native)
    if name in _FLOATS:
        return DataType(_FLOATS[name], native)
    if name in ("decimal", "numeric"):
        return DataType(Kind.DECIMAL, native, precision=declared.precision, scale=declared.scale)
    if name == "bit":
        return DataType(Kind.BIT, native, length=declared.precision, fixed=True)
    return None


def _characters(name: str, declared: DeclaredType) -> DataType | None:
    native = declared.column_type
    length = declared.length if name in _SIZED else None
    if name in _BINARIES or (name in _TEXTS and declared.charset in (None, "binary")):
        return DataType(Kind.BINARY, native, length=length, fixed=name == "binary")
    if name in _TEXTS:
        return DataType(Kind.TEXT, native, length=length, fixed=name == "char")
    if name in ("enum", "set"):
        return DataType(Kind(name), native, values=_labels(native))
    return None


def _other(name: str, declared: DeclaredType) -> DataType:
    native = declared.column_type
    if name in _TIMES:
        return DataType(_TIMES[name], native, precision=declared.fraction or 0)
    if name in _PLAIN:
        return DataType(_PLAIN[name], native)
    if name in _ADDRESSES:
        return DataType(Kind.OTHER, native)
    reason = "spatial-type" if name in _SPATIAL else "unknown-type"
    return DataType(Kind.UNSUPPORTED, native, reason=reason)


def _labels(column_type: str) -> tuple[str, ...]:
    """Labels of an enum or set; information_schema doubles quotes and keeps all other characters."""
    return tuple(label.replace("''", "'") for label in _LABEL.findall(column_type))
