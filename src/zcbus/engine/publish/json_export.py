"""JSON export of a publication: follows the real topic and writes JSON for other programs."""

import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from zcbus.bus.contract import Bus, ExportMessage, ExportWriter, OffsetExpired, Record, Retention
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

_MAX_RECORDS = 500
_MAX_BYTES = 8 << 20
_NOTE_SECONDS = 600.0
"""Interval of commits without messages: the cluster deletes old offsets."""
_FINISH_SECONDS = 60.0
"""Timeout of the export at the end of a capture, before the records are removed."""
_BLOCKED_SECONDS = 60.0
"""Pause after an error that a person must fix."""


class JsonExport:
    """Runs in its own thread until `stop`; its errors never stop the capture.

    If retention removed records before they were exported, it sends a gap message for each of `tables` and continues.
    """

    tables: Sequence[TableName] = ()
    """Tables of the publication. Replaced whenever the publication changes."""

    def __init__(self, bus: Bus, node: str, name: str, source: Connection, retention: Retention) -> None:
        self._bus, self._name, self._retention = bus, name, retention
        self._encoder = JsonEncoder(name, source.kind, options_of(source).title)
        self._topic = real_topic(node)
        self._stop = threading.Event()
        self._log = get_logger("json-export").bind(feed=name)
        self._reason: Reason | None = None
        self._waiting_since: float | None = None
        self._gap_at: datetime | None = None
        self._next = 0
        self._messages = 0
        self._newest_ms: int | None = None
        self._thread = threading.Thread(target=self._run, name="json-export", daemon=True)

    @property
    def name(self) -> str:
        return self._name

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def finish(self, end: int, stop: threading.Event) -> bool:
        """Wait until all records before an offset are exported; false: stopped, or not in time."""
        deadline = time.monotonic() + _FINISH_SECONDS
        while self._next < end and not stop.is_set() and time.monotonic() < deadline:
            stop.wait(0.02)
        return self._next >= end

    def close(self) -> None:
        """Stop and wait."""
        self._stop.set()
        self._thread.join()

    def report(self) -> FeedReport:
        """Current state."""
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
                with self._bus.export_writer(self._name, self._topic, self._retention) as writer:
                    self._follow(writer, backoff)
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

    def _follow(self, writer: ExportWriter, backoff: Backoff) -> None:
        self._next, missing = self._begin(writer)
        export = _OpenExport(writer, self._encoder, self._next, self.tables if missing else ())
        with self._bus.reader(self._topic, self._next) as reader:
            while not self._stop.is_set():
                for record in reader.read(_MAX_RECORDS, _MAX_BYTES, 0.25):
                    export.take(record)
                export.commit()
                self._next, self._reason, self._waiting_since = export.reached, None, None
                self._messages += export.take_count()
                self._newest_ms = export.newest_ms or self._newest_ms
                backoff.succeeded()

    def _begin(self, writer: ExportWriter) -> tuple[int, bool]:
        """First offset to export, and whether earlier changes are missing: then it is the oldest record."""
        info = self._bus.info(self._topic)
        first = info.first_offset if info is not None else 0
        exported = writer.source_offset
        if exported is not None and exported >= first:
            return exported, False
        if first:
            self._log.warning("changes are missing", exported=exported, oldest=first)
        if first and exported is not None:  # Missing changes before a new export are no gap.
            self._gap_at = datetime.now(UTC)
        return first, first > 0


class _OpenExport:
    """Converts records to messages; commits only at the end of a source transaction."""

    def __init__(self, writer: ExportWriter, encoder: JsonEncoder, offset: int, missing: Sequence[TableName]) -> None:
        """`missing`: tables whose changes before `offset` were not exported."""
        self._writer, self._encoder, self._missing = writer, encoder, missing
        self.committed = self._read = offset
        """All records before this offset are committed."""
        self.newest_ms: int | None = None
        self._in_transaction = False
        self._pending = self._count = 0
        self._noted = time.monotonic()

    def take(self, record: Record) -> None:
        frame = decode_frame(record.payload)
        if self._missing:
            self._report_missing(frame, record.time)
        # Until then the record may belong to a transaction without its start: the gap includes it.
        if not self._missing:
            self._take(frame, record.time)
        self._read = record.offset + 1

    def _take(self, frame: Frame, time: int) -> None:
        if isinstance(frame, ChangeFrame):
            if not frame.complete and not self._in_transaction:
                self.commit()
            self._in_transaction = not frame.complete
            self._send(self._encoder.changes(frame))
        elif isinstance(frame, CaptureResumed):
            self._send(self._encoder.gaps(frame, time))
        elif isinstance(frame, RollbackFrame) and self._in_transaction:
            self._writer.rollback()
            self._in_transaction, self._pending = False, 0

    def _report_missing(self, frame: Frame, time: int) -> None:
        """Send gap messages, once the end of the gap is known."""
        until = _reached(frame)
        if until is not None:
            gaps = tuple(Gap(table, None, until) for table in self._missing)
            self._send(self._encoder.gaps(CaptureResumed((), gaps), time))
            self._missing = ()

    def _send(self, messages: list[ExportMessage]) -> None:
        if messages:
            self._writer.send(messages)
            self._pending += len(messages)
            self.newest_ms = messages[-1].time

    def commit(self) -> None:
        """Commit the messages, unless a transaction is open."""
        if self._in_transaction:
            return
        due = not self._missing and self._read != self.committed and time.monotonic() - self._noted > _NOTE_SECONDS
        if self._pending or due:
            self._writer.commit(self._read)
            self._count, self._pending, self._noted = self._count + self._pending, 0, time.monotonic()
            self.committed = self._read

    @property
    def reached(self) -> int:
        """All records before this offset are exported."""
        return self.committed if self._in_transaction or self._pending or self._missing else self._read

    def take_count(self) -> int:
        """Number of messages committed since the last call."""
        count, self._count = self._count, 0
        return count


def _reached(frame: Frame) -> Position | None:
    """Position that this frame completes; None: it ends inside a transaction, or has no changes."""
    if isinstance(frame, HeartbeatFrame):
        return frame.position
    return frame.last_position if isinstance(frame, ChangeFrame) and frame.complete else None
