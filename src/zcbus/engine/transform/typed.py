"""SQL that converts canonical text (zcbus.model.types) to the evaluating library's typed values and back.

Exact where the type allows it: decimals of up to 38 digits stay decimals; a decimal without a declared size gets 20
digits before the point and 18 behind it, and a value that does not fit there is an error, never rounded. MySQL's zero
date sorts before all others, as in MySQL; other invalid dates (`2024-05-00`) have no value.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from zcbus.model.types import DataType, Kind

_MAX_DIGITS = 38
_FREE_SCALE = 18

_INTEGER_TYPES: dict[Kind, str] = {
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
    Kind.YEAR: "INTEGER",
}
_OTHERS: dict[Kind, str] = {
    Kind.BOOLEAN: "BOOLEAN",
    Kind.FLOAT32: "REAL",
    Kind.FLOAT64: "DOUBLE",
    Kind.BINARY: "BLOB",
    Kind.DATE: "DATE",
    Kind.TIME: "TIME",
    Kind.TIMESTAMP: "TIMESTAMP",
    Kind.TIMESTAMP_TZ: "TIMESTAMP",
}


def library_type(data: DataType) -> str:
    """The library's type for a column; text if it has no equivalent."""
    if data.kind is Kind.DECIMAL:
        precision, scale = _digits(data)
        return f"DECIMAL({precision},{scale})"
    return _INTEGER_TYPES.get(data.kind) or _OTHERS.get(data.kind, "VARCHAR")


def typed(column: str, data: DataType) -> str:
    """SQL that turns a column of canonical text into typed values. Evaluation fails for invalid values."""
    kind = data.kind
    if kind is Kind.BOOLEAN:
        return f"CASE {column} WHEN 't' THEN true WHEN 'f' THEN false END"
    if kind is Kind.DECIMAL:
        return _decimal(column, data)
    if kind in (Kind.DATE, Kind.TIMESTAMP):
        return f"CAST({_dated(column)} AS {_OTHERS[kind]})"
    if kind is Kind.TIMESTAMP_TZ:
        return f"CAST(replace({_dated(column)}, '+00', '') AS TIMESTAMP)"
    name = library_type(data)
    return column if name in ("VARCHAR", "BLOB") else f"CAST({column} AS {name})"


def canonical(value: str, data: DataType) -> str:
    """SQL that turns a value into canonical text of a column's type."""
    cast = f"CAST({value} AS {library_type(data)})"
    make = _CANONICAL.get(data.kind)
    return make(cast) if make is not None else f"CAST({cast} AS VARCHAR)"


def _dated(column: str) -> str:
    return f"CASE WHEN {column} LIKE '0000-00-00%' THEN '-infinity' ELSE replace({column}, ' BC', ' (BC)') END"


def _decimal(column: str, data: DataType) -> str:
    cast = f"CAST({column} AS {library_type(data)})"
    if data.precision is not None and data.precision <= _MAX_DIGITS:
        return cast
    too_long = f"length(split_part({column}, '.', 2)) > {_digits(data)[1]}"
    return f"CASE WHEN {too_long} THEN error('decimal ' || {column} || ' has too many digits') ELSE {cast} END"


def _digits(data: DataType) -> tuple[int, int]:
    if data.precision is None:
        return _MAX_DIGITS, _FREE_SCALE
    return min(data.precision, _MAX_DIGITS), max(0, min(data.scale or 0, _MAX_DIGITS))


def _float(cast: str) -> str:
    text = f"CAST({cast} AS VARCHAR)"
    return f"CASE {text} WHEN 'nan' THEN 'NaN' WHEN 'inf' THEN 'Infinity' WHEN '-inf' THEN '-Infinity' ELSE {text} END"


def _zoned(text: str) -> str:
    before_christ = f"replace({text}, ' (BC)', '+00 BC')"
    return (
        f"CASE WHEN {text} LIKE '%infinity' THEN {text} WHEN {text} LIKE '% (BC)' THEN {before_christ} "
        f"ELSE {text} || '+00' END"
    )


_CANONICAL: dict[Kind, Callable[[str], str]] = {
    Kind.BOOLEAN: lambda one: f"CASE {one} WHEN true THEN 't' WHEN false THEN 'f' END",
    Kind.BINARY: lambda one: one,
    Kind.FLOAT32: _float,
    Kind.FLOAT64: _float,
    Kind.DATE: lambda one: f"replace(CAST({one} AS VARCHAR), ' (BC)', ' BC')",
    Kind.TIMESTAMP: lambda one: f"replace(CAST({one} AS VARCHAR), ' (BC)', ' BC')",
    Kind.TIMESTAMP_TZ: lambda one: _zoned(f"CAST({one} AS VARCHAR)"),
}

_DECLARED: dict[str, Kind] = {
    "boolean": Kind.BOOLEAN,
    "smallint": Kind.INT16,
    "integer": Kind.INT32,
    "int": Kind.INT32,
    "bigint": Kind.INT64,
    "real": Kind.FLOAT32,
    "double": Kind.FLOAT64,
    "text": Kind.TEXT,
    "binary": Kind.BINARY,
    "date": Kind.DATE,
    "time": Kind.TIME,
    "timestamp": Kind.TIMESTAMP,
    "timestamptz": Kind.TIMESTAMP_TZ,
    "json": Kind.JSON,
}
"""Kinds by their names in a link file."""
_INFERRED = {
    "BOOLEAN": "boolean",
    "TINYINT": "smallint",
    "SMALLINT": "smallint",
    "UTINYINT": "smallint",
    "INTEGER": "integer",
    "USMALLINT": "integer",
    "BIGINT": "bigint",
    "UINTEGER": "bigint",
    "UBIGINT": "decimal(20,0)",
    "HUGEINT": "decimal(38,0)",
    "FLOAT": "real",
    "DOUBLE": "double",
    "BLOB": "binary",
    "DATE": "date",
    "TIME": "time",
    "TIMESTAMP": "timestamp",
    "JSON": "json",
}
_SIZED = re.compile(r"(decimal|text)\s*\(\s*(\d{1,5})\s*(?:,\s*(\d{1,2})\s*)?\)")


class TypeUnknown(Exception):
    """The text is not the name of a type."""


def declared(text: str) -> DataType:
    """The type that a link file names. Raises TypeUnknown."""
    word = text.strip().lower()
    if word in _DECLARED:
        kind = _DECLARED[word]
        precision = 6 if kind in (Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ) else None
        return DataType(kind, word, precision=precision, computed=True)
    match = _SIZED.fullmatch(word)
    if match is None:
        raise TypeUnknown(text)
    name, size, scale = match[1], int(match[2]), int(match[3] or 0)
    if name == "text":
        if match[3] is not None or not 1 <= size <= 10_000:
            raise TypeUnknown(text)
        return text_type(size)
    if not 1 <= size <= _MAX_DIGITS or scale > size:
        raise TypeUnknown(text)
    return DataType(Kind.DECIMAL, f"decimal({size},{scale})", precision=size, scale=scale, computed=True)


def text_type(length: int) -> DataType:
    """Text with a maximum length in characters."""
    return DataType(Kind.TEXT, f"text({length})", length=length, computed=True)


def inferred(library: str) -> DataType:
    """The type for values of one of the library's types."""
    if library.startswith("DECIMAL"):
        return declared(library.lower())
    return declared(_INFERRED.get(library, "text"))


@dataclass(frozen=True, slots=True)
class Output:
    """A column to compute."""

    name: str
    sql: str
    """Over the typed input columns, under their own names; may use `$mask_key`."""
