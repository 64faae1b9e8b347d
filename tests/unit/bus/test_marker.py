"""The mark of what is durable survives whatever happens to one of its slots."""

from pathlib import Path

import pytest

from zcbus.bus.embedded.layout import DURABLE_NAME
from zcbus.bus.embedded.marker import Durable, MarkerReader, MarkerWriter, read_durable

FIRST, SECOND, THIRD = Durable(0, 10, 1, 0, 5), Durable(0, 20, 2, 10, 6), Durable(2, 30, 3, 0, 7)


def _published(folder: Path, *states: Durable) -> Path:
    writer = MarkerWriter(folder)
    for state in states:
        writer.publish(state)
    writer.sync()
    writer.close()
    return folder / DURABLE_NAME


def test_no_topic_and_nothing_published(tmp_path: Path) -> None:
    assert read_durable(tmp_path / "none") is None
    _published(tmp_path)
    assert read_durable(tmp_path) is None


def test_the_newest_state_counts(tmp_path: Path) -> None:
    _published(tmp_path, FIRST, SECOND, THIRD)
    assert read_durable(tmp_path) == THIRD
    writer = MarkerWriter(tmp_path)
    assert writer.durable == THIRD
    writer.publish(FIRST)
    writer.close()
    assert read_durable(tmp_path) == FIRST


@pytest.mark.parametrize("change", [1, 255])
def test_a_damaged_byte_gives_one_of_the_last_two_states(tmp_path: Path, change: int) -> None:
    path = _published(tmp_path, FIRST, SECOND, THIRD)
    data = path.read_bytes()
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= change
        path.write_bytes(damaged)
        assert read_durable(tmp_path) in (SECOND, THIRD)


def test_a_reader_keeps_the_last_true_state_while_both_slots_are_unreadable(tmp_path: Path) -> None:
    path = _published(tmp_path, FIRST)
    reader = MarkerReader(tmp_path)
    assert reader.durable() == FIRST
    path.write_bytes(b"\1" * 128)
    assert reader.durable() == FIRST
    reader.close()


def test_deletion_is_noticed(tmp_path: Path) -> None:
    path = _published(tmp_path, FIRST)
    reader = MarkerReader(tmp_path)
    assert not reader.deleted()
    path.unlink()
    assert reader.deleted()
    reader.close()
