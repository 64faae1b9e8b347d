"""Layout of a table's row images: the fields that determine where they end, and the columns that are fetched
together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from zcbus.connectors.mysql.binlog.records import LARGEST
from zcbus.connectors.mysql.binlog.tables import ColumnMap
from zcbus.connectors.mysql.binlog.vectors import Buffer
from zcbus.model.characters import Bytes, Integers

_PRESENT = [(np.arange(256) >> bit & 1 == 0).astype(np.uint8) for bit in range(8)]
"""By bit and octet: 1 where the bit of a null is not set."""


class Octets(dict[int, Bytes | None]):
    """Octets of null bitmaps by number, read on first use: one octet of each image; None if no bit is set in any
    image."""

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
    """Nullable columns among some columns, whose null bits are in one octet of the bitmap."""

    octet: int
    """Its number in the bitmap."""
    sizes: Integers
    """Bytes of the values that are not null, by the octet's value."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Consecutive fields of fixed sizes, from the start of a run."""

    ahead: int
    """Constant to add, besides the result of `passed`, to a run's offset to get the end of the fields."""
    nullable: tuple[_Nullable, ...]

    def passed(self, at: Integers, octets: Octets) -> Integers:
        """The offsets of runs, plus the bytes of these nullable fields."""
        for one in self.nullable:
            bits = octets[one.octet]
            at = at + (one.sizes[0] if bits is None else one.sizes.take(bits))
        return at


class FieldRun:
    """A run of fields of fixed sizes, followed by a value with a length.

    Constants common to all images are added as late as possible, so the offset of a run is less than its real start.
    Its first field is the length of the value before it.
    """

    def __init__(self, fields: Fields, ending: int, column: ColumnMap) -> None:
        """`ending`: index of the column with a length, which is not among the fields."""
        self.ahead = fields.ahead
        self.behind = fields.ahead + column.prefix
        """To be added to the offset of the next run to get the end of the value, if it is not null."""
        self._fields = fields
        self._prefix = column.prefix
        self._octet = ending // 8 if column.nullable else None
        self._present = _PRESENT[ending % 8]

    def end(self, buffer: Buffer, at: Integers, octets: Octets) -> Integers:
        """The offsets of the next runs: the ends of these, less `ahead` and the bytes of the length."""
        at = self._fields.passed(at, octets)
        length = buffer.lengths(at, self.ahead, self._prefix)
        bits = None if self._octet is None else octets[self._octet]
        if bits is not None:
            # A null has no length; the bytes belong to the next column.
            length *= self._present.take(bits)
        end: Integers = at + length
        return end


@dataclass(slots=True)
class Group:
    """Fixed columns without a null between them: each has the same distance from the first one in every image."""

    run: int
    before: Fields
    """The fields of the run before them."""
    size: int = 0


class Shape:
    """Layout of a table's row images."""

    def __init__(self, columns: Sequence[ColumnMap]) -> None:
        self.nullable = [column.nullable for column in columns]
        self.runs: list[FieldRun] = []
        self.before: list[tuple[int, Fields]] = []
        """Per column the number of its run, and the fields of the run before it."""
        begin, ahead = 0, (len(columns) + 7) // 8  # the first run's offset is that of the bitmap
        for index, column in enumerate(columns):
            self.before.append((len(self.runs), _fields(columns, begin, index, ahead)))
            if column.prefix:
                self.runs.append(FieldRun(self.before[index][1], index, column))
                begin, ahead = index, self.runs[-1].ahead
        self.rest = _fields(columns, begin, len(columns), ahead)
        """The fields after the last run."""
        self.groups: list[Group] = []
        self.members = [None if column.prefix else self._member(index, column) for index, column in enumerate(columns)]
        """Per column the number of its group, and its offset in the group; None: it has a length."""

    def _member(self, index: int, column: ColumnMap) -> tuple[int, int]:
        """Group and offset of a column, in the last group or in a new one."""
        run, before = self.before[index]
        after_null = index > 0 and self.nullable[index - 1]
        last = self.groups[-1] if self.groups else None
        if last is None or last.run != run or after_null or last.size + column.fixed > LARGEST:
            self.groups.append(last := Group(run, before))
        last.size += column.fixed
        return len(self.groups) - 1, last.size - column.fixed


def _fields(columns: Sequence[ColumnMap], begin: int, end: int, ahead: int) -> Fields:
    """The fields of some columns.

    `ahead`: constant of the fields before them. Of a column with a length, which only the first one can be, the length
    field counts.
    """
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
