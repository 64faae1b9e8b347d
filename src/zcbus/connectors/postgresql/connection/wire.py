"""PostgreSQL's frontend/backend protocol, version 3, as far as replication and bulk reading need it.

psycopg serves ordinary statements. It has no replication protocol and returns COPY data message by message; this client
returns complete receive buffers with the offsets of their messages, to be decoded column by column.
"""

import contextlib
import select
import socket
import ssl
import struct
import time

import numpy as np

from zcbus.connectors import liveness
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.connection.dial import open_socket
from zcbus.connectors.postgresql.connection.failures import TAKES_NO_CONNECTIONS, ConnectionLost, ServerError
from zcbus.connectors.postgresql.connection.liveness import PostgreSQLProcess
from zcbus.connectors.postgresql.connection.login import Login, startup_message
from zcbus.connectors.postgresql.connection.payloads import data_row, fields
from zcbus.connectors.postgresql.pgoutput.framing import SLACK, Messages, copy_data

_CHUNK = 1 << 20
_USUAL_BYTES = 8 << 20
"""A buffer that has grown further did so for a very large message."""
_HEADER = 5  # type and length
_length = struct.Struct("!I").unpack_from
_NOTHING_YET = (BlockingIOError, ssl.SSLWantReadError, TimeoutError)
_MIN_WAIT = 0.01
_MUCH_BYTES = 32 << 10
_LINGER_SECONDS = 0.005
_LINGERS = 2


class WireConnection:
    """One connection. Not thread-safe, except that another thread may call `close`.

    All methods raise ServerError for what the server refuses and ConnectionLost for everything else.
    """

    def __init__(
        self,
        options: ConnectionOptions,
        *,
        replication: bool,
        connect_timeout: float = 10.0,
        limit: float | None = None,
    ) -> None:
        """`limit`: seconds without data after which the connection counts as lost; None: the server is then asked
        whether it works on this connection."""
        self._buffer = bytearray(_CHUNK + SLACK)
        self._fill = 0
        self._limit = connect_timeout if limit is None else limit
        self._waited = 0.0
        """Seconds of waiting since data arrived."""
        self._process: PostgreSQLProcess | None = None
        self.server_settings: dict[str, str] = {}
        self.process_id = 0
        """Of the server's process, for pg_cancel_backend."""
        self._finished = True
        self._socket = open_socket(options, connect_timeout)
        try:
            self._log_in(options, replication)
        except TimeoutError as error:
            self.close()
            raise ConnectionLost("the server did not answer in time") from error
        except OSError as error:
            self.close()
            raise ConnectionLost(str(error)) from error
        except ServerError as error:
            self.close()
            if error.sqlstate == TAKES_NO_CONNECTIONS:
                raise ConnectionLost(error.message) from error
            raise
        except BaseException:
            self.close()
            raise
        if limit is None:
            self._process = server_process(options, self.process_id)

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
        return self._results(None if timeout is None else time.monotonic() + timeout)

    def _results(self, deadline: float | None) -> list[tuple[str | None, ...]]:
        rows: list[tuple[str | None, ...]] = []
        while True:
            kind, payload = self._next_message(deadline)
            if kind == b"D":
                rows.append(data_row(payload))
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
        """As start_copy, without waiting for the response: errors of the statement show in `receive`."""
        if not self._finished:
            raise ConnectionLost("an earlier COPY was given up halfway")
        self._send(b"Q", sql.encode() + b"\0")
        self._finished = False

    def receive(self, timeout: float, size: int = _CHUNK) -> Messages | None:
        """Receive CopyData messages, waiting up to `timeout` seconds for the first.

        Continues up to `size` bytes while more is available. `starts` is empty after a time-out; None: the COPY has
        ended.
        """
        if self._finished:
            return None
        self._fill_buffer(timeout, size)
        return self._take_messages()

    def receive_full(self, size: int) -> Messages | None:
        """As `receive`, but waits for about `size` bytes or the end of the COPY."""
        if self._finished:
            return None
        self._make_room(size)
        while not self._has_message() or not (self._fill == self._room or self._at_rest()):
            self._receive_alive()
        return self._take_messages()

    def check_liveness(self) -> None:
        """Check a connection on which nothing arrived for long during a wait. Raises ConnectionLost if it is dead."""
        if self._waited < self._liveness_interval:
            return
        if self._process is None:
            raise ConnectionLost("the server did not answer in time")
        try:
            liveness.check(
                self._process, lambda seconds: liveness.becomes_ready(self._socket.fileno(), select.POLLIN, seconds)
            )
        except liveness.ConnectionDead as error:
            raise ConnectionLost(str(error)) from error
        self._waited = 0.0

    def end_process(self) -> None:
        """Stop the server's work for this connection, which is unusable afterwards. Never raises."""
        if self._process is not None:
            self._process.end()

    @property
    def _liveness_interval(self) -> float:
        return self._limit if self._process is None else liveness.LIVENESS_SECONDS

    def send_copy(self, payload: bytes) -> None:
        """Send a CopyData message (a standby's answers in replication)."""
        self._send(b"d", payload)

    def _log_in(self, options: ConnectionOptions, replication: bool) -> None:
        self._socket.sendall(startup_message(options, replication))
        login = Login(options)
        while not login.finished:
            kind, payload = self._next_message()
            if kind != b"R":
                raise ConnectionLost(f"unexpected message {kind!r} while logging in")
            if (response := login.response(payload)) is not None:
                self._send(b"p", response)
        while self._next_message()[0] != b"Z":
            pass

    def _send(self, kind: bytes, payload: bytes) -> None:
        try:
            self._socket.settimeout(self._liveness_interval)
            self._socket.sendall(kind + struct.pack("!I", len(payload) + 4) + payload)
        except OSError as error:
            raise ConnectionLost(str(error)) from error

    def _next_message(self, deadline: float | None = None) -> tuple[bytes, bytes]:
        """The next message outside of COPY; settings and notices are taken in passing."""
        while True:
            self._need(5, deadline)
            length = _length(self._buffer, 1)[0]
            self._need(length + 1, deadline)
            kind, payload = bytes(self._buffer[:1]), bytes(self._buffer[5 : length + 1])
            self._drop(length + 1)
            if kind == b"E":
                raise ServerError(fields(payload))
            if kind == b"S":
                name, value = payload.decode(errors="replace").rstrip("\0").split("\0", 1)
                self.server_settings[name] = value
            elif kind == b"K":
                self.process_id = int(_length(payload)[0])
            elif kind not in (b"N", b"A"):
                return kind, payload

    def _need(self, size: int, deadline: float | None) -> None:
        self._make_room(size)
        while self._fill < size:
            self._receive_alive(deadline)

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

    def _receive_alive(self, deadline: float | None = None) -> None:
        """Receive something, however long the server is at work for it. Raises TimeoutError at the deadline."""
        while True:
            now = time.monotonic()
            if deadline is not None and now >= deadline:
                raise TimeoutError
            wait = self._liveness_interval - self._waited
            self._socket.settimeout(max(wait if deadline is None else min(wait, deadline - now), _MIN_WAIT))
            try:
                self._receive_some()
            except _NOTHING_YET:
                self.check_liveness()
            else:
                return

    def _receive_some(self) -> None:
        began = time.monotonic()
        try:
            with memoryview(self._buffer) as view:
                count = self._socket.recv_into(view[self._fill : self._room])
        except _NOTHING_YET:
            self._waited += time.monotonic() - began
            raise
        except OSError as error:
            raise ConnectionLost(str(error)) from error
        if count == 0:
            raise ConnectionLost("the server closed the connection")
        self._waited = 0.0
        self._fill += count

    def _fill_buffer(self, timeout: float, size: int) -> None:
        """Receive until the first message is complete, then while more is available.

        Under high load a short wait follows: decoding many messages at once, and waking up seldom, halves the cost on
        both sides.
        """
        self._make_room(size)
        try:
            while not self._has_message():
                self._socket.settimeout(timeout)
                self._receive_some()
        except _NOTHING_YET:
            return
        self._socket.settimeout(0)
        for _ in range(_LINGERS):
            self._receive_available()
            if self._fill < _MUCH_BYTES or self._fill == self._room or self._at_rest():
                return
            time.sleep(_LINGER_SECONDS)
        self._receive_available()

    def _receive_available(self) -> None:
        try:
            while self._fill < self._room:
                self._receive_some()
        except _NOTHING_YET:
            return

    def _has_message(self) -> bool:
        if self._fill < 5:
            return False
        size: int = _length(self._buffer, 1)[0] + 1
        self._make_room(size)
        return self._fill >= size

    def _at_rest(self) -> bool:
        """Whether the received data ends like ReadyForQuery. Other data with the same form does no harm: the available
        data is used, and receiving continues."""
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
            raise ServerError(fields(bytes(buffer[position + 5 : position + size])))
        if kind == b"Z":
            self._finished = True

    def _hand_over(self, end: int) -> bytearray | bytes:
        """The data read, in memory of its own: small reads are copied, large ones take over the buffer."""
        if end < self._room // 4:
            taken = bytes(self._buffer[:end])
            self._drop(end)
            return taken
        full, rest = self._buffer, bytes(self._buffer[end : self._fill])
        usual = min(len(full) - SLACK, _USUAL_BYTES)  # growing costs as much as receiving
        self._buffer = bytearray(max(usual, len(rest)) + SLACK)
        self._buffer[: len(rest)] = rest
        self._fill = len(rest)
        return full


def server_process(options: ConnectionOptions, process_id: int) -> PostgreSQLProcess:
    """The server process with this process id."""

    def connect() -> WireConnection:
        seconds = liveness.PROBE_SECONDS
        return WireConnection(options, replication=False, connect_timeout=seconds, limit=seconds)

    return PostgreSQLProcess(connect, process_id)
