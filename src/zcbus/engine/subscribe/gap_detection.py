"""Which tables the records of a short stretch of the real topic are about."""

from zcbus.bus.contract import Bus, Record
from zcbus.model.changes import CaptureResumed, ChangeFrame
from zcbus.model.frames import decode_frame
from zcbus.model.schema import TableName

_MOST_BYTES = 32 << 20


class Gaps:
    """Thousands of tables may join a channel applier at once, most of them with nothing between their place and the
    checkpoint's: each stretch is read once. Not for several threads."""

    def __init__(self, bus: Bus, topic: str) -> None:
        self._bus, self._topic = bus, topic
        self._end = 0
        self._known: dict[int, frozenset[TableName]] = {}

    def tables(self, first: int, end: int) -> frozenset[TableName]:
        """Tables of which the records from `first` on and before `end` have changes, or a gap. Raises OffsetExpired."""
        if end != self._end:
            self._end, self._known = end, {}
        if first not in self._known:
            self._known[first] = frozenset(name for record in self._read(first, end) for name in _tables_of(record))
        return self._known[first]

    def _read(self, first: int, end: int) -> list[Record]:
        records: list[Record] = []
        with self._bus.reader(self._topic, first) as reader:
            while first < end and (part := reader.read(end - first, _MOST_BYTES, 0)):
                records += part
                first = part[-1].offset + 1
        return records


def _tables_of(record: Record) -> frozenset[TableName]:
    frame = decode_frame(record.payload)
    if isinstance(frame, CaptureResumed):
        return frozenset(name for name, _ in frame.tables)
    if not isinstance(frame, ChangeFrame):
        return frozenset()
    return frozenset(changes.schema.name for changes in frame.tables)
