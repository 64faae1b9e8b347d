"""Ordinary sessions, with the settings for unambiguous texts of values."""

import select
import time
from collections.abc import Generator
from typing import Any, TypeVar

import psycopg

from zcbus.connectors import liveness
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.connection.answer_limit import AnswerLimit
from zcbus.connectors.postgresql.connection.errors import translate, why_no_connection
from zcbus.connectors.postgresql.connection.failures import ConnectionLost
from zcbus.connectors.postgresql.connection.liveness import PostgreSQLProcess
from zcbus.connectors.postgresql.connection.login import SESSION_SETTINGS, startup_options
from zcbus.connectors.postgresql.connection.wire import server_process
from zcbus.connectors.roles import Side
from zcbus.kit import keepalive
from zcbus.kit.network import addresses, require_target
from zcbus.kit.network.relay import Relay, tunnel_to

T = TypeVar("T")
Connection = psycopg.Connection[tuple[Any, ...]]


def connect(
    options: ConnectionOptions,
    side: Side,
    *,
    autocommit: bool = True,
    timeout: int = 10,
    usual_names: bool = False,
) -> "WatchedConnection":
    """A new session. `usual_names`: tables are found as the user's own statements find them. Raises SourceUnavailable,
    TargetUnavailable or AccessDenied."""
    settings = dict(SESSION_SETTINGS)
    if usual_names or side == "target":
        # Triggers of the target's owner may count on the usual search path; our own statements qualify every name.
        del settings["search_path"]
    if side == "target":
        settings["lock_timeout"] = f"{options.lock_wait}s"
    try:
        allowed, port, tunnel = _places(options)
    except (OSError, UnicodeError) as error:
        raise translate(ConnectionLost(str(error)), options, side) from error
    try:
        connection = WatchedConnection.connect(
            host=",".join([options.host] * len(allowed)),
            hostaddr=",".join(allowed),
            port=port,
            user=options.user,
            password=options.password,
            dbname=options.database,
            sslmode=options.tls,
            sslrootcert="system" if options.tls == "verify-full" else None,
            connect_timeout=timeout,
            client_encoding="UTF8",
            application_name="zcbus",
            options=startup_options(settings),
            keepalives_idle=keepalive.IDLE_SECONDS,
            keepalives_interval=keepalive.INTERVAL_SECONDS,
            keepalives_count=keepalive.PROBES,
            tcp_user_timeout=keepalive.UNANSWERED_MILLISECONDS,
            autocommit=autocommit,
        )
    except psycopg.Error as error:
        raise why_no_connection(options, side, error) from error
    connection.tunnel = tunnel
    connection.process = server_process(options, connection.info.backend_pid)
    return connection


def _places(options: ConnectionOptions) -> tuple[list[str], int, Relay | None]:
    """Where the library connects to: addresses, port, and what must be kept as long as it is connected.

    It resolves no name, and checks certificates against the server's name. By a route it connects to this host. Raises
    OSError, UnicodeError.
    """
    way = options.way
    if way is None:
        return addresses(options.host, options.port), options.port, None
    require_target(way, options.host)
    tunnel = tunnel_to(options.host, options.port, way)
    return [tunnel.host], tunnel.port, tunnel


class WatchedConnection(psycopg.Connection[tuple[Any, ...]]):
    """Checks whether the server works on a statement that gets no response for long; see connectors.liveness."""

    process: PostgreSQLProcess | None = None
    limit: AnswerLimit | None = None
    tunnel: Relay | None = None

    def limit_rows(self, most: int) -> None:
        """End the connection over which one row of more than `most` bytes arrives; see `begin_row`."""
        self.limit = AnswerLimit(self.fileno(), most)

    def begin_row(self) -> None:
        """Bytes from here on belong to the next row."""
        if self.limit is not None:
            self.limit.begin_row()

    def close(self) -> None:
        if self.limit is not None:
            self.limit.close()
        super().close()

    def wait(self, gen: Generator[Any, Any, T], interval: float = 0.1, timeout: float | None = None) -> T:
        return super().wait(self._watched(gen), interval, timeout)

    def _watched(self, gen: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        """The driver's generator yields the readiness it waits for, and receives the result; 0: nothing yet."""
        moved = time.monotonic()
        try:
            awaited = next(gen)
            while True:
                ready = yield awaited
                if ready or time.monotonic() - moved >= liveness.LIVENESS_SECONDS:
                    if not ready:
                        self._judge(select.POLLIN | (select.POLLOUT if awaited & psycopg.waiting.Wait.W else 0))
                    moved = time.monotonic()
                awaited = gen.send(ready)
        except StopIteration as end:
            result: T = end.value
            return result

    def _judge(self, events: int) -> None:
        if self.process is None:
            return
        descriptor = self.fileno()
        try:
            liveness.check(self.process, lambda seconds: liveness.becomes_ready(descriptor, events, seconds))
        except liveness.ConnectionDead as error:
            self.pgconn.finish()
            raise psycopg.OperationalError(str(error)) from error
