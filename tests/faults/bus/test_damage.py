"""Torn and flipped bytes: noticed or cleanly cut, never wrong data, and nothing acknowledged is ever cut."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from zcbus.bus.contract import RecordDamaged, Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.embedded.layout import DURABLE_NAME, segment_path

pytestmark = pytest.mark.fault

PAYLOADS = [b"first record", b"second, a longer one " * 3, b"the last one " * 4]
TOPIC = "t"


@dataclass
class Crashed:
    """A topic's folder at some moment, and which mark it has."""

    root: Path
    last_begins: int
    size: int

    @property
    def segment(self) -> Path:
        return segment_path(self.root / TOPIC, 0)

    def read(self) -> list[bytes]:
        """All records there are; raises what reading raises after giving back what came before."""
        with EmbeddedBus(self.root).reader(TOPIC, 0) as reader:
            records = []
            while more := reader.read(1, 1, 0):
                records += [bytes(record.payload) for record in more]
            return records


def _make(root: Path, *, acknowledged: int) -> Crashed:
    """Three records on disk, of which the mark knows the first so many (each was flushed by itself)."""
    bus = EmbeddedBus(root)
    mark = root / TOPIC / DURABLE_NAME
    marks, sizes = [], []
    with bus.writer(TOPIC, Retention()) as writer:
        for payload in PAYLOADS:
            marks.append(mark.read_bytes())
            sizes.append(segment_path(root / TOPIC, 0).stat().st_size)
            writer.append([payload])
            writer.flush()
        marks.append(mark.read_bytes())
    mark.write_bytes(marks[acknowledged])
    return Crashed(root, sizes[-1], segment_path(root / TOPIC, 0).stat().st_size)


def _variants(crashed: Crashed) -> Iterator[tuple[str, bytes]]:
    """The segment with the last record cut short, zeroed from, or flipped at each of its positions."""
    data = crashed.segment.read_bytes()
    for place in range(crashed.last_begins, crashed.size):
        yield f"cut at {place}", data[:place]
        yield f"zeros from {place}", data[:place].ljust(crashed.size, b"\0")
        for change in (0x01, 0x80, 0xFF):
            flipped = bytearray(data)
            flipped[place] ^= change
            yield f"flipped {change:02x} at {place}", bytes(flipped)


def test_an_unacknowledged_torn_write_is_cut(tmp_path: Path) -> None:
    crashed = _make(tmp_path / "bus", acknowledged=2)
    mark = crashed.root / TOPIC / DURABLE_NAME
    before = mark.read_bytes()
    for name, data in _variants(crashed):
        crashed.segment.write_bytes(data)
        mark.write_bytes(before)
        assert crashed.read() == PAYLOADS[:2], name
        with EmbeddedBus(crashed.root).writer(TOPIC, Retention()) as writer:
            assert writer.next_offset == 2, name
            writer.append([b"after"])
        assert crashed.read() == [*PAYLOADS[:2], b"after"], name


def test_damage_of_an_acknowledged_record_is_reported_and_never_cut(tmp_path: Path) -> None:
    crashed = _make(tmp_path / "bus", acknowledged=3)
    for name, data in _variants(crashed):
        crashed.segment.write_bytes(data)
        with EmbeddedBus(crashed.root).reader(TOPIC, 0) as reader:
            assert [bytes(record.payload) for record in reader.read(10, 1 << 20, 0)] == PAYLOADS[:2], name
            with pytest.raises(RecordDamaged) as caught:
                reader.read(10, 1 << 20, 0)
            assert caught.value.facts["offset"] == 2, name
        with pytest.raises(RecordDamaged):
            EmbeddedBus(crashed.root).writer(TOPIC, Retention())
        assert crashed.segment.read_bytes() == data, name


@pytest.mark.parametrize("acknowledged", [0, 1])
def test_a_lost_mark_costs_no_whole_record(tmp_path: Path, acknowledged: int) -> None:
    """After a machine crash the mark may be older than the data."""
    crashed = _make(tmp_path / "bus", acknowledged=acknowledged)
    with EmbeddedBus(crashed.root).writer(TOPIC, Retention()) as writer:
        assert writer.next_offset == 3
    assert crashed.read() == PAYLOADS


def test_a_mark_that_is_gone_costs_nothing(tmp_path: Path) -> None:
    crashed = _make(tmp_path / "bus", acknowledged=3)
    (crashed.root / TOPIC / DURABLE_NAME).unlink()
    EmbeddedBus(crashed.root).writer(TOPIC, Retention()).close()
    assert crashed.read() == PAYLOADS


def test_damage_before_a_record_that_proves_it_is_no_torn_end(tmp_path: Path) -> None:
    """The mark is lost, the middle record damaged; the last one was written when the middle one was durable."""
    crashed = _make(tmp_path / "bus", acknowledged=1)
    data = crashed.segment.read_bytes()
    middle = data.index(PAYLOADS[1][:20])
    for place in range(middle - 40, middle + len(PAYLOADS[1])):
        flipped = bytearray(data)
        flipped[place] ^= 0xFF
        crashed.segment.write_bytes(flipped)
        with pytest.raises(RecordDamaged):
            EmbeddedBus(crashed.root).writer(TOPIC, Retention())
        assert crashed.segment.read_bytes() == flipped


def test_pages_of_one_flush_that_reached_the_disk_out_of_order_are_cut(tmp_path: Path) -> None:
    """Of an unacknowledged flush of three records the first did not reach the disk, the others did."""
    bus = EmbeddedBus(tmp_path)
    with bus.writer(TOPIC, Retention()) as writer:
        writer.append([b"kept"])
        writer.flush()
        mark = (tmp_path / TOPIC / DURABLE_NAME).read_bytes()
        size = segment_path(tmp_path / TOPIC, 0).stat().st_size
        for payload in PAYLOADS:
            writer.append([payload])
    path = segment_path(tmp_path / TOPIC, 0)
    data = bytearray(path.read_bytes())
    data[size : size + 45] = bytes(45)
    path.write_bytes(data)
    (tmp_path / TOPIC / DURABLE_NAME).write_bytes(mark)
    with bus.writer(TOPIC, Retention()) as writer:
        assert writer.next_offset == 1
    assert path.stat().st_size == size


def test_damage_in_a_full_segment_is_reported(tmp_path: Path) -> None:
    bus = EmbeddedBus(tmp_path, segment_bytes=1000)
    with bus.writer(TOPIC, Retention()) as writer:
        for number in range(20):
            writer.append([bytes([number]) * 300])
    path = segment_path(tmp_path / TOPIC, 0)
    path.write_bytes(path.read_bytes()[:-1])
    with bus.reader(TOPIC, 0) as reader:
        assert len(reader.read(100, 1 << 20, 0)) == 1
        with pytest.raises(RecordDamaged):
            reader.read(100, 1 << 20, 0)
        reader.seek(2)
        assert len(reader.read(100, 1 << 20, 0)) == 18


def test_a_segment_missing_in_the_middle_is_reported(tmp_path: Path) -> None:
    bus = EmbeddedBus(tmp_path, segment_bytes=1000)
    with bus.writer(TOPIC, Retention()) as writer:
        for number in range(20):
            writer.append([bytes([number]) * 300])
    segment_path(tmp_path / TOPIC, 4).unlink()
    with bus.reader(TOPIC, 0) as reader:
        assert len(reader.read(100, 1 << 20, 0)) == 4
        with pytest.raises(RecordDamaged):
            reader.read(100, 1 << 20, 0)


def test_a_missing_newest_segment_is_reported(tmp_path: Path) -> None:
    crashed = _make(tmp_path / "bus", acknowledged=3)
    crashed.segment.unlink()
    with pytest.raises(RecordDamaged):
        EmbeddedBus(crashed.root).writer(TOPIC, Retention())


def test_a_crash_right_after_a_new_segment_was_begun(tmp_path: Path) -> None:
    crashed = _make(tmp_path / "bus", acknowledged=3)
    segment_path(crashed.root / TOPIC, 3).touch()
    with EmbeddedBus(crashed.root).writer(TOPIC, Retention()) as writer:
        writer.append([b"after"])
    assert crashed.read() == [*PAYLOADS, b"after"]
