"""Sizes of parts of a topic, by the stamps of single messages."""

from zcbus.bus.contract import Extent
from zcbus.bus.kafka.log import Log, Start
from zcbus.bus.kafka.topic import Figures, before_number, measure


def extents_at(log: Log, offsets: frozenset[int]) -> dict[int, Extent]:
    """As Inspection.behind. Raises LogMoved, TransientError."""
    figures = measure(log, None)
    return {offset: _at(log, figures, offset) for offset in offsets}


def extent_since(log: Log, time_ms: int) -> Extent:
    """As Inspection.since. Raises LogMoved, TransientError."""
    figures = measure(log, None)
    position = log.position_at(time_ms)
    if position is None:
        return _from(figures, None)
    return _from(figures, log.first(max(position, figures.low), figures.high))


def _at(log: Log, figures: Figures, offset: int) -> Extent:
    first = figures.first
    if first is None or offset >= figures.tail.next_number:
        return _from(figures, None)
    if offset <= first.number:
        return _from(figures, first)
    # The distance from the oldest record, if every record were one message and there were no claims.
    guess = first.position + offset - first.number
    position = log.find(first.position, figures.high, before_number(offset), guess)
    return _from(figures, log.first(position, figures.high))


def _from(figures: Figures, start: Start | None) -> Extent:
    tail = figures.tail
    if start is None or start.number >= tail.next_number:
        return Extent(tail.next_number, 0, 0)
    return Extent(start.number, tail.next_number - start.number, tail.next_before - start.before)
