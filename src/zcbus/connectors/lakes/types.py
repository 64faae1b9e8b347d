"""Columns of other databases in lakes, whose types are native, and values on their way in and out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import MappingNote, mapping_notes
from zcbus.connectors.roles.writer import Key
from zcbus.connectors.typed_arrow import canonical, typed
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import DataType, Kind

_MAX_DIGITS = 38
_ARROW: dict[Kind, pa.DataType] = {
    Kind.BOOLEAN: pa.bool_(),
    Kind.INT8: pa.int8(),
    Kind.INT16: pa.int16(),
    Kind.INT32: pa.int32(),
    Kind.INT64: pa.int64(),
    Kind.FLOAT32: pa.float32(),
    Kind.FLOAT64: pa.float64(),
    Kind.TEXT: pa.string(),
    Kind.UUID: pa.string(),
    Kind.BINARY: pa.binary(),
    Kind.DATE: pa.date32(),
    Kind.TIMESTAMP: pa.timestamp("us"),
    Kind.TIMESTAMP_TZ: pa.timestamp("us", "UTC"),
}
_WIDER = {
    Kind.INT8: (Kind.INT16, Kind.INT32),
    Kind.INT16: (Kind.INT32,),
    Kind.INT24: (Kind.INT32,),
    Kind.UINT8: (Kind.INT16, Kind.INT32),
    Kind.UINT16: (Kind.INT32,),
    Kind.UINT24: (Kind.INT32,),
    Kind.UINT32: (Kind.INT64,),
    Kind.YEAR: (Kind.INT16, Kind.INT32),
}
"""What takes all values of a type, the smallest first. Lakes have no unsigned integers, and none of three bytes."""


@dataclass(frozen=True, slots=True)
class LakeTypes:
    """The types of a kind of lake; each has decimals of 38 digits. Errors: RowRefused for values that a type lacks."""

    scalar: Mapping[Kind, tuple[str, pa.DataType]]
    """By meaning: the type's name and its Arrow type."""
    wider: Mapping[Kind, Kind]
    """What takes the values of types that it lacks."""

    @classmethod
    def named(cls, names: Mapping[Kind, str]) -> "LakeTypes":
        """Of a kind that has these types, by their names there. Of several with one Arrow type the first is read."""
        wider = {kind: wide for kind, several in _WIDER.items() for wide in reversed(several) if wide in names}
        return cls(
            {kind: (name, _ARROW[kind]) for kind, name in names.items()},
            {kind: wide for kind, wide in wider.items() if kind not in names},
        )

    def declared(self, data: DataType) -> tuple[DataType, str]:
        """The type of a column here, and the note on it."""
        if data.kind in self.scalar:
            return DataType(data.kind, self.scalar[data.kind][0]), ""
        if data.kind in self.wider:
            kind = self.wider[data.kind]
            return DataType(kind, self.scalar[kind][0]), "" if data.kind is Kind.YEAR else "type-widened"
        if data.kind is Kind.UINT64:
            return _decimal(20, 0), "type-widened"
        if data.kind is Kind.DECIMAL and data.precision is not None and data.precision <= _MAX_DIGITS:
            scale = data.scale or 0
            if 0 <= scale <= data.precision:
                return _decimal(data.precision, scale), ""
        return DataType(Kind.TEXT, "string"), "stored-as-text"

    def map_columns(self, schema: TableSchema) -> list[MappingNote]:
        """See roles.Target."""
        return mapping_notes(schema, self._mapped)

    def arrow_type(self, data: DataType) -> pa.DataType:
        """Arrow type of a column type from `declared` or `data_type`."""
        if data.kind is Kind.DECIMAL:
            return pa.decimal128(data.precision or _MAX_DIGITS, data.scale or 0)
        return self.scalar[data.kind][1]

    def data_type(self, found: pa.DataType) -> DataType:
        """Meaning of a column's type."""
        if pa.types.is_decimal(found):
            return _decimal(found.precision, found.scale)
        for kind, (name, of_arrow) in self.scalar.items():
            if found == of_arrow:
                return DataType(kind, name)
        return DataType(Kind.UNSUPPORTED, str(found), reason=str(found))

    def stored(self, table: TableSchema) -> pa.Schema:
        """The columns of a table as Arrow has them here."""
        return pa.schema(
            [pa.field(one.name, self.arrow_type(self.declared(one.type)[0]), one.nullable) for one in table.columns]
        )

    def typed_batch(self, table: TableSchema, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Columns of a table as it is here, from canonical values. Raises RowRefused."""
        arrays = [self._typed(table, table.column(name), batch.column(name)) for name in batch.schema.names]
        return pa.RecordBatch.from_arrays(arrays, names=batch.schema.names)

    def typed_keys(self, table: TableSchema, keys: Sequence[Key]) -> list[tuple[object, ...] | None]:
        """Keys as Python's values of the columns' types; None: no row can have it."""
        columns = [table.column(name) for name in table.primary_key]
        try:
            arrays = [self._of_column(one, [key[place] for key in keys]) for place, one in enumerate(columns)]
        except (pa.ArrowException, ValueError):
            return [None] if len(keys) == 1 else [found for key in keys for found in self.typed_keys(table, [key])]
        return list(zip(*(array.to_pylist() for array in arrays), strict=True))

    def canonical_keys(self, table: TableSchema, keys: Sequence[tuple[object, ...] | None]) -> list[Key | None]:
        """Keys from `typed_keys` as a row that is read has them."""
        there = [key for key in keys if key is not None]
        columns = [table.column(name) for name in table.primary_key]
        arrays = [
            canonical(pa.array([key[place] for key in there], self.arrow_type(one.type)))
            for place, one in enumerate(columns)
        ]
        found = iter(zip(*(array.to_pylist() for array in arrays), strict=True))
        return [None if key is None else next(found) for key in keys]

    def _mapped(self, column: Column) -> tuple[str, str]:
        data, note = self.declared(column.type)
        return data.native, note

    def _typed(self, table: TableSchema, column: Column, values: ArrowArray) -> ArrowArray:
        wanted = self.arrow_type(column.type)
        try:
            return typed(values, wanted)
        except (pa.ArrowException, ValueError) as error:
            found = _first_wrong(values, wanted)
            detail = f"column {column.name} of type {column.type.native} holds no {found}"
            raise RowRefused(table=str(table.name), detail=detail) from error

    def _of_column(self, column: Column, values: list[str | bytes]) -> ArrowArray:
        given = pa.array(values, pa.binary() if column.type.kind is Kind.BINARY else pa.string())
        return typed(given, self.arrow_type(column.type))


def canonical_batch(read: pa.RecordBatch | pa.Table) -> pa.RecordBatch:
    """Columns that were read, in canonical form."""
    whole = pa.Table.from_batches([read]) if isinstance(read, pa.RecordBatch) else read
    arrays = [canonical(column.combine_chunks()) for column in whole.columns]
    return pa.RecordBatch.from_arrays(arrays, names=whole.schema.names)


def _decimal(precision: int, scale: int) -> DataType:
    return DataType(Kind.DECIMAL, f"decimal({precision},{scale})", precision=precision, scale=scale)


def _first_wrong(values: ArrowArray, wanted: pa.DataType) -> str:
    for place in range(len(values)):
        try:
            typed(values.slice(place, 1), wanted)
        except (pa.ArrowException, ValueError):
            return str(values[place].as_py())[:64]
    return "such value"
