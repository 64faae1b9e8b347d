"""Decimals of the log, of every precision and scale, against Python's."""

import random
from decimal import Decimal, localcontext

import numpy as np
import pytest

from zcbus.connectors.mysql.binlog import tables as codes
from zcbus.connectors.mysql.binlog.records import Records
from zcbus.connectors.mysql.binlog.tables import ColumnLayout, ColumnMap, decimal_bytes
from zcbus.connectors.mysql.binlog.values import FixedField, fixed_column
from zcbus.connectors.mysql.binlog.vectors import SLACK, Buffer
from zcbus.model.schema import Column
from zcbus.model.types import DataType, Kind

_BYTES_OF_DIGITS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)


def stored(value: int, precision: int, scale: int) -> bytes:
    """As the server writes it; `value` without its point."""
    integral = precision - scale
    digits = str(abs(value)).zfill(precision)
    front, behind = digits[:integral], digits[integral:]
    first = integral % 9
    groups = [front[:first], *(front[at : at + 9] for at in range(first, integral, 9))]
    groups += [behind[at : at + 9] for at in range(0, scale, 9)]
    octets = b"".join(int(group or 0).to_bytes(_BYTES_OF_DIGITS[len(group)], "big") for group in groups)
    inverted = bytes(octet ^ 0xFF for octet in octets) if value < 0 else octets
    return bytes([inverted[0] ^ 0x80]) + inverted[1:]


@pytest.mark.parametrize("precision", [1, 2, 9, 10, 12, 17, 18, 19, 27, 38, 65])
def test_decimals(precision: int) -> None:
    source = random.Random(precision)
    largest = 10**precision - 1
    for scale in range(min(precision, 30) + 1):
        values = [0, 1, -1, largest, -largest, 10**scale % (largest + 1)]
        values += [source.randint(-largest, largest) for _ in range(20)]
        width = decimal_bytes(precision, scale)
        data = b"".join(stored(value, precision, scale) for value in values)
        at = np.arange(len(values), dtype=np.int64) * width
        field = FixedField(Records.fetched(Buffer(data + bytes(SLACK)), at, width), 0)
        column = ColumnMap(codes.NEWDECIMAL, precision | scale << 8, width, 0)
        layout = ColumnLayout(Column("d", DataType(Kind.DECIMAL, "decimal")), "")
        with localcontext() as context:
            context.prec = 70
            expected = [f"{Decimal(value).scaleb(-scale):f}" for value in values]
        assert fixed_column(field, column, layout).to_pylist() == expected
