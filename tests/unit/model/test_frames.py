"""Frames come back from bytes as they went in."""

import pyarrow as pa
import pytest

from zcbus.model.changes import (
    CaptureResumed,
    ChangeFrame,
    ControlTotals,
    Frame,
    Gap,
    HeartbeatFrame,
    RollbackFrame,
    SnapshotEnd,
    SnapshotOffer,
    SnapshotRows,
    TableChanges,
    TableTotal,
    Transactions,
)
from zcbus.model.frames import FrameDamaged, decode_frame, encode_frame
from zcbus.model.position import Position
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind

SCHEMA = TableSchema(
    TableName("公共", "Orders"),
    "postgresql",
    (
        Column("id", DataType(Kind.INT64, "bigint"), nullable=False, identity=True),
        Column("状态", DataType(Kind.ENUM, "order_status", values=("new", "paid"))),
        Column("tags", DataType(Kind.ARRAY, "text[]", element=DataType(Kind.TEXT, "text"))),
        Column("raw", DataType(Kind.BINARY, "bytea")),
    ),
    primary_key=("id",),
    unique_keys=(("id",),),
)
ROWS = pa.record_batch(
    {
        "id": pa.array(["1", None], pa.string()),
        "状态": pa.array(["new", None], pa.string()),
        "tags": pa.array([None, None], pa.string()),
        "raw": pa.array([b"\x00\xff", None], pa.binary()),
    }
)
KEYS = pa.record_batch({"id": pa.array([None, "2"], pa.string())})


def change_frame() -> ChangeFrame:
    transactions = Transactions(
        pa.array([3], pa.uint64()), pa.array([2**63 + 5], pa.uint64()), pa.array([1_700_000_000_000], pa.int64())
    )
    table = TableChanges(
        SCHEMA,
        ("id",),
        pa.array([0, 2], pa.uint8()),
        pa.array([0, 0], pa.uint32()),
        pa.array([4, 9], pa.uint32()),
        ROWS,
        KEYS,
        {"tags": pa.array([True, False], pa.bool_())},
        ("far/s/t", "near/s/t"),
    )
    return ChangeFrame(transactions, False, (table, table), "near", "0-1-5")


FRAMES: list[Frame] = [
    change_frame(),
    RollbackFrame(),
    CaptureResumed(
        ((SCHEMA.name, 3),), (Gap(SCHEMA.name, None, Position(4, 5)), Gap(SCHEMA.name, Position(0, 0), Position(4, 5)))
    ),
    ControlTotals(1_700, 3, 17, (TableTotal(TableName("s", "t"), 4, 9),), complete=True),
    HeartbeatFrame(Position(0, 17), 1_700_000_000_123, gtid_set="0-1-5"),
    SnapshotRows(SCHEMA, ROWS, Position(1, 2), ("1",), None, "near"),
    SnapshotOffer(SCHEMA, "near"),
    SnapshotEnd(SCHEMA, Position(1, 2), Position(1, 9), 12, "near"),
]


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: type(frame).__name__)
def test_round_trip(frame: Frame) -> None:
    data = b"".join(encode_frame(frame))
    assert decode_frame(data) == frame


def test_last_position() -> None:
    assert change_frame().last_position == Position(3, 2**63 + 5)


@pytest.mark.parametrize("cut", [0, 3, 7, 40])
def test_cut_bytes_are_noticed(cut: int) -> None:
    data = b"".join(encode_frame(change_frame()))
    with pytest.raises(FrameDamaged):
        decode_frame(data[:cut])


def test_other_bytes_are_noticed() -> None:
    with pytest.raises(FrameDamaged):
        decode_frame(b"\x00" * 64)
