"""What is durable on a real topic decides where capture resumes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.engine.history import frame

from zcbus.bus.contract import BusFull, Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.engine.publish.real_topic import RealTopic
from zcbus.model.changes import ChangeFrame, Frame, HeartbeatFrame, Operation, RollbackFrame
from zcbus.model.frames import decode_frame
from zcbus.model.position import Position

TOPIC = "real/n"
KEEP = Retention()


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[EmbeddedBus]:
    bus = EmbeddedBus(tmp_path)
    yield bus
    bus.close()


def complete(number: int) -> ChangeFrame:
    return frame([(number, ("t", Operation.INSERT, "", "k", "v"))], [number], True)


def part(number: int) -> ChangeFrame:
    return frame([(number, ("t", Operation.INSERT, "", "k", "v"))], [number], False)


def written(bus: EmbeddedBus) -> list[type[Frame]]:
    info = bus.info(TOPIC)
    assert info is not None
    with bus.reader(TOPIC, info.first_offset) as reader:
        return [type(decode_frame(record.payload)) for record in reader.read(100, 1 << 30, 0)]


def write(bus: EmbeddedBus, *frames: Frame) -> None:
    topic = RealTopic(bus, TOPIC, KEEP)
    topic.queue(frames)
    topic.drain()
    topic.close()


def position_after_restart(bus: EmbeddedBus) -> Position | None:
    topic = RealTopic(bus, TOPIC, KEEP)
    try:
        topic.roll_back_open()
        return topic.position
    finally:
        topic.close()


def test_an_empty_topic_has_no_position(bus: EmbeddedBus) -> None:
    assert position_after_restart(bus) is None


def test_the_last_complete_frame_counts(bus: EmbeddedBus) -> None:
    write(bus, complete(1), complete(2))
    assert position_after_restart(bus) == Position(0, 20)
    assert RollbackFrame not in written(bus)


def test_a_heartbeat_counts_too(bus: EmbeddedBus) -> None:
    write(bus, complete(1), HeartbeatFrame(Position(0, 15), 0))
    assert position_after_restart(bus) == Position(0, 15)


def test_a_transaction_that_is_partly_there_is_taken_back(bus: EmbeddedBus) -> None:
    write(bus, complete(1), part(2), part(2))
    assert position_after_restart(bus) == Position(0, 10)
    assert written(bus)[-1] is RollbackFrame
    assert position_after_restart(bus) == Position(0, 10)
    assert written(bus).count(RollbackFrame) == 1


def test_only_part_of_a_transaction_is_left(bus: EmbeddedBus) -> None:
    write(bus, part(2), part(2))
    position = position_after_restart(bus)
    assert position is not None
    assert Position(0, 10) < position < Position(0, 20)
    assert written(bus)[-1] is RollbackFrame


def test_the_bytes_of_its_records_are_counted(bus: EmbeddedBus) -> None:
    topic = RealTopic(bus, TOPIC, KEEP)
    topic.queue([complete(1), complete(2)])
    topic.drain()
    topic.close()
    with bus.reader(TOPIC, 0) as reader:
        assert topic.bytes_written == sum(record.payload.nbytes for record in reader.read(10, 1 << 20, 0)) > 0


def test_a_full_bus_loses_and_doubles_nothing(bus: EmbeddedBus, monkeypatch: pytest.MonkeyPatch) -> None:
    topic = RealTopic(bus, TOPIC, KEEP)
    writer = topic._writer
    append, flush, calls = writer.append, writer.flush, iter(range(100))

    def failing_append(payload: object) -> int:
        if next(calls) % 3 == 1:
            raise BusFull(topic=TOPIC, path="")
        return append(payload)  # type: ignore[arg-type]

    def failing_flush() -> int:
        if next(calls) % 2 == 1:
            raise BusFull(topic=TOPIC, path="")
        return flush()

    monkeypatch.setattr(writer, "append", failing_append)
    monkeypatch.setattr(writer, "flush", failing_flush)
    topic.queue([complete(1), complete(2), complete(3)])
    failures = 0
    while topic.position != Position(0, 30):
        try:
            topic.drain()
        except BusFull:
            failures += 1
            assert failures < 50
    assert failures
    monkeypatch.undo()
    topic.close()
    assert written(bus) == [ChangeFrame] * 3
