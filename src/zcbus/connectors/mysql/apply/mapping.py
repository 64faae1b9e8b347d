"""Mapping of source columns to MySQL types. Pure: makes no connection.

Mappings that lose the source's exact type have a note. Times with a zone become DATETIME in UTC, because TIMESTAMP ends
in 2038 on many servers. PostgreSQL's infinite dates become the zero date and the end of the year 9999.
"""

from dataclasses import dataclass

from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import DataType, Kind

MAX_KEY_BYTES = 3072
"""Of an InnoDB index."""
_KEY_CHARACTERS = 255
_CHARACTER_BYTES = 4
_MAX_VARCHAR_LENGTH = 1000
_ROW_BYTES = 60000
_MAX_DIGITS, _MAX_SCALE = 65, 30
_MAX_BITS = 64
_MAX_LABEL_CHARACTERS = 255
_MAX_LABELS = 65535

_PLAIN = {
    Kind.BOOLEAN: "tinyint(1)",
    Kind.INT8: "tinyint",
    Kind.INT16: "smallint",
    Kind.INT24: "mediumint",
    Kind.INT32: "int",
    Kind.INT64: "bigint",
    Kind.UINT8: "tinyint unsigned",
    Kind.UINT16: "smallint unsigned",
    Kind.UINT24: "mediumint unsigned",
    Kind.UINT32: "int unsigned",
    Kind.UINT64: "bigint unsigned",
    Kind.FLOAT32: "float",
    Kind.FLOAT64: "double",
    Kind.DATE: "date",
    Kind.YEAR: "year",
    Kind.UUID: "char(36)",
}
_KEY_BYTES = {
    Kind.FLOAT32: 4,
    Kind.INT64: 8,
    Kind.UINT64: 8,
    Kind.FLOAT64: 8,
    Kind.UUID: 144,
    Kind.DECIMAL: 30,
}
_SHORT_TEXTS = {Kind.TIME_TZ: "varchar(32)", Kind.INTERVAL: "varchar(255)"}
_TEXTUAL = frozenset({Kind.TEXT, Kind.OTHER, Kind.XML, Kind.ENUM, Kind.SET, Kind.UUID, Kind.INTERVAL, Kind.TIME_TZ})


@dataclass(frozen=True, slots=True)
class Declaration:
    """A target column's type and its note."""

    type: str
    note: str = ""
    blocking: bool = False
    facts: tuple[tuple[str, str], ...] = ()


def declare(schema: TableSchema, key: tuple[str, ...]) -> dict[str, Declaration]:
    """By source column name. `key` is in source names."""
    declared = {
        column.name: (_key_column(schema, column, key) if column.name in key else _ordinary(column, schema.dialect))
        for column in schema.columns
    }
    return _fit_into_a_row(declared, key)


def is_text(data_type: DataType) -> bool:
    """Whether values arrive as characters of a language, for which the collation matters."""
    return data_type.kind in _TEXTUAL


def _ordinary(column: Column, dialect: str) -> Declaration:
    data_type = column.type
    if data_type.kind is Kind.UNSUPPORTED:
        return Declaration("", "unsupported-type", True, (("reason", data_type.reason),))
    if dialect == "mysql" and not data_type.computed:
        return Declaration(data_type.native)
    return _from_other_dialect(data_type)


def _from_other_dialect(data_type: DataType) -> Declaration:
    kind = data_type.kind
    if kind in _PLAIN:
        return Declaration(_PLAIN[kind])
    if kind is Kind.DECIMAL:
        return _decimal(data_type)
    if kind is Kind.TEXT:
        return Declaration(_text(data_type))
    if kind is Kind.BINARY:
        return Declaration("longblob")
    if kind in (Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ, Kind.DURATION):
        return _time(data_type)
    return _special(data_type)


def _special(data_type: DataType) -> Declaration:
    kind = data_type.kind
    if kind is Kind.JSON:
        return Declaration("json")
    if kind is Kind.ARRAY:
        return Declaration("json", "stored-as-json")
    if kind is Kind.ENUM and _labels_fit(data_type.values):
        labels = ",".join("'" + label.replace("\\", "\\\\").replace("'", "''") + "'" for label in data_type.values)
        return Declaration(f"enum({labels})")
    if kind is Kind.BIT and data_type.fixed and (data_type.length or 1) <= _MAX_BITS:
        return Declaration(f"bit({data_type.length or 1})")
    return Declaration(_SHORT_TEXTS.get(kind, "longtext"), "stored-as-text")


def _decimal(data_type: DataType) -> Declaration:
    precision, scale = data_type.precision, data_type.scale or 0
    if precision is None or precision > _MAX_DIGITS or not 0 <= scale <= min(_MAX_SCALE, precision):
        return Declaration("longtext", "stored-as-text")
    return Declaration(f"decimal({precision},{scale})")


def _text(data_type: DataType) -> str:
    length = data_type.length
    if length is None or length > _MAX_VARCHAR_LENGTH:
        return "longtext"
    # Also for CHAR(n): this server's would drop the blanks at the end.
    return f"varchar({max(length, 1)})"


def _time(data_type: DataType) -> Declaration:
    digits = 6 if data_type.precision is None else data_type.precision
    suffix = f"({digits})" if digits else ""
    if data_type.kind in (Kind.TIME, Kind.DURATION):
        return Declaration(f"time{suffix}")
    if data_type.kind is Kind.TIMESTAMP_TZ:
        return Declaration(f"datetime{suffix}", "zone-dropped-utc")
    return Declaration(f"datetime{suffix}")


def _labels_fit(labels: tuple[str, ...]) -> bool:
    """The server strips trailing blanks of labels and compares only their first 255 characters."""
    distinct = {label.rstrip(" ") for label in labels}
    return (
        len(distinct) == len(labels) <= _MAX_LABELS
        and all(len(label) <= _MAX_LABEL_CHARACTERS for label in labels)
        and all(label == label.rstrip(" ") for label in labels)
    )


def _key_column(schema: TableSchema, column: Column, key: tuple[str, ...]) -> Declaration:
    declared = _ordinary(column, schema.dialect)
    if declared.blocking:
        return declared
    if is_unlimited(declared.type):
        return _limited_key(schema, column, key)
    if key_bytes(column.type, declared.type) > MAX_KEY_BYTES:
        return Declaration(declared.type, "key-too-long", True, (("bytes", str(MAX_KEY_BYTES)),))
    return declared


def _limited_key(schema: TableSchema, column: Column, key: tuple[str, ...]) -> Declaration:
    """Texts and blobs without a limit share the bytes that the key's other columns leave."""
    declared = {name: _ordinary(schema.column(name), schema.dialect) for name in key}
    unlimited = [name for name in key if is_unlimited(declared[name].type)]
    taken = sum(key_bytes(schema.column(name).type, declared[name].type) for name in key if name not in unlimited)
    room = (MAX_KEY_BYTES - taken) // len(unlimited)
    if column.type.kind in (Kind.JSON, Kind.ARRAY):
        return Declaration("json", "key-not-indexable", True)
    binary = column.type.kind is Kind.BINARY
    length = min(_KEY_CHARACTERS, room if binary else room // _CHARACTER_BYTES)
    if length < 1:
        return Declaration("", "key-too-long", True, (("bytes", str(MAX_KEY_BYTES)),))
    name = "varbinary" if binary else "varchar"
    return Declaration(f"{name}({length})", "length-limited", False, (("length", str(length)),))


def is_unlimited(declared: str) -> bool:
    """Whether a declared type has no length of its own, so that an index needs a prefix length."""
    return declared.lower().split("(")[0] in {
        "json",
        "tinytext",
        "text",
        "mediumtext",
        "longtext",
        "tinyblob",
        "blob",
        "mediumblob",
        "longblob",
    }


def key_bytes(data_type: DataType, declared: str) -> int:
    """The most bytes of a value of a declared type in an index."""
    name, _, rest = declared.lower().partition("(")
    if name in ("varchar", "char"):
        return int(rest.split(")")[0]) * _CHARACTER_BYTES
    if name in ("varbinary", "binary"):
        return int(rest.split(")")[0])
    return _KEY_BYTES.get(data_type.kind, 8)


def _fit_into_a_row(declared: dict[str, Declaration], key: tuple[str, ...]) -> dict[str, Declaration]:
    """VARCHAR columns of a row share 65,535 bytes; if they need more, the longest become LONGTEXT first."""
    sizes = {name: _varchar_bytes(one.type) for name, one in declared.items() if name not in key}
    total = sum(sizes.values()) + sum(_varchar_bytes(declared[name].type) for name in key if name in declared)
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        if total <= _ROW_BYTES:
            break
        total -= sizes[name]
        if sizes[name]:
            declared[name] = Declaration("longtext", declared[name].note, False, declared[name].facts)
    return declared


def _varchar_bytes(declared: str) -> int:
    name, _, rest = declared.lower().partition("(")
    return int(rest.split(")")[0]) * _CHARACTER_BYTES if name == "varchar" else 0
