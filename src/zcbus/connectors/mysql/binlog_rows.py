"""Row images of many row events at once: step k handles the k-th image of every event.

One event holds up to a few hundred rows, so a few hundred steps over long arrays find every row. A step only looks for
what tells where the image ends: the lengths in it, and the null bits, of which a table tells by eight how many bytes
they leave out. The columns between two lengths are found later, for all rows together and only where they are wanted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from zcbus.connectors.mysql.binlog_tables import ColumnMap
from zcbus.connectors.mysql.vectors import Buffer, Bytes, Flags, Integers

_PRESENT = [(np.arange(256) >> bit & 1 == 0).astype(np.int64) for bit in range(8)]
"""By bit and octet: 1 where the bit of a null is not set."""


@dataclass(frozen=True, slots=True)
class _Omitted:
    """Bytes that nulls among the columns of one octet of the bitmap leave out."""

    octet: int
    """Its number in the bitmap."""
    sizes: Integers
    """By the octet's value."""


@dataclass(frozen=True, slots=True)
class _Fixed:
    """Columns of fixed sizes behind each other."""

    size: int
    """Bytes of them all, none being null."""
    omitted: tuple[_Omitted, ...]

    def end(self, at: Integers, octets: dict[int, Bytes | None]) -> Integers:
        """Where they end that begin at `at`. `octets`: by number, None where no bit is set in any image."""
        at = at + self.size
        for one in self.omitted:
            bits = octets[one.octet]
            if bits is not None:
                at -= one.sizes.take(bits)
        return at


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Fixed columns, and the one with a length that ends them."""

    fixed: _Fixed
    ending: int | None
    """Index of the column with a length; None: the image ends."""
    prefix: int
    """Bytes of that length."""


class Shape:
    """How the row images of a table lie."""

    def __init__(self, columns: Sequence[ColumnMap]) -> None:
        self.columns = len(columns)
        self.bitmap_bytes = (self.columns + 7) // 8
        self.stretches: list[_Stretch] = []
        self.before: list[tuple[int, _Fixed]] = []
        """Per column the number of its stretch, and the columns of that in front of it."""
        begin = 0
        for index, column in enumerate(columns):
            self.before.append((len(self.stretches), _fixed(columns, begin, index)))
            if column.prefix:
                self.stretches.append(_Stretch(self.before[index][1], index, column.prefix))
                begin = index + 1
        self.stretches.append(_Stretch(_fixed(columns, begin, self.columns), None, 0))

    def octets(self, buffer: Buffer, bitmaps: Integers) -> dict[int, Bytes | None]:
        """The bitmaps of images by the number of the octet; None where none of them has a null there."""
        found: dict[int, Bytes | None] = {}
        for number in range(self.bitmap_bytes):
            bits = buffer.u8.take(bitmaps + number if number else bitmaps)
            found[number] = bits if bits.any() else None
        return found


def _fixed(columns: Sequence[ColumnMap], begin: int, end: int) -> _Fixed:
    numbers = sorted({index // 8 for index in range(begin, end) if columns[index].nullable})
    omitted = tuple(_Omitted(number, _omitted(columns, number, begin, end)) for number in numbers)
    return _Fixed(sum(column.fixed for column in columns[begin:end]), omitted)


def _omitted(columns: Sequence[ColumnMap], octet: int, begin: int, end: int) -> Integers:
    sizes = np.zeros(256, np.int64)
    for index in range(max(begin, 8 * octet), min(end, 8 * octet + 8)):
        sizes += (1 - _PRESENT[index % 8]) * columns[index].fixed
    return sizes


@cache
def shape_of(columns: tuple[ColumnMap, ...]) -> Shape:
    """The shape of a table's images."""
    return Shape(columns)


@dataclass(frozen=True)
class Images:
    """Some row images of a table."""

    buffer: Buffer
    shape: Shape
    bitmaps: Integers
    """Where each image's null bitmap begins."""
    stretches: list[Integers]
    """Per stretch where its first column begins."""

    def chosen(self, which: Integers | slice) -> "Images":
        """Some of them."""
        return Images(self.buffer, self.shape, self.bitmaps[which], [starts[which] for starts in self.stretches])

    def starts(self, column: int) -> Integers:
        """Where the value of a column begins (its length, where it has one), or would if it was not null."""
        stretch, before = self.shape.before[column]
        return before.end(self.stretches[stretch], self._octets)

    def present(self, column: int) -> Flags | None:
        """Where the column is not null; None: everywhere."""
        bits = self._octets[column // 8]
        return None if bits is None else bits & (1 << column % 8) == 0

    @cached_property
    def _octets(self) -> dict[int, Bytes | None]:
        return self.shape.octets(self.buffer, self.bitmaps)


@dataclass(frozen=True, slots=True)
class Found:
    """Row images in log order."""

    events: Integers
    """Index of each image's event."""
    places: Integers
    """The image's number within its event."""
    images: Images


def scan(buffer: Buffer, columns: tuple[ColumnMap, ...], at: Integers, ends: Integers) -> Found:
    """All images of events whose images lie in [at, ends)."""
    shape = shape_of(columns)
    events = np.arange(len(at), dtype=np.int64)
    found_events: list[Integers] = []
    found: list[list[Integers]] = [[] for _ in range(len(shape.stretches) + 1)]
    more = at < ends
    while more.any():
        if not more.all():
            at, ends, events = at[more], ends[more], events[more]
        found_events.append(events)
        at = _image(buffer, shape, at, found)
        more = at < ends
    return _in_log_order(buffer, shape, found_events, found)


def _image(buffer: Buffer, shape: Shape, bitmaps: Integers, found: list[list[Integers]]) -> Integers:
    """Find one image per event: adds its bitmap and its stretches to what is found; returns where the images end."""
    found[0].append(bitmaps)
    octets = shape.octets(buffer, bitmaps)
    at = bitmaps + shape.bitmap_bytes
    for stretch, starts in zip(shape.stretches, found[1:], strict=True):
        starts.append(at)
        at = stretch.fixed.end(at, octets)
        if stretch.ending is not None:
            size = buffer.little(at, stretch.prefix)
            size += stretch.prefix
            bits = octets[stretch.ending // 8]
            if bits is not None:
                size *= _PRESENT[stretch.ending % 8].take(bits)
            at += size
    return at


def _in_log_order(buffer: Buffer, shape: Shape, events: list[Integers], found: list[list[Integers]]) -> Found:
    if not events:
        empty = np.empty(0, np.int64)
        return Found(empty, empty, Images(buffer, shape, empty, [empty for _ in shape.stretches]))
    event = np.concatenate(events)
    place = np.repeat(np.arange(len(events), dtype=np.int64), [len(step) for step in events])
    counts = np.bincount(event)
    order = np.empty(len(event), np.int64)
    order[(np.cumsum(counts) - counts)[event] + place] = np.arange(len(event), dtype=np.int64)
    bitmaps, *stretches = (np.concatenate(steps)[order] for steps in found)
    return Found(event[order], place[order], Images(buffer, shape, bitmaps, stretches))
