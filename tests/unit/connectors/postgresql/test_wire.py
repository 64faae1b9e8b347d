"""The client of PostgreSQL's protocol where no server answers."""

import socket
import struct

import pytest

from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql import wire
from zcbus.connectors.postgresql.failures import ConnectionLost


def test_a_connection_that_breaks_while_logging_in_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair()
    theirs.close()  # so that sending fails at once, as after a reset
    monkeypatch.setattr(wire, "open_socket", lambda options, timeout: ours)
    options = ConnectionOptions("postgresql", "127.0.0.1", 5432, "somebody", "secret", "postgres")
    with pytest.raises(ConnectionLost):
        wire.WireConnection(options, replication=False)
    assert ours.fileno() == -1


class Server:
    """The other end of a connection that logs in at once and then copies."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        ours, self._socket = socket.socketpair()
        monkeypatch.setattr(wire, "open_socket", lambda options, timeout: ours)
        monkeypatch.setattr(wire.time, "sleep", self._wait)
        monkeypatch.setattr(wire, "_FLOW_SECONDS", 60.0)  # however slow the machine is
        self._socket.sendall(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I")
        self.waits = 0
        self.meanwhile: list[int] = []
        """Sizes of what comes while somebody waits, a message each time."""

    def close(self) -> None:
        self._socket.close()

    def _wait(self, seconds: float) -> None:
        self.waits += 1
        if self.meanwhile:
            self.send(self.meanwhile.pop(0))

    def send(self, size: int) -> None:
        """A message of COPY with so many bytes in it."""
        self._socket.sendall(b"d" + struct.pack("!I", size + 4) + bytes(size))


def test_what_follows_much_is_taken_together_with_it_and_little_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(monkeypatch)
    options = ConnectionOptions("postgresql", "127.0.0.1", 5432, "somebody", "secret", "postgres")
    connection = wire.WireConnection(options, replication=False)
    connection.begin_copy("COPY t TO STDOUT")
    server.send(10)
    assert _received(connection) == 1
    assert server.waits == 0  # a single change is not kept waiting
    server.send(40_000)
    server.meanwhile = [10, 10]
    assert _received(connection) == 3
    server.send(10)
    server.meanwhile = [10, 10]
    assert _received(connection) == 3  # a small piece of what flows
    connection.close()
    server.close()


def _received(connection: wire.WireConnection) -> int:
    messages = connection.receive(10)
    assert messages is not None
    return len(messages.starts)
