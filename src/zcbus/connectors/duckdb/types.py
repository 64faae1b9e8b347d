"""Columns of other databases in DuckDB, and DuckDB's values in canonical form."""

import re
from decimal import Decimal

import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import MappingNote, mapping_notes
from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute
from zcbus.model.schema import TableSchema
from zcbus.model.types import INTEGERS, DataType, Kind

_MAX_DIGITS = 38
_NAMES = {
    Kind.BOOLEAN: "BOOLEAN",
    Kind.INT8: "TINYINT",
    Kind.INT16: "SMALLINT",
    Kind.INT24: "INTEGER",
    Kind.INT32: "INTEGER",
    Kind.INT64: "BIGINT",
    Kind.UINT8: "UTINYINT",
    Kind.UINT16: "USMALLINT",
    Kind.UINT24: "UINTEGER",
    Kind.UINT32: "UINTEGER",
    Kind.UINT64: "UBIGINT",
    Kind.YEAR: "SMALLINT",
    Kind.FLOAT32: "FLOAT",
    Kind.FLOAT64: "DOUBLE",
    Kind.TEXT: "VARCHAR",
    Kind.BINARY: "BLOB",
    Kind.DATE: "DATE",
    Kind.TIME: "TIME",
    Kind.TIMESTAMP: "TIMESTAMP",
    Kind.TIMESTAMP_TZ: "TIMESTAMP WITH TIME ZONE",
    Kind.JSON: "JSON",
    Kind.UUID: "UUID",
}
_KINDS = {name: kind for kind, name in _NAMES.items() if kind not in (Kind.INT24, Kind.UINT24, Kind.YEAR)}
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)")
_HUGE = {"HUGEINT": 39, "UHUGEINT": 39}
_FLOATS = frozenset({Kind.FLOAT32, Kind.FLOAT64})
_ZERO_DATE = r"^0000-00-00"
_NO_DAY = r"^\d{4}-(00-\d\d|\d\d-00)"
"""A day without a month or a day, which MySQL has."""
_MOMENTS = frozenset({Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ})
_NUMBERS = INTEGERS | _FLOATS | {Kind.DECIMAL, Kind.YEAR}
_TIMES = frozenset({Kind.DATE, Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ})


def declared(dialect: str, data: DataType) -> tuple[str, str]:
    """The type of a column here, and the note on it."""
    if dialect == "duckdb" and not data.computed:
        return data.native, ""
    if data.kind is Kind.DECIMAL:
        fits = data.precision is not None and data.precision <= _MAX_DIGITS
        if fits and 0 <= (data.scale or 0) <= (data.precision or 0):
            return f"DECIMAL({data.precision},{data.scale or 0})", ""
        return "VARCHAR", "stored-as-text"
    return (_NAMES[data.kind], "") if data.kind in _NAMES else ("VARCHAR", "stored-as-text")


def map_columns(schema: TableSchema) -> list[MappingNote]:
    """See roles.Target."""
    return mapping_notes(schema, lambda column: declared(schema.dialect, column.type))


def data_type(native: str) -> DataType:
    """The neutral type of a declared type."""
    if native in _KINDS:
        return DataType(_KINDS[native], native)
    if match := _DECIMAL.fullmatch(native):
        return DataType(Kind.DECIMAL, native, precision=int(match[1]), scale=int(match[2]))
    if native in _HUGE:
        return DataType(Kind.DECIMAL, native, precision=_HUGE[native], scale=0)
    return DataType(Kind.OTHER, native)


def keeps_values(source: DataType, target: DataType) -> bool:
    """Whether a column stores or refuses every value of the source's type, without a change."""
    if source.kind is Kind.BINARY or target.kind is Kind.BINARY:
        return source.kind is target.kind
    if target.kind is Kind.TEXT:
        return True
    if source.kind in INTEGERS or source.kind is Kind.YEAR:
        return target.kind in INTEGERS or target.kind is Kind.DECIMAL
    if source.kind is Kind.DECIMAL:
        return target.kind is Kind.DECIMAL and source.scale is not None and source.scale <= (target.scale or 0)
    if source.kind is Kind.FLOAT32:
        return target.kind in _FLOATS
    return source.kind is target.kind and source.kind in _NAMES


def prepared(values: ArrowArray, source: DataType, target: DataType, table: str, column: str) -> ArrowArray:
    """Canonical values in the form that a cast to the column's type reads. Raises RowRefused for values that it would
    change."""
    if (source.kind is Kind.BINARY) is not (target.kind is Kind.BINARY):
        raise RowRefused(table=table, detail=f"column {column} of type {target.native} holds no {source.native}")
    if target.kind not in _MOMENTS or source.kind is Kind.BINARY:
        return values
    values = _without_zero_dates(values)
    if compute.any(compute.match_substring_regex(values, _NO_DAY)).as_py():
        raise RowRefused(table=table, detail=f"column {column}: a day without a month or a day")
    if compute.any(compute.starts_with(values, "0000-")).as_py():
        raise RowRefused(table=table, detail=f"column {column}: there is no year 0000")
    if not compute.any(compute.ends_with(values, " BC")).as_py():
        return values
    return pa.array([None if one is None else spelled(one, target) for one in values.to_pylist()], pa.string())


def _without_zero_dates(values: ArrowArray) -> ArrowArray:
    """Invalid days sort before all others, as in MySQL."""
    zero = compute.match_substring_regex(values, _ZERO_DATE)
    if not compute.any(zero).as_py():
        return values
    replaced: ArrowArray = compute.if_else(zero, "-infinity", values)
    return replaced


def spelled(text: str, data: DataType) -> str:
    """A canonical text as a cast to the type reads it."""
    if data.kind in _MOMENTS and text.endswith(" BC"):
        day, space, time = text.removesuffix(" BC").partition(" ")
        return f"{day} (BC){space}{time}"
    return text


def same(before: str | None, after: str | None, source: DataType) -> bool:
    """Whether a value that was written and read again is still the same."""
    if before == after or before is None or after is None:
        return before == after
    if source.kind is Kind.BOOLEAN:
        return {"1": "t", "0": "f"}.get(after) == before
    if source.kind not in _NUMBERS:
        return False
    try:
        return Decimal(before) == Decimal(after)
    except ArithmeticError:
        return False


def reading(term: str, data: DataType) -> str:
    """The select expression whose values `canonical` expects."""
    if data.kind is Kind.BINARY or data.kind in _FLOATS:
        return term
    if data.kind is Kind.BOOLEAN:
        return f"CASE {term} WHEN true THEN 't' WHEN false THEN 'f' END"
    text = f"CAST({term} AS VARCHAR)"
    if data.kind is Kind.DECIMAL and data.precision == data.scale:
        return f"regexp_replace({text}, '^(-?)[.]', '\\10.')"  # DuckDB writes .5
    if data.kind in _MOMENTS:
        return f"CASE WHEN contains({text}, ' (BC)') THEN replace({text}, ' (BC)', '') || ' BC' ELSE {text} END"
    return text


def canonical(values: ArrowArray, data: DataType) -> ArrowArray:
    """A column that was read, as Arrow: bytes for BINARY, else texts."""
    if data.kind is Kind.BINARY:
        return values.cast(pa.binary())
    if data.kind in _FLOATS:
        texts: ArrowArray = values.cast(pa.string())
        for of_arrow, text in (("nan", "NaN"), ("-nan", "NaN"), ("inf", "Infinity"), ("-inf", "-Infinity")):
            texts = compute.if_else(compute.equal(texts, of_arrow), text, texts)
        return texts
    return values.cast(pa.string())


def stored_form(values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
    """See roles.Target."""
    if source.kind in _MOMENTS and target.kind in _MOMENTS:
        return _without_zero_dates(values)
    if source.kind is Kind.BOOLEAN and target.kind in INTEGERS and len(values):
        numbers: ArrowArray = compute.if_else(compute.equal(values, "t"), "1", "0")
        return numbers
    return values


def term(data: DataType, text: str) -> str:
    """A canonical text as a value of a column, in a statement."""
    quoted = "'" + spelled(text, data).replace("'", "''") + "'"
    return f"unhex({quoted})" if data.kind is Kind.BINARY else f"CAST({quoted} AS {data.native})"
