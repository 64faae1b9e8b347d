"""Mapping of source columns to PostgreSQL types."""

from dataclasses import dataclass

from zcbus.connectors.roles import MappingNote
from zcbus.model.schema import TableSchema
from zcbus.model.types import DataType, Kind

_MAX_VARCHAR_LENGTH = 10_485_760

# Kind → (PostgreSQL type, note). A kind without an equal maps to the next larger type.
_SIMPLE: dict[Kind, tuple[str, str]] = {
    Kind.BOOLEAN: ("boolean", ""),
    Kind.INT8: ("smallint", "type-widened"),
    Kind.INT16: ("smallint", ""),
    Kind.INT24: ("integer", "type-widened"),
    Kind.INT32: ("integer", ""),
    Kind.INT64: ("bigint", ""),
    Kind.UINT8: ("smallint", "type-widened"),
    Kind.UINT16: ("integer", "type-widened"),
    Kind.UINT24: ("integer", "type-widened"),
    Kind.UINT32: ("bigint", "type-widened"),
    Kind.UINT64: ("numeric(20,0)", "type-widened"),
    Kind.YEAR: ("smallint", "type-widened"),
    Kind.FLOAT32: ("real", ""),
    Kind.FLOAT64: ("double precision", ""),
    Kind.BINARY: ("bytea", ""),
    Kind.DATE: ("date", "zero-dates-infinity"),
    Kind.JSON: ("json", ""),
    Kind.UUID: ("uuid", ""),
    Kind.XML: ("xml", ""),
    Kind.ENUM: ("text", "stored-as-text"),
    Kind.SET: ("text", "stored-as-text"),
    Kind.ARRAY: ("text", "stored-as-text"),
    Kind.OTHER: ("text", "stored-as-text"),
}
_TIMES: dict[Kind, tuple[str, str, str]] = {
    Kind.TIME: ("time", "", ""),
    Kind.TIME_TZ: ("time", " with time zone", ""),
    Kind.TIMESTAMP: ("timestamp", "", "zero-dates-infinity"),
    Kind.TIMESTAMP_TZ: ("timestamp", " with time zone", "zero-dates-infinity"),
    Kind.DURATION: ("interval", "", "stored-as-interval"),
    Kind.INTERVAL: ("interval", "", ""),
}


@dataclass(frozen=True, slots=True)
class Mapped:
    """The PostgreSQL type of a column, and the note about it."""

    type: str
    note: str = ""
    blocking: bool = False
    facts: tuple[tuple[str, str], ...] = ()


def map_type(dialect: str, data: DataType) -> Mapped:
    """A column's type here. PostgreSQL's own types stay as they are; enum types are created where they are missing,
    other types of a source's user or extensions must exist."""
    if data.kind == Kind.UNSUPPORTED:
        return Mapped(data.native, "unsupported-type", True, (("reason", data.reason),))
    if data.computed:
        return Mapped(_by_kind(data).type)
    if dialect == "postgresql":
        return Mapped(data.native, "type-must-exist" if _must_exist(data) else "")
    return _by_kind(data)


def _by_kind(data: DataType) -> Mapped:
    if data.kind in _SIMPLE:
        return Mapped(*_SIMPLE[data.kind])
    if data.kind in _TIMES:
        name, zone, note = _TIMES[data.kind]
        precision = "" if data.precision is None else f"({data.precision})"
        return Mapped(f"{name}{precision}{zone}", note)
    return _sized(data)


def _sized(data: DataType) -> Mapped:
    if data.kind == Kind.DECIMAL:
        return Mapped("numeric" if data.precision is None else f"numeric({data.precision},{data.scale or 0})")
    if data.kind == Kind.BIT:
        return Mapped(f"bit({data.length})" if data.fixed and data.length else "bit varying")
    if data.length is None or data.length > _MAX_VARCHAR_LENGTH:
        return Mapped("text")
    # Also for CHAR(n): PostgreSQL's would hand out the blanks that it pads with.
    return Mapped(f"character varying({max(data.length, 1)})")


def map_columns(schema: TableSchema) -> list[MappingNote]:
    """One note a column; see roles.Target."""
    mapped = ((column.name, map_type(schema.dialect, column.type)) for column in schema.columns)
    return [MappingNote(name, item.type, item.note, item.blocking, item.facts) for name, item in mapped]


def _must_exist(data: DataType) -> bool:
    inner = data.element if data.kind == Kind.ARRAY and data.element is not None else data
    return inner.kind == Kind.OTHER and "." in inner.native
