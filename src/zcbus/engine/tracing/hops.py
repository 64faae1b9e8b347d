"""Spans of records, on both sides of the bus. Times are nanoseconds since 1970 UTC."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from zcbus.bus.contract import Record
from zcbus.model.changes import ChangeFrame, Frame

_MS = 1_000_000
_MAX_WAITING = 1000
"""Sampled records of a commit; more are left out."""

Facts = Mapping[str, str | int]
_LIMIT = 1 << 64


def trace_of(topic: str, offset: int) -> int:
    """The trace of a record."""
    return _hash(16, topic, str(offset))


def span_of(trace: int, *names: str) -> int:
    """The span of a hop. `names`: the hop, and after the bus the receiver, as a topic may have several."""
    return _hash(8, str(trace), *names)


def is_sampled(trace: int, ratio: float) -> bool:
    """Whether a share of traces has this one.

    The rule of OpenTelemetry's TraceIdRatioBased: a smaller share is a part of a larger one, also on other hosts.
    """
    return trace % _LIMIT < round(ratio * _LIMIT)


def _hash(size: int, *parts: str) -> int:
    return int.from_bytes(blake2b("\n".join(parts).encode(), digest_size=size).digest(), "big") or 1


class Span(NamedTuple):
    """A finished span. `parent`: None: it is the first of its trace."""

    name: str
    trace: int
    id: int
    parent: int | None
    start: int
    end: int
    attributes: Facts


Put = Callable[[Span], None]
"""Takes a span without blocking."""


class CaptureTraces:
    """Spans of the records that a capture writes to a topic. For one thread."""

    def __init__(self, topic: str, ratio: float, put: Put) -> None:
        self._topic, self._ratio, self._put = topic, ratio, put

    def written(self, first: int, frames: Sequence[Frame], read: int) -> None:
        """Frames that were read then are durable now, as the records from `first` on."""
        now = time.time_ns()
        for offset, frame in enumerate(frames, first):
            if isinstance(frame, ChangeFrame) and is_sampled(trace := trace_of(self._topic, offset), self._ratio):
                self._put_both(trace, offset, frame, read, now)

    def _put_both(self, trace: int, offset: int, frame: ChangeFrame, read: int, now: int) -> None:
        changes = sum(len(table.operations) for table in frame.tables)
        facts: Facts = {"zcbus.topic": self._topic, "zcbus.offset": offset, "zcbus.changes": changes}
        source, capture = span_of(trace, "source"), span_of(trace, "capture")
        # The source's clock may be ahead.
        committed = min(frame.last_commit_time * _MS, read)
        self._put(Span("source", trace, source, None, committed, read, facts))
        self._put(Span("capture", trace, capture, source, read, now, facts))


class SnapshotTraces:
    """Spans of the records that a snapshot writes to a topic. For one thread."""

    def __init__(self, topic: str, ratio: float, put: Put) -> None:
        self._topic, self._ratio, self._put = topic, ratio, put

    def written(self, offset: int, rows: int, began: int) -> None:
        """Rows whose reading began then are appended to the bus now."""
        if is_sampled(trace := trace_of(self._topic, offset), self._ratio):
            facts: Facts = {"zcbus.topic": self._topic, "zcbus.offset": offset, "zcbus.rows": rows}
            self._put(Span("read", trace, span_of(trace, "read"), None, began, time.time_ns(), facts))


class Origin(NamedTuple):
    """The record of a bus that has rows of a load."""

    topic: str
    offset: int
    appended: int
    """Milliseconds since 1970 UTC."""


class Loaded(NamedTuple):
    """Rows of a load that are written, and not committed yet."""

    origin: Origin | None
    """None: they come from the source itself."""
    rows: int
    began: int
    """When their writing began."""


class LoadTraces:
    """Spans of what one table's load commits. Thread-safe, as `put` is."""

    def __init__(self, receiver: str, ratio: float, put: Put) -> None:
        self._receiver, self._ratio, self._put = receiver, ratio, put

    def committed(self, loaded: Iterable[Loaded]) -> None:
        """These rows are committed now."""
        now = time.time_ns()
        for one in loaded:
            topic, offset, appended = one.origin or Origin(self._receiver, one.began, 0)
            if not is_sampled(trace := trace_of(topic, offset), self._ratio):
                continue
            facts: dict[str, str | int] = {"zcbus.rows": one.rows, "zcbus.receiver": self._receiver}
            parent = None
            if one.origin is not None:
                facts |= {"zcbus.topic": topic, "zcbus.offset": offset}
                parent = span_of(trace, "bus", self._receiver)
                # The publisher's clock may be ahead.
                begin = min(appended * _MS, one.began)
                self._put(Span("bus", trace, parent, span_of(trace, "read"), begin, one.began, facts))
            self._put(Span("load", trace, span_of(trace, "load", self._receiver), parent, one.began, now, facts))


class _Read(NamedTuple):
    trace: int
    offset: int
    appended: int
    read: int
    changes: int


class ApplyTraces:
    """Spans of the records that an applier commits. For one thread.

    `receiver`: the subscription, and for a table that is applied alone the table.
    """

    def __init__(self, topic: str, receiver: str, ratio: float, put: Put) -> None:
        self._topic, self._receiver, self._ratio, self._put = topic, receiver, ratio, put
        self._read = 0
        self._waiting: list[_Read] = []

    def received(self) -> None:
        """The next records were read from the bus now."""
        self._read = time.time_ns()

    def take(self, record: Record, changes: int) -> None:
        """A record with changes for this receiver will be applied."""
        trace = trace_of(self._topic, record.offset)
        if is_sampled(trace, self._ratio) and len(self._waiting) < _MAX_WAITING:
            # The publisher's clock may be ahead.
            appended = min(record.time * _MS, self._read)
            self._waiting.append(_Read(trace, record.offset, appended, self._read, changes))

    def committed(self) -> None:
        """What was taken is committed now."""
        now = time.time_ns()
        for one in self._waiting:
            facts: Facts = {
                "zcbus.topic": self._topic,
                "zcbus.offset": one.offset,
                "zcbus.changes": one.changes,
                "zcbus.receiver": self._receiver,
            }
            bus, apply = (span_of(one.trace, hop, self._receiver) for hop in ("bus", "apply"))
            self._put(Span("bus", one.trace, bus, span_of(one.trace, "capture"), one.appended, one.read, facts))
            self._put(Span("apply", one.trace, apply, bus, one.read, now, facts))
        self._waiting.clear()

    def forget(self) -> None:
        """What was taken is rolled back, or needed no commit."""
        self._waiting.clear()
