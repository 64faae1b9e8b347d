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


_Octets = dict[int, Bytes | None]
"""Parts of null bitmaps by number: one octet of each image; None where no bit is set in any image."""


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

    def end(self, at: Integers, octets: _Octets) -> Integers:
        """Where they end that begin at `at`."""
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
    prefix: int = 0
    """Bytes of that length."""
    nullable: bool = False
    """Whether that column may be null."""

    def end(self, buffer: Buffer, at: Integers, octets: _Octets) -> Integers:
        """Where the columns end that begin at `at`, the one with a length among them."""
        at = self.fixed.end(at, octets)
        if self.ending is None:
            return at
        size = buffer.little(at, self.prefix)
        size += self.prefix
        bits = octets[self.ending // 8] if self.nullable else None
        if bits is not None:
            size *= _PRESENT[self.ending % 8].take(bits)
        size += at
        return size


class Shape:
    """How the row images of a table lie."""

    def __init__(self, columns: Sequence[ColumnMap]) -> None:
        self.nullable = [column.nullable for column in columns]
        self.bitmap_bytes = (len(columns) + 7) // 8
        self.nullable_octets = sorted({index // 8 for index, column in enumerate(columns) if column.nullable})
        self.stretches: list[_Stretch] = []
        self.before: list[tuple[int, _Fixed]] = []
        """Per column the number of its stretch, and the columns of that in front of it."""
        begin = 0
        for index, column in enumerate(columns):
            self.before.append((len(self.stretches), _fixed(columns, begin, index)))
            if column.prefix:
                self.stretches.append(_Stretch(self.before[index][1], index, column.prefix, column.nullable))
                begin = index + 1
        self.stretches.append(_Stretch(_fixed(columns, begin, len(columns)), None))

    def octets(self, buffer: Buffer, bitmaps: Integers) -> _Octets:
        """Those of images in which nulls can be."""
        found: _Octets = {}
        for number in self.nullable_octets:
            bits = buffer.u8.take(bitmaps + number if number else bitmaps)
            found[number] = bits if np.count_nonzero(bits) else None
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

    def ends(self, column: int) -> Integers | None:
        """Where the value of a column with a length ends, a null where it would begin; None: it has no length."""
        stretch = self.shape.before[column][0]
        return self.stretches[stretch + 1] if self.shape.stretches[stretch].ending == column else None

    def present(self, column: int) -> Flags | None:
        """Where the column is not null; None: everywhere."""
        bits = self._octets[column // 8] if self.shape.nullable[column] else None
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
    steps: list[Integers] = []
    found: list[list[Integers]] = [[] for _ in range(len(shape.stretches) + 1)]
    while True:
        more = at < ends
        left = np.count_nonzero(more)
        if not left:
            break
        if left < len(more):
            at, ends, events = at[more], ends[more], events[more]
        steps.append(events)
        at = _image(buffer, shape, at, found)
    return _in_log_order(buffer, shape, steps, found)


def _image(buffer: Buffer, shape: Shape, bitmaps: Integers, found: list[list[Integers]]) -> Integers:
    """Find one image per event: adds its bitmap and its stretches to what is found; returns where the images end."""
    found[0].append(bitmaps)
    octets = shape.octets(buffer, bitmaps)
    at = bitmaps + shape.bitmap_bytes
    for stretch, starts in zip(shape.stretches, found[1:], strict=True):
        starts.append(at)
        at = stretch.end(buffer, at, octets)
    return at


def _in_log_order(buffer: Buffer, shape: Shape, steps: list[Integers], found: list[list[Integers]]) -> Found:
    """`steps`: the events of which each step found an image."""
    if not steps:
        empty = np.empty(0, np.int64)
        return Found(empty, empty, Images(buffer, shape, empty, [empty for _ in shape.stretches]))
    event = np.concatenate(steps)
    counts = np.bincount(event)
    begins = np.cumsum(counts) - counts
    rank = begins.take(event)
    rank += np.repeat(np.arange(len(steps)), [len(step) for step in steps])
    order = np.empty(len(event), np.int64)
    order[rank] = np.arange(len(event))
    bitmaps, *stretches = (np.concatenate(places).take(order) for places in found)
    places = np.arange(len(event)) - np.repeat(begins, counts)
    return Found(np.repeat(np.arange(len(counts)), counts), places, Images(buffer, shape, bitmaps, stretches))
