"""The index only ever saves work: right, missing, stale or damaged, the same records are found."""

from collections.abc import Callable
from pathlib import Path

import pytest

from zcbus.bus.contract import Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.embedded.index import STRIDE_BYTES, load_entries

COUNT = 6000


def _fill(root: Path) -> EmbeddedBus:
    bus = EmbeddedBus(root, segment_bytes=4 << 20)
    with bus.writer("t", Retention()) as writer:
        for number in range(COUNT):
            writer.append([str(number).encode().ljust(2000)])
    return bus


def _check(bus: EmbeddedBus) -> None:
    with bus.reader("t", 0) as reader:
        for offset in range(COUNT - 1, -1, -397):
            reader.seek(offset)
            record = reader.read(1, 1, 1)[0]
            assert (record.offset, int(bytes(record.payload))) == (offset, offset)


def _remove(path: Path) -> None:
    path.unlink()


def _shift(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[16:] + data[:16])


def _garble(path: Path) -> None:
    path.write_bytes(b"\xff" * (path.stat().st_size - 3))


def test_there_is_about_one_entry_in_each_stride(tmp_path: Path) -> None:
    _fill(tmp_path)
    for segment in (tmp_path / "t").glob("*.seg"):
        entries = load_entries(segment)
        assert entries is not None
        positions = [position for _, position in entries]
        assert len(positions) == segment.stat().st_size // STRIDE_BYTES
        assert positions == sorted(positions)


@pytest.mark.parametrize("spoil", [_remove, _shift, _garble])
def test_records_are_found_without_a_good_index(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    bus = _fill(tmp_path)
    _check(bus)
    for path in sorted((tmp_path / "t").glob("*.idx")):
        spoil(path)
    _check(bus)


def test_a_missing_index_is_rebuilt(tmp_path: Path) -> None:
    bus = _fill(tmp_path)
    paths = sorted((tmp_path / "t").glob("*.idx"))
    before = [path.read_bytes() for path in paths]
    assert len(paths) > 1
    for path in paths:
        path.unlink()
    _check(bus)
    bus.writer("t", Retention()).close()
    assert [path.read_bytes() for path in paths] == before
