"""Positions on the real topic: search, verification and expiry."""

import contextlib
import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from zcbus.bus.contract import Bus, OffsetExpired, TopicReader
from zcbus.bus.topics import real_topic
from zcbus.engine.reasons import CHANGES_EXPIRED, START_TOO_EARLY, START_TOO_LATE, TOPIC_REPLACED
from zcbus.engine.subscribe.checkpoints.records import Phase, TableCheckpoint
from zcbus.engine.subscribe.failures import Expired
from zcbus.kit.clock import Clock
from zcbus.kit.errors import TerminalError, TransientError
from zcbus.model.changes import ChangeFrame, HeartbeatFrame
from zcbus.model.frames import decode_frame
from zcbus.model.position import Position

if TYPE_CHECKING:
    from zcbus.engine.subscribe.table import SyncRun


class PositionTooEarly(TerminalError):
    """The bus no longer has the requested record. Facts: wanted, first."""

    code = START_TOO_EARLY


class PositionTooLate(TerminalError):
    """The requested record does not exist yet. Facts: wanted, next."""

    code = START_TOO_LATE


def offset_behind(bus: Bus, topic: str, since: Position, table: object) -> int:
    """The smallest offset from which all transactions behind `since` are found.

    Positions of a real topic's frames never decrease, and a transaction's frames all lie behind every position that
    does not contain it, so bisection finds it. Raises Expired if retention may have removed some of them.
    """
    info = bus.info(topic)
    if info is None:
        return 0
    low, high = info.first_offset, info.next_offset
    with bus.reader(topic, low) as reader:
        while low < high:
            middle = (low + high) // 2
            found, position = _position_from(reader, middle, high)
            if position is None or position > since:
                high = middle
            else:
                low = found + 1
    if low == info.first_offset and low > 0:
        raise Expired(CHANGES_EXPIRED, table=table, wanted=since, first=low)
    return low


def apart(bus: Bus, node: str, run: "SyncRun", checkpoint: TableCheckpoint) -> TableCheckpoint:
    """The checkpoint of a loaded table that must catch up. Raises Expired."""
    since = checkpoint.since_position
    assert since is not None
    offset = offset_behind(bus, real_topic(node), since, run.source)
    return replace(checkpoint, phase=Phase.APART, offset=offset, record_time=None)


def _position_from(reader: TopicReader, offset: int, end: int) -> tuple[int, Position | None]:
    """The first record from `offset` on that has a position."""
    for candidate in range(offset, end):
        reader.seek(candidate)
        frame = decode_frame(reader.read(1, 1, 0)[0].payload)
        if isinstance(frame, HeartbeatFrame):
            return candidate, frame.position
        if isinstance(frame, ChangeFrame):
            return candidate, frame.last_position
    return end, None


def offset_at(bus: Bus, topic: str, at_ms: int) -> int:
    """The first record that was appended at or after a moment: everything committed since is in it or behind it.

    Raises PositionTooEarly where the bus does not have all of that.
    """
    info = bus.info(topic)
    oldest = info.oldest_time if info is not None else None
    if info is None or oldest is None or at_ms < oldest:
        raise PositionTooEarly(wanted=_moment(at_ms), first="-" if oldest is None else _moment(oldest))
    low, high = info.first_offset, info.next_offset
    with bus.reader(topic, low) as reader:
        while low < high:
            middle = (low + high) // 2
            reader.seek(middle)
            if reader.read(1, 1, 0)[0].time >= at_ms:
                high = middle
            else:
                low = middle + 1
    return low


def border_at(bus: Bus, topic: str, offset: int) -> tuple[int, int | None]:
    """(offset, append time of the previous record) of the first record of the transaction at `offset`.

    Raises PositionTooEarly, PositionTooLate for a record that does not exist.
    """
    info = bus.info(topic)
    first, following = (info.first_offset, info.next_offset) if info is not None else (0, 0)
    if offset < first:
        raise PositionTooEarly(wanted=offset, first=first)
    if offset > following:
        raise PositionTooLate(wanted=offset, next=following)
    with bus.reader(topic, first) as reader:
        while offset > first:
            reader.seek(offset - 1)
            record = reader.read(1, 1, 0)[0]
            frame = decode_frame(record.payload)
            if not isinstance(frame, ChangeFrame) or frame.complete:
                return offset, record.time
            offset -= 1
    if offset > 0:
        # The previous record is gone, and perhaps the start of a transaction with it.
        raise PositionTooEarly(wanted=offset, first=offset + 1)
    return 0, None


def _moment(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3] + " UTC"


def verify(bus: Bus, topic: str, offset: int, record_time: int | None, table: object) -> None:
    """Verify that `offset` belongs to this very topic and still exists. Raises Expired."""
    if offset == 0:
        return
    info = bus.info(topic)
    if info is None or info.next_offset < offset:
        raise Expired(TOPIC_REPLACED, table=table, offset=offset)
    if info.first_offset > offset:
        raise Expired(CHANGES_EXPIRED, table=table, wanted=offset, first=info.first_offset)
    if record_time is None or info.first_offset == offset:
        return
    with bus.reader(topic, offset - 1) as reader:
        try:
            same = reader.read(1, 1, 0)[0].time == record_time
        except OffsetExpired:
            return
    if not same:
        raise Expired(TOPIC_REPLACED, table=table, offset=offset)


_POLL_SECONDS = 15.0
_BACKLOG_SECONDS = 5.0
LAGGING = timedelta(minutes=1)
"""Minimum age of the oldest waiting change for a forecast."""


class Countdown:
    """Forecasts `expires_at` of a channel's tables, by the time limit of the retention only."""

    def __init__(self, bus: Bus, topic: str, clock: Clock) -> None:
        self._bus, self._topic, self._clock = bus, topic, clock
        self._next_update = 0.0

    def update_when_due(self, runs: Iterable["SyncRun"], main_offset: int | None, retention: timedelta | None) -> None:
        """Update a few times a minute. `main_offset`: of the first record that the channel applier has not applied."""
        now = time.monotonic()
        if now >= self._next_update:
            self._next_update = now + _POLL_SECONDS
            # Errors are retried later; work must not stop for a forecast.
            with contextlib.suppress(TransientError):
                self.update(runs, main_offset, retention)

    def update(self, runs: Iterable["SyncRun"], main_offset: int | None, retention: timedelta | None) -> None:
        """Update now. Raises TransientError."""
        expiries: dict[int, datetime | None] = {}
        for run in runs:
            offset = needed(run, main_offset)
            if offset is None or retention is None:
                run.expires_at = None
                continue
            if offset not in expiries:
                expiries[offset] = self._expiry(offset, retention)
            run.expires_at = expiries[offset]

    def _expiry(self, offset: int, retention: timedelta) -> datetime | None:
        """Expiry of the record at an offset; None if it is too young or does not exist."""
        info = self._bus.info(self._topic)
        if info is None or offset >= info.next_offset or offset < info.first_offset:
            return None
        try:
            with self._bus.reader(self._topic, offset) as reader:
                records = reader.read(1, 1, 0)
        except OffsetExpired:
            return None  # The table's own reader reports it.
        if not records:
            return None
        appended = datetime.fromtimestamp(records[0].time / 1000, UTC)
        return appended + retention if self._clock.now() - appended > LAGGING else None


class Backlog:
    """Size of what a channel still has to read from its topic, measured a few times a minute."""

    def __init__(self, bus: Bus, topic: str) -> None:
        self._bus, self._topic = bus, topic
        self._next_measure = 0.0
        self._bytes: int | None = None

    def measured(self, offset: int | None) -> int | None:
        """Bytes from the record at `offset` on, the first that any table still needs; None: not known."""
        now = time.monotonic()
        if now >= self._next_measure:
            self._next_measure = now + _BACKLOG_SECONDS
            try:
                found = self._bus.behind(self._topic, [offset]) if offset is not None else {}
            except TransientError:
                found = {}
            self._bytes = found[offset].size_bytes if offset is not None and offset in found else None
        return self._bytes


def needed(run: "SyncRun", main_offset: int | None) -> int | None:
    """The first record that a table needs; None: none, or unknown."""
    checkpoint = run.checkpoint
    if checkpoint is None or run.phase not in (Phase.MEMBER, Phase.APART):
        return None
    if run.phase is Phase.APART:
        return checkpoint.offset
    return max(checkpoint.offset, main_offset) if main_offset is not None else None
