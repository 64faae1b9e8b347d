"""Figures, holder and retention of one topic."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from confluent_kafka import TopicPartition

from zcbus.bus.contract import Retention, TopicInfo
from zcbus.bus.kafka.clients import Clients
from zcbus.bus.kafka.log import Log, Start, Tail
from zcbus.bus.kafka.owner import holds
from zcbus.bus.kafka.stamp import Sort, Stamp

_SMALLEST_SEGMENT_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a topic whose log ran from `low` to `high`."""

    topic_id: bytes
    low: int
    high: int
    first: Start | None
    tail: Tail
    newest_time: int | None

    @property
    def first_number(self) -> int:
        return min(self.first.number, self.tail.next_number) if self.first is not None else self.tail.next_number

    @property
    def size_bytes(self) -> int:
        return self.tail.next_before - self.first.before if self.first is not None else 0

    def info(self, topic: str) -> TopicInfo:
        """The contract's form."""
        empty = self.first_number == self.tail.next_number
        oldest = None if empty or self.first is None else self.first.time
        return TopicInfo(
            topic,
            self.first_number,
            self.tail.next_number,
            0 if empty else self.size_bytes,
            oldest,
            None if empty else self.newest_time,
        )

    @property
    def is_held(self) -> bool:
        """Whether a living writer has it."""
        return self.tail.owner is not None and holds(self.tail.owner, self.topic_id, self.high)


def measure(log: Log, cached: Figures | None) -> Figures:
    """Current figures; cheap if unchanged since `cached`. Raises LogMoved, TransientError."""
    low, high = log.ends()
    if cached is not None and cached.topic_id != log.topic_id:
        cached = None
    if cached is not None and (cached.low, cached.high) == (low, high):
        return cached
    tail = cached.tail if cached is not None and cached.high == high else log.tail(low, high)
    first = (
        cached.first if cached is not None and cached.first is not None and cached.low == low else log.first(low, high)
    )
    return Figures(log.topic_id, low, high, first, tail, _time_at(log, low, tail.last))


def _time_at(log: Log, low: int, position: int) -> int | None:
    if position < low:
        return None
    return next((message.timestamp()[1] for _, _, message in log.scan(position, position + 1)), None)


def segment_size(segment_bytes: int, retention: Retention) -> int:
    """Small enough to enforce a size limit by removing whole segments."""
    if retention.size_bytes is None:
        return segment_bytes
    return min(segment_bytes, max(retention.size_bytes // 4, _SMALLEST_SEGMENT_BYTES))


def may_have_old(figures: Figures, retention: Retention, now: int) -> bool:
    """Whether `remove_old` may have work."""
    first, newest = figures.first, figures.tail.next_number - 1
    if first is None or first.number >= newest:
        return False  # The newest record always stays.
    too_much = retention.size_bytes is not None and figures.size_bytes > retention.size_bytes
    return too_much or (retention.time is not None and first.time < now - int(retention.time.total_seconds() * 1000))


def remove_old(clients: Clients, name: str, log: Log, retention: Retention, now: int, segment_bytes: int) -> int:
    """Remove records beyond the retention; returns the payload bytes freed.

    Raises LogMoved, TransientError.
    """
    figures = measure(log, None)
    first, tail = figures.first, figures.tail
    if first is None or first.number >= tail.next_number:
        return 0
    by_size = _by_size(log, figures, retention.size_bytes, segment_bytes)
    by_time = _by_time(log, figures, retention.time, now)
    position = min(max(by_size, by_time), _last_start(log, figures))
    oldest = log.first(position, figures.high) if position > first.position else None
    if oldest is None or oldest.before <= first.before:
        return 0
    clients.delete_before(TopicPartition(name, 0, oldest.position))
    return oldest.before - first.before


def _by_size(log: Log, figures: Figures, limit: int | None, segment_bytes: int) -> int:
    """The position before which whole segments are removed; segments divide the topic's bytes."""
    if limit is None or figures.size_bytes <= limit or figures.first is None:
        return figures.low
    exceeded = -(-(figures.tail.next_before - limit) // segment_bytes) * segment_bytes
    border = min(exceeded, (figures.tail.next_before - 1) // segment_bytes * segment_bytes)
    begin, end = figures.first.before, figures.tail.next_before
    guess = figures.low + (figures.high - figures.low) * (border - begin) // max(end - begin, 1)
    return log.find(figures.low, figures.high, before_bytes(border), guess)


def _by_time(log: Log, figures: Figures, limit: timedelta | None, now: int) -> int:
    if limit is None:
        return figures.low
    position = log.position_at(now - int(limit.total_seconds() * 1000))
    return figures.high if position is None else max(position, figures.low)


def _last_start(log: Log, figures: Figures) -> int:
    """Start of the newest record, which always stays."""
    if figures.tail.last < figures.low:
        return figures.low
    newest = next((stamp for _, stamp, _ in log.scan(figures.tail.last, figures.tail.last + 1)), None)
    return figures.tail.last - (newest.part if newest is not None else 0)


def before_bytes(border: int) -> Callable[[Stamp], bool]:
    """A condition for Log.find: before so many payload bytes."""
    return lambda stamp: stamp.before < border


def before_number(number: int) -> Callable[[Stamp], bool]:
    """A condition for Log.find: before a record."""
    return lambda stamp: stamp.number < number or (stamp.number == number and stamp.sort is not Sort.RECORD)
