"""The log that a slot has not delivered yet, and the ranges of it worth reading in bulk."""

import time
from dataclasses import dataclass

from zcbus.connectors.postgresql.capture.lsn import format_lsn
from zcbus.connectors.postgresql.connection.session import Connection

BULK_BYTES = 64 << 20
"""With so much log to read, waiting for the server to decode it in bulk pays."""
MIN_BYTES = 4 << 20
"""Bulk reading continues while at least this much log is left."""
LOG_RANGE_BYTES = 32 << 20
"""Size of a range. A range is delivered only when it is decoded completely: short ones arrive soon and stay in
memory."""
DURABLE_BYTES = 64 << 20
"""The slot is moved in steps of so much: the server reads that log once more for it."""
_MAX_BYTES = 1 << 30
"""At most this much log is read a second time for one range."""
_LEAVE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class LogRange:
    """Log to be fetched in bulk."""

    behind: int
    end: int


def backlog_bytes(connection: Connection, behind: int) -> int:
    """Bytes of log after a position."""
    return max(log_end(connection) - behind, 0)


def log_end(connection: Connection) -> int:
    """The end of the server's log."""
    row = connection.execute(f"SELECT {END}").fetchone()
    assert row is not None
    return int(row[0])


def wait_until_free(connection: Connection, slot: str) -> None:
    """A connection that was closed a moment ago may still hold the slot. Gives up after two seconds: it is read by
    another then, or by a session that is dead."""
    deadline = time.monotonic() + _LEAVE_SECONDS
    while time.monotonic() < deadline:
        row = connection.execute(_FIGURES, [slot]).fetchone()
        if row is None or not row[0]:
            return
        time.sleep(0.01)


def next_log_range(connection: Connection, slot: str, behind: int, least: int) -> LogRange | None:
    """The next range to read in bulk by this slot, after `behind` or after the slot's confirmed position if that is
    later.

    None: less than `least` is left, or streaming is better.

    The server reads its log from the slot's restart_lsn. If an old transaction holds that back, ranges grow with the
    distance: skipping log costs a fifth of decoding it.
    """
    figures = connection.execute(_FIGURES, [slot]).fetchone()
    if figures is None:
        return None
    _, confirmed_flush, restart, end = figures
    behind = max(behind, confirmed_flush)
    again = behind - restart
    if end - behind < least or again > _MAX_BYTES:
        return None
    stop = behind + max(LOG_RANGE_BYTES, again // 2)
    return LogRange(behind, stop if end - stop >= MIN_BYTES else end)


def move_slot(connection: Connection, slot: str, durable: int) -> None:
    """Advance the slot so that the server can remove log, if no session reads the slot and it is worth while."""
    figures = connection.execute(_FIGURES, [slot]).fetchone()
    if figures is not None and not figures[0] and durable - figures[1] >= DURABLE_BYTES:
        connection.execute(_ADVANCE, [slot, format_lsn(durable)])


END = """
       pg_catalog.pg_wal_lsn_diff(
           CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn()
                ELSE pg_catalog.pg_current_wal_flush_lsn() END, '0/0')::int8
"""
_FIGURES = f"""
SELECT active,
       pg_catalog.pg_wal_lsn_diff(confirmed_flush_lsn, '0/0')::int8,
       pg_catalog.pg_wal_lsn_diff(restart_lsn, '0/0')::int8,
       {END}
  FROM pg_catalog.pg_replication_slots WHERE slot_name = %s
"""
_ADVANCE = "SELECT pg_catalog.pg_replication_slot_advance(%s, %s)"
