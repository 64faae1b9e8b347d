"""The types of Delta Lake (https://github.com/delta-io/delta/blob/master/PROTOCOL.md#primitive-types)."""

from zcbus.connectors.lakes.types import LakeTypes
from zcbus.model.types import Kind

TYPES = LakeTypes.named(
    {
        Kind.BOOLEAN: "boolean",
        Kind.INT8: "byte",
        Kind.INT16: "short",
        Kind.INT32: "integer",
        Kind.INT64: "long",
        Kind.FLOAT32: "float",
        Kind.FLOAT64: "double",
        Kind.TEXT: "string",
        Kind.BINARY: "binary",
        Kind.DATE: "date",
        Kind.TIMESTAMP: "timestamp_ntz",
        Kind.TIMESTAMP_TZ: "timestamp",
    }
)
