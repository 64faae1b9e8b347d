"""Control totals of a real topic: how many changes of each table it has, recorded on the topic itself.

They are counted by position, from the records that are durable: a publisher that is killed counts what it finds behind
the last totals on the topic. So the totals are the same whether it ran on, was killed or wrote a transaction twice.
"""

import time
from collections.abc import Iterator
from typing import NamedTuple

from zcbus.bus.contract import Bus, OffsetExpired, TopicReader
from zcbus.kit.clock import now_ms
from zcbus.model.changes import ChangeFrame, ControlTotals, Frame, RollbackFrame, TableTotal
from zcbus.model.frames import decode_frame
from zcbus.model.schema import TableName

_SECONDS = 5.0
"""Between two totals while changes come."""
_IDLE_SECONDS = 60.0
"""Between two totals without changes: a publisher that starts reads no further back."""
_MAX_RECORDS = 2_000
"""Records between two totals, unless a transaction has more."""
_COMPLETE_EVERY = 64
_COMPLETE_SECONDS = 300.0
"""Every so many totals, and after so many seconds, they name all tables: a publisher that starts finds these behind the
others, and a subscription can compare tables that had no changes since it began."""


class TotalsCounter:
    """Counts the changes of a real topic. Only for the topic's writer, which passes it each durable frame in order."""

    def __init__(self, bus: Bus, topic: str, end: int) -> None:
        """`end`: the topic's next offset."""
        self.epoch = now_ms()
        """When counting began at 0; totals of different epochs cannot be compared."""
        self._totals: dict[TableName, int] = {}
        self._before: dict[TableName, int] = {}
        """Tables with changes since the last totals, and what these said of them."""
        self._open: dict[TableName, int] = {}
        """Changes of the transaction that is not complete."""
        self._began = self._previous = end
        """Offsets where counting began, and of the last totals since then."""
        self._since_complete = _COMPLETE_EVERY
        self._complete_at = -_COMPLETE_SECONDS
        self._records = 0
        """Since the last totals."""
        self._at = time.monotonic()
        self._recover(bus, topic, end)

    def total(self, table: TableName) -> int:
        """Changes of a table that are durable on the topic, of complete transactions."""
        return self._totals.get(table, 0)

    @property
    def is_due(self) -> bool:
        """Whether totals should be written at the next end of a transaction."""
        seconds = _SECONDS if self._before else _IDLE_SECONDS
        return self._records >= _MAX_RECORDS or time.monotonic() - self._at >= seconds

    def frame(self) -> ControlTotals:
        """The totals at this position; none may be inside a transaction."""
        due = time.monotonic() - self._complete_at >= _COMPLETE_SECONDS
        complete = due or self._since_complete >= _COMPLETE_EVERY - 1
        names = self._totals if complete else self._before
        tables = tuple(
            TableTotal(name, self._before.get(name, self._totals[name]), self._totals[name]) for name in names
        )
        return ControlTotals(self.epoch, self._began, self._previous, tables, complete)

    def note(self, frame: Frame, offset: int) -> None:
        """Count a durable frame."""
        self._records += 1
        if isinstance(frame, ChangeFrame):
            for changes in frame.tables:
                name = changes.schema.name
                self._open[name] = self._open.get(name, 0) + len(changes.operations)
            if frame.complete:
                self._commit()
        elif isinstance(frame, RollbackFrame):
            self._open.clear()
        elif isinstance(frame, ControlTotals):
            self._before.clear()
            self._previous, self._at, self._records = offset, time.monotonic(), 0
            if frame.complete:
                self._complete_at = self._at
            self._since_complete = 0 if frame.complete else self._since_complete + 1

    def _commit(self) -> None:
        for name, count in self._open.items():
            before = self._totals.get(name, 0)
            self._before.setdefault(name, before)
            self._totals[name] = before + count
        self._open.clear()

    def _recover(self, bus: Bus, topic: str, end: int) -> None:
        """Continue the totals on the topic. Where they are gone, or too far back, counting begins at 0."""
        with bus.reader(topic, end) as reader:
            try:
                last = _last_totals(reader, end)
                if last is None:
                    return
                if last.frame is None:
                    self._began = self._previous = 0
                else:
                    self._totals, self._since_complete = _all_totals(reader, last.frame)
                    self.epoch, self._began, self._previous = last.frame.epoch, last.frame.began, last.offset
                for offset, frame in _frames(reader, last.offset + 1, end):
                    self.note(frame, offset)
            except OffsetExpired:
                return


class _Last(NamedTuple):
    offset: int
    frame: ControlTotals | None
    """None: there are none from the topic's begin on, which is behind that offset."""


def _last_totals(reader: TopicReader, end: int) -> _Last | None:
    """The last totals on the topic; None: they are too far back."""
    first = max(0, end - 2 * _MAX_RECORDS)
    for offset in range(end - 1, first - 1, -1):
        frame = _frame(reader, offset)
        if isinstance(frame, ControlTotals):
            return _Last(offset, frame)
    return _Last(-1, None) if first == 0 else None


def _all_totals(reader: TopicReader, newest: ControlTotals) -> tuple[dict[TableName, int], int]:
    """Totals of all tables, and how many totals ago all were named."""
    totals: dict[TableName, int] = {}
    one, ago = newest, 0
    while True:
        totals = {table.name: table.total for table in one.tables} | totals
        if one.complete:
            return totals, ago
        earlier = _frame(reader, one.previous)
        if not isinstance(earlier, ControlTotals):
            raise OffsetExpired(topic="", asked=one.previous, first=one.previous)
        one, ago = earlier, ago + 1


def _frames(reader: TopicReader, first: int, end: int) -> Iterator[tuple[int, Frame]]:
    for offset in range(first, end):
        yield offset, _frame(reader, offset)


def _frame(reader: TopicReader, offset: int) -> Frame:
    reader.seek(offset)
    return decode_frame(reader.read(1, 1, 0)[0].payload)
