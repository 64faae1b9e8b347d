"""Columns of other databases in SQLite, and SQLite's values in canonical form.

SQLite stores a type with each value; a column's declared type only decides how texts that look like numbers are stored
(see "Datatypes In SQLite"). Exact numbers and texts that may look like numbers therefore have types with `TEXT` in
their names, which store every digit.
"""

import re
from decimal import Decimal
from typing import Any

import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import MappingNote, mapping_notes
from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute
from zcbus.model.schema import TableSchema
from zcbus.model.types import INTEGERS, DataType, Kind

_NUMBER = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*")
_INTEGER = re.compile(r"[+-]?\d{1,19}")
_INTEGER_END = 1 << 63
_FLOAT_DIGITS = 15
_FLOAT_RANGE = 30
"""Decimal digits that a float always preserves, and the power of ten up to which SQLite reliably reads the nearest
one."""
_INTEGERS = (INTEGERS - {Kind.UINT64}) | {Kind.YEAR}
_FLOATS = frozenset({Kind.FLOAT32, Kind.FLOAT64})
_COUNTED = frozenset({Kind.DECIMAL, Kind.UINT64})
_NAMES = {
    Kind.BOOLEAN: "BOOLEAN",
    Kind.FLOAT32: "REAL",
    Kind.FLOAT64: "REAL",
    Kind.BINARY: "BLOB",
    Kind.DATE: "DATE",
    Kind.TIME: "TIME",
    Kind.TIMESTAMP: "DATETIME",
    Kind.TIMESTAMP_TZ: "TIMESTAMPTZ",
    Kind.JSON: "JSON_TEXT",
    Kind.UUID: "UUID_TEXT",
    Kind.TEXT: "TEXT",
}
_KINDS = {name: kind for kind, name in _NAMES.items() if kind is not Kind.FLOAT32}
_DECLARED = re.compile(r"\s*([\w ]*?)\s*(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?\s*")
_MOMENTS = frozenset({Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ})


def declared(dialect: str, data: DataType) -> tuple[str, str]:
    """The declared type of a column here, and the note on it."""
    if dialect == "sqlite" and not data.computed:
        return data.native, ""
    if data.kind in _INTEGERS:
        return "INTEGER", ""
    if data.kind is Kind.UINT64:
        return "DECIMAL_TEXT(20,0)", "type-widened"
    if data.kind is Kind.DECIMAL:
        return (f"DECIMAL_TEXT({data.precision},{data.scale or 0})" if data.precision else "DECIMAL_TEXT"), ""
    if data.kind is Kind.TEXT and data.length:
        return f"VARCHAR({data.length})", ""
    return (_NAMES[data.kind], "") if data.kind in _NAMES else ("TEXT", "stored-as-text")


def map_columns(schema: TableSchema) -> list[MappingNote]:
    """See roles.Target."""
    return mapping_notes(schema, lambda column: declared(schema.dialect, column.type))


def data_type(native: str) -> DataType:
    """The neutral type of a declared type, by SQLite's own rules if the platform did not declare it."""
    match = _DECLARED.fullmatch(native)
    name = (match[1] if match else native).upper()
    first = int(match[2]) if match and match[2] else None
    second = int(match[3]) if match and match[3] else None
    if name in _KINDS and name != "TEXT":
        return DataType(_KINDS[name], native)
    if name in ("DECIMAL_TEXT", "DECIMAL", "NUMERIC"):
        return DataType(Kind.DECIMAL, native, precision=first, scale=second)
    if "INT" in name:
        return DataType(Kind.INT64, native)
    if any(part in name for part in ("CHAR", "CLOB", "TEXT")):
        return DataType(Kind.TEXT, native, length=first)
    if any(part in name for part in ("REAL", "FLOA", "DOUB")):
        return DataType(Kind.FLOAT64, native)
    return DataType(Kind.BINARY if "BLOB" in name else Kind.OTHER, native)


def keeps_text(native: str) -> bool:
    """Whether a column stores texts that look like numbers unchanged."""
    name = native.upper()
    return "INT" not in name and any(part in name for part in ("CHAR", "CLOB", "TEXT", "BLOB"))


def order(data: DataType) -> str:
    """Collation clause for the order of all databases (see reading.ordered_by_value)."""
    if data.kind is Kind.DECIMAL:
        return " COLLATE zcbus_number"
    return " COLLATE zcbus_moment" if data.kind in _MOMENTS else " COLLATE binary"


def to_values(values: ArrowArray, source: DataType, target: DataType, table: str, column: str) -> list[Any]:
    """Canonical values as driver values for a column of type `target`.

    Raises RowRefused for NaN, which SQLite would store as NULL, and for values that a manually created column would
    round or change.
    """
    if source.kind is Kind.BINARY:
        return list(values.to_pylist())
    if source.kind in _INTEGERS or (source.kind is Kind.UINT64 and target.kind in INTEGERS):
        texts = values.to_pylist()
        return texts if target.kind is Kind.TEXT else [None if one is None else int(one) for one in texts]
    if source.kind is Kind.BOOLEAN and target.kind is not Kind.TEXT:
        return [None if one is None else int(one == "t") for one in values.to_pylist()]
    if source.kind in _FLOATS and not keeps_text(target.native):
        if compute.any(compute.equal(values, "NaN")).as_py():
            raise RowRefused(table=table, detail=f"column {column}: SQLite has no NaN")
        return [None if one is None else float(one) for one in values.to_pylist()]
    texts = values.to_pylist()
    if not keeps_text(target.native):
        exact = source.kind not in _COUNTED
        for one in texts:
            if one is not None and changes(one, exact=exact, floating=target.kind is Kind.FLOAT64):
                raise RowRefused(
                    table=table, detail=f"column {column} of type {target.native} does not keep {one[:64]}"
                )
    return list(texts)


def changes(text: str, *, exact: bool, floating: bool) -> bool:
    """Whether a column with numeric affinity might store another value.

    `exact`: also another spelling of the same number; `floating`: the column converts all numbers to floats.
    """
    if _NUMBER.fullmatch(text) is None:
        return False
    complete = not floating and _INTEGER.fullmatch(text) is not None and abs(int(text)) < _INTEGER_END
    if complete:
        return exact and str(int(text)) != text
    number = Decimal(text.strip())
    kept = float(text)
    digits = "".join(map(str, number.as_tuple().digits)).strip("0")
    if len(digits) > _FLOAT_DIGITS or (digits and abs(number.adjusted()) > _FLOAT_RANGE):
        return True
    if not floating and kept.is_integer() and int(kept) != number:  # stored as the equal integer
        return True
    return exact and (repr(kept) != text or kept == 0 or (kept.is_integer() and not floating))


def to_value(text: str, data: DataType) -> object:
    """A key's canonical text as a driver value."""
    if data.kind is Kind.BINARY:
        return bytes.fromhex(text)
    if data.kind in INTEGERS:
        return int(text)
    if data.kind is Kind.BOOLEAN:
        return int(text == "t")
    return float(text) if data.kind in _FLOATS else text


def canonical(values: list[Any], data: DataType) -> ArrowArray:
    """A column's values as Arrow: bytes for BINARY, else texts."""
    if data.kind is Kind.BINARY:
        return pa.array([one.encode() if isinstance(one, str) else one for one in values], pa.binary())
    return pa.array([_text(one, data.kind) for one in values], pa.string())


def stored_form(values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
    """See roles.Target."""
    if source.kind is Kind.BOOLEAN and target.kind in INTEGERS and len(values):
        numbers: ArrowArray = compute.if_else(compute.equal(values, "t"), "1", "0")
        return numbers
    return values


def _text(value: Any, kind: Kind) -> str | None:
    if value is None:
        return None
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float):
        return _float(value)
    if kind is Kind.BOOLEAN and value in (0, 1):
        return "t" if value else "f"
    return str(value)


def _float(value: float) -> str:
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return str(pa.array([value], pa.float64()).cast(pa.string())[0].as_py())
