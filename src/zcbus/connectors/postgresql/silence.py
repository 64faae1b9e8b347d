"""A server that says nothing: is it still at work for us, or is the connection dead without anybody being told?"""

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.session import connect

SILENT_SECONDS = 20.0
"""A server with nothing to do answers within a round trip."""


def is_at_work(options: ConnectionOptions, process_id: int) -> bool:
    """Asked on a new connection: whether the server process decodes. One that waits to hear from us, or for us to
    take what it sends, has a dead connection, because we do listen and have asked; it is ended, so that it holds the
    slot no longer. Raises SourceUnavailable."""
    with connect(options, "source") as connection:
        row = connection.execute(_END_UNLESS_AT_WORK, [process_id]).fetchone()
    return row is not None and bool(row[0])


# Names of the wait events: https://www.postgresql.org/docs/current/monitoring-stats.html
_END_UNLESS_AT_WORK = """
WITH process AS (
    SELECT pid, NOT (coalesce(wait_event, '') LIKE 'WalSender%%'
                     OR coalesce(wait_event, '') IN ('ClientRead', 'ClientWrite')) AS at_work
      FROM pg_catalog.pg_stat_activity WHERE pid = %s AND usename = current_user AND application_name = 'zcbus'
)
SELECT at_work, CASE WHEN NOT at_work THEN pg_catalog.pg_terminate_backend(pid) END FROM process
"""
