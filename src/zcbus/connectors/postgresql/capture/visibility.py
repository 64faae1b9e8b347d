"""Waiting for the effects of a committed transaction to become visible.

A transaction is in the log, and sent to its readers, before other sessions see its effects: always for an instant, and
longer if it waits for a synchronous standby. Until then the catalog lacks what the transaction altered.
"""

import time

from zcbus.connectors.errors import SourceUnavailable
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.postgresql.transaction_ids import BITS, is_newer

_TIMEOUT_SECONDS = 10.0
_PAUSE, _MAX_PAUSE = 0.001, 0.2


def wait_until_visible(connection: Connection, transaction: int) -> None:
    """Block until others see a transaction, by the 32 bits of its id, that the log has as committed. Raises
    SourceUnavailable after ten seconds: the server waits for something itself."""
    deadline, pause = time.monotonic() + _TIMEOUT_SECONDS, _PAUSE
    while not _is_visible(connection, transaction):
        if time.monotonic() > deadline:
            address = f"{connection.info.host}:{connection.info.port}"
            detail = f"transaction {transaction} is in the log, but the server has not made it visible yet"
            raise SourceUnavailable(kind="postgresql", address=address, detail=detail)
        time.sleep(pause)
        pause = min(2 * pause, _MAX_PAUSE)


def _is_visible(connection: Connection, transaction: int) -> bool:
    rows = connection.execute(_SNAPSHOT).fetchall()
    return is_newer(rows[0][0], transaction) and all((running or 0) & BITS != transaction for _, running in rows)


_SNAPSHOT = """
SELECT pg_catalog.txid_snapshot_xmax(now.snapshot), running.id
  FROM (SELECT pg_catalog.txid_current_snapshot() AS snapshot) now
  LEFT JOIN LATERAL pg_catalog.txid_snapshot_xip(now.snapshot) AS running(id) ON true
"""
