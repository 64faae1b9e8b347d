"""Columns of other databases in ClickHouse (https://clickhouse.com/docs/sql-reference/data-types)."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import MappingNote, mapping_notes
from zcbus.connectors.roles.writer import Key
from zcbus.connectors.typed_arrow import canonical, typed
from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import DataType, Kind

_MAX_DIGITS = 38
_MOMENT = "DateTime64(6, 'UTC')"
_SCALAR: dict[Kind, tuple[str, pa.DataType]] = {
    Kind.BOOLEAN: ("Bool", pa.bool_()),
    Kind.INT8: ("Int8", pa.int8()),
    Kind.INT16: ("Int16", pa.int16()),
    Kind.INT24: ("Int32", pa.int32()),
    Kind.INT32: ("Int32", pa.int32()),
    Kind.INT64: ("Int64", pa.int64()),
    Kind.UINT8: ("UInt8", pa.uint8()),
    Kind.UINT16: ("UInt16", pa.uint16()),
    Kind.UINT24: ("UInt32", pa.uint32()),
    Kind.UINT32: ("UInt32", pa.uint32()),
    Kind.UINT64: ("UInt64", pa.uint64()),
    Kind.YEAR: ("UInt16", pa.uint16()),
    Kind.FLOAT32: ("Float32", pa.float32()),
    Kind.FLOAT64: ("Float64", pa.float64()),
    Kind.DATE: ("Date32", pa.date32()),
    Kind.TIMESTAMP: (_MOMENT, pa.timestamp("us")),
    Kind.TIMESTAMP_TZ: (_MOMENT, pa.timestamp("us", "UTC")),
    Kind.TEXT: ("String", pa.string()),
    Kind.BINARY: ("String", pa.binary()),
}
_FIRST, _LAST = date(1900, 1, 1), date(2299, 12, 31)
"""Days that columns have."""


def declared(data: DataType) -> str:
    """The type of a column here, without Nullable."""
    if _is_decimal(data):
        return f"Decimal({data.precision}, {data.scale or 0})"
    return _SCALAR.get(data.kind, _SCALAR[Kind.TEXT])[0]


def map_columns(schema: TableSchema) -> list[MappingNote]:
    """See roles.Target."""
    return mapping_notes(schema, _mapped)


def _mapped(column: Column) -> tuple[str, str]:
    is_native = column.type.kind in _SCALAR or _is_decimal(column.type)
    return declared(column.type), "" if is_native else "stored-as-text"


def arrow_type(data: DataType) -> pa.DataType:
    """Values sent for a column."""
    if _is_decimal(data):
        return pa.decimal128(data.precision or _MAX_DIGITS, data.scale or 0)
    return _SCALAR.get(data.kind, _SCALAR[Kind.TEXT])[1]


def typed_batch(table: TableSchema, batch: pa.RecordBatch) -> pa.RecordBatch:
    """Columns from canonical values. Raises RowRefused."""
    arrays = [_typed(table, table.column(name), batch.column(name)) for name in batch.schema.names]
    return pa.RecordBatch.from_arrays(arrays, names=batch.schema.names)


def canonical_batch(columns: Sequence[Column], read: pa.RecordBatch) -> pa.RecordBatch:
    """Columns that were read, in canonical form."""
    arrays = [_canonical(one.type, values) for one, values in zip(columns, read.columns, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, names=[one.name for one in columns])


def stored_keys(columns: Sequence[Column], keys: Sequence[Key]) -> list[Key | None]:
    """Keys as rows that are read have them; None: no row can have it."""
    try:
        arrays = [
            _canonical(one.type, _converted(one.type, _given(one.type, [key[place] for key in keys])))
            for place, one in enumerate(columns)
        ]
    except (pa.ArrowException, ValueError):
        return [None] if len(keys) == 1 else [found for key in keys for found in stored_keys(columns, [key])]
    return list(zip(*(array.to_pylist() for array in arrays), strict=True))


def _is_decimal(data: DataType) -> bool:
    precision = data.precision or 0
    return data.kind is Kind.DECIMAL and 0 < precision <= _MAX_DIGITS and 0 <= (data.scale or 0) <= precision


def _given(data: DataType, values: list[Any]) -> ArrowArray:
    return pa.array(values, pa.binary() if data.kind is Kind.BINARY else pa.string())


def _typed(table: TableSchema, column: Column, values: ArrowArray) -> ArrowArray:
    try:
        return _converted(column.type, values)
    except (pa.ArrowException, ValueError) as error:
        detail = f"column {column.name} of type {declared(column.type)} holds no {_first_wrong(column.type, values)}"
        raise RowRefused(table=str(table.name), detail=detail) from error


def _first_wrong(data: DataType, values: ArrowArray) -> str:
    for place in range(len(values)):
        try:
            _converted(data, values.slice(place, 1))
        except (pa.ArrowException, ValueError):
            return str(values[place].as_py())[:64]
    return "such value"


def _converted(data: DataType, values: ArrowArray) -> ArrowArray:
    wanted = arrow_type(data)
    found = typed(values, wanted)
    if data.kind in (Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ):
        first, last = _FIRST, _LAST
        if data.kind is not Kind.DATE:
            first, last = datetime(1900, 1, 1), datetime(2299, 12, 31, 23, 59, 59)  # noqa: DTZ001  compared without a zone
        bare = found if data.kind is not Kind.TIMESTAMP_TZ else found.cast(pa.int64()).cast(pa.timestamp("us"))
        low, high = (pa.scalar(one, bare.type).value for one in (first, last))
        ends = compute.min_max(bare)
        if ends["min"].is_valid and (ends["min"].value < low or ends["max"].value > high):
            raise ValueError("not a day of the years 1900 to 2299")
    return found


def _canonical(data: DataType, values: Any) -> ArrowArray:
    if data.kind is Kind.BINARY:
        return values.cast(pa.binary())  # type: ignore[no-any-return]
    if data.kind is Kind.YEAR:
        return compute.utf8_lpad(values.cast(pa.string()), 4, "0")  # type: ignore[no-any-return]
    if data.kind is Kind.TIMESTAMP:
        return canonical(values.cast(pa.int64()).cast(pa.timestamp("us")))
    if (data.kind in _SCALAR and data.kind is not Kind.TEXT) or _is_decimal(data):
        return canonical(values.cast(pa.bool_()) if data.kind is Kind.BOOLEAN else values)
    return values.cast(pa.string())  # type: ignore[no-any-return]
