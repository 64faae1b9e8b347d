"""Places on the real topic: found by position, and never trusted when the topic is another one."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.engine.history import NODE, History, write_real

from zcbus.bus.contract import Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.topics import real_topic
from zcbus.engine.subscribe.checkpoints.positions import offset_behind, verify
from zcbus.engine.subscribe.failures import Expired
from zcbus.model.changes import ChangeFrame, HeartbeatFrame
from zcbus.model.frames import decode_frame
from zcbus.model.position import Position

TOPIC = real_topic(NODE)


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[EmbeddedBus]:
    bus = EmbeddedBus(tmp_path, segment_bytes=20_000)
    yield bus
    bus.close()


@pytest.mark.parametrize("seed", range(10))
def test_everything_behind_a_position_is_found_and_little_more(bus: EmbeddedBus, seed: int) -> None:
    frames = History(random.Random(seed), ("a", "b"), 20).frames()
    write_real(bus, frames)
    for number in range(21):
        since = Position(0, 10 * number)
        offset = offset_behind(bus, TOPIC, since, "a")
        before, behind = frames[:offset], frames[offset:]
        assert all(f.last_position <= since for f in before if isinstance(f, ChangeFrame))
        placed = [f for f in behind if isinstance(f, ChangeFrame | HeartbeatFrame)]
        first = placed[0]
        position = first.position if isinstance(first, HeartbeatFrame) else first.last_position
        assert position > since


def test_changes_that_retention_took_are_not_skipped(bus: EmbeddedBus) -> None:
    write_real(bus, History(random.Random(1), ("a", "b"), 200).frames())
    assert bus.enforce(TOPIC, Retention(size_bytes=1)) > 0
    info = bus.info(TOPIC)
    assert info is not None
    assert info.first_offset > 0
    with pytest.raises(Expired) as error:
        offset_behind(bus, TOPIC, Position(0, 10), "a")
    assert error.value.reason.code == "changes-expired"
    with pytest.raises(Expired):
        verify(bus, TOPIC, info.first_offset - 1, None, "a")
    verify(bus, TOPIC, info.first_offset, 0, "a")


def test_a_position_on_another_topic_of_the_same_name(bus: EmbeddedBus) -> None:
    frames = History(random.Random(1), ("a", "b"), 50).frames()
    write_real(bus, frames)
    with bus.reader(TOPIC, 9) as reader:
        record = reader.read(1, 1, 0)[0]
    assert decode_frame(record.payload) is not None
    verify(bus, TOPIC, 10, record.time, "a")
    with pytest.raises(Expired) as error:
        verify(bus, TOPIC, 10, record.time - 1, "a")
    assert error.value.reason.code == "topic-replaced"
    with pytest.raises(Expired):
        verify(bus, TOPIC, len(frames) + 1, None, "a")
    bus.delete(TOPIC)
    with pytest.raises(Expired):
        verify(bus, TOPIC, 10, record.time, "a")
    verify(bus, TOPIC, 0, None, "a")
