"""Snapshots that break off: what is on the full topic afterwards, and how they resume."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.topics import full_topic
from zcbus.engine.publish.full_topic import inspect
from zcbus.engine.publish.snapshot import take_snapshot
from zcbus.engine.publish.table import PublishedRun
from zcbus.kit.errors import TransientError
from zcbus.model.changes import Frame, RollbackFrame, SnapshotEnd, SnapshotRows
from zcbus.model.frames import decode_frame
from zcbus.model.position import Position
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind
from zcbus.protocol.base import TableRef
from zcbus.protocol.tasks import PublishedTable

COLUMN = Column("n", DataType(Kind.INT32, "integer"))
SCHEMA = TableSchema(TableName("public", "t"), "postgresql", (COLUMN,))
TOPIC = full_topic("node", "t", 1)


class BrokenOff(TransientError):
    """The source went away."""


class Image:
    """Rows of one column in batches of two; breaks off behind the first `batches`."""

    def __init__(self, place: int, rows: list[str], batches: int | None = None) -> None:
        self.position, self._rows, self._batches = Position(0, place), rows, batches

    def estimate(self, _table: TableSchema) -> int:
        return len(self._rows)

    def read(
        self, _table: TableSchema, key: tuple[str, ...], after: tuple[str, ...] | None, _rows: int
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        rows = [row for row in self._rows if after is None or (row,) > after]
        for number, start in enumerate(range(0, len(rows), 2)):
            if number == self._batches:
                raise BrokenOff
            part = rows[start : start + 2]
            yield pa.RecordBatch.from_arrays([pa.array(part)], names=["n"]), (part[-1],) if key else ()


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[EmbeddedBus]:
    bus = EmbeddedBus(tmp_path)
    yield bus
    bus.close()


def run(key: tuple[str, ...]) -> PublishedRun:
    source = TableRef(schema_name="public", table="t")
    return PublishedRun(
        PublishedTable(id="t", source=source, generation=1, append_only=not key), schema=SCHEMA, key=key
    )


def take(bus: EmbeddedBus, key: tuple[str, ...], image: Image) -> None:
    take_snapshot(bus, "node", run(key), image, threading.Event())  # type: ignore[arg-type]


def all_frames(bus: EmbeddedBus) -> list[Frame]:
    info = bus.info(TOPIC)
    assert info is not None
    with bus.reader(TOPIC, 0) as reader:
        return [decode_frame(record.payload) for record in reader.read(100, 1 << 20, 0.0)]


def frames(bus: EmbeddedBus) -> list[object]:
    """Frames in order: the first column of rows, the type of others."""
    return [
        frame.rows.column(0).to_pylist() if isinstance(frame, SnapshotRows) else type(frame)
        for frame in all_frames(bus)
    ]


def test_with_a_key_it_resumes_behind_the_last_row(bus: EmbeddedBus) -> None:
    with pytest.raises(BrokenOff):
        take(bus, ("n",), Image(10, ["1", "2", "3"], batches=1))
    take(bus, ("n",), Image(20, ["1", "2", "3"]))
    assert frames(bus) == [["1", "2"], ["3"], SnapshotEnd]


def test_without_a_key_it_restarts(bus: EmbeddedBus) -> None:
    with pytest.raises(BrokenOff):
        take(bus, (), Image(10, ["1", "1", "3"], batches=1))
    assert inspect(bus, TOPIC).rows == 2
    with pytest.raises(BrokenOff):
        take(bus, (), Image(20, ["3", "1", "1"], batches=1))
    assert inspect(bus, TOPIC).rows == 2
    take(bus, (), Image(30, ["1", "3", "1"]))
    assert frames(bus) == [["1", "1"], RollbackFrame, ["3", "1"], RollbackFrame, ["1", "3"], ["1"], SnapshotEnd]
    end = all_frames(bus)[-1]
    assert isinstance(end, SnapshotEnd)
    assert (end.first, end.last, end.rows) == (Position(0, 30), Position(0, 30), 3)


def test_a_complete_one_stays_as_it_is(bus: EmbeddedBus) -> None:
    take(bus, (), Image(10, ["1", "1"]))
    take(bus, (), Image(20, ["2", "2"]))
    assert frames(bus) == [["1", "1"], SnapshotEnd]
