"""Looking into segments without being their writer."""

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
    """Header of a segment's first record; None where the segment is gone, empty or damaged."""
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
    """Where a record stands."""

    base: int
    descriptor: int
    """Of its segment, to be closed by whoever asked."""
    position: int
    offset: int
    """The record at `position`, at or before the one that was asked for."""


def find(folder: Path, offset: int, durable: Durable) -> Found | None:
    """Where to begin to look for a durable record; None where it was removed by retention."""
    while True:
        bases = segment_bases(folder)
        place = bisect_right(bases, offset)
        if not place:
            return None
        base = bases[place - 1]
        path = segment_path(folder, base)
        try:
            descriptor = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            continue  # Removed by retention since the look into the folder.
        sealed = base != durable.base
        end = os.fstat(descriptor).st_size if sealed else durable.end
        at, position = nearest(path, descriptor, base, end, offset, sealed=sealed)
        return Found(base, descriptor, position, at)


class Window:
    """A file read in blocks: small records share one, a large one gets its own."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._block = memoryview(b"")
        self._begin = 0

    def get(self, position: int, length: int, end: int) -> memoryview:
        """Bytes of the file, of which `end` may be read; fewer at the end."""
        start = position - self._begin
        if start < 0 or start + length > len(self._block):
            # What follows a large record is its successor's header: taken along, it saves a call.
            wanted = max(length + HEADER_BYTES, _READ_AHEAD_BYTES)
            self._block = memoryview(read_fully(self.descriptor, min(wanted, max(end - position, 0)), position))
            self._begin, start = position, 0
        return self._block[start : start + length]

    def close(self) -> None:
        os.close(self.descriptor)
