"""The end of a topic: its active segment."""

import os
from pathlib import Path

from zcbus.bus.contract import Record
from zcbus.bus.embedded.index import IndexWriter, load_entries, scan_entries
from zcbus.bus.embedded.layout import remove_segment, segment_bases, segment_path, sync_folder
from zcbus.bus.embedded.marker import Durable
from zcbus.bus.embedded.record import HEADER_BYTES, Header, checksum_of, pack_header, read_fully, read_header
from zcbus.bus.embedded.write_back import start_write_back

_GATHER_BYTES = 1 << 20
_COPY_BYTES = 512 << 10


class Tail:
    """Writes records to the newest segment. Methods raise OSError; afterwards only `cut` and `close` are allowed.

    Small records are gathered and written together. A large one is written at once with the gathered ones, so the
    caller's memory is not retained.
    """

    def __init__(self, folder: Path, durable: Durable) -> None:
        self._folder = folder
        self._descriptor = -1
        self._open(durable.base, durable.end)

    @property
    def end(self) -> int:
        """Bytes of the segment, including gathered ones."""
        return self._written + len(self._gathered)

    def _open(self, base: int, end: int) -> None:
        path = segment_path(self._folder, base)
        self.base, self._written, self._gathered = base, end, bytearray()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            first = read_header(descriptor, 0) if end else None
            self._index = IndexWriter(path, _index_entries(path, descriptor, base, end))
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        self.started = first.time if first else 0
        """Time of the segment's first record."""

    def write(self, header: Header, parts: list[bytes | memoryview]) -> int:
        """Append a record and set its checksum; returns its byte position."""
        begin = self.end
        if not begin:
            self.started = header.time
        if header.length <= _COPY_BYTES:
            self._gather(header, parts)
        else:
            self._write_large(header, parts)
        self._index.note(header.offset, begin)
        return begin

    def _gather(self, header: Header, parts: list[bytes | memoryview]) -> None:
        header.checksum = checksum_of(parts)
        self._gathered += pack_header(header)
        for part in parts:
            self._gathered += part
        if len(self._gathered) >= _GATHER_BYTES:
            self._write_gathered()

    def _write_large(self, header: Header, parts: list[bytes | memoryview]) -> None:
        """Write the payload first: its checksum is computed while the disk works."""
        self._write_gathered()
        end = self._write(parts, self._written + HEADER_BYTES)
        header.checksum = checksum_of(parts)
        self._write([pack_header(header)], self._written)
        self._written = end

    def _write_gathered(self) -> None:
        if self._gathered:
            gathered, self._gathered = self._gathered, bytearray()
            self._written = self._write([memoryview(gathered)], self._written)

    def _write(self, parts: list[bytes | memoryview], position: int) -> int:
        end = _write_all(self._descriptor, [memoryview(part) for part in parts], position)
        start_write_back(self._descriptor, position, end - position)
        return end

    def sync(self) -> None:
        """Make all written data durable."""
        self._write_gathered()
        os.fdatasync(self._descriptor)
        self._index.flush()

    def roll(self, base: int) -> None:
        """Make the segment durable and start the next one, whose first record is `base`."""
        self.sync()
        self.close()
        self._open(base, 0)
        sync_folder(self._folder)

    def cut(self, durable: Durable) -> None:
        """Truncate to the durable state; may be retried."""
        self.close()
        newer = [base for base in segment_bases(self._folder) if base > durable.base]
        for base in reversed(newer):
            remove_segment(self._folder, base)
        if newer:
            sync_folder(self._folder)
        path = segment_path(self._folder, durable.base)
        os.truncate(path, durable.end)
        self._open(durable.base, durable.end)

    def read_last(self, durable: Durable) -> Record:
        """The newest durable record. `recover` has verified it."""
        data = read_fully(self._descriptor, durable.end - durable.last, durable.last)
        return Record(durable.next_offset - 1, durable.time, memoryview(data)[HEADER_BYTES:])

    def close(self) -> None:
        """Release the files. Idempotent."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            self._index.close()


def _index_entries(path: Path, descriptor: int, base: int, end: int) -> list[tuple[int, int]]:
    entries = load_entries(path)
    if entries is None:
        return scan_entries(descriptor, base, end)
    return [entry for entry in entries if entry[1] < end]


def _write_all(descriptor: int, parts: list[memoryview], position: int) -> int:
    """Write all parts at a position of the file; returns their end."""
    parts = [part for part in parts if len(part)]
    while parts:
        written = os.pwritev(descriptor, parts[:_MAX_PARTS], position)
        position += written
        while parts and written >= len(parts[0]):
            written -= len(parts.pop(0))
        if written:
            parts[0] = parts[0][written:]
    return position


_MAX_PARTS = os.sysconf("SC_IOV_MAX")
