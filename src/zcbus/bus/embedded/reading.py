"""Reading of segments without being their writer."""

import os
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from zcbus.bus.embedded.index import nearest
from zcbus.bus.embedded.layout import segment_bases, segment_path
from zcbus.bus.embedded.marker import Durable
from zcbus.bus.embedded.record import HEADER_BYTES, Header, read_fully, read_header

_READ_AHEAD_BYTES = 256 << 10


def first_header(folder: Path, base: int) -> Header | None:
    """Header of a segment's first record; None if the segment is gone, empty or damaged."""
    try:
        descriptor = os.open(segment_path(folder, base), os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        return read_header(descriptor, 0)
    finally:
        os.close(descriptor)


@dataclass(frozen=True, slots=True)
class Found:
    """Position of a record."""

    base: int
    descriptor: int
    """Of its segment; the caller closes it."""
    position: int
    offset: int
    """Offset of the record at `position`, which is at or before the requested one."""


def find(folder: Path, offset: int, durable: Durable) -> Found | None:
    """Where to start searching a durable record; None if retention removed it."""
    while True:
        bases = segment_bases(folder)
        index = bisect_right(bases, offset)
        if not index:
            return None
        base = bases[index - 1]
        path = segment_path(folder, base)
        try:
            descriptor = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            continue  # Removed by retention after the folder was listed.
        sealed = base != durable.base
        end = os.fstat(descriptor).st_size if sealed else durable.end
        at, position = nearest(path, descriptor, base, end, offset, sealed=sealed)
        return Found(base, descriptor, position, at)


class Window:
    """A file read in blocks: small records share one, a large one has its own."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._block = memoryview(b"")
        self._begin = 0

    def get(self, position: int, length: int, end: int) -> memoryview:
        """Bytes of the file up to the limit `end`; fewer at the end."""
        start = position - self._begin
        if start < 0 or start + length > len(self._block):
            # The header of the next record is read too, which saves a call.
            size = max(length + HEADER_BYTES, _READ_AHEAD_BYTES)
            self._block = memoryview(read_fully(self.descriptor, min(size, max(end - position, 0)), position))
            self._begin, start = position, 0
        return self._block[start : start + length]

    def close(self) -> None:
        os.close(self.descriptor)
