"""Every way to log in, and TLS."""

import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.integration.connectors.postgresql.conftest import Database
from tests.support.certificates import own_certificate
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.connection.failures import ServerError
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.connectors.postgresql.spec import PostgreSQLOptions
from zcbus.demo.embedded import EmbeddedPostgreSQL

pytestmark = pytest.mark.server


def answer(options: ConnectionOptions) -> list[tuple[str | None, ...]]:
    wire = WireConnection(options, replication=False)
    try:
        return wire.query("SELECT 'ä', NULL, current_user")
    finally:
        wire.close()


@pytest.mark.wide
@pytest.mark.parametrize("method", ["trust", "password", "md5", "scram-sha-256"])
def test_ways_to_log_in(tmp_path: Path, method: str) -> None:
    server = EmbeddedPostgreSQL(tmp_path / "server", durable=False)
    server.start()
    try:
        admin = PostgreSQLOptions("127.0.0.1", server.port, "postgres", "", "postgres")
        wire = WireConnection(admin, replication=False)
        wire.query(f"SET password_encryption = '{'md5' if method == 'md5' else 'scram-sha-256'}'")
        wire.query("CREATE ROLE someone LOGIN REPLICATION PASSWORD 'pass wörd ½'")
        wire.close()
        (tmp_path / "server" / "data" / "pg_hba.conf").write_text(
            f"host all someone all {method}\nhost replication someone all {method}\n"
        )
        server.restart()
        someone = replace(admin, user="someone", password="pass wörd ½")
        assert answer(someone) == [("ä", None, "someone")]
        if method != "trust":
            with pytest.raises(ServerError) as caught:
                answer(replace(someone, password="wrong"))
            assert caught.value.sqlstate == "28P01"
        replicating = WireConnection(someone, replication=True)
        assert replicating.query("IDENTIFY_SYSTEM")[0][3] == "postgres"
        replicating.close()
    finally:
        server.remove()


class TlsDoor:
    """A proxy before a server built without TLS: accepts the request for TLS and decrypts."""

    def __init__(self, port: int, folder: Path) -> None:
        self._server_port = port
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(_certificate(folder))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        try:
            assert client.recv(8) == b"\0\0\0\x08\x04\xd2\x16/"
            client.sendall(b"S")
            outside = self._context.wrap_socket(client, server_side=True)
        except (OSError, AssertionError):
            client.close()
            return
        inside = socket.create_connection(("127.0.0.1", self._server_port))
        outside.settimeout(0.01)
        inside.settimeout(0.01)
        with outside, inside:
            while _copy(outside, inside) and _copy(inside, outside):
                pass


def _copy(source: socket.socket, target: socket.socket) -> bool:
    try:
        data = source.recv(65536)
    except TimeoutError:
        return True
    except OSError:
        return False
    if not data:
        return False
    target.settimeout(10)
    target.sendall(data)
    target.settimeout(0.01)
    return True


def _certificate(folder: Path) -> Path:
    certificate, key = map(Path, own_certificate(folder))
    path = folder / "certificate.pem"
    path.write_bytes(key.read_bytes() + certificate.read_bytes())
    return path


@pytest.fixture
def door(database: Database, tmp_path: Path) -> Iterator[ConnectionOptions]:
    made = TlsDoor(database.options.port, tmp_path)
    yield replace(database.options, port=made.port)
    made.close()


def test_tls_where_the_server_has_it(door: ConnectionOptions) -> None:
    for tls in ("prefer", "require"):
        assert answer(replace(door, tls=tls))[0][0] == "ä"
    wire = WireConnection(replace(door, tls="require"), replication=False)
    wire.start_copy("COPY (SELECT repeat('x', 1000) FROM generate_series(1, 5000)) TO STDOUT")
    received = 0
    while (messages := wire.receive_full(1 << 20)) is not None:
        received += len(messages.starts)
    assert received == 5000
    wire.close()


def test_an_unknown_certificate_is_refused_where_it_matters(door: ConnectionOptions) -> None:
    with pytest.raises(ServerError, match="certificate verify failed"):
        answer(replace(door, tls="verify-full"))


def test_a_server_without_tls(database: Database) -> None:
    assert answer(replace(database.options, tls="prefer"))[0][0] == "ä"
    assert answer(replace(database.options, tls="disable"))[0][0] == "ä"
    with pytest.raises(ServerError, match="does not offer TLS"):
        answer(replace(database.options, tls="require"))


def test_rows_larger_than_the_buffer(database: Database) -> None:
    wire = WireConnection(database.options, replication=False)
    wire.start_copy("COPY (SELECT repeat('x', 9000000) UNION ALL SELECT 'small') TO STDOUT")
    sizes = []
    while (messages := wire.receive_full(1 << 20)) is not None:
        ends = [*[start - 5 for start in messages.starts.tolist()[1:]], messages.end]
        sizes += [end - start for start, end in zip(messages.starts.tolist(), ends, strict=True)]
    assert sizes[0] == 9000001
    assert wire.query("SELECT 1") == [("1",)]
    wire.close()
