"""Sessions enable the kernel's keepalive probes."""

import socket
from collections.abc import Iterator

import pytest

from tests.servers.base import Server
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.postgresql.connection.session import connect

pytestmark = pytest.mark.server


@pytest.fixture
def postgresql_socket(postgres_server: Server) -> Iterator[socket.socket]:
    with connect(postgres_server.options(), "target") as connection, socket.socket(fileno=connection.fileno()) as made:
        yield made
        made.detach()


@pytest.fixture
def mysql_socket(mariadb_server: Server) -> Iterator[socket.socket]:
    with Session(mariadb_server.options(), "target") as session:
        yield session.driver._sock


@pytest.mark.parametrize("name", ["postgresql_socket", "mysql_socket"])
def test_a_silent_server_is_noticed_within_half_a_minute(request: pytest.FixtureRequest, name: str) -> None:
    connection: socket.socket = request.getfixturevalue(name)

    def option(number: int) -> int:
        return connection.getsockopt(socket.IPPROTO_TCP, number)

    assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    quiet = option(socket.TCP_KEEPIDLE) + option(socket.TCP_KEEPINTVL) * option(socket.TCP_KEEPCNT)
    assert quiet <= 30
    assert 0 < option(socket.TCP_USER_TIMEOUT) <= 30_000
