"""Sizes of parts of a topic, found by its headers: payloads are not read."""

import os
from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path

from zcbus.bus.contract import Extent
from zcbus.bus.embedded.index import load_entries
from zcbus.bus.embedded.layout import segment_bases, segment_path
from zcbus.bus.embedded.marker import Durable
from zcbus.bus.embedded.reading import Window, find, first_header
from zcbus.bus.embedded.record import HEADER_BYTES, read_header, unpack_header


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a record starts."""

    base: int
    position: int
    offset: int


def extent_at(folder: Path, offset: int, durable: Durable) -> Extent:
    """From a record, or from the oldest one if retention removed it, to the topic's durable end."""
    wanted = max(offset, _first(folder, durable))
    if wanted >= durable.next_offset:
        return _empty(durable)
    found = find(folder, wanted, durable)
    if found is None:
        # Retention removed it meanwhile.
        return extent_at(folder, _first(folder, durable), durable)
    window = Window(found.descriptor)
    try:
        end = _end(folder, found.base, durable)
        place = _skip(window, _Place(found.base, found.position, found.offset), end, until_offset=wanted)
    finally:
        window.close()
    return _extent(folder, place, durable)


def extent_since(folder: Path, time: int, durable: Durable) -> Extent:
    """From the first record with this time or a later one: times never decrease within a topic."""
    bases = [base for base in segment_bases(folder) if base <= durable.base]
    # The last segment that begins earlier may have such records too.
    later = bisect_left(bases, time, key=lambda base: _time_of(folder, base))
    for base in bases[max(later - 1, 0) :]:
        place = _in_segment(folder, base, time, durable)
        if place is not None:
            return _extent(folder, place, durable)
    return _empty(durable)


def _in_segment(folder: Path, base: int, time: int, durable: Durable) -> _Place | None:
    """The first such record of a segment; None: all are older, or the segment is gone."""
    try:
        descriptor = os.open(segment_path(folder, base), os.O_RDONLY)
    except FileNotFoundError:
        return None
    window = Window(descriptor)
    try:
        end = _end(folder, base, durable)
        place = _skip(window, _indexed_before(folder, base, descriptor, time, end), end, until_time=time)
        return place if place.position < end else None
    finally:
        window.close()


def _indexed_before(folder: Path, base: int, descriptor: int, time: int, end: int) -> _Place:
    """The newest indexed record before a moment, else the segment's first. The index is a hint."""
    best = _Place(base, 0, base)
    for offset, position in load_entries(segment_path(folder, base)) or []:
        header = read_header(descriptor, position) if position < end else None
        if header is None or header.offset != offset or header.time >= time:
            break
        best = _Place(base, position, offset)
    return best


def _skip(
    window: Window, place: _Place, end: int, until_offset: int | None = None, until_time: int | None = None
) -> _Place:
    """Go over headers up to a record; the segment's end if none fits, or at the first damage."""
    position, offset = place.position, place.offset
    while position < end:
        header = unpack_header(window.get(position, HEADER_BYTES, end))
        if header is None:
            return _Place(place.base, end, offset)
        if offset == until_offset or (until_time is not None and header.time >= until_time):
            break
        position, offset = position + HEADER_BYTES + header.length, offset + 1
    return _Place(place.base, position, offset)


def _extent(folder: Path, place: _Place, durable: Durable) -> Extent:
    later = [base for base in segment_bases(folder) if place.base < base <= durable.base]
    size = _end(folder, place.base, durable) - place.position + sum(_end(folder, base, durable) for base in later)
    return Extent(place.offset, durable.next_offset - place.offset, max(size, 0))


def _empty(durable: Durable) -> Extent:
    return Extent(durable.next_offset, 0, 0)


def _first(folder: Path, durable: Durable) -> int:
    return next((base for base in segment_bases(folder) if base <= durable.base), durable.next_offset)


def _time_of(folder: Path, base: int) -> int:
    """Time of a segment's first record; 0 if retention removed it meanwhile."""
    header = first_header(folder, base)
    return header.time if header is not None else 0


def _end(folder: Path, base: int, durable: Durable) -> int:
    """Durable bytes of a segment; 0 if retention removed it meanwhile."""
    if base == durable.base:
        return durable.end
    try:
        return segment_path(folder, base).stat().st_size
    except FileNotFoundError:
        return 0
