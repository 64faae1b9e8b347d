"""Bulk reading of a slot's changes while the backlog is large.

The walsender hands each message of a stream to the network by itself, and that limits its speed. A function call by SQL
decodes a range of log and returns one COPY, but returns nothing before the range is decoded. So two sessions take
turns: while the range of one is read, the range of the other is decoded. Each has a temporary copy of the slot that
ends with its session; the slot itself does not move.
"""

from collections import deque
from collections.abc import Callable

import numpy as np

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.capture import backlog
from zcbus.connectors.postgresql.capture.backlog import LogRange
from zcbus.connectors.postgresql.capture.feeds import RECEIVE_BYTES, Arrival, Piece, only_marks, plugin_options
from zcbus.connectors.postgresql.capture.lsn import format_lsn
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.failures import ServerError
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.connectors.postgresql.pgoutput.columns import copy_row_starts
from zcbus.connectors.postgresql.pgoutput.framing import Messages

NOT_ALLOWED = frozenset({"42501", "53300", "53400", "0A000"})
"""Errors that rule out bulk decoding: no further session or slot, decoding not permitted, or too many temporary
files."""
_SESSIONS = 2
_WORK_MEMORY = "64MB"
"""Decoded data that the server keeps in memory before it uses a temporary file."""
_COPY_HEADER = 4  # the value's length

Plan = Callable[[str, int, int], LogRange | None]
"""As backlog.next_log_range: slot, position to read after, least bytes."""


class BulkFeed:
    """The transactions after a position, until the backlog is small. Acknowledges nothing."""

    def __init__(self, options: ConnectionOptions, slot: str, first: LogRange, plan: Plan, marks: bool) -> None:
        """`marks` as of LiveFeed. Blocks for some round trips, not for decoding."""
        self._options, self._slot, self._plan = options, slot, plan
        self._plugin = ", ".join(f"'{name}', {value}" for name, value in plugin_options(slot, marks))
        self._planned = first.end
        self._at_work: deque[_Session] = deque()
        self._add_session(first)
        try:
            self._add_more_sessions()
        except BaseException:
            self.close()
            raise

    @property
    def done(self) -> bool:
        """Whether everything has arrived."""
        return not self._at_work

    def check_liveness(self) -> None:
        """See WireConnection."""
        if self._at_work:
            self._at_work[0].wire.check_liveness()

    def receive(self, timeout: float) -> Arrival | None:
        """As LiveFeed.receive. The last arrival of a range has a position."""
        session = self._at_work[0]
        messages = session.wire.receive(timeout, RECEIVE_BYTES)
        if messages is None:
            return self._finish(session)
        return Arrival(only_marks(_piece(messages)), None) if len(messages.starts) else None

    def close(self) -> None:
        """Make the server stop decoding."""
        for session in self._at_work:
            session.wire.end_process()
            session.wire.close()
        self._at_work.clear()

    def _finish(self, session: "_Session") -> Arrival:
        self._at_work.popleft()
        end = session.log_range.end
        log_range = self._plan(session.slot, self._planned, backlog.MIN_BYTES)
        if log_range is None:
            session.wire.close()
        else:
            session.decode(log_range, self._plugin)
            self._planned = log_range.end
            self._at_work.append(session)
        return Arrival(Piece(b"", np.empty(0, np.int64), 0), end)

    def _add_more_sessions(self) -> None:
        while len(self._at_work) < _SESSIONS:
            log_range = self._plan(self._slot, self._planned, backlog.MIN_BYTES)
            if log_range is None:
                return
            try:
                self._add_session(log_range)
            except ServerError as error:
                if error.sqlstate not in NOT_ALLOWED:
                    raise
                return  # one does it, too
            self._planned = log_range.end

    def _add_session(self, log_range: LogRange) -> None:
        self._at_work.append(_Session(self._options, self._slot, log_range, self._plugin))


class _Session:
    """Decodes one range after the other, with a slot of its own."""

    def __init__(self, options: ConnectionOptions, slot: str, log_range: LogRange, plugin: str) -> None:
        self.wire = WireConnection(options, replication=False)
        self.slot = f"zcbus_bulk_{self.wire.process_id}"
        try:
            self.wire.query(f"SET work_mem = '{_WORK_MEMORY}'")
            copy = "pg_catalog.pg_copy_logical_replication_slot"
            self.wire.query(f"SELECT {copy}({quote.literal(slot)}, {quote.literal(self.slot)}, true)")
            self.decode(log_range, plugin)
        except BaseException:
            self.wire.close()
            raise

    def decode(self, log_range: LogRange, plugin: str) -> None:
        """Start decoding a range, without waiting."""
        self.log_range = log_range
        slot = quote.literal(self.slot)
        behind, end = quote.literal(format_lsn(log_range.behind)), quote.literal(format_lsn(log_range.end))
        source = "pg_catalog.pg_logical_slot_get_binary_changes"
        self.wire.begin_copy(
            f"SELECT pg_catalog.pg_replication_slot_advance(slot_name, {behind}) FROM pg_catalog.pg_replication_slots"
            f" WHERE slot_name = {slot} AND confirmed_flush_lsn < {behind};"
            f"COPY (SELECT data FROM {source}({slot}, {end}, NULL, {plugin})) TO STDOUT (FORMAT binary)"
        )


def _piece(messages: Messages) -> Piece:
    return Piece(messages.data, copy_row_starts(messages) + _COPY_HEADER, messages.end)
