"""How the row images of a table lie: what tells where they end, and which columns are found together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from zcbus.connectors.mysql.binlog_tables import ColumnMap
from zcbus.connectors.mysql.records import LARGEST
from zcbus.connectors.mysql.vectors import Buffer, Bytes, Integers

_PRESENT = [(np.arange(256) >> bit & 1 == 0).astype(np.uint8) for bit in range(8)]
"""By bit and octet: 1 where the bit of a null is not set."""


Octets = dict[int, Bytes | None]
"""Parts of null bitmaps by number: one octet of each image; None where no bit is set in any image."""


@dataclass(frozen=True, slots=True)
class _Nullable:
    """Those of some columns whose nulls are told by one octet of the bitmap."""

    octet: int
    """Its number in the bitmap."""
    sizes: Integers
    """Bytes of those that are there, by the octet's value."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """Columns of fixed sizes behind each other."""

    size: int
    """Bytes of those that cannot be null."""
    nullable: tuple[_Nullable, ...]

    def passed(self, at: Integers, octets: Octets) -> tuple[Integers, int]:
        """Where they end that begin at `at`, less the second number, which is the same for all of them."""
        ahead = self.size
        for one in self.nullable:
            bits = octets[one.octet]
            if bits is None:
                ahead += int(one.sizes[0])
            else:
                at = at + one.sizes.take(bits)
        return at, ahead

    def end(self, at: Integers, octets: Octets) -> Integers:
        """Where they end that begin at `at`."""
        at, ahead = self.passed(at, octets)
        return at + ahead


class Stretch:
    """Fixed columns, and the one with a length that ends them."""

    def __init__(self, fixed: Fixed, ending: int, column: ColumnMap) -> None:
        """`ending`: index of the column with a length."""
        self.fixed = fixed
        self._prefix = column.prefix
        self._octet = ending // 8 if column.nullable else None
        self._present = _PRESENT[ending % 8]
        self._prefixes = self._present.astype(np.int64) * column.prefix

    def end(self, buffer: Buffer, at: Integers, octets: Octets) -> Integers:
        """Where the columns end that begin at `at`, the one with a length among them."""
        at, ahead = self.fixed.passed(at, octets)
        length = buffer.lengths(at, ahead, self._prefix)
        bits = None if self._octet is None else octets[self._octet]
        end: Integers
        if bits is None:
            end = at + length
            end += ahead + self._prefix
            return end
        # Where it is null there is no length, but something of the next column.
        length *= self._present.take(bits)
        end = at + length
        end += ahead
        end += self._prefixes.take(bits)
        return end


@dataclass(slots=True)
class Group:
    """Fixed columns between which no null can lie: each is as far from the first one in every image."""

    stretch: int
    before: Fixed
    """What the stretch has in front of them."""
    size: int = 0


class Shape:
    """How the row images of a table lie."""

    def __init__(self, columns: Sequence[ColumnMap]) -> None:
        self.nullable = [column.nullable for column in columns]
        self.bitmap_bytes = (len(columns) + 7) // 8
        self.nullable_octets = sorted({index // 8 for index, column in enumerate(columns) if column.nullable})
        self.stretches: list[Stretch] = []
        self.before: list[tuple[int, Fixed]] = []
        """Per column the number of its stretch, and the columns of that in front of it."""
        begin = 0
        for index, column in enumerate(columns):
            self.before.append((len(self.stretches), _fixed(columns, begin, index)))
            if column.prefix:
                self.stretches.append(Stretch(self.before[index][1], index, column))
                begin = index + 1
        self.rest = _fixed(columns, begin, len(columns))
        """What is behind the last one of the stretches."""
        self.groups: list[Group] = []
        self.members = [None if column.prefix else self._member(index, column) for index, column in enumerate(columns)]
        """Per column the number of its group, and how far behind the group's begin it lies; None: it has a length."""

    def octets(self, buffer: Buffer, bitmaps: Integers) -> Octets:
        """Those of images in which nulls can be."""
        found: Octets = {}
        for number in self.nullable_octets:
            bits = buffer.u8[number:].take(bitmaps)
            found[number] = bits if np.count_nonzero(bits) else None
        return found

    def _member(self, index: int, column: ColumnMap) -> tuple[int, int]:
        """Where a column finds its place, in the last group or in a new one."""
        stretch, before = self.before[index]
        after_null = index > 0 and self.nullable[index - 1]
        last = self.groups[-1] if self.groups else None
        if last is None or last.stretch != stretch or after_null or last.size + column.fixed > LARGEST:
            self.groups.append(last := Group(stretch, before))
        last.size += column.fixed
        return len(self.groups) - 1, last.size - column.fixed


def _fixed(columns: Sequence[ColumnMap], begin: int, end: int) -> Fixed:
    numbers = sorted({index // 8 for index in range(begin, end) if columns[index].nullable})
    nullable = tuple(_Nullable(number, _sizes(columns, number, begin, end)) for number in numbers)
    return Fixed(sum(column.fixed for column in columns[begin:end] if not column.nullable), nullable)


def _sizes(columns: Sequence[ColumnMap], octet: int, begin: int, end: int) -> Integers:
    sizes = np.zeros(256, np.int64)
    for index in range(max(begin, 8 * octet), min(end, 8 * octet + 8)):
        if columns[index].nullable:
            sizes += _PRESENT[index % 8] * np.int64(columns[index].fixed)
    return sizes


@cache
def shape_of(columns: tuple[ColumnMap, ...]) -> Shape:
    """The shape of a table's images."""
    return Shape(columns)
