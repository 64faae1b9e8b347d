"""Row images of many row events at once: step k handles the k-th image of every event.

One event holds up to a few hundred rows, so a few hundred steps over long arrays find every row. A step reads only what
determines the end of the image: the lengths in it, and the null bits, for which a table gives by octet the bytes they
leave out. The columns between two lengths are located later, for all rows together and only on demand.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from zcbus.connectors.mysql.binlog.records import Records
from zcbus.connectors.mysql.binlog.shape import Octets, Shape, shape_of
from zcbus.connectors.mysql.binlog.tables import ColumnMap
from zcbus.connectors.mysql.binlog.vectors import Buffer
from zcbus.model.characters import Flags, Integers


class Images:
    """Some row images of a table. Columns are located on demand."""

    def __init__(
        self, buffer: Buffer, shape: Shape, places: list[Integers], which: Integers | slice = slice(None)
    ) -> None:
        """`places`: offsets of the field runs of all images, and of the columns after the last run (see FieldRun)."""
        self.buffer, self.shape = buffer, shape
        self._all, self._which = places, which
        self._chosen_offsets: dict[int, Integers] = {}
        self._groups: dict[int, Records] = {}

    @property
    def bitmaps(self) -> Integers:
        """Where each image begins, with its null bitmap."""
        return self._run_offsets(0)

    def chosen(self, which: Integers | slice) -> "Images":
        """Some of all of them."""
        return Images(self.buffer, self.shape, self._all, which)

    def starts(self, column: int) -> Integers:
        """Where the value of a column begins (its length, where it has one), or would if it was not null."""
        run, before = self.shape.before[column]
        return before.passed(self._run_offsets(run), self._octets) + before.ahead

    def ends(self, column: int) -> Integers | None:
        """Where the value of a column with a length ends, if it is not null; None: it has no length."""
        if self.shape.members[column] is not None:
            return None
        run = self.shape.before[column][0]
        return self._run_offsets(run + 1) + self.shape.runs[run].behind

    def present(self, column: int) -> Flags | None:
        """Where the column is not null; None: everywhere."""
        bits = self._octets[column // 8] if self.shape.nullable[column] else None
        return None if bits is None else bits & (1 << column % 8) == 0

    def fixed(self, column: int) -> tuple[Records, int] | None:
        """The records that contain a column of a fixed size, and its offset in them; None: it has a length. A null's
        bytes belong to other columns."""
        member = self.shape.members[column]
        if member is None:
            return None
        number, offset = member
        if number not in self._groups:
            group = self.shape.groups[number]
            at = group.before.passed(self._run_offsets(group.run), self._octets)
            self._groups[number] = Records.fetched(self.buffer, at, group.size, group.before.ahead)
        return self._groups[number], offset

    @cached_property
    def _octets(self) -> Octets:
        return Octets(self.buffer, self.bitmaps)

    def _run_offsets(self, run: int) -> Integers:
        if run not in self._chosen_offsets:
            every, which = self._all[run], self._which
            self._chosen_offsets[run] = every[which] if isinstance(which, slice) else every.take(which)
        return self._chosen_offsets[run]


@dataclass(frozen=True, slots=True)
class Found:
    """Row images in log order."""

    events: Integers
    """Index of each image's event."""
    places: Integers
    """The image's number within its event."""
    images: Images


def scan(buffer: Buffer, columns: tuple[ColumnMap, ...], at: Integers, ends: Integers) -> Found:
    """All images of events whose images are in [at, ends)."""
    shape = shape_of(columns)
    events = np.arange(len(at), dtype=np.int64)
    steps: list[Integers] = []
    found: list[list[Integers]] = [[] for _ in range(len(shape.runs) + 1)]
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


def _image(buffer: Buffer, shape: Shape, at: Integers, found: list[list[Integers]]) -> Integers:
    """Locate one image per event: append the offsets of its field runs to `found`; returns the ends of the images."""
    octets = Octets(buffer, at)
    for run, places in zip(shape.runs, found, strict=False):
        places.append(at)
        at = run.end(buffer, at, octets)
    found[-1].append(at)
    end: Integers = shape.rest.passed(at, octets) + shape.rest.ahead
    return end


def _in_log_order(buffer: Buffer, shape: Shape, steps: list[Integers], found: list[list[Integers]]) -> Found:
    """`steps`: the events of which each step found an image."""
    if not steps:
        empty = np.empty(0, np.int64)
        return Found(empty, empty, Images(buffer, shape, [empty for _ in found]))
    event = np.concatenate(steps)
    counts = np.bincount(event)
    begins = np.cumsum(counts) - counts
    rank = begins.take(event)
    rank += np.repeat(np.arange(len(steps)), [len(step) for step in steps])
    order = np.empty(len(event), np.int64)
    order[rank] = np.arange(len(event))
    images = Images(buffer, shape, [np.concatenate(places).take(order) for places in found])
    numbers = np.arange(len(event)) - np.repeat(begins, counts)
    return Found(np.repeat(np.arange(len(counts)), counts), numbers, images)
