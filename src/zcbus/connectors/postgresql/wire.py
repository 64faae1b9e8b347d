"""PostgreSQL's frontend/backend protocol, version 3, as far as replication and bulk reading need it.

psycopg serves ordinary statements. It has no replication protocol and hands out COPY data message by message; here
whole receive buffers are handed on with the offsets of their messages, to be decoded column by column.
"""

import contextlib
import hashlib
import socket
import ssl
import struct
from collections.abc import Mapping

import numpy as np

from zcbus.connectors.keepalive import keep_watch
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.framing import SLACK, Messages, copy_data
from zcbus.connectors.postgresql.scram import ScramClient, ScramFailed

SESSION_SETTINGS: Mapping[str, str] = {
    "TimeZone": "UTC",
    "DateStyle": "ISO, YMD",
    "IntervalStyle": "postgres",
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "search_path": "pg_catalog",
    "lc_monetary": "C",
    "xmloption": "content",
    "statement_timeout": "0",
    "lock_timeout": "60s",
    "idle_in_transaction_session_timeout": "0",
}
"""What a value's text depends on; every session that reads values has these, so that the same value always gives the
same text. The time limits an administrator may have set for people do not apply to a reader of a large table. Waiting
for a lock that somebody holds is given up and tried again, so that it can be seen."""

_PROTOCOL = 196608
_TLS_REQUEST = 80877103
_NOT_TRUSTED = "28000"
"""The code of a refused login also stands for a server that we refuse: somebody has to mend something."""
_CHUNK = 1 << 20
_HEADER = 5  # type and length
_length = struct.Struct("!I").unpack_from


class ServerError(Exception):
    """An ErrorResponse of the server."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.sqlstate = fields.get("C", "XX000")
        self.message = fields.get("M", "")
        self.detail = fields.get("D", "")
        super().__init__(f"{self.message} ({self.sqlstate})" + (f": {self.detail}" if self.detail else ""))


class ConnectionLost(Exception):
    """The server can't be reached, closed the connection or broke the protocol."""


class WireConnection:
    """One connection. Not for use from several threads at once, except that `close` may come from another one.

    All methods raise ServerError for what the server refuses and ConnectionLost for everything else.
    """

    def __init__(self, options: ConnectionOptions, *, replication: bool, connect_timeout: float = 10.0) -> None:
        self._buffer = bytearray(_CHUNK + SLACK)
        self._fill = 0
        self.server_settings: dict[str, str] = {}
        self.process_id = 0
        """Of the server's process, for pg_cancel_backend."""
        self._finished = True
        self._socket = _open_socket(options, connect_timeout)
        try:
            self._log_in(options, replication)
        except TimeoutError as error:
            self.close()
            raise ConnectionLost("the server did not answer in time") from error
        except BaseException:
            self.close()
            raise
        self._socket.settimeout(None)

    def close(self) -> None:
        """Say goodbye where the server still listens, and close."""
        with contextlib.suppress(OSError):
            self._socket.settimeout(1.0)
            self._socket.sendall(b"X\0\0\0\4")
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def query(self, sql: str, timeout: float | None = None) -> list[tuple[str | None, ...]]:
        """Run one statement or replication command; the rows of its last result as text. Raises TimeoutError where
        the server is silent for longer than `timeout` seconds; the connection is of no use then."""
        self._send(b"Q", sql.encode() + b"\0")
        self._socket.settimeout(timeout)
        try:
            return self._results()
        finally:
            self._socket.settimeout(None)

    def _results(self) -> list[tuple[str | None, ...]]:
        rows: list[tuple[str | None, ...]] = []
        while True:
            kind, payload = self._next_message()
            if kind == b"D":
                rows.append(_data_row(payload))
            elif kind == b"T":
                rows = []
            elif kind == b"Z":
                return rows
            elif kind in (b"G", b"H", b"W"):
                raise ConnectionLost("the statement began a COPY")

    def start_copy(self, sql: str) -> None:
        """Run a statement that answers with COPY data (COPY … TO STDOUT, START_REPLICATION)."""
        if not self._finished:
            raise ConnectionLost("an earlier COPY was given up halfway")
        self._send(b"Q", sql.encode() + b"\0")
        while True:
            kind, _ = self._next_message()
            if kind in (b"H", b"W"):
                self._finished = False
                return
            if kind == b"Z":
                raise ConnectionLost("the statement gave no COPY data")

    def begin_copy(self, sql: str) -> None:
        """As start_copy, but does not wait for the answer: what is wrong with the statement shows in `receive`."""
        if not self._finished:
            raise ConnectionLost("an earlier COPY was given up halfway")
        self._send(b"Q", sql.encode() + b"\0")
        self._finished = False

    def receive(self, timeout: float | None, size: int = _CHUNK) -> Messages | None:
        """The CopyData messages that came, waiting up to `timeout` seconds (None: for ever) for the first; goes on
        receiving up to `size` bytes while more is there. `starts` is empty where the time ran out; None: the COPY has
        ended."""
        if self._finished:
            return None
        self._fill_buffer(timeout, size)
        return self._take_messages()

    def receive_full(self, size: int) -> Messages | None:
        """As `receive`, but waits until about `size` bytes or the end of the COPY have come."""
        if self._finished:
            return None
        self._make_room(size)
        while not self._has_message() or not (self._fill == self._room or self._at_rest()):
            self._receive_some()
        return self._take_messages()

    def send_copy(self, payload: bytes) -> None:
        """Send a CopyData message (a standby's answers in replication)."""
        self._send(b"d", payload)

    def abort_copy(self) -> None:
        """End a COPY both ways and drop what still comes."""
        self._send(b"c", b"")
        while not self._finished:
            self._fill_buffer(None, _CHUNK)
            self._take_messages()

    def _log_in(self, options: ConnectionOptions, replication: bool) -> None:
        parameters = {
            "user": options.user,
            "database": options.database,
            "application_name": "zcbus",
            "client_encoding": "UTF8",
            "options": startup_options(SESSION_SETTINGS),
        }
        if replication:
            parameters["replication"] = "database"
        body = b"".join(f"{name}\0{value}\0".encode() for name, value in parameters.items()) + b"\0"
        self._socket.sendall(struct.pack("!II", len(body) + 8, _PROTOCOL) + body)
        self._authenticate(options)
        while self._next_message()[0] != b"Z":
            pass

    def _authenticate(self, options: ConnectionOptions) -> None:
        scram = ScramClient(options.password)
        while True:
            kind, payload = self._next_message()
            if kind != b"R":
                raise ConnectionLost(f"unexpected message {kind!r} while logging in")
            (method,) = struct.unpack_from("!I", payload)
            if method == 0:
                return
            self._answer(method, payload[4:], options, scram)

    def _answer(self, method: int, payload: bytes, options: ConnectionOptions, scram: ScramClient) -> None:
        try:
            if method == 3:
                self._send(b"p", options.password.encode() + b"\0")
            elif method == 5:
                self._send(b"p", _md5(options, payload[:4]))
            elif method == 10:
                first = scram.first()
                self._send(b"p", b"SCRAM-SHA-256\0" + struct.pack("!I", len(first)) + first)
            elif method == 11:
                self._send(b"p", scram.final(payload))
            elif method == 12:
                scram.verify(payload)
            else:
                raise ServerError({"C": "28000", "M": f"the server wants an unknown way to log in ({method})"})
        except (ScramFailed, KeyError, ValueError) as error:
            raise ServerError({"C": "28P01", "M": f"SCRAM exchange failed: {error}"}) from error

    def _send(self, kind: bytes, payload: bytes) -> None:
        try:
            self._socket.sendall(kind + struct.pack("!I", len(payload) + 4) + payload)
        except OSError as error:
            raise ConnectionLost(str(error)) from error

    def _next_message(self) -> tuple[bytes, bytes]:
        """The next message outside of COPY; settings and notices are taken in passing."""
        while True:
            self._need(5)
            length = _length(self._buffer, 1)[0]
            self._need(length + 1)
            kind, payload = bytes(self._buffer[:1]), bytes(self._buffer[5 : length + 1])
            self._drop(length + 1)
            if kind == b"E":
                raise ServerError(_fields(payload))
            if kind == b"S":
                name, value = payload.decode(errors="replace").rstrip("\0").split("\0", 1)
                self.server_settings[name] = value
            elif kind == b"K":
                self.process_id = int(_length(payload)[0])
            elif kind not in (b"N", b"A"):
                return kind, payload

    def _need(self, size: int) -> None:
        self._make_room(size)
        while self._fill < size:
            self._receive_some()

    @property
    def _room(self) -> int:
        return len(self._buffer) - SLACK

    def _make_room(self, size: int) -> None:
        if size > self._room:
            self._buffer.extend(bytes(size - self._room))

    def _drop(self, size: int) -> None:
        rest = bytes(self._buffer[size : self._fill])
        self._buffer[: len(rest)] = rest
        self._fill = len(rest)

    def _receive_some(self) -> None:
        try:
            with memoryview(self._buffer) as view:
                count = self._socket.recv_into(view[self._fill : self._room])
        except (BlockingIOError, ssl.SSLWantReadError, TimeoutError):
            raise
        except OSError as error:
            raise ConnectionLost(str(error)) from error
        if count == 0:
            raise ConnectionLost("the server closed the connection")
        self._fill += count

    def _fill_buffer(self, timeout: float | None, size: int) -> None:
        """Receive until the first message is complete, then as long as more is there."""
        self._make_room(size)
        try:
            self._socket.settimeout(timeout)
            while not self._has_message():
                self._receive_some()
            self._socket.settimeout(0)
            while self._fill < self._room:
                self._receive_some()
        except (BlockingIOError, ssl.SSLWantReadError, TimeoutError):
            return
        finally:
            self._socket.settimeout(None)

    def _has_message(self) -> bool:
        if self._fill < 5:
            return False
        size: int = _length(self._buffer, 1)[0] + 1
        self._make_room(size)
        return self._fill >= size

    def _at_rest(self) -> bool:
        """Whether the last thing received looks like ReadyForQuery. Data that only looks so does no harm: what is
        there is taken, and receiving goes on."""
        return self._buffer[max(self._fill - 6, 0) : self._fill - 1] == b"Z\0\0\0\5"

    def _take_messages(self) -> Messages | None:
        buffer, fill = self._buffer, self._fill
        places, position = copy_data(buffer, fill)
        more: list[int] = []
        while fill - position >= 5:
            size = _length(buffer, position + 1)[0] + 1
            if fill - position < size:
                break
            if buffer[position] == 100:  # d
                more.append(position)
            else:
                self._other_message(buffer, position, size)
            position += size
        starts = np.append(places, np.array(more, np.int64)) + _HEADER
        messages = Messages(self._hand_over(position), starts, position)
        return None if self._finished and not len(starts) else messages

    def _other_message(self, buffer: bytearray, position: int, size: int) -> None:
        kind = buffer[position : position + 1]
        if kind == b"E":
            raise ServerError(_fields(bytes(buffer[position + 5 : position + size])))
        if kind == b"Z":
            self._finished = True

    def _hand_over(self, end: int) -> bytearray | bytes:
        """What was read, as memory of its own: small reads are copied, large ones take the buffer with them."""
        if end < self._room // 4:
            taken = bytes(self._buffer[:end])
            self._drop(end)
            return taken
        full, rest = self._buffer, bytes(self._buffer[end : self._fill])
        self._buffer = bytearray(max(_CHUNK, len(rest)) + SLACK)
        self._buffer[: len(rest)] = rest
        self._fill = len(rest)
        return full


def startup_options(settings: Mapping[str, str]) -> str:
    """The `options` startup parameter that makes these settings."""
    return " ".join(
        "-c " + f"{name}={value}".replace("\\", r"\\").replace(" ", r"\ ") for name, value in settings.items()
    )


def _open_socket(options: ConnectionOptions, timeout: float) -> socket.socket:
    try:
        plain = socket.create_connection((options.host, options.port), timeout)
    except OSError as error:
        raise ConnectionLost(str(error)) from error
    try:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        keep_watch(plain)
        return plain if options.tls == "disable" else _secure(plain, options)
    except ssl.SSLCertVerificationError as error:
        plain.close()
        raise ServerError({"C": _NOT_TRUSTED, "M": str(error)}) from error
    except (OSError, ConnectionLost) as error:
        plain.close()
        raise ConnectionLost(str(error)) from error


def _secure(plain: socket.socket, options: ConnectionOptions) -> socket.socket:
    plain.sendall(struct.pack("!II", 8, _TLS_REQUEST))
    answer = plain.recv(1)
    if answer == b"S":
        context = ssl.create_default_context()
        if options.tls != "verify-full":
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context.wrap_socket(plain, server_hostname=options.host)
    if options.tls != "prefer":
        plain.close()
        raise ServerError({"C": _NOT_TRUSTED, "M": "the server does not offer TLS"})
    return plain


def _md5(options: ConnectionOptions, salt: bytes) -> bytes:
    inner = hashlib.md5((options.password + options.user).encode(), usedforsecurity=False).hexdigest()
    return b"md5" + hashlib.md5(inner.encode() + salt, usedforsecurity=False).hexdigest().encode() + b"\0"


def _fields(payload: bytes) -> dict[str, str]:
    parts = payload.split(b"\0")
    return {part[:1].decode(): part[1:].decode(errors="replace") for part in parts if part}


def _data_row(payload: bytes) -> tuple[str | None, ...]:
    (count,) = struct.unpack_from("!H", payload)
    values: list[str | None] = []
    position = 2
    for _ in range(count):
        (length,) = struct.unpack_from("!i", payload, position)
        position += 4
        values.append(None if length < 0 else payload[position : position + length].decode(errors="replace"))
        position += max(length, 0)
    return tuple(values)
