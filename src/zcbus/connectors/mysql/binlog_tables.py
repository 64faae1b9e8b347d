"""TABLE_MAP events: which table, and how each of its columns lies in the rows that follow."""

import struct
from dataclasses import dataclass, replace

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.mysql.layout import ColumnLayout, TableLayout
from zcbus.model.schema import TableName
from zcbus.model.types import Kind

TINY, SHORT, LONG, FLOAT, DOUBLE, NULL, TIMESTAMP, LONGLONG, INT24 = 1, 2, 3, 4, 5, 6, 7, 8, 9
DATE, TIME, DATETIME, YEAR, NEWDATE, VARCHAR, BIT = 10, 11, 12, 13, 14, 15, 16
TIMESTAMP2, DATETIME2, TIME2 = 17, 18, 19
BLOB_COMPRESSED, VARCHAR_COMPRESSED, VECTOR = 140, 141, 242
JSON, NEWDECIMAL, ENUM, SET = 245, 246, 247, 248
TINY_BLOB, MEDIUM_BLOB, LONG_BLOB, BLOB, VAR_STRING, STRING, GEOMETRY = 249, 250, 251, 252, 253, 254, 255

_ONE_BYTE_OF_METADATA = frozenset(
    {FLOAT, DOUBLE, JSON, TINY_BLOB, MEDIUM_BLOB, LONG_BLOB, BLOB, GEOMETRY, VECTOR, BLOB_COMPRESSED}
    | {TIMESTAMP2, DATETIME2, TIME2}
)
_TWO_BYTES_OF_METADATA = frozenset({VARCHAR, BIT, NEWDECIMAL, ENUM, SET, VAR_STRING, STRING, VARCHAR_COMPRESSED})
_COLUMN_NAMES = 4
_FIXED = {TINY: 1, SHORT: 2, LONG: 4, FLOAT: 4, DOUBLE: 8, NULL: 0, LONGLONG: 8, INT24: 3, DATE: 3, NEWDATE: 3, YEAR: 1}
_OLD_TIMES = {TIMESTAMP: 4, TIME: 3, DATETIME: 8}
_OLD_FRACTIONS = {
    TIMESTAMP: (4, 5, 5, 6, 6, 7, 7),
    TIME: (3, 4, 4, 5, 5, 5, 6),
    DATETIME: (8, 6, 6, 7, 7, 7, 8),
}
_NEW_TIMES = {TIMESTAMP2: 4, DATETIME2: 5, TIME2: 3}

_INTEGERS = {
    TINY: {Kind.INT8, Kind.UINT8},
    SHORT: {Kind.INT16, Kind.UINT16},
    INT24: {Kind.INT24, Kind.UINT24},
    LONG: {Kind.INT32, Kind.UINT32},
    LONGLONG: {Kind.INT64, Kind.UINT64},
}
_CHARACTERS = {Kind.TEXT, Kind.BINARY, Kind.JSON, Kind.UUID, Kind.OTHER}
_KINDS: dict[int, set[Kind]] = {
    **_INTEGERS,
    FLOAT: {Kind.FLOAT32},
    DOUBLE: {Kind.FLOAT64},
    NEWDECIMAL: {Kind.DECIMAL},
    DATE: {Kind.DATE},
    NEWDATE: {Kind.DATE},
    YEAR: {Kind.YEAR},
    TIME: {Kind.DURATION},
    TIME2: {Kind.DURATION},
    DATETIME: {Kind.TIMESTAMP},
    DATETIME2: {Kind.TIMESTAMP},
    TIMESTAMP: {Kind.TIMESTAMP_TZ},
    TIMESTAMP2: {Kind.TIMESTAMP_TZ},
    BIT: {Kind.BIT},
    ENUM: {Kind.ENUM},
    SET: {Kind.SET},
    JSON: {Kind.JSON},
    VARCHAR: _CHARACTERS,
    VAR_STRING: _CHARACTERS,
    STRING: _CHARACTERS,
    BLOB: _CHARACTERS,
    TINY_BLOB: _CHARACTERS,
    MEDIUM_BLOB: _CHARACTERS,
    LONG_BLOB: _CHARACTERS,
}


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """One column in a row image: a fixed number of bytes, or a length in front of the bytes."""

    type: int
    metadata: int
    fixed: int
    """Bytes of the value; 0 where a length stands in front."""
    prefix: int
    """Bytes of the length; 0 for fixed values."""


@dataclass(frozen=True, slots=True)
class TableMap:
    """What a TABLE_MAP event says."""

    name: TableName
    columns: tuple[ColumnMap, ...]
    names: tuple[str, ...]
    """Empty unless the server writes full metadata."""


def parse_table_map(body: bytes) -> TableMap:
    """From the event's body without its table id (6 bytes)."""
    at = 2
    schema, at = _short_text(body, at)
    table, at = _short_text(body, at)
    count, at = length_encoded(body, at)
    types, at = body[at : at + count], at + count
    size, at = length_encoded(body, at)
    columns = _columns(types, body[at : at + size])
    at += size + (count + 7) // 8
    return TableMap(TableName(schema, table), columns, _names(body, at))


def length_encoded(data: bytes, at: int) -> tuple[int, int]:
    """A length-encoded integer and the place behind it."""
    first = data[at]
    if first < 251:
        return first, at + 1
    width = {252: 2, 253: 3, 254: 8}[first]
    return int.from_bytes(data[at + 1 : at + 1 + width], "little"), at + 1 + width


def fit(table_map: TableMap, layout: TableLayout) -> TableMap | None:
    """The map with what only the catalogue knows; None where the rows were written under another structure."""
    if len(table_map.columns) != len(layout.columns):
        return None
    if table_map.names and table_map.names != tuple(one.column.name for one in layout.columns):
        return None
    fitted = []
    for column, known in zip(table_map.columns, layout.columns, strict=True):
        kinds = _KINDS.get(column.type, set(Kind))
        if not known.virtual and known.column.type.kind not in kinds | {Kind.UNSUPPORTED}:
            return None
        fitted.append(_with_old_fraction(column, known))
    return replace(table_map, columns=tuple(fitted))


def _with_old_fraction(column: ColumnMap, known: ColumnLayout) -> ColumnMap:
    """The old formats of times do not tell their precision in the log."""
    if column.type not in _OLD_FRACTIONS:
        return column
    digits = known.column.type.precision or 0
    return replace(column, metadata=digits, fixed=_OLD_FRACTIONS[column.type][digits])


def _columns(types: bytes, metadata: bytes) -> tuple[ColumnMap, ...]:
    columns, at = [], 0
    for kind in types:
        width = 1 if kind in _ONE_BYTE_OF_METADATA else 2 if kind in _TWO_BYTES_OF_METADATA else 0
        columns.append(_column(kind, metadata[at : at + width]))
        at += width
    return tuple(columns)


def _column(kind: int, metadata: bytes) -> ColumnMap:
    number = int.from_bytes(metadata, "little")
    if kind in _FIXED:
        return ColumnMap(kind, number, _FIXED[kind], 0)
    if kind in _OLD_TIMES:
        return ColumnMap(kind, 0, _OLD_TIMES[kind], 0)
    if kind in _NEW_TIMES:
        return ColumnMap(kind, number, _NEW_TIMES[kind] + (number + 1) // 2, 0)
    if kind in (VARCHAR, VAR_STRING, VARCHAR_COMPRESSED):
        return ColumnMap(kind, number, 0, 1 if number < 256 else 2)
    if kind == STRING:
        return _string(metadata)
    if kind == BIT:
        return ColumnMap(kind, metadata[1] * 8 + metadata[0], metadata[1] + (metadata[0] > 0), 0)
    if kind == NEWDECIMAL:
        return ColumnMap(kind, number, decimal_bytes(metadata[0], metadata[1]), 0)
    if kind in (ENUM, SET):
        return ColumnMap(kind, number, metadata[1], 0)
    if kind in (JSON, TINY_BLOB, MEDIUM_BLOB, LONG_BLOB, BLOB, GEOMETRY, VECTOR, BLOB_COMPRESSED):
        return ColumnMap(kind, number, 0, number)
    raise TableRefused(table="", column="", reason=f"binlog column type {kind}")


def _string(metadata: bytes) -> ColumnMap:
    """CHAR, BINARY, ENUM and SET share a code; two bits of the length hide in the real type."""
    first, second = metadata
    if first & 0x30 != 0x30:
        length = second | ((first & 0x30) ^ 0x30) << 4
        kind = first | 0x30
    else:
        length, kind = second, first
    if kind in (ENUM, SET):
        return ColumnMap(kind, length, length, 0)
    return ColumnMap(STRING, length, 0, 1 if length < 256 else 2)


_BYTES_OF_DIGITS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)


def decimal_bytes(precision: int, scale: int) -> int:
    """Bytes of a DECIMAL(precision, scale)."""
    whole = precision - scale
    return whole // 9 * 4 + _BYTES_OF_DIGITS[whole % 9] + scale // 9 * 4 + _BYTES_OF_DIGITS[scale % 9]


def _short_text(body: bytes, at: int) -> tuple[str, int]:
    """A text with one byte of length in front and a zero behind."""
    end = at + 1 + body[at]
    return body[at + 1 : end].decode(), end + 1


def _names(body: bytes, at: int) -> tuple[str, ...]:
    """Column names from the optional metadata."""
    while at < len(body):
        kind = body[at]
        size, start = length_encoded(body, at + 1)
        if kind == _COLUMN_NAMES:
            return _name_list(body[start : start + size])
        at = start + size
    return ()


def _name_list(data: bytes) -> tuple[str, ...]:
    names, at = [], 0
    while at < len(data):
        length, at = length_encoded(data, at)
        names.append(data[at : at + length].decode())
        at += length
    return tuple(names)


TABLE_ID = struct.Struct("<IH")
