"""Integers of the log, of every width and sign, against Python's."""

import numpy as np
import pytest

from zcbus.connectors.mysql.binlog import tables as codes
from zcbus.connectors.mysql.binlog.records import Records
from zcbus.connectors.mysql.binlog.tables import ColumnLayout, ColumnMap
from zcbus.connectors.mysql.binlog.values import FixedField, fixed_column
from zcbus.connectors.mysql.binlog.vectors import SLACK, Buffer
from zcbus.model.schema import Column
from zcbus.model.types import SIGNED, UNSIGNED, DataType, Kind

_CODES = {1: codes.TINY, 2: codes.SHORT, 3: codes.INT24, 4: codes.LONG, 8: codes.LONGLONG}
_SMALL = [0, 1, 9, 10, 99, 100, 127]


def _texts(values: list[int], width: int, kind: Kind) -> list[str | None]:
    """The decoded values, each after three other bytes."""
    data = b"".join(b"abc" + value.to_bytes(width, "little", signed=kind in SIGNED) for value in values)
    at = np.arange(len(values), dtype=np.int64) * (3 + width)
    field = FixedField(Records.fetched(Buffer(data + bytes(SLACK)), at, 3 + width), 3)
    layout = ColumnLayout(Column("n", DataType(kind, "int")), None)
    return fixed_column(field, ColumnMap(_CODES[width], 0, width, 0), layout).to_pylist()


@pytest.mark.parametrize("width", _CODES)
@pytest.mark.parametrize("is_signed", [True, False])
def test_integers(width: int, is_signed: bool) -> None:
    kind = (SIGNED if is_signed else UNSIGNED)[-1]
    bits = 8 * width
    largest = (1 << bits - 1) - 1 if is_signed else (1 << bits) - 1
    edges = [number for number in (9_999, 10_000, 99_999, 100_000) if number <= largest]
    for values in (_SMALL, [*_SMALL, *edges, largest], [*_SMALL, -largest - 1, -1]):
        chosen = [value for value in values if is_signed or value >= 0]
        assert _texts(chosen, width, kind) == [str(value) for value in chosen]
