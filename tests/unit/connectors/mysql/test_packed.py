"""Rows of a text result as lines of fields."""

import random
import struct
from collections.abc import Sequence

import numpy as np
import pytest

from zcbus.connectors.mysql.binlog.vectors import SLACK, Buffer
from zcbus.connectors.mysql.snapshot import packed
from zcbus.connectors.mysql.snapshot.packed import PackedLines, line_expressions
from zcbus.connectors.texts import escaped
from zcbus.model.characters import Integers
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

Row = Sequence[bytes | None]
ODD = (b"", b"a", "李 备注".encode(), b"\t", b"\n", b"\r\\", b"\\N", b"\\f\f\v", b"x" * 250, b"y" * 251, b"z" * 70_000)


def value(data: bytes | None) -> bytes:
    if data is None:
        return b"\xfb"
    if len(data) < 251:
        return bytes([len(data)]) + data
    if len(data) < 1 << 16:
        return b"\xfc" + struct.pack("<H", len(data)) + data
    return b"\xfd" + struct.pack("<I", len(data))[:3] + data


def part(rows: Sequence[Row], before: bytes = b"") -> PackedLines:
    data, starts = bytearray(before), []
    for row in rows:
        body = b"".join(value(one) for one in row)
        data += struct.pack("<I", len(body))[:3] + b"\n"
        starts.append(len(data))
        data += body
    found: Integers = np.array(starts, np.int64)
    return PackedLines(Buffer(data + bytes(SLACK)), found, len(rows[0]))


def expected(rows: Sequence[Row]) -> bytes:
    return b"".join(b"\t".join(rb"\N" if one is None else escaped(one) for one in row) + b"\n" for row in rows)


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("columns", [1, 2, 5])
def test_lines_hold_every_value(columns: int, large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if large:
        monkeypatch.setattr(packed, "_LARGE_BYTES", 0)
        monkeypatch.setattr(packed, "_PIECE_BYTES", 3000)
    monkeypatch.setattr(packed, "_CHUNK_BYTES", 50_000)
    chosen = random.Random(columns)
    plain: list[Row] = [[b"%d" % number for _ in range(columns)] for number in range(20)]
    for choices in (ODD[:3], (*ODD[:3], None), (*ODD, None), (None,), (b"y" * 251, b"y" * 400)):
        for before in (b"", b"rest of \t\n\\ another"):
            rows = [*plain, *([chosen.choice(choices) for _ in range(columns)] for _ in range(50))]
            chosen.shuffle(rows)
            assert b"".join(part(rows, before).lines()) == expected(rows)


def test_every_kind_of_mark_in_a_value_is_found_alone() -> None:
    for odd in ODD:
        rows: list[Row] = [[b"1", b"b", None], [b"2", odd, b"c"]]
        assert b"".join(part(rows).lines()) == expected(rows)


def test_the_last_row_has_its_key() -> None:
    assert part([[b"1", None, b"a"], [b"17", None, "李".encode()]]).last(2) == "李"


def test_only_columns_whose_text_means_the_canonical_one_come_as_lines() -> None:
    kinds = {"id": Kind.INT64, "moment": Kind.TIMESTAMP_TZ, "ratio": Kind.FLOAT64, "data": Kind.BINARY}
    columns = tuple(Column(name, DataType(kind, kind.value)) for name, kind in kinds.items())
    table = TableSchema(TableName("shop", "items"), "mysql", columns)
    assert line_expressions(table, ["id", "moment"], ["id"]) == ["`id`", "CONCAT(`moment`, '+00')"]
    assert line_expressions(table, ["id", "ratio"], ["id"]) == ["`id`", "`ratio`*1e0"]
    assert line_expressions(table, ["id", "ratio"], ["ratio"]) is None
    assert line_expressions(table, ["moment"], ["id"]) is None
    assert line_expressions(table, ["id", "data"], ["id"]) is None
