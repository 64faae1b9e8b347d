"""The file `durable`: how far a topic is on disk.

Its writer updates it after each fdatasync. It has two slots that are written in turn, each with a sequence number and
a checksum: at any moment one of them is complete, for readers and after a crash. A crash of the machine may restore
an older state of the file, never one newer than the data; `recovery` finds the records behind it.
"""

import os
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

from zcbus.bus.embedded.layout import DURABLE_NAME

_PACK = struct.Struct("<QQQQqQ")
_SUM = struct.Struct("<I")
_SLOT_BYTES = 64


@dataclass(frozen=True, slots=True)
class Durable:
    """The durable part of a topic."""

    base: int
    """The newest segment with durable records (its name)."""
    end: int
    """Durable bytes of that segment."""
    next_offset: int
    last: int
    """Byte position of the newest record in that segment; -1: the topic never had one."""
    time: int
    """Time of the newest record."""


NOTHING = Durable(0, 0, 0, -1, 0)


class MarkerWriter:
    """The writer's side of the file."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = os.open(folder / DURABLE_NAME, os.O_RDWR | os.O_CREAT, 0o644)
        newest = _newest(os.pread(self._descriptor, 2 * _SLOT_BYTES, 0))
        self._number = newest[0] if newest else 0
        self.durable = newest[1] if newest else None
        """The last published state; None: never published, or the file is damaged."""

    def publish(self, durable: Durable) -> None:
        """Publish a state to readers. The data must be on disk already."""
        number = self._number + 1
        body = _PACK.pack(number, durable.base, durable.end, durable.next_offset, durable.last, durable.time)
        slot = (body + _SUM.pack(zlib.crc32(body))).ljust(_SLOT_BYTES, b"\0")
        os.pwrite(self._descriptor, slot, number % 2 * _SLOT_BYTES)
        self._number, self.durable = number, durable

    def sync(self) -> None:
        """Make the file itself durable."""
        os.fdatasync(self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)


class MarkerReader:
    """A reader's side of the file."""

    def __init__(self, folder: Path) -> None:
        """Open the file. Raises FileNotFoundError while the topic does not exist."""
        self._descriptor = os.open(folder / DURABLE_NAME, os.O_RDONLY)
        self._seen: tuple[bytes, Durable | None] = (b"", None)

    def durable(self) -> Durable | None:
        """The durable state; None: never published. Takes a microsecond if it is unchanged."""
        data = os.pread(self._descriptor, 2 * _SLOT_BYTES, 0)
        if data != self._seen[0]:
            newest = _newest(data)
            # While a slot is torn, the older state is still valid.
            self._seen = (data, newest[1] if newest else self._seen[1])
        return self._seen[1]

    def deleted(self) -> bool:
        """Whether the topic was deleted, and possibly created again, since this was opened."""
        return os.fstat(self._descriptor).st_nlink == 0

    def close(self) -> None:
        os.close(self._descriptor)


def read_durable(folder: Path) -> Durable | None:
    """The durable state of a topic; None if it does not exist."""
    try:
        marker = MarkerReader(folder)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        return marker.durable()
    finally:
        marker.close()


def _newest(data: bytes) -> tuple[int, Durable] | None:
    slots = (data[:_SLOT_BYTES], data[_SLOT_BYTES:])
    return max((found for slot in slots if (found := _unpack(slot))), key=lambda found: found[0], default=None)


def _unpack(slot: bytes) -> tuple[int, Durable] | None:
    if len(slot) < _PACK.size + _SUM.size or zlib.crc32(slot[: _PACK.size]) != _SUM.unpack_from(slot, _PACK.size)[0]:
        return None
    number, base, end, next_offset, last, time = _PACK.unpack_from(slot)
    return (number, Durable(base, end, next_offset, last, time)) if number else None
