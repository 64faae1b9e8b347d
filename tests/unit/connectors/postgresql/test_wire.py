"""The client of PostgreSQL's protocol where no server answers."""

import socket

import pytest

from zcbus.connectors.postgresql.connection import wire
from zcbus.connectors.postgresql.connection.failures import ConnectionLost
from zcbus.connectors.postgresql.spec import PostgreSQLOptions


def test_a_connection_that_breaks_while_logging_in_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair()
    theirs.close()  # so that sending fails at once, as after a reset
    monkeypatch.setattr(wire, "open_socket", lambda options, timeout: ours)
    options = PostgreSQLOptions("127.0.0.1", 5432, "somebody", "secret", "postgres")
    with pytest.raises(ConnectionLost):
        wire.WireConnection(options, replication=False)
    assert ours.fileno() == -1
