"""The JSON topic of a publication: follows the real topic and says the same to programs that know nothing of us."""

import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from zcbus.bus.contract import Bus, ExportMessage, Feed, OffsetExpired, Record, Retention
from zcbus.bus.topics import real_topic
from zcbus.engine.backoff import Backoff
from zcbus.engine.connections import options_of
from zcbus.engine.publish.json_encoding import JsonEncoder
from zcbus.engine.reasons import reason_of
from zcbus.kit.errors import TransientError, ZcbusError
from zcbus.kit.logging import get_logger
from zcbus.model.changes import CaptureResumed, ChangeFrame, Frame, Gap, HeartbeatFrame, RollbackFrame
from zcbus.model.frames import decode_frame
from zcbus.model.position import Position
from zcbus.model.schema import TableName
from zcbus.protocol.base import Connection, Reason
from zcbus.protocol.reports import FeedReport

_MOST_RECORDS = 500
_MOST_BYTES = 8 << 20
_NOTE_SECONDS = 600.0
"""So often the place is written down while nothing is to be said: the cluster forgets places that are old."""
_FINISH_SECONDS = 60.0
"""So long the capture waits for messages before it removes what they are made of."""
_BLOCKED_SECONDS = 60.0
"""After something that somebody must mend, until the next attempt."""


class JsonExport:
    """Runs in a thread of its own until `stop`; nothing that happens to it stops the capture.

    Where retention took records before they were told, it tells the readers of each of `tables` that changes are
    missing, and goes on.
    """

    tables: Sequence[TableName] = ()
    """Those of the publication. Given anew whenever others are published."""

    def __init__(self, bus: Bus, node: str, name: str, source: Connection, retention: Retention) -> None:
        self._bus, self._name, self._retention = bus, name, retention
        self._teller = JsonEncoder(name, source.kind, options_of(source).title)
        self._topic = real_topic(node)
        self._stop = threading.Event()
        self._log = get_logger("json-feed").bind(feed=name)
        self._reason: Reason | None = None
        self._waiting_since: float | None = None
        self._gap_at: datetime | None = None
        self._next = 0
        self._messages = 0
        self._newest_ms: int | None = None
        self._thread = threading.Thread(target=self._run, name="json-feed", daemon=True)

    @property
    def name(self) -> str:
        return self._name

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def finish(self, end: int, stop: threading.Event) -> bool:
        """Wait until everything before that offset has been told; false: the service is to stop, or it does not get
        there in time."""
        deadline = time.monotonic() + _FINISH_SECONDS
        while self._next < end and not stop.is_set() and time.monotonic() < deadline:
            stop.wait(0.02)
        return self._next >= end

    def close(self) -> None:
        """End it and wait for that."""
        self._stop.set()
        self._thread.join()

    def report(self) -> FeedReport:
        """As measured now."""
        newest, since = self._newest_ms, self._waiting_since
        return FeedReport(
            name=self._name,
            reason=self._reason,
            waiting_seconds=None if since is None else time.monotonic() - since,
            gap_at=self._gap_at,
            next_offset=self._next,
            messages=self._messages,
            newest_change_at=None if newest is None else datetime.fromtimestamp(newest / 1000, UTC),
        )

    def _run(self) -> None:
        backoff = Backoff(self._stop.wait)
        while not self._stop.is_set():
            try:
                with self._bus.feed(self._name, self._topic, self._retention) as feed:
                    self._follow(feed, backoff)
            except (TransientError, OffsetExpired) as error:
                self._note(error)
                backoff.pause()
            except ZcbusError as error:
                self._note(error)
                self._stop.wait(_BLOCKED_SECONDS)

    def _note(self, error: ZcbusError) -> None:
        self._reason = reason_of(error)
        self._waiting_since = self._waiting_since or time.monotonic()
        self._log.warning("waiting", reason=error.code, facts={name: str(fact) for name, fact in error.facts.items()})

    def _follow(self, feed: Feed, backoff: Backoff) -> None:
        self._next, missing = self._begin(feed)
        writing = _Writing(feed, self._teller, self._next, self.tables if missing else ())
        with self._bus.reader(self._topic, self._next) as reader:
            while not self._stop.is_set():
                for record in reader.read(_MOST_RECORDS, _MOST_BYTES, 0.25):
                    writing.take(record)
                writing.commit()
                self._next, self._reason, self._waiting_since = writing.reached, None, None
                self._messages += writing.take_count()
                self._newest_ms = writing.newest_ms or self._newest_ms
                backoff.succeeded()

    def _begin(self, feed: Feed) -> tuple[int, bool]:
        """Where the feed goes on, and whether changes before that were not told: then it is with the oldest record."""
        info = self._bus.info(self._topic)
        first = info.first_offset if info is not None else 0
        if feed.place is not None and feed.place >= first:
            return feed.place, False
        if first:
            self._log.warning("changes are missing", told=feed.place, oldest=first)
        if first and feed.place is not None:  # that a new topic lacks what was before it surprises nobody
            self._gap_at = datetime.now(UTC)
        return first, first > 0


class _Writing:
    """Turns records into messages; what is committed ends where a transaction of the source ends."""

    def __init__(self, feed: Feed, teller: JsonEncoder, place: int, missing: Sequence[TableName]) -> None:
        """`missing`: tables of which changes before `place` were not told."""
        self._feed, self._teller, self._missing = feed, teller, missing
        self.place = self._read = place
        """Everything before it is committed."""
        self.newest_ms: int | None = None
        self._inside = False
        self._pending = self._count = 0
        self._noted = time.monotonic()

    def take(self, record: Record) -> None:
        frame = decode_frame(record.payload)
        if self._missing:
            self._tell_missing(frame, record.time)
        # Until then it is of a transaction whose beginning may be missing: the gap goes to its end.
        if not self._missing:
            self._take(frame, record.time)
        self._read = record.offset + 1

    def _take(self, frame: Frame, time: int) -> None:
        if isinstance(frame, ChangeFrame):
            if not frame.complete and not self._inside:
                self.commit()
            self._inside = not frame.complete
            self._send(self._teller.changes(frame))
        elif isinstance(frame, CaptureResumed):
            self._send(self._teller.gaps(frame, time))
        elif isinstance(frame, RollbackFrame) and self._inside:
            self._feed.rollback()
            self._inside, self._pending = False, 0

    def _tell_missing(self, frame: Frame, time: int) -> None:
        """Once it is known up to where changes may be missing."""
        until = _reached(frame)
        if until is not None:
            gaps = tuple(Gap(table, None, until) for table in self._missing)
            self._send(self._teller.gaps(CaptureResumed((), gaps), time))
            self._missing = ()

    def _send(self, messages: list[ExportMessage]) -> None:
        if messages:
            self._feed.send(messages)
            self._pending += len(messages)
            self.newest_ms = messages[-1].time

    def commit(self) -> None:
        """Make what was taken visible, unless a transaction is open."""
        if self._inside:
            return
        due = not self._missing and self._read != self.place and time.monotonic() - self._noted > _NOTE_SECONDS
        if self._pending or due:
            self._feed.commit(self._read)
            self._count, self._pending, self._noted = self._count + self._pending, 0, time.monotonic()
            self.place = self._read

    @property
    def reached(self) -> int:
        """Everything before it has been told."""
        return self.place if self._inside or self._pending or self._missing else self._read

    def take_count(self) -> int:
        """How many messages were committed since the last call."""
        count, self._count = self._count, 0
        return count


def _reached(frame: Frame) -> Position | None:
    """Up to where the log is told with this frame; None: it ends within a transaction, or tells no changes."""
    if isinstance(frame, HeartbeatFrame):
        return frame.position
    return frame.last_position if isinstance(frame, ChangeFrame) and frame.complete else None
