"""A slot's changes as frames; see roles.ChangeStream."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import psycopg

from zcbus.connectors.errors import LogPositionLost, SourceUnavailable, TableRefused
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.capture import backlog, stale_slot
from zcbus.connectors.postgresql.capture.backlog import (
    LogRange,
    backlog_bytes,
    move_slot,
    next_log_range,
    wait_until_free,
)
from zcbus.connectors.postgresql.capture.bulk import NOT_ALLOWED as BULK_NOT_ALLOWED
from zcbus.connectors.postgresql.capture.bulk import BulkFeed
from zcbus.connectors.postgresql.capture.commit_order import CommitOrder
from zcbus.connectors.postgresql.capture.composites import CompositeWatch
from zcbus.connectors.postgresql.capture.feeds import LiveFeed, Piece, joined
from zcbus.connectors.postgresql.capture.identity_watch import IdentityWatch
from zcbus.connectors.postgresql.capture.labels import LabelWatch
from zcbus.connectors.postgresql.capture.lsn import format_lsn
from zcbus.connectors.postgresql.capture.partitions import PartitionWatch
from zcbus.connectors.postgresql.capture.publication_watch import PublicationWatch
from zcbus.connectors.postgresql.capture.schema_tracker import SchemaTracker
from zcbus.connectors.postgresql.capture.table_watch import TableWatch
from zcbus.connectors.postgresql.connection.errors import translate
from zcbus.connectors.postgresql.connection.failures import ConnectionLost, ServerError
from zcbus.connectors.postgresql.connection.session import Connection, connect
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.connectors.postgresql.origin import FIRST_VERSION as FIRST_WITH_MARKS
from zcbus.connectors.postgresql.origin import read_mark
from zcbus.connectors.postgresql.pgoutput.columns import Buffer
from zcbus.connectors.postgresql.pgoutput.decoder import Decoder
from zcbus.connectors.postgresql.pgoutput.rows import KeyNotLogged
from zcbus.connectors.roles import CapturedTable, SchemaHistory
from zcbus.kit.clock import now_ms
from zcbus.kit.errors import ZcbusError
from zcbus.model.changes import ChangeFrame, HeartbeatFrame
from zcbus.model.position import Position

T = TypeVar("T")

_OPEN_BYTES = 4 << 20
"""Bytes of an unfinished transaction that are kept before it is passed on incomplete."""
_LARGE_BYTES = 16 << 20
_RECEIPTS = 8
"""Most receipts of available data that are returned together."""
_HEARTBEAT_SECONDS = 1.0
_CHECK_SECONDS = 5.0
"""Interval of the backlog check while changes arrive without a pause."""
_SLOT_LOST = frozenset({"42704", "58P01", "55000"})
"""Slot or publication missing, log segment removed, slot invalidated."""
_commit_type = ord("C")


class PostgreSQLChangeStream:
    """Reads one slot: in bulk while the backlog is large, else as a stream.

    The server learns only from `acknowledge` what is durable, and retains the log before that.
    """

    def __init__(
        self,
        options: ConnectionOptions,
        name: str,
        tables: Sequence[CapturedTable],
        after: Position | None,
        history: SchemaHistory | None = None,
    ) -> None:
        """Raises SourceUnavailable, AccessDenied, LogPositionLost, TableRefused."""
        self._options, self._name, self._after = options, name, after
        self._catalog_session: Connection | None = None
        self._pending: list[Piece] = []
        self._behind = self._received = after.offset if after else 0
        self._handed = self._acknowledged = self._handed_at_check = 0
        self._requested_at: float | None = None
        self._bulk_refused = False
        self._last_frame = self._last_check = time.monotonic()
        self._wire = self._guarded(lambda: WireConnection(options, replication=True))
        try:
            self._order = CommitOrder(self._catalog, name)
            self._guarded(self._order.observe)
            self._schemas = self._guarded(
                lambda: SchemaTracker(self._catalog, tables, self._behind, history, self._order)
            )
            self._partitions = self._guarded(lambda: PartitionWatch(self._catalog(), self._schemas.oids, history))
            self._decoder = Decoder(self._schemas.resolve, self._truncated, self._partitions.logged, read_mark)
            self._guarded(lambda: wait_until_free(self._catalog(), name))
            self._table_watch = self._guarded(lambda: self._watch_tables(tables, history))
            self._feed = self._guarded(self._next_feed)
        except BaseException:
            self._close()
            raise

    def read(self, timeout: float) -> Sequence[ChangeFrame | HeartbeatFrame]:
        self._guarded(self._check_tables)
        deadline = time.monotonic() + timeout
        while True:
            frames = self._guarded(lambda: self._receive(deadline))
            if frames:
                frames += self._guarded(self._more)
                self._last_frame = time.monotonic()
                return frames
            if time.monotonic() >= deadline:
                return []

    def acknowledge(self, position: Position) -> None:
        if position.offset <= self._acknowledged:
            return
        self._acknowledged = position.offset
        self._schemas.acknowledge(position.offset)
        if isinstance(self._feed, LiveFeed) and self._feed.feedback_is_due:
            self._guarded(self._send_feedback)

    def __enter__(self) -> "PostgreSQLChangeStream":
        return self

    def __exit__(self, *details: object) -> None:
        # What is not acknowledged is sent again.
        with contextlib.suppress(ConnectionLost):
            self._send_feedback()
        if details[:1] != (None,):
            # The server might not know that the connection is dead, and hold the slot.
            self._wire.end_process()
        self._close_feed()
        self._close()

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (ServerError, ConnectionLost) as error:
            self._free_slot(error)
            raise self._translate(error) from error
        except psycopg.Error as error:
            self._free_slot(error)
            raise translate(error, self._options, "source") from error

    def _free_slot(self, error: ServerError | ConnectionLost | psycopg.Error) -> None:
        """Where a dead reader holds it, the next attempt shall find it free."""
        if not isinstance(error, ConnectionLost) and error.sqlstate == stale_slot.IN_USE:
            with contextlib.suppress(psycopg.OperationalError):
                stale_slot.end_dead_holder(self._catalog(), self._name)

    def _close(self) -> None:
        self._wire.close()
        if self._catalog_session is not None:
            self._catalog_session.close()

    def _close_feed(self) -> None:
        if isinstance(self._feed, BulkFeed):
            self._feed.close()

    def _next_feed(self) -> LiveFeed | BulkFeed:
        marks = self._catalog().info.server_version >= FIRST_WITH_MARKS
        log_range = None if self._bulk_refused else self._plan(self._name, self._behind, backlog.BULK_BYTES)
        if log_range is not None:
            try:
                return BulkFeed(self._options, self._name, log_range, self._plan, marks)
            except ServerError as error:
                self._refuse_bulk(error)
        return LiveFeed(self._wire, self._name, self._behind, marks)

    def _plan(self, slot: str, behind: int, least: int) -> LogRange | None:
        return next_log_range(self._catalog(), slot, behind, least)

    def _refuse_bulk(self, error: ServerError) -> None:
        if error.sqlstate not in BULK_NOT_ALLOWED:
            raise error
        self._bulk_refused = True

    def _receive(self, deadline: float) -> list[ChangeFrame | HeartbeatFrame]:
        if self._feed.done:
            self._feed = self._next_feed()
        elif isinstance(self._feed, LiveFeed) and time.monotonic() - self._last_check >= _CHECK_SECONDS:
            self._check_backlog()
        self._feed.check_liveness()
        if isinstance(self._feed, LiveFeed):
            return self._receive_live(self._feed, deadline)
        try:
            return self._receive_bulk(self._feed, deadline)
        except ServerError as error:
            self._refuse_bulk(error)
        self._begin_again()
        return []

    def _watch_tables(self, tables: Sequence[CapturedTable], history: SchemaHistory | None) -> TableWatch:
        catalog, oids = self._catalog(), self._schemas.oids
        others = (
            PublicationWatch(catalog, self._options.kind, self._name, oids, history),
            LabelWatch(catalog, oids, history),
            CompositeWatch(catalog, oids, history),
            IdentityWatch(catalog, self._name, tables),
        )
        return TableWatch(self._schemas, self._partitions, others)

    def _observe(self) -> None:
        """Record evidence for column identification. The stream itself notices a lost server."""
        try:
            self._order.observe()
        except (psycopg.OperationalError, SourceUnavailable):
            session, self._catalog_session = self._catalog_session, None
            if session is not None:
                session.close()

    def _check_tables(self) -> None:
        self._observe()
        if self._table_watch.is_due:
            self._table_watch.scan(self._catalog())
        self._table_watch.check(self._received)

    def _truncated(self, oid: int, transaction: int, final: int) -> None:
        self._partitions.truncated(oid, transaction)
        self._schemas.truncated(oid, transaction, final)

    def _more(self) -> list[ChangeFrame | HeartbeatFrame]:
        """Receive what is available, up to a size that is worth a write to disk."""
        frames: list[ChangeFrame | HeartbeatFrame] = []
        for _ in range(_RECEIPTS - 1):
            more = [] if self._feed.done else self._receive(time.monotonic())
            if not more:
                break
            frames += more
        return frames

    def _receive_live(self, feed: LiveFeed, deadline: float) -> list[ChangeFrame | HeartbeatFrame]:
        now = time.monotonic()
        if self._requested_at is None and self._until_heartbeat(now) <= 0:
            self._requested_at = now
            self._send_feedback(request_reply=True)
        arrival = feed.receive(max(0.0, min(deadline - now, self._until_heartbeat(now))))
        if arrival is None:
            return []
        position, reply_requested = arrival.position, arrival.reply_requested
        self._append(arrival.piece)
        del arrival  # it may be very large, and decoding makes copies
        frames: list[ChangeFrame | HeartbeatFrame] = list(self._decode())
        if position is not None:
            self._received = max(self._received, position)
            frames += self._heartbeat(reply_requested, bool(frames))
        if reply_requested or feed.feedback_is_due:
            self._send_feedback()
        return frames

    def _receive_bulk(self, feed: BulkFeed, deadline: float) -> list[ChangeFrame | HeartbeatFrame]:
        arrival = feed.receive(max(0.0, deadline - time.monotonic()))
        if arrival is None:
            return []
        position = arrival.position
        self._append(arrival.piece)
        del arrival
        if position is None:
            return list(self._decode())
        self._behind = self._received = max(self._behind, position)
        move_slot(self._catalog(), self._name, self._acknowledged)
        return [HeartbeatFrame(Position(0, self._behind), now_ms())]

    def _check_backlog(self) -> None:
        """Change to bulk reading if the stream has fallen behind.

        Received parts of incomplete transactions are dropped: the server sends them again.
        """
        if self._handed == self._handed_at_check:
            return  # nothing arrived
        if self._bulk_refused or self._decoder.is_inside_transaction:
            return
        self._last_check, self._handed_at_check = time.monotonic(), self._handed
        if backlog_bytes(self._catalog(), self._behind) >= backlog.BULK_BYTES:
            self._begin_again()

    def _begin_again(self) -> None:
        """Reconnect and read from after the last frame that was returned."""
        self._close_feed()
        self._wire.close()
        self._pending.clear()
        self._schemas.rewind(self._behind)
        self._requested_at = None
        self._wire = WireConnection(self._options, replication=True)
        wait_until_free(self._catalog(), self._name)
        self._feed = self._next_feed()

    def _heartbeat(self, reply_requested: bool, has_frames: bool) -> list[HeartbeatFrame]:
        """A heartbeat for a keepalive, which reports how far the server has read its log.

        Every captured change before that position came before the keepalive. A server that is shutting down waits for
        the acknowledgement of that position.
        """
        requested_at, self._requested_at = self._requested_at, None
        if (
            has_frames
            or not (requested_at is not None or reply_requested)
            or self._pending
            or self._decoder.is_inside_transaction
        ):
            return []
        answered_ms = round((time.monotonic() - requested_at) * 1000) if requested_at is not None else None
        return [HeartbeatFrame(Position(0, self._received), now_ms(), answered_ms)]

    def _append(self, piece: Piece) -> None:
        if len(piece.messages):
            self._pending.append(piece)

    def _decode(self) -> Iterator[ChangeFrame]:
        """Frames of complete transactions, or of one that has grown too large to wait for its end."""
        if not self._pending:
            return
        last = self._pending[-1]
        if last.end >= _LARGE_BYTES and len(self._pending) > 1:
            # Joined, a very large value would be in memory twice. Everything before it is a part of the same
            # transaction.
            before = joined(self._pending[:-1])
            self._pending = [last]
            yield from self._frames(before)
        commits = np.flatnonzero(np.frombuffer(last.data, np.uint8)[last.messages] == _commit_type)
        if len(commits):
            cut = int(commits[-1]) + 1
            rest = [last.tail(cut)] if cut < len(last.messages) else []
            self._pending[-1] = Piece(last.data, last.messages[:cut], last.end)
        elif sum(part.end for part in self._pending) >= _OPEN_BYTES:
            rest = []
        else:
            return
        del last
        joined_piece = joined(self._pending)
        self._pending = rest
        yield from self._frames(joined_piece)

    def _frames(self, joined_piece: Piece) -> Iterator[ChangeFrame]:
        try:
            for frame in self._decoder.frames(Buffer(joined_piece.data, joined_piece.end), joined_piece.messages):
                if frame.complete:
                    self._handed = frame.last_position.offset
                yield frame
        except KeyNotLogged as lost:
            reason = "key-not-in-replica-identity"
            raise TableRefused(table=str(lost.table), column=lost.column, reason=reason) from lost
        self._behind = max(self._behind, self._decoder.reached)
        self._received = max(self._received, self._decoder.reached)

    def _until_heartbeat(self, now: float) -> float:
        """Seconds until an idle source should be asked for its position."""
        return _HEARTBEAT_SECONDS if self._requested_at is not None else self._last_frame + _HEARTBEAT_SECONDS - now

    def _send_feedback(self, request_reply: bool = False) -> None:
        if isinstance(self._feed, LiveFeed):
            self._feed.send_feedback(self._received, self._acknowledged, request_reply)

    def _catalog(self) -> Connection:
        """An ordinary session in addition to the stream."""
        if self._catalog_session is None:
            self._catalog_session = connect(self._options, "source")
        return self._catalog_session

    def _translate(self, error: ServerError | ConnectionLost) -> ZcbusError:
        if isinstance(error, ServerError) and error.sqlstate in _SLOT_LOST:
            requested = format_lsn(self._after.offset) if self._after else ""
            return LogPositionLost(kind=self._options.kind, wanted=requested, oldest="", gap="", detail=str(error))
        return translate(error, self._options, "source")
