"""One connection to a server: commands sent in parts, and the server's errors as connector errors."""

import itertools
import socket
import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from redis.backoff import NoBackoff
from redis.connection import Connection
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    ExecAbortError,
    MasterDownError,
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)
from redis.retry import Retry

from zcbus.connectors.errors import AccessDenied, DatabaseFailed
from zcbus.connectors.full_disk import says_full, unavailable_class
from zcbus.connectors.redis.spec import RedisOptions
from zcbus.connectors.roles import Side
from zcbus.kit.errors import ZcbusError
from zcbus.kit.keepalive import enable_keepalive
from zcbus.kit.network import dial

Command = tuple[str | bytes | int, ...]
CONNECT_SECONDS = 10.0
WAIT_SECONDS = 120.0
"""Seconds for a response. A busy server serves no other connection, so liveness cannot be checked."""
_AT_ONCE = 2000
_PASSING = (BusyLoadingError, ExecAbortError, MasterDownError, OutOfMemoryError, ReadOnlyError, TryAgainError)
_PASSING_WORDS = ("BUSY", "MISCONF", "NOREPLICAS")
"""Errors that end by themselves, or after a correction of the server."""


class RedisConnection:
    """Used by one thread at a time. Context manager; errors: TargetUnavailable or SourceUnavailable, AccessDenied,
    DatabaseFailed."""

    def __init__(self, options: RedisOptions, wait: float = WAIT_SECONDS, side: Side = "target") -> None:
        """`wait`: seconds for the connection and each answer, at most."""
        self.options, self._side = options, side
        self._driver: Any = _Driver(options, wait)  # the driver's own types leave most out
        with translated(options, side):
            self._driver.connect()  # type: ignore[no-untyped-call]

    def execute(self, *command: str | bytes | int) -> Any:
        """The answer to one command."""
        return self.execute_all([command])[0]

    def execute_all(self, commands: Iterable[Command]) -> list[Any]:
        """The answers to commands, in their order; sent together. The first error is raised once all are answered."""
        replies, failed = self.try_each(commands)
        if failed is not None:
            raise self.error(failed) from failed
        return replies

    def error(self, failed: Exception) -> ZcbusError:
        """The connector error for one of the driver's."""
        return translate(failed, self.options, self._side)

    def try_each(self, commands: Iterable[Command]) -> tuple[list[Any], ResponseError | None]:
        """The answers, errors among them, and the first of these."""
        replies: list[Any] = []
        with translated(self.options, self._side):
            for part in _parts(commands):
                self._driver.send_packed_command(self._driver.pack_commands(part), check_health=False)
                replies += [self._reply() for _ in part]
        return replies, next((one for one in replies if isinstance(one, ResponseError)), None)

    def transact(self, commands: Iterable[Command]) -> list[Any] | None:
        """Do all of the commands or none, and stop watching; None: a watched key has changed. If `commands` raises,
        none was done."""
        self.execute("MULTI")
        try:
            for part in _parts(commands):
                self.execute_all(part)
        except BaseException:
            with suppress(ZcbusError):
                self.execute("DISCARD")
            raise
        replies: list[Any] | None = self.execute("EXEC")
        for reply in replies or ():
            if isinstance(reply, ResponseError):
                # Redis continues after a command that fails. The commands sent here fail for no readable key.
                raise DatabaseFailed(kind=self.options.kind, address=self.options.address, detail=f"EXEC: {reply}")
        return replies

    def close(self) -> None:
        """Close; never raises. Idempotent."""
        self._driver.disconnect()

    def __enter__(self) -> "RedisConnection":
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _reply(self) -> Any:
        try:
            return self._driver.read_response(disable_decoding=True)
        except ResponseError as error:
            return error


class _Driver(Connection):
    """The driver's connection, to addresses that the network rules allow, without automatic reconnects: watched keys
    would be forgotten."""

    def __init__(self, options: RedisOptions, wait: float) -> None:
        super().__init__(  # type: ignore[no-untyped-call]
            host=options.host,
            port=options.port,
            db=options.database,
            username=options.user or None,
            password=options.password or None,
            socket_timeout=wait,
            socket_connect_timeout=min(wait, CONNECT_SECONDS),
            protocol=2,
            retry=Retry(NoBackoff(), 0),
        )
        self._tls, self._way, self._connected = options.tls, options.way, False

    def _connect(self) -> socket.socket:
        if self._connected:
            raise ConnectionResetError("connection lost")
        plain = dial(self.host, self.port, self.socket_connect_timeout, self._way)
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            enable_keepalive(plain)
            made = plain if self._tls == "disable" else _encrypted(plain, self._tls, self.host)
            made.settimeout(self.socket_timeout)
        except BaseException:
            plain.close()
            raise
        self._connected = True
        return made


def _encrypted(plain: socket.socket, tls: str, host: str) -> ssl.SSLSocket:
    context = ssl.create_default_context()
    # Self-signed certificates of servers lack extensions that strict checking requires.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if tls != "verify-full":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context.wrap_socket(plain, server_hostname=host)


def _parts(commands: Iterable[Command]) -> Iterator[list[Command]]:
    left = iter(commands)
    while part := list(itertools.islice(left, _AT_ONCE)):
        yield part


@contextmanager
def translated(options: RedisOptions, side: Side = "target") -> Iterator[None]:
    """Translate the driver's errors into connector errors."""
    try:
        yield
    except (RedisError, OSError, UnicodeError) as error:
        raise translate(error, options, side) from error


def translate(error: Exception, options: RedisOptions, side: Side = "target") -> ZcbusError:
    """The connector error for one of the driver's."""
    where = {"kind": options.kind, "address": options.address, "detail": str(error)}
    unavailable = unavailable_class(side, full=says_full(error))
    untrusted = isinstance(error.__context__, ssl.SSLCertVerificationError)
    if untrusted or isinstance(error, AuthenticationError | AuthorizationError | NoPermissionError):
        return AccessDenied(**where, user=options.user)
    if isinstance(error, ResponseError) and not isinstance(error, _PASSING):
        return unavailable(**where) if str(error).startswith(_PASSING_WORDS) else DatabaseFailed(**where)
    return unavailable(**where)
