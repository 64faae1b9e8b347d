"""The server process of a connection; see connectors.liveness."""

import contextlib
from collections.abc import Callable
from typing import Protocol

from zcbus.connectors.postgresql.connection.failures import ConnectionLost, ServerError

_SERVER_ENDS = "57P"
"""The server itself ends or starts: no process of before is at work."""


class QuerySession(Protocol):
    """A connection that questions are put to: WireConnection."""

    def query(self, sql: str) -> list[tuple[str | None, ...]]: ...
    def close(self) -> None: ...


class PostgreSQLProcess:
    """See connectors.liveness.ServerProcess."""

    def __init__(self, connect: Callable[[], QuerySession], process_id: int) -> None:
        """`connect` opens a session with short time-outs."""
        self._connect, self._process_id = connect, process_id

    def is_at_work(self) -> bool:
        try:
            return self._query(_AT_WORK) == [("t",)]
        except ConnectionLost:
            return False
        except ServerError as refusal:
            return not refusal.sqlstate.startswith(_SERVER_ENDS)

    def end(self) -> None:
        with contextlib.suppress(ConnectionLost, ServerError):
            self._query(_END)

    def _query(self, statement: str) -> list[tuple[str | None, ...]]:
        connection = self._connect()
        try:
            return connection.query(statement.format(process=self._process_id))
        finally:
            connection.close()


# Names of the wait events: https://www.postgresql.org/docs/current/monitoring-stats.html
_OURS = "pg_catalog.pg_stat_activity WHERE pid = {process} AND usename = current_user AND application_name = 'zcbus'"
_AT_WORK = (
    "SELECT NOT (coalesce(wait_event, '') LIKE 'WalSender%' OR coalesce(wait_event, '') IN "
    f"('ClientRead', 'ClientWrite')) FROM {_OURS}"
)
_END = f"SELECT pg_catalog.pg_terminate_backend(pid) FROM {_OURS}"
