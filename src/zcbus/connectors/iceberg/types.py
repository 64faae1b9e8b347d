"""The types of Iceberg (https://iceberg.apache.org/spec/#primitive-types)."""

import pyarrow as pa
from pyiceberg.types import (
    BinaryType,
    BooleanType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    PrimitiveType,
    StringType,
    TimestampType,
    TimestamptzType,
)

from zcbus.connectors.lakes.types import LakeTypes
from zcbus.model.types import DataType, Kind

TYPES = LakeTypes(
    scalar={
        Kind.BOOLEAN: ("boolean", pa.bool_()),
        Kind.INT32: ("int", pa.int32()),
        Kind.INT64: ("long", pa.int64()),
        Kind.FLOAT32: ("float", pa.float32()),
        Kind.FLOAT64: ("double", pa.float64()),
        Kind.TEXT: ("string", pa.string()),
        Kind.BINARY: ("binary", pa.binary()),
        Kind.DATE: ("date", pa.date32()),
        Kind.TIMESTAMP: ("timestamp", pa.timestamp("us")),
        Kind.TIMESTAMP_TZ: ("timestamptz", pa.timestamp("us", "UTC")),
    },
    wider={
        Kind.INT8: Kind.INT32,
        Kind.INT16: Kind.INT32,
        Kind.INT24: Kind.INT32,
        Kind.UINT8: Kind.INT32,
        Kind.UINT16: Kind.INT32,
        Kind.UINT24: Kind.INT32,
        Kind.UINT32: Kind.INT64,
        Kind.YEAR: Kind.INT32,
    },
)
"""Iceberg has integers of four and of eight bytes."""
_OF_ICEBERG: dict[Kind, PrimitiveType] = {
    Kind.BOOLEAN: BooleanType(),
    Kind.INT32: IntegerType(),
    Kind.INT64: LongType(),
    Kind.FLOAT32: FloatType(),
    Kind.FLOAT64: DoubleType(),
    Kind.TEXT: StringType(),
    Kind.BINARY: BinaryType(),
    Kind.DATE: DateType(),
    Kind.TIMESTAMP: TimestampType(),
    Kind.TIMESTAMP_TZ: TimestamptzType(),
}


def iceberg_type(data: DataType) -> PrimitiveType:
    """The library's type for a column type from `TYPES.declared`."""
    if data.kind is Kind.DECIMAL:
        return DecimalType(data.precision or 38, data.scale or 0)
    return _OF_ICEBERG[data.kind]


def plain(schema: pa.Schema) -> pa.Schema:
    """The library names texts and bytes as large ones."""
    return pa.schema([pa.field(one.name, _plain(one.type), one.nullable) for one in schema])


def _plain(data: pa.DataType) -> pa.DataType:
    if pa.types.is_large_string(data):
        return pa.string()
    return pa.binary() if pa.types.is_large_binary(data) else data
