"""TABLE_MAP events: the table, and the layout of each of its columns in the following rows."""

from dataclasses import dataclass, replace

from zcbus.model.schema import Column, TableName

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
_SIGNEDNESS, _COLUMN_NAMES = 1, 4
_NUMERIC = frozenset({TINY, SHORT, INT24, LONG, LONGLONG, NEWDECIMAL, FLOAT, DOUBLE})
"""Types with a sign in the metadata. MariaDB includes YEAR, MySQL does not."""
_FIXED = {TINY: 1, SHORT: 2, LONG: 4, FLOAT: 4, DOUBLE: 8, NULL: 0, LONGLONG: 8, INT24: 3, DATE: 3, NEWDATE: 3, YEAR: 1}
_OLD_TIMES = {TIMESTAMP: 4, TIME: 3, DATETIME: 8}
_NEW_TIMES = {TIMESTAMP2: 4, DATETIME2: 5, TIME2: 3}


class UnknownColumnType(Exception):
    """A row image has a column of a type that cannot be read. Its text is the type's number in the log."""


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """A column as the table has it."""

    column: Column
    charset: str | None
    """Character set of text; None for all else."""
    virtual: bool = False
    """Computed on read; it has a position in the table but is not replicated."""


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """One column in a row image: a fixed number of bytes, or a length in front of the bytes."""

    type: int
    metadata: int
    fixed: int
    """Bytes of the value; 0 if a length comes first."""
    prefix: int
    """Bytes of the length; 0 for fixed values."""
    nullable: bool = True


@dataclass(frozen=True, slots=True)
class TableMap:
    """The content of a TABLE_MAP event."""

    name: TableName
    columns: tuple[ColumnMap, ...]
    names: tuple[str, ...] = ()
    """Empty unless the server writes full metadata."""
    unsigned: tuple[bool | None, ...] = ()
    """Per column; None for columns that are no numbers. Empty unless the server writes metadata."""


def parse_table_map(body: bytes, mariadb: bool) -> TableMap:
    """From the event's body without its table id (6 bytes). `mariadb`: whose log it is. Raises UnknownColumnType."""
    at = 2
    schema, at = _short_text(body, at)
    table, at = _short_text(body, at)
    count, at = length_encoded(body, at)
    types, at = body[at : at + count], at + count
    size, at = length_encoded(body, at)
    columns = _columns(types, body[at : at + size])
    at += size
    nullable = int.from_bytes(body[at : at + (count + 7) // 8], "little")
    columns = tuple(replace(column, nullable=bool(nullable >> index & 1)) for index, column in enumerate(columns))
    at += (count + 7) // 8
    metadata = _optional_metadata(body, at)
    names = _name_list(metadata.get(_COLUMN_NAMES, b""))
    numeric = _NUMERIC | {YEAR} if mariadb else _NUMERIC
    return TableMap(TableName(schema, table), columns, names, _unsigned(types, metadata.get(_SIGNEDNESS), numeric))


def length_encoded(data: bytes | bytearray, at: int) -> tuple[int, int]:
    """A length-encoded integer and the offset after it."""
    first = data[at]
    if first < 251:
        return first, at + 1
    width = {252: 2, 253: 3, 254: 8}[first]
    return int.from_bytes(data[at + 1 : at + 1 + width], "little"), at + 1 + width


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
    raise UnknownColumnType(str(kind))


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
    integral = precision - scale
    return integral // 9 * 4 + _BYTES_OF_DIGITS[integral % 9] + scale // 9 * 4 + _BYTES_OF_DIGITS[scale % 9]


def _short_text(body: bytes, at: int) -> tuple[str, int]:
    """A text with one length byte in front and a zero byte after it."""
    end = at + 1 + body[at]
    return body[at + 1 : end].decode(), end + 1


def _optional_metadata(body: bytes, at: int) -> dict[int, bytes]:
    """Fields by their type."""
    fields = {}
    while at < len(body):
        kind = body[at]
        size, start = length_encoded(body, at + 1)
        at = start + size
        fields[kind] = body[start:at]
    return fields


def _unsigned(types: bytes, bitmap: bytes | None, numeric: frozenset[int]) -> tuple[bool | None, ...]:
    """A bit per numeric column, the highest bit of a byte first."""
    if bitmap is None:
        return ()
    found: list[bool | None] = []
    number = 0
    for kind in types:
        if kind not in numeric:
            found.append(None)
            continue
        found.append(bool(bitmap[number // 8] >> (7 - number % 8) & 1))
        number += 1
    return tuple(found)


def _name_list(data: bytes) -> tuple[str, ...]:
    names, at = [], 0
    while at < len(data):
        length, at = length_encoded(data, at)
        names.append(data[at : at + length].decode())
        at += length
    return tuple(names)
