"""Each call to the system that writing makes fails once: the writer reports it and continues with nothing lost."""

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.faults.bus.numbered import numbered
from zcbus.bus.contract import BusFull, Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.embedded.errors import BusUnwritable
from zcbus.bus.embedded.layout import DURABLE_NAME, SEGMENT_SUFFIX
from zcbus.bus.embedded.writer import EmbeddedWriter

pytestmark = pytest.mark.fault

_CALLS = ("pwritev", "pwrite", "fdatasync", "fsync", "open", "truncate")


class _Failing:
    """Lets the call number `at` (of all watched ones together) fail; a write fails after half of its bytes."""

    def __init__(self, patch: pytest.MonkeyPatch, code: int) -> None:
        self.seen, self.at, self.code = 0, 0, code
        self.failed = ""
        for name in _CALLS:
            patch.setattr(os, name, self._watched(name, getattr(os, name)))

    def _watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any) -> Any:
            self.seen += 1
            if self.seen != self.at:
                return call(*arguments)
            self.failed = name
            if name == "pwritev":
                descriptor, parts, position = arguments
                data = b"".join(parts)
                os.lseek(descriptor, position, os.SEEK_SET)
                os.write(descriptor, data[: len(data) // 2])
            raise OSError(self.code, os.strerror(self.code))

        return watched


def _write_some(writer: EmbeddedWriter, bus: EmbeddedBus, root: Path, acknowledged: list[int], until: int) -> int:
    """Write as a publisher does: what was not acknowledged is appended again. Returns how often it was refused."""
    refused = 0
    while acknowledged[-1] < until:
        try:
            for _ in range(4):
                writer.append([numbered(writer.next_offset)])
            acknowledged.append(writer.flush())
        except (BusFull, BusUnwritable):
            refused += 1
            assert writer.next_offset >= acknowledged[-1]
            acknowledged.append(writer.next_offset)
            # No leftovers on disk that a later crash could bring back.
            info = bus.info("t")
            assert info is not None
            assert info.size_bytes == sum(path.stat().st_size for path in root.glob("t/*.seg"))
    return refused


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_every_failing_call_is_survived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    failed_calls = set()
    descriptors = _open_descriptors()
    for at in range(1, 1000):
        root = tmp_path / str(at)
        bus = EmbeddedBus(root, segment_bytes=150_000)
        with bus.writer("t", Retention()) as writer, monkeypatch.context() as patch:
            failing = _Failing(patch, code)
            failing.at = at
            acknowledged = [0]
            refused = _write_some(writer, bus, root, acknowledged, until=24)
            if not failing.failed:
                break
            failed_calls.add(failing.failed)
            # Only housekeeping may fail without being noticed: it opens and syncs nothing but folders and old files.
            assert refused == 1 or (refused == 0 and failing.failed in ("open", "fsync")), failing.failed
        _check(bus, acknowledged[-1], f"call {at}, {failing.failed}")
    else:
        pytest.fail("the writing never came to its end undisturbed")
    assert _open_descriptors() == descriptors
    assert failed_calls >= {"pwritev", "pwrite", "fdatasync", "fsync", "open"}


def _open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def _check(bus: EmbeddedBus, count: int, name: str) -> None:
    with bus.writer("t", Retention()) as writer:
        assert writer.next_offset == count, name
    with bus.reader("t", 0) as reader:
        records = []
        while more := reader.read(1000, 1 << 20, 0):
            records += more
    assert [record.offset for record in records] == list(range(count)), name
    assert all(bytes(record.payload) == numbered(record.offset) for record in records), name


def test_a_short_write_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system may write less than it is given without reporting an error: each write stops in the middle here."""
    pwritev, shortened = os.pwritev, 0

    def halved(descriptor: int, parts: Sequence[memoryview], position: int) -> int:
        nonlocal shortened
        data = b"".join(parts)
        shortened += len(data) > 1
        return pwritev(descriptor, [data[: (len(data) + 1) // 2]], position)

    bus = EmbeddedBus(tmp_path, segment_bytes=150_000)
    with bus.writer("t", Retention()) as writer:
        monkeypatch.setattr(os, "pwritev", halved)
        for _ in range(8):
            writer.append([numbered(writer.next_offset)])
            writer.flush()
        monkeypatch.undo()
    assert shortened
    _check(bus, 8, "after")


def test_cutting_off_may_fail_too_and_is_done_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bus = EmbeddedBus(tmp_path)
    with bus.writer("t", Retention()) as writer:
        writer.append([numbered(0)])
        writer.flush()
        with monkeypatch.context() as patch:
            for name in ("pwritev", "truncate"):
                patch.setattr(os, name, _no_room)
            for _ in range(3):
                with pytest.raises(BusFull):
                    writer.append([b"x" * 1_000_000])
                assert writer.next_offset == 1
        assert writer.append([numbered(1)]) == 1
    _check(bus, 2, "after")


def _no_room(*_arguments: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class _Disk:
    """What was written to segments and not synced since, whenever readers are notified of more."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.unsynced: set[str] = set()
        self.notified = 0
        for name in ("pwritev", "pwrite"):
            patch.setattr(os, name, self._writing(getattr(os, name)))
        patch.setattr(os, "fdatasync", self._syncing(os.fdatasync))

    def _writing(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def write(descriptor: int, *arguments: Any) -> Any:
            path = _path(descriptor)
            if path.endswith(SEGMENT_SUFFIX):
                self.unsynced.add(path)
            elif path.endswith(DURABLE_NAME):
                self.notified += 1
                assert not self.unsynced
            return call(descriptor, *arguments)

        return write

    def _syncing(self, call: Callable[[int], None]) -> Callable[[int], None]:
        def sync(descriptor: int) -> None:
            call(descriptor)
            self.unsynced.discard(_path(descriptor))

        return sync


def _path(descriptor: int) -> str:
    return str(Path(f"/proc/self/fd/{descriptor}").readlink())


def test_readers_are_notified_of_synced_records_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with EmbeddedBus(tmp_path, segment_bytes=150_000).writer("t", Retention()) as writer:
        with monkeypatch.context() as patch:
            disk = _Disk(patch)
            for number in range(24):
                writer.append([numbered(number)])
                if number % 4 == 3:
                    assert writer.flush() == number + 1
                    assert not disk.unsynced
            writer.append([b"x" * 3_000_000])
            writer.flush()
        assert disk.notified >= 7
    assert len(list(tmp_path.glob(f"t/*{SEGMENT_SUFFIX}"))) > 1
