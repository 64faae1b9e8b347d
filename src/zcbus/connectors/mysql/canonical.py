"""Conversion of the server's text to the canonical form of each type; the binlog decoder produces the same form."""

import numpy as np
import pyarrow as pa

from zcbus.connectors.mysql.binlog.vectors import bit_text, bits, float_text, null_text, slices
from zcbus.connectors.mysql.catalog.types import is_zerofill
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.text_rows import Values
from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute
from zcbus.model.schema import Column
from zcbus.model.types import DataType, Kind


def select_expression(column: Column) -> str:
    """The select expression whose text has the complete value."""
    name = quote.identifier(column.name)
    if column.type.kind is Kind.UNSUPPORTED:
        return "NULL"
    if column.type.kind in (Kind.FLOAT32, Kind.FLOAT64):
        return f"{name}*1e0"  # a FLOAT is printed with six digits, a product of doubles with all
    if is_zerofill(column.type):
        return f"{name}+0"
    return name


def canonical(values: Values, data_type: DataType) -> ArrowArray:
    """A column of a text result in the canonical form."""
    kind = data_type.kind
    if kind is Kind.UNSUPPORTED:
        return null_text(len(values.starts))
    if kind is Kind.BIT:
        return _bits(values, bits(data_type))
    text = slices(values.buffer.arrow, values.starts, values.ends, values.valid, kind is Kind.BINARY)
    if kind in (Kind.FLOAT32, Kind.FLOAT64):
        return float_text(text.cast(pa.float64()), kind)
    return with_utc(text) if kind is Kind.TIMESTAMP_TZ else text


def with_utc(text: ArrowArray) -> ArrowArray:
    """Timestamps with their zone at the end."""
    joined: ArrowArray = compute.binary_join_element_wise(text, "+00", "")
    return joined


def _bits(values: Values, width: int) -> ArrowArray:
    count = (width + 7) // 8
    at = values.starts if values.valid is None else np.where(values.valid, values.starts, 0)
    octets = values.buffer.u8[at[:, None] + np.arange(count)]
    return bit_text(octets, width, values.valid)
