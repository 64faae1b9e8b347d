"""Sparse index of a segment: the start of about one record in every MiB.

Entries are hints: users verify the record there. So the file needs no sync, and a missing or damaged one only costs a
scan of the segment, after which it is rewritten.
"""

import os
import struct
from bisect import bisect_right
from pathlib import Path

from zcbus.bus.embedded.layout import INDEX_SUFFIX
from zcbus.bus.embedded.record import HEADER_BYTES, read_header

_PACK = struct.Struct("<QQ")
STRIDE_BYTES = 1 << 20

Entry = tuple[int, int]
"""Offset of a record and its byte position in the segment file."""


class IndexWriter:
    """Writes the index of the active segment."""

    def __init__(self, segment: Path, entries: list[Entry]) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        self._descriptor = os.open(segment.with_suffix(INDEX_SUFFIX), flags, 0o644)
        self._entries = entries
        self._written = 0
        try:
            self.flush()
        except BaseException:
            os.close(self._descriptor)
            raise

    def note(self, offset: int, position: int) -> None:
        """Note the start of a record; stored if the last entry is far enough away."""
        if position - (self._entries[-1][1] if self._entries else 0) >= STRIDE_BYTES:
            self._entries.append((offset, position))

    def flush(self) -> None:
        """Write new entries."""
        if self._written < len(self._entries):
            data = b"".join(_PACK.pack(*entry) for entry in self._entries[self._written :])
            os.pwrite(self._descriptor, data, self._written * _PACK.size)
            self._written = len(self._entries)

    def cut(self, offset: int) -> None:
        """Drop the entries from `offset` on."""
        while self._entries and self._entries[-1][0] >= offset:
            self._entries.pop()
        self._written = min(self._written, len(self._entries))
        os.ftruncate(self._descriptor, self._written * _PACK.size)

    def close(self) -> None:
        os.close(self._descriptor)


def scan_entries(descriptor: int, base: int, end: int) -> list[Entry]:
    """Entries of a segment, from its headers up to the byte `end` or the first damage."""
    entries: list[Entry] = []
    position, offset = 0, base
    while position < end and (header := read_header(descriptor, position)) and header.offset == offset:
        if position - (entries[-1][1] if entries else 0) >= STRIDE_BYTES:
            entries.append((offset, position))
        position, offset = position + HEADER_BYTES + header.length, offset + 1
    return entries


def nearest(segment: Path, descriptor: int, base: int, end: int, offset: int, *, sealed: bool) -> Entry:
    """The indexed record at or before `offset`, else the segment's first.

    Reads up to the byte `end`. Rebuilds a missing index of a sealed segment.
    """
    entries = load_entries(segment)
    if entries is None and sealed:
        entries = scan_entries(descriptor, base, end)
        _store(segment, entries)
    index = bisect_right(entries or [], offset, key=lambda entry: entry[0])
    for entry in reversed((entries or [])[:index]):
        header = read_header(descriptor, entry[1]) if entry[1] < end else None
        if header and header.offset == entry[0]:
            return entry
    return base, 0


def load_entries(segment: Path) -> list[Entry] | None:
    """The stored index; None if there is none."""
    try:
        data = segment.with_suffix(INDEX_SUFFIX).read_bytes()
    except FileNotFoundError:
        return None
    complete = len(data) - len(data) % _PACK.size
    return [(offset, position) for offset, position in _PACK.iter_unpack(data[:complete])]


def _store(segment: Path, entries: list[Entry]) -> None:
    data = b"".join(_PACK.pack(*entry) for entry in entries)
    scratch = segment.with_suffix(f".{os.getpid()}.tmp")
    try:
        scratch.write_bytes(data)
        scratch.replace(segment.with_suffix(INDEX_SUFFIX))
    except OSError:
        scratch.unlink(missing_ok=True)  # Reading works without an index on a full disk.
