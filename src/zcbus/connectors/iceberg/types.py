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

TYPES = LakeTypes.named(
    {
        Kind.BOOLEAN: "boolean",
        Kind.INT32: "int",
        Kind.INT64: "long",
        Kind.FLOAT32: "float",
        Kind.FLOAT64: "double",
        Kind.TEXT: "string",
        Kind.BINARY: "binary",
        Kind.DATE: "date",
        Kind.TIMESTAMP: "timestamp",
        Kind.TIMESTAMP_TZ: "timestamptz",
    }
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
