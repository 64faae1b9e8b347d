"""Registration of sessions by owner and number, as holders of advisory locks; see TargetSession.register."""

import contextlib
import hashlib
from collections.abc import Collection

import psycopg

from zcbus.connectors.postgresql.connection.session import Connection

_NUMBERS = 128
_WAIT = "5s"
# The columns of advisory locks of two keys: https://www.postgresql.org/docs/current/view-pg-locks.html
_END = """
SELECT pg_catalog.pg_terminate_backend(a.pid)
FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid AND a.usename = current_user
WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted AND a.pid <> pg_catalog.pg_backend_pid()
  AND a.datname = pg_catalog.current_database() AND a.datid = l.database
  AND l.classid::bigint = %s AND l.objid::bigint = ANY(%s)
"""


def register(connection: Connection, owner: str, number: int, dead: Collection[int]) -> None:
    """Raises the driver's error if the connection is lost."""
    first, second = _keys(owner)
    connection.execute(_END, [first, [second + one for one in {number, *dead}]])
    with contextlib.suppress(psycopg.errors.LockNotAvailable), connection.transaction():
        connection.execute("SELECT pg_catalog.set_config('lock_timeout', %s, true)", [_WAIT])
        connection.execute("SELECT pg_catalog.pg_advisory_lock(%s::int, %s::int)", [first, second + number])


def _keys(owner: str) -> tuple[int, int]:
    """Two positive numbers of 31 bits, the second with room for a session's number."""
    digest = hashlib.sha256(owner.encode()).digest()
    first, second = int.from_bytes(digest[:4]), int.from_bytes(digest[4:8])
    return first >> 1, (second >> 1) // _NUMBERS * _NUMBERS
