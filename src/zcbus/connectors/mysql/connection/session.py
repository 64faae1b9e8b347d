"""Connections with all settings that make values unambiguous: UTC, UTF-8, strict, zero dates allowed."""

import io
import re
import select
import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pymysql
from pymysql.connections import Connection
from pymysql.constants import CLIENT, CR
from pymysql.protocol import MysqlPacket

from zcbus.connectors import liveness
from zcbus.connectors.mysql.connection.errors import translated
from zcbus.connectors.mysql.connection.liveness import MySQLProcess
from zcbus.connectors.mysql.variant import variant_of
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.queries import AnswerTooLarge
from zcbus.connectors.roles import Side
from zcbus.kit.keepalive import enable_keepalive
from zcbus.kit.network import Route, dial

SQL_MODE = "STRICT_ALL_TABLES,ALLOW_INVALID_DATES,NO_AUTO_VALUE_ON_ZERO,NO_ENGINE_SUBSTITUTION"
"""Values that do not fit are errors; zero and partial dates and zero ids pass unchanged."""

_SETTINGS = (
    f"SET SESSION sql_mode='{SQL_MODE}', time_zone='+00:00', wait_timeout=28800, net_read_timeout=600, "
    "net_write_timeout=28800, lock_wait_timeout=60, group_concat_max_len=16777216"
)
_UNLIMITED = {True: "SET SESSION max_statement_time=0", False: "SET SESSION max_execution_time=0"}
# MySQL 8 shows statistics up to a day old otherwise.
_CURRENT_STATISTICS = "SET SESSION information_schema_stats_expiry=0"
_CONNECT_SECONDS = 10
_FILE_REFUSED = 2068
"""CR_LOAD_DATA_LOCAL_INFILE_REJECTED of the C library."""


@dataclass(frozen=True, slots=True)
class ServerVersion:
    """Which server answers."""

    mariadb: bool
    number: tuple[int, int, int]
    text: str

    def at_least(self, mariadb: tuple[int, ...], mysql: tuple[int, ...]) -> bool:
        """Whether it is at least that version of its own family."""
        return self.number >= (mariadb if self.mariadb else mysql)

    @property
    def has_dictionary(self) -> bool:
        """Whether the catalog is in transactional tables; else it is read from the tables' files."""
        return not self.mariadb and self.number >= (8, 0, 0)

    @classmethod
    def parse(cls, text: str) -> "ServerVersion":
        """Parse the result of `SELECT VERSION()`, such as `10.11.6-MariaDB-log` or `8.0.36`."""
        # MariaDB's greeting puts 5.5.5- in front, so that replicas of other kinds accept it.
        text = text.removeprefix("5.5.5-")
        mariadb = "mariadb" in text.lower()
        digits = re.search(r"(\d+)\.(\d+)\.(\d+)", text)
        number = tuple(int(part) for part in digits.groups()) if digits else (0, 0, 0)
        return cls(mariadb, (number[0], number[1], number[2]), text)


class Session:
    """One connection. Context manager. All errors are raised as connector errors.

    Autocommit is on unless a statement begins a transaction.
    """

    def __init__(self, options: ConnectionOptions, side: Side, *, timeout: float | None = None) -> None:
        """Connect. Raises SourceUnavailable, TargetUnavailable, AccessDenied.

        `timeout` limits every wait for a response; None: after a while without data the server is asked whether it
        works on this session.
        """
        self.options = options
        self.side: Side = side
        with translated(options, side):
            self.driver = _connect(options, timeout)
            if timeout is None:
                self.driver.process = MySQLProcess(self._connect_observer, self.driver.thread_id())
            self.version = ServerVersion.parse(self._version_text())
            if variant_of(options).settings:
                self._set_up()
            for statement in variant_of(options).session:
                self._query_if_known(statement)  # the connection test says that it is another product

    def _set_up(self) -> None:
        self._query(_SETTINGS)
        self._query_if_known(_UNLIMITED[self.version.mariadb])
        if not self.version.mariadb:
            self._query_if_known(_CURRENT_STATISTICS)

    def execute(self, sql: str, params: Sequence[object] = (), table: str = "") -> int:
        """Run one statement; returns the number of rows it changed."""
        with translated(self.options, self.side, table), self.driver.cursor() as cursor:
            return int(cursor.execute(sql, tuple(params) or None))

    def execute_warned(self, sql: str, table: str = "") -> int:
        """Run one statement; returns the number of warnings, for SHOW WARNINGS."""
        with translated(self.options, self.side, table), self.driver.cursor() as cursor:
            cursor.execute(sql)
            return int(cursor.warning_count)

    def ping(self) -> None:
        """Get a response from the server, independent of locks."""
        with translated(self.options, self.side):
            self.driver.ping(reconnect=False)

    def rows(self, sql: str, params: Sequence[object] = (), table: str = "") -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with translated(self.options, self.side, table), self.driver.cursor() as cursor:
            cursor.execute(sql, tuple(params) or None)
            return list(cursor.fetchall())

    def named_rows(self, sql: str, params: Sequence[object] = ()) -> list[dict[str, Any]]:
        """All rows with their column names in lower case (some servers change the case)."""
        with translated(self.options, self.side), self.driver.cursor() as cursor:
            cursor.execute(sql, tuple(params) or None)
            names = [str(column[0]).lower() for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def variable(self, name: str) -> str:
        """A global variable's value; empty where the server has none of that name."""
        found = self.rows("SHOW GLOBAL VARIABLES WHERE variable_name = %s", [name])
        return str(found[0][1]) if found else ""

    def end_process(self) -> None:
        """Stop the server's work for this session, which is unusable afterwards. Never raises."""
        if self.driver.process is not None:
            self.driver.process.end()

    def _connect_observer(self) -> "Session":
        return Session(self.options, self.side, timeout=liveness.PROBE_SECONDS)

    def close(self) -> None:
        """Close; never raises. Idempotent."""
        try:
            self.driver.close()
        except (pymysql.err.MySQLError, OSError):
            return

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _version_text(self) -> str:
        """Greetings of proxies and of some products name another server."""
        variant = variant_of(self.options)
        if not variant.product:
            return str(self.driver.get_server_info())
        with self.driver.cursor() as cursor:
            cursor.execute(variant.version)
            return str(cursor.fetchone()[0])

    def _query(self, sql: str) -> None:
        with self.driver.cursor() as cursor:
            cursor.execute(sql)

    def _query_if_known(self, sql: str) -> None:
        try:
            self._query(sql)
        except pymysql.err.OperationalError as error:
            if error.args[0] != 1193:  # unknown variable: nothing to lift
                raise


class _Connection(Connection):
    """The driver's connection, with two corrections.

    The driver would read the host's complete certificate store for each encrypted connection, even if no certificate is
    to be checked, and would wait for hours for a dead server. The stubs lack the driver's private attributes.
    """

    process: MySQLProcess | None = None
    """The process to ask when nothing moved for the socket's time-out; None: such a wait ends the connection."""
    most_at_once: int | None = None
    """Limit of one row in bytes; the driver itself would read a row of any size into memory."""
    _came = 0

    def __init__(self, way: Route | None, **given: Any) -> None:
        self._way = way
        super().__init__(**given)

    def connect(self, sock: socket.socket | None = None) -> None:
        super().connect(sock if sock is not None else self._dial())
        enable_keepalive(self._sock)  # type: ignore[attr-defined]
        self._rfile: Any = io.BufferedReader(_Receiver(self))

    def _dial(self) -> socket.socket:
        try:
            connected = dial(self.host, self.port, self.connect_timeout, self._way)
        except (OSError, UnicodeError) as error:
            detail = f"Can't connect to MySQL server on {self.host!r} ({error})"
            raise pymysql.err.OperationalError(CR.CR_CONN_HOST_ERROR, detail) from error
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        return connected

    def receive_into(self, view: memoryview) -> int:
        """Receive something, however long the server is at work for it; 0: it closed the connection. Raises
        AnswerTooLarge."""
        while True:
            try:
                count = int(self._sock.recv_into(view))  # type: ignore[attr-defined]
            except TimeoutError:
                self._judge(select.POLLIN)
                continue
            self._came += count
            if self.most_at_once is not None and self._came > self.most_at_once:
                raise AnswerTooLarge(bytes=self.most_at_once)
            return count

    def _read_packet(self, packet_type: Any = MysqlPacket) -> Any:
        self._came = 0
        return super()._read_packet(packet_type)  # type: ignore[no-untyped-call]

    def _write_bytes(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[self._send_some(view) :]
        except OSError as error:
            self._force_close()  # type: ignore[attr-defined]
            raise pymysql.err.OperationalError(2006, f"MySQL server has gone away ({error!r})") from error

    def _send_some(self, view: memoryview) -> int:
        while True:
            try:
                return int(self._sock.send(view))  # type: ignore[attr-defined]
            except TimeoutError:
                self._judge(select.POLLOUT)

    def _judge(self, events: int) -> None:
        if self.process is None:
            raise liveness.ConnectionDead("no answer in time")
        descriptor: int = self._sock.fileno()  # type: ignore[attr-defined]
        liveness.check(self.process, lambda seconds: liveness.becomes_ready(descriptor, events, seconds))

    def _read_query_result(self, unbuffered: bool = False) -> int:
        try:
            return int(super()._read_query_result(unbuffered))  # type: ignore[misc]  # the stubs leave it out
        except RuntimeError as error:  # raised by the driver for a file that it may not send
            raise pymysql.err.OperationalError(_FILE_REFUSED, "the server asked for a file of this host") from error

    def _create_ssl_ctx(self, given: object) -> ssl.SSLContext:
        return given if isinstance(given, ssl.SSLContext) else _unverified()


class _Receiver(io.RawIOBase):
    """The stream from which the driver reads its packets."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._connection.receive_into(memoryview(buffer))


@lru_cache(maxsize=1)
def _unverified() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _connect(options: ConnectionOptions, timeout: float | None) -> Any:
    wait = liveness.LIVENESS_SECONDS if timeout is None else timeout
    return _Connection(
        options.way,
        host=options.host,
        port=options.port,
        user=options.user,
        password=_password(options.password),
        database=options.database or None,
        charset="utf8mb4",
        autocommit=True,
        connect_timeout=_CONNECT_SECONDS if timeout is None else max(1, int(min(timeout, _CONNECT_SECONDS))),
        read_timeout=wait,
        write_timeout=wait,
        # The server may learn that the client accepts local data, but the driver must never send a file at a server's
        # request: the data of LOAD DATA is sent by this class, from memory.
        client_flag=CLIENT.FOUND_ROWS | CLIENT.LOCAL_FILES,
        **_tls(options),
    )


def _password(password: str) -> Any:
    # The driver would encode text as Latin-1; servers compare with what clients have set in UTF-8.
    return password.encode()


def _tls(options: ConnectionOptions) -> dict[str, Any]:
    if options.tls == "disable":
        return {"ssl_disabled": True}
    if options.tls == "prefer":
        return {}
    if options.tls == "require":
        return {"ssl": _unverified()}
    context = ssl.create_default_context()
    # Self-signed certificates of servers lack extensions that strict checking requires.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return {"ssl": context}
