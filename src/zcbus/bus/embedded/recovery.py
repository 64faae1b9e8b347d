"""Recovery of a topic by a new writer.

All records up to the published mark (see `marker`) were acknowledged. Records behind it were written but not
acknowledged, or, after a crash of the machine, acknowledged with their mark lost. Intact records are kept in either
case. The first record that is not intact has one of three causes:

- it is before the mark: damage of acknowledged data, RecordDamaged, nothing is cut;
- a newer segment exists, or a valid record behind it proves it (every record states below which offset all records were
  durable when it was written): damage as well;
- otherwise it is the torn end of an unacknowledged write, and is cut off.

One case cannot be detected: the very last flush before a machine crash whose mark was lost, and whose bytes the disk
also damaged. The mark is synced when a segment is full and when the writer closes, and by the kernel within half a
minute.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from zcbus.bus.contract import RecordDamaged
from zcbus.bus.embedded.layout import remove_segment, segment_bases, segment_path, sync_folder
from zcbus.bus.embedded.marker import NOTHING, Durable
from zcbus.bus.embedded.record import HEADER_BYTES, MAGIC, Header, is_payload_intact, read_header, unpack_header

_PIECE_BYTES = 4 << 20


def recover(folder: Path, topic: str, durable: Durable | None) -> Durable:
    """Repair a topic's end; returns its state, with all records on disk. Raises RecordDamaged."""
    bases = segment_bases(folder)
    if durable is None:
        durable = Durable(bases[-1], 0, bases[-1], -1, 0) if bases else NOTHING
    bases = [base for base in bases if base >= durable.base]
    if not bases:
        return _first_segment(folder, topic, durable)
    _check_acknowledged(folder, topic, durable)
    for base in bases:
        durable = _accept(folder, topic, base, durable, newest=base == bases[-1])
    return durable


def _first_segment(folder: Path, topic: str, durable: Durable) -> Durable:
    path = segment_path(folder, durable.base)
    if durable.next_offset:
        raise RecordDamaged(topic=topic, offset=durable.base, path=str(path))
    path.touch()
    sync_folder(folder)
    return durable


def _check_acknowledged(folder: Path, topic: str, durable: Durable) -> None:
    """Check that the segment has the published length and its newest acknowledged record is intact."""
    path = segment_path(folder, durable.base)
    damaged = RecordDamaged(topic=topic, offset=max(durable.next_offset - 1, 0), path=str(path))
    if not path.exists() or path.stat().st_size < durable.end:
        raise damaged
    if durable.last < 0:
        return
    with _opened(path) as segment:
        header = read_header(segment.descriptor, durable.last)
        if not header or header.offset != durable.next_offset - 1:
            raise damaged
        if not is_payload_intact(segment.descriptor, durable.last, header):
            raise damaged


def _accept(folder: Path, topic: str, base: int, durable: Durable, *, newest: bool) -> Durable:
    """Keep the intact records behind the mark; cut a torn one."""
    path = segment_path(folder, base)
    if base != durable.base:
        if base != durable.next_offset:
            raise RecordDamaged(topic=topic, offset=durable.next_offset, path=str(path))
        if newest and not path.stat().st_size:
            remove_segment(folder, base)
            sync_folder(folder)
            return durable
    with _opened(path) as segment:
        found = _walk(segment, base, durable)
        end = found.end if found.base == base else 0
        if end < segment.size:
            if not newest or _proven(segment, end, found.next_offset):
                raise RecordDamaged(topic=topic, offset=found.next_offset, path=str(path))
            os.ftruncate(segment.descriptor, end)
        os.fdatasync(segment.descriptor)
    if found.base != base:
        remove_segment(folder, base)
        sync_folder(folder)
    return found


@dataclass(frozen=True, slots=True)
class _Segment:
    descriptor: int
    size: int

    def __enter__(self) -> "_Segment":
        return self

    def __exit__(self, *_details: object) -> None:
        os.close(self.descriptor)


def _opened(path: Path) -> _Segment:
    descriptor = os.open(path, os.O_RDWR)
    return _Segment(descriptor, os.fstat(descriptor).st_size)


def _walk(segment: _Segment, base: int, durable: Durable) -> Durable:
    """The state after all intact records of the segment behind the mark."""
    at = durable.end if durable.base == base else 0
    while header := _intact_record(segment, at, durable.next_offset):
        end = at + HEADER_BYTES + header.length
        durable = Durable(base, end, header.offset + 1, at, header.time)
        at = end
    return durable


def _intact_record(segment: _Segment, at: int, offset: int) -> Header | None:
    header = read_header(segment.descriptor, at)
    if header and header.offset == offset and is_payload_intact(segment.descriptor, at, header):
        return header
    return None


def _proven(segment: _Segment, start: int, offset: int) -> bool:
    """Whether a record header behind `start` states that `offset` was durable."""
    at, rest = start, b""
    while piece := os.pread(segment.descriptor, _PIECE_BYTES, at + len(rest)):
        data = rest + piece
        found = data.find(MAGIC)
        while 0 <= found <= len(data) - HEADER_BYTES:
            header = unpack_header(memoryview(data)[found:])
            if header and header.proven > offset:
                return True
            found = data.find(MAGIC, found + 1)
        rest = data[-HEADER_BYTES + 1 :]
        at += len(data) - len(rest)
    return False
