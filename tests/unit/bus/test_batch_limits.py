"""Reading in portions."""

from pathlib import Path

from zcbus.bus.batch_limits import BatchLimitedBus
from zcbus.bus.contract import Retention
from zcbus.bus.embedded.bus import EmbeddedBus


def test_no_portion_is_larger_than_allowed_and_nothing_is_left_out(tmp_path: Path) -> None:
    bus = BatchLimitedBus(EmbeddedBus(tmp_path), 2_000)
    with bus.writer("t", Retention()) as writer:
        for number in range(7):
            writer.append([bytes([number]) * 1_000])
        writer.append([b"x" * 9_000])
    with bus.reader("t", 0) as reader:
        portions = [reader.read(100, 1 << 20, 0) for _ in range(5)]
        reader.seek(6)
        assert reader.next_offset == 6
    assert [len(portion) for portion in portions] == [2, 2, 2, 2, 0]
    assert [record.offset for portion in portions for record in portion] == list(range(8))
    bus.close()


def test_no_portion_has_more_records_than_allowed(tmp_path: Path) -> None:
    bus = BatchLimitedBus(EmbeddedBus(tmp_path), 1 << 20, 3)
    with bus.writer("t", Retention()) as writer:
        writer.append([b"x"])
        writer.append([b"y"])
        writer.append([b"z"])
        writer.append([b"!"])
    with bus.reader("t", 0) as reader:
        assert [len(reader.read(100, 1 << 20, 0)) for _ in range(3)] == [3, 1, 0]
    bus.close()
