"""A server that asks for files of the host that runs the worker gets none."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.spec import MySQLOptions

_GREETING = (
    b"\x0a8.0.36\x00" + b"\x01\x00\x00\x00" + b"12345678\x00" + b"\xff\xf7\xff\x02\x00\xff\x81\x15" + b"\x00" * 10
) + b"123456789012\x00mysql_native_password\x00"
_OK = b"\x00\x00\x00\x02\x00\x00\x00"
_QUERY = 3


class RogueServer:
    """Accepts every login, and answers the query `SELECT secret` by requesting a file.

    Packets as in the protocol's documentation: three bytes of length, one of number, the payload.
    """

    def __init__(self, requested_file: Path) -> None:
        self._requested_file = requested_file
        self.received = bytearray()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        # The driver may close without a farewell.
        with contextlib.suppress(ConnectionError), connection, connection.makefile("rwb") as stream:
            self._send(stream, 0, _GREETING)
            while packet := self._read(stream):
                number, payload = packet
                asks = payload[:1] == bytes([_QUERY]) and b"secret" in payload
                self._send(stream, number + 1, b"\xfb" + bytes(self._requested_file) if asks else _OK)

    def _read(self, stream: Any) -> tuple[int, bytes] | None:
        head = stream.read(4)
        if len(head) < 4:
            return None
        payload = stream.read(int.from_bytes(head[:3], "little"))
        self.received += payload
        return head[3], payload

    def _send(self, stream: Any, number: int, payload: bytes) -> None:
        stream.write(len(payload).to_bytes(3, "little") + bytes([number % 256]) + payload)
        stream.flush()

    def close(self) -> None:
        self._listener.close()
        self._thread.join(10)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RogueServer]:
    file = tmp_path / "file"
    file.write_text("the host's own")
    server = RogueServer(file)
    yield server
    server.close()


def test_a_file_that_the_server_asks_for_is_not_sent(server: RogueServer) -> None:
    options = MySQLOptions(host="127.0.0.1", port=server.port, user="u", password="p", database="", tls="disable")
    with Session(options, "source") as session, pytest.raises(AccessDenied, match="asked for a file"):
        session.rows("SELECT secret")
    server.close()
    assert b"secret" in server.received
    assert b"the host's own" not in server.received
