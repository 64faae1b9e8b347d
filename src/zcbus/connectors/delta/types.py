"""Columns of other databases in Delta Lake (https://github.com/delta-io/delta/blob/master/PROTOCOL.md#primitive-types)."""

from collections.abc import Sequence

import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import MappingNote
from zcbus.connectors.roles.writer import Key
from zcbus.connectors.typed_arrow import canonical, typed
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import DataType, Kind

_MAX_DIGITS = 38
_SCALAR: dict[Kind, tuple[str, pa.DataType]] = {
    Kind.BOOLEAN: ("boolean", pa.bool_()),
    Kind.INT8: ("byte", pa.int8()),
    Kind.INT16: ("short", pa.int16()),
    Kind.INT32: ("integer", pa.int32()),
    Kind.INT64: ("long", pa.int64()),
    Kind.FLOAT32: ("float", pa.float32()),
    Kind.FLOAT64: ("double", pa.float64()),
    Kind.TEXT: ("string", pa.string()),
    Kind.BINARY: ("binary", pa.binary()),
    Kind.DATE: ("date", pa.date32()),
    Kind.TIMESTAMP: ("timestamp_ntz", pa.timestamp("us")),
    Kind.TIMESTAMP_TZ: ("timestamp", pa.timestamp("us", "UTC")),
}
_WIDER = {
    Kind.INT24: Kind.INT32,
    Kind.UINT8: Kind.INT16,
    Kind.UINT16: Kind.INT32,
    Kind.UINT24: Kind.INT32,
    Kind.UINT32: Kind.INT64,
    Kind.YEAR: Kind.INT16,
}
"""Delta has no unsigned integers, and none of three bytes."""
_BY_NAME = {name: kind for kind, (name, _) in _SCALAR.items()}


def declared(data: DataType) -> tuple[DataType, str]:
    """The type of a column here, and the note on it."""
    if data.kind in _SCALAR:
        return DataType(data.kind, _SCALAR[data.kind][0]), ""
    if data.kind in _WIDER:
        kind = _WIDER[data.kind]
        return DataType(kind, _SCALAR[kind][0]), "" if data.kind is Kind.YEAR else "type-widened"
    if data.kind is Kind.UINT64:
        return _decimal(20, 0), "type-widened"
    if data.kind is Kind.DECIMAL and data.precision is not None and data.precision <= _MAX_DIGITS:
        scale = data.scale or 0
        if 0 <= scale <= data.precision:
            return _decimal(data.precision, scale), ""
    return DataType(Kind.TEXT, "string"), "stored-as-text"


def map_columns(schema: TableSchema) -> list[MappingNote]:
    """See roles.Target."""
    notes = []
    for column in schema.columns:
        if column.type.kind is Kind.UNSUPPORTED:
            facts = (("reason", column.type.reason),)
            notes.append(MappingNote(column.name, column.type.native, "unsupported-type", True, facts))
        else:
            data, note = declared(column.type)
            notes.append(MappingNote(column.name, data.native, note))
    return notes


def arrow_type(data: DataType) -> pa.DataType:
    """Arrow type of a column type from `declared` or `data_type`."""
    if data.kind is Kind.DECIMAL:
        return pa.decimal128(data.precision or _MAX_DIGITS, data.scale or 0)
    return _SCALAR[data.kind][1]


def data_type(found: pa.DataType) -> DataType:
    """Meaning of a column's type."""
    if pa.types.is_decimal(found):
        return _decimal(found.precision, found.scale)
    for kind, (name, of_arrow) in _SCALAR.items():
        if found == of_arrow:
            return DataType(kind, name)
    return DataType(Kind.UNSUPPORTED, str(found), reason=str(found))


def typed_batch(table: TableSchema, batch: pa.RecordBatch) -> pa.RecordBatch:
    """Columns of a table as it is here, from canonical values. Raises RowRefused."""
    arrays = [_typed(table, table.column(name), batch.column(name)) for name in batch.schema.names]
    return pa.RecordBatch.from_arrays(arrays, names=batch.schema.names)


def typed_keys(table: TableSchema, keys: Sequence[Key]) -> list[tuple[object, ...] | None]:
    """Keys as Python's values of the columns' types; None: no row can have it."""
    columns = [table.column(name) for name in table.primary_key]
    try:
        arrays = [_of_column(one, [key[place] for key in keys]) for place, one in enumerate(columns)]
    except (pa.ArrowException, ValueError):
        return [None] if len(keys) == 1 else [found for key in keys for found in typed_keys(table, [key])]
    return list(zip(*(array.to_pylist() for array in arrays), strict=True))


def canonical_batch(read: pa.RecordBatch | pa.Table) -> pa.RecordBatch:
    """Columns that were read, in canonical form."""
    whole = pa.Table.from_batches([read]) if isinstance(read, pa.RecordBatch) else read
    arrays = [canonical(column.combine_chunks()) for column in whole.columns]
    return pa.RecordBatch.from_arrays(arrays, names=whole.schema.names)


def _decimal(precision: int, scale: int) -> DataType:
    return DataType(Kind.DECIMAL, f"decimal({precision},{scale})", precision=precision, scale=scale)


def _typed(table: TableSchema, column: Column, values: ArrowArray) -> ArrowArray:
    wanted = arrow_type(column.type)
    try:
        return typed(values, wanted)
    except (pa.ArrowException, ValueError) as error:
        found = _first_wrong(values, wanted)
        detail = f"column {column.name} of type {column.type.native} holds no {found}"
        raise RowRefused(table=str(table.name), detail=detail) from error


def _first_wrong(values: ArrowArray, wanted: pa.DataType) -> str:
    for place in range(len(values)):
        try:
            typed(values.slice(place, 1), wanted)
        except (pa.ArrowException, ValueError):
            return str(values[place].as_py())[:64]
    return "such value"


def _of_column(column: Column, values: list[str | bytes]) -> ArrowArray:
    given = pa.array(values, pa.binary() if column.type.kind is Kind.BINARY else pa.string())
    return typed(given, arrow_type(column.type))
