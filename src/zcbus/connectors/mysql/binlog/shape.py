"""How the row images of a table lie: what tells where they end, and which columns are found together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from zcbus.connectors.mysql.binlog.records import LARGEST
from zcbus.connectors.mysql.binlog.tables import ColumnMap
from zcbus.connectors.mysql.vectors import Buffer, Bytes, Integers

_PRESENT = [(np.arange(256) >> bit & 1 == 0).astype(np.uint8) for bit in range(8)]
"""By bit and octet: 1 where the bit of a null is not set."""


class Octets(dict[int, Bytes | None]):
    """Parts of null bitmaps by number, read when they are first asked for: one octet of each image; None where no bit
    is set in any image."""

    def __init__(self, buffer: Buffer, bitmaps: Integers) -> None:
        """`bitmaps`: where they begin."""
        super().__init__()
        self._buffer, self._bitmaps = buffer, bitmaps

    def __missing__(self, number: int) -> Bytes | None:
        bits: Bytes = self._buffer.u8[number:].take(self._bitmaps)
        self[number] = found = bits if np.count_nonzero(bits) else None
        return found


@dataclass(frozen=True, slots=True)
class _Nullable:
    """Those of some columns whose nulls are told by one octet of the bitmap."""

    octet: int
    """Its number in the bitmap."""
    sizes: Integers
    """Bytes of those that are there, by the octet's value."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Fields of fixed sizes behind each other, from the begin of a stretch on."""

    ahead: int
    """To be added, besides what `passed` adds, to the place of a stretch to come to their end."""
    nullable: tuple[_Nullable, ...]

    def passed(self, at: Integers, octets: Octets) -> Integers:
        """The places of stretches, and the bytes of those fields there that can be null."""
        for one in self.nullable:
            bits = octets[one.octet]
            at = at + (one.sizes[0] if bits is None else one.sizes.take(bits))
        return at


class FieldRun:
    """Fields of fixed sizes, and a value with a length.

    What has to be added for every image alike is not added before it has to be, so the place of a stretch is less than
    where it begins. Its first field is the length of the value in front of it.
    """

    def __init__(self, fields: Fields, ending: int, column: ColumnMap) -> None:
        """`ending`: index of the column with a length, which is not among the fields."""
        self.ahead = fields.ahead
        self.behind = fields.ahead + column.prefix
        """To be added to the place of the next stretch to come to the end of the value, where it is not null."""
        self._fields = fields
        self._prefix = column.prefix
        self._octet = ending // 8 if column.nullable else None
        self._present = _PRESENT[ending % 8]

    def end(self, buffer: Buffer, at: Integers, octets: Octets) -> Integers:
        """The places of the next stretches: where these end, less `ahead` and the bytes of the length."""
        at = self._fields.passed(at, octets)
        length = buffer.lengths(at, self.ahead, self._prefix)
        bits = None if self._octet is None else octets[self._octet]
        if bits is not None:
            # Where it is null there is no length, but something of the next column.
            length *= self._present.take(bits)
        end: Integers = at + length
        return end


@dataclass(slots=True)
class Group:
    """Fixed columns between which no null can lie: each is as far from the first one in every image."""

    run: int
    before: Fields
    """What the stretch has in front of them."""
    size: int = 0


class Shape:
    """How the row images of a table lie."""

    def __init__(self, columns: Sequence[ColumnMap]) -> None:
        self.nullable = [column.nullable for column in columns]
        self.runs: list[FieldRun] = []
        self.before: list[tuple[int, Fields]] = []
        """Per column the number of its stretch, and the fields of that in front of it."""
        begin, ahead = 0, (len(columns) + 7) // 8  # the first stretch's place is that of the bitmap
        for index, column in enumerate(columns):
            self.before.append((len(self.runs), _fields(columns, begin, index, ahead)))
            if column.prefix:
                self.runs.append(FieldRun(self.before[index][1], index, column))
                begin, ahead = index, self.runs[-1].ahead
        self.rest = _fields(columns, begin, len(columns), ahead)
        """What is behind the last one of the stretches."""
        self.groups: list[Group] = []
        self.members = [None if column.prefix else self._member(index, column) for index, column in enumerate(columns)]
        """Per column the number of its group, and how far behind the group's begin it lies; None: it has a length."""

    def _member(self, index: int, column: ColumnMap) -> tuple[int, int]:
        """Where a column finds its place, in the last group or in a new one."""
        run, before = self.before[index]
        after_null = index > 0 and self.nullable[index - 1]
        last = self.groups[-1] if self.groups else None
        if last is None or last.run != run or after_null or last.size + column.fixed > LARGEST:
            self.groups.append(last := Group(run, before))
        last.size += column.fixed
        return len(self.groups) - 1, last.size - column.fixed


def _fields(columns: Sequence[ColumnMap], begin: int, end: int, ahead: int) -> Fields:
    """`ahead`: of what is in front of them. Of a column with a length, which only the first one can be, it counts."""
    numbers = sorted({index // 8 for index in range(begin, end) if columns[index].nullable})
    nullable = tuple(_Nullable(number, _sizes(columns, number, begin, end)) for number in numbers)
    return Fields(ahead + sum(_size(column) for column in columns[begin:end] if not column.nullable), nullable)


def _sizes(columns: Sequence[ColumnMap], octet: int, begin: int, end: int) -> Integers:
    sizes = np.zeros(256, np.int64)
    for index in range(max(begin, 8 * octet), min(end, 8 * octet + 8)):
        if columns[index].nullable:
            sizes += _PRESENT[index % 8] * np.int64(_size(columns[index]))
    return sizes


def _size(column: ColumnMap) -> int:
    return column.prefix or column.fixed


@cache
def shape_of(columns: tuple[ColumnMap, ...]) -> Shape:
    """The shape of a table's images."""
    return Shape(columns)
