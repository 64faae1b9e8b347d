"""Release of a slot that is still held by the session of a dead reader.

The server notices a dead reader after `wal_sender_timeout`, usually a minute. The next reader need not wait for that: a
live reader sends feedback five times a second (see LiveFeed), and a session without feedback for seconds is ended.
"""

import contextlib
import time

import psycopg

from zcbus.connectors.postgresql.connection.session import Connection

IN_USE = "55006"
_FEEDBACK_TIMEOUT_SECONDS = 3.0
_PAUSE_SECONDS = 0.2
# https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-PG-STAT-REPLICATION-VIEW
# The time of a reply comes from the replier's clock: it only shows whether there was another reply.
_HOLDER = """
SELECT r.pid, r.reply_time::text
  FROM pg_catalog.pg_replication_slots s JOIN pg_catalog.pg_stat_replication r ON r.pid = s.active_pid
 WHERE s.slot_name = %s
"""


def end_dead_holder(connection: Connection, slot: str) -> None:
    """Watch the holder of the slot, and end its session if it sends no feedback meanwhile.

    Takes three seconds at most; the slot is free soon after. A session that this user may not end stays. Raises the
    driver's error if the connection is lost.
    """
    first = holder = connection.execute(_HOLDER, [slot]).fetchone()
    deadline = time.monotonic() + _FEEDBACK_TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        if holder is None or holder != first:
            return
        time.sleep(_PAUSE_SECONDS)
        holder = connection.execute(_HOLDER, [slot]).fetchone()
    if holder is not None and holder == first:
        with contextlib.suppress(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT pg_catalog.pg_terminate_backend(%s)", [holder[0]])
