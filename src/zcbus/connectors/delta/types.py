"""The types of Delta Lake (https://github.com/delta-io/delta/blob/master/PROTOCOL.md#primitive-types)."""

import pyarrow as pa

from zcbus.connectors.lakes.types import LakeTypes
from zcbus.model.types import Kind

TYPES = LakeTypes(
    scalar={
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
    },
    wider={
        Kind.INT24: Kind.INT32,
        Kind.UINT8: Kind.INT16,
        Kind.UINT16: Kind.INT32,
        Kind.UINT24: Kind.INT32,
        Kind.UINT32: Kind.INT64,
        Kind.YEAR: Kind.INT16,
    },
)
"""Delta has no unsigned integers, and none of three bytes."""
