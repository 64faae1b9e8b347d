"""The limits of a stream query: room, time, what is lost on the bus, and hosts that it moves between."""

import random
from pathlib import Path

import pyarrow as pa
import pytest
from tests.unit.engine.fakes import FakeTarget
from tests.unit.engine.history import NODE, History, schema, write_full, write_real
from tests.unit.engine.stream.test_service import JOIN, TABLES, Running, joined, task

from zcbus.bus.contract import Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.topics import real_topic
from zcbus.engine.stream import result
from zcbus.model.changes import CaptureResumed, ChangeFrame, Frame, HeartbeatFrame, SnapshotEnd, SnapshotRows
from zcbus.model.position import Position
from zcbus.model.states import SyncState
from zcbus.protocol.tasks import StreamTask

ORDERS = ("orders",)
COPY = "SELECT id, v FROM orders"


def image(table: str, rows: dict[str, str], transaction: int) -> list[Frame]:
    """All rows of a table as they are after that transaction."""
    place, keys = Position(0, 10 * transaction), sorted(rows)
    values = [pa.array(keys, pa.string()), pa.array([rows[key] for key in keys], pa.string())]
    batch = pa.RecordBatch.from_arrays(values, names=["id", "v"])
    some: list[Frame] = [SnapshotRows(schema(table), batch, place, (keys[-1],), len(rows))] if rows else []
    return [*some, SnapshotEnd(schema(table), place, place, len(rows))]


def write_images(bus: EmbeddedBus, history: History, generation: int, transaction: int) -> None:
    for table in TABLES:
        write_full(bus, table, generation, image(table, history.states[transaction][table], transaction))


def write_rows(bus: EmbeddedBus, count: int, letters: int) -> None:
    """So many orders of so many letters, and nothing else."""
    chance = random.Random(1)
    rows = {f"k{number:05}": chance.randbytes(letters // 2).hex() for number in range(count)}
    write_full(bus, "orders", 1, image("orders", rows, 0))
    write_real(bus, [HeartbeatFrame(Position(0, 1), 1)])


def borders(frames: list[Frame]) -> list[tuple[int, int]]:
    """Where whole transactions end: how many frames there are up to it, and the number of the last transaction."""
    return [
        (place, frame.last_position.offset // 10)
        for place, frame in enumerate(frames, start=1)
        if isinstance(frame, ChangeFrame) and frame.complete
    ]


def published_again(wanted: StreamTask, generation: int) -> StreamTask:
    inputs = tuple(one.model_copy(update={"generation": generation}) for one in wanted.inputs)
    return wanted.model_copy(update={"inputs": inputs, "generation": generation})


def test_data_that_take_more_room_than_they_may_stand_still_until_they_may(tmp_path: Path) -> None:
    bus, target = EmbeddedBus(tmp_path), FakeTarget()
    write_rows(bus, count=2_000, letters=2_000)
    with Running(bus, target, task(COPY, inputs=ORDERS, most_state_mb=1), tmp_path) as running:
        report = running.wait_for(SyncState.FULL_ERROR)
        assert report.reason is not None
        assert (report.reason.code, report.reason.facts["limit"]) == ("state-too-large", "1")
        assert not target.tables().get("result")
        running.box.put(task(COPY, inputs=ORDERS, most_state_mb=64))
        running.wait_for(SyncState.INCREMENTAL_RUNNING)
        assert len(target.tables()["result"]) == 2_000
    bus.close()


def test_a_slow_evaluation_is_ended_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result, "_MAX_SECONDS", 0.4)
    bus, target = EmbeddedBus(tmp_path), FakeTarget()
    write_rows(bus, count=3_000, letters=20)
    endless = "SELECT min(a.id) AS id, count(*) AS v FROM orders a, orders b, orders c WHERE a.v < b.v || c.v"
    with Running(bus, target, task(endless, inputs=ORDERS), tmp_path) as running:
        report = running.wait_for(SyncState.INCREMENTAL_ERROR)
        assert report.reason is not None
        assert (report.reason.code, report.reason.facts["seconds"]) == ("computation-too-slow", "0.4")
        running.box.put(task(COPY, inputs=ORDERS, generation=2))
        running.wait_for(SyncState.INCREMENTAL_RUNNING)
        assert len(target.tables()["result"]) == 3_000
        # Who stops it waits for no evaluation.
        monkeypatch.setattr(result, "_MAX_SECONDS", 3_600.0)
        running.box.put(task(endless, inputs=ORDERS, generation=3))
        running.wait_for(SyncState.INCREMENTAL_ALLOWED)
    bus.close()


def test_expired_changes_are_reported_and_computed_from_new_images(tmp_path: Path) -> None:
    bus, target = EmbeddedBus(tmp_path, segment_bytes=20_000), FakeTarget()
    history = History(random.Random(3), TABLES, 200)
    frames = history.frames()
    half, transaction = borders(frames)[20]
    write_images(bus, history, 1, 0)
    write_real(bus, frames[:half])
    with Running(bus, target, task(JOIN), tmp_path) as running:
        running.wait_until(target, joined(history, transaction))
    write_real(bus, frames[half:])
    assert bus.enforce(real_topic(NODE), Retention(size_bytes=1)) > 0
    info = bus.info(real_topic(NODE))
    assert info is not None
    assert info.first_offset > half
    with Running(bus, target, task(JOIN), tmp_path) as running:
        report = running.wait_for(SyncState.FULL_INFO_EXPIRED)
        assert report.reason is not None
        assert report.reason.code == "changes-expired"
        assert target.tables()["result"] == joined(history, transaction), "what was right at one moment stays"
        last = len(history.states) - 1
        write_images(bus, history, 2, last)
        running.box.put(published_again(task(JOIN), 2))
        running.wait_until(target, joined(history))
        running.wait_for(SyncState.INCREMENTAL_RUNNING)
    bus.close()


def test_a_computation_stops_at_changes_that_were_not_captured(tmp_path: Path) -> None:
    bus, target = EmbeddedBus(tmp_path), FakeTarget()
    history = History(random.Random(4), TABLES, 60)
    frames = history.frames()
    half, transaction = borders(frames)[20]
    write_images(bus, history, 1, 0)
    resumed = CaptureResumed(((schema("items").name, 1),))
    write_real(bus, [*frames[:half], resumed, *frames[half:]])
    with Running(bus, target, task(JOIN), tmp_path) as running:
        report = running.wait_for(SyncState.FULL_INFO_EXPIRED)
        assert report.reason is not None
        assert report.reason.code == "capture-interrupted"
        assert target.tables().get("result") != joined(history)
        # Images of what was captured again lack nothing, also where the topic is read from before the gap on.
        write_images(bus, history, 2, transaction)
        running.box.put(published_again(task(JOIN), 2))
        running.wait_until(target, joined(history))
    bus.close()


def test_a_computation_resumes_exactly_once_on_any_host(tmp_path: Path) -> None:
    """Each host has data of its own: those of the first are old when it comes back."""
    bus, target = EmbeddedBus(tmp_path / "bus"), FakeTarget()
    history = History(random.Random(9), TABLES, 60)
    frames = history.frames()
    write_images(bus, history, 1, 0)
    begin, numbers = 0, []
    for host, (end, transaction) in zip(("one", "two", "one"), borders(frames)[9::10], strict=False):
        write_real(bus, frames[begin:end])
        with Running(bus, target, task(JOIN), tmp_path / host) as running:
            running.wait_until(target, joined(history, transaction))
            running.wait_for(SyncState.INCREMENTAL_RUNNING)
        begin = end
        numbers.append(transaction)
    assert len(numbers) == 3
    bus.close()
