"""Connections by real bastions and proxies: what they carry, what they refuse, and what the user sees."""

import ipaddress
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from tests.servers.proxies import HttpProxy, SocksProxy
from tests.servers.sftp import SftpServer
from zcbus.kit import network
from zcbus.kit.network import AddressRefused, NetworkRules, Route, RouteFailed, dial
from zcbus.kit.network.relay import tunnel_to
from zcbus.kit.secret_references import ReferenceMissing

pytestmark = pytest.mark.server
_SECONDS = 20.0


@dataclass
class Greeter:
    """A server that speaks first, as MySQL's does, then answers in capitals. It knows where callers come from."""

    listener: socket.socket
    callers: list[str] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def serve(self) -> None:
        while True:
            try:
                client, peer = self.listener.accept()
            except OSError:
                return
            self.callers.append(peer[0])
            threading.Thread(target=self._answer, args=(client,), daemon=True).start()

    def _answer(self, client: socket.socket) -> None:
        with client:
            client.sendall(b"welcome ")
            while part := client.recv(65536):
                client.sendall(part.upper())


@pytest.fixture
def server() -> Iterator[Greeter]:
    greeter = Greeter(socket.create_server(("127.0.0.1", 0)))
    threading.Thread(target=greeter.serve, daemon=True).start()
    yield greeter
    network.use(NetworkRules())
    greeter.listener.shutdown(socket.SHUT_RDWR)
    greeter.listener.close()


@pytest.fixture(params=["bastion", "socks_proxy", "http_proxy"])
def way(request: pytest.FixtureRequest) -> Route:
    found: SftpServer | SocksProxy | HttpProxy = request.getfixturevalue(request.param)
    return found.route()


def said(connection: socket.socket, text: bytes) -> bytes:
    """The greeting and what comes back for a text. Proxies don't hand on the end of one direction alone."""
    with connection:
        connection.settimeout(_SECONDS)
        connection.sendall(text)
        return _read(connection, len(b"welcome ") + len(text))


def test_all_that_is_sent_arrives_both_ways(server: Greeter, way: Route) -> None:
    for host in ("127.0.0.1", "localhost"):
        assert said(dial(host, server.port, _SECONDS, way), b"hello") == b"welcome HELLO"
    much = b"abc" * 1_000_000
    answers: list[bytes] = []
    with dial("127.0.0.1", server.port, _SECONDS, way) as connection:
        reading = threading.Thread(target=lambda: answers.append(_read(connection, len(much) + 8)))
        reading.start()
        connection.sendall(much)
        reading.join(_SECONDS)
    assert answers == [b"welcome " + much.upper()]


def _read(connection: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        found += connection.recv(1 << 20)
    return found


def test_what_nobody_listens_on_is_the_targets_fault(way: Route) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(RouteFailed) as failed:
            dial("127.0.0.1", free.getsockname()[1], _SECONDS, way)
    assert failed.value.step == "target"
    assert way.name in str(failed.value)


@dataclass(frozen=True)
class Kept:
    """A secret that is kept elsewhere; none: it is not there."""

    secret: str | None

    def read(self) -> str:
        if self.secret is None:
            raise ReferenceMissing(reference="${env:ZCBUS_SECRET_A}", detail="not set")
        return self.secret


def test_secrets_that_are_kept_elsewhere_are_read_at_the_sign_in(server: Greeter, way: Route) -> None:
    password, key = way.secrets()
    elsewhere = replace(way, password=Kept(password), key=Kept(key))
    assert said(dial("127.0.0.1", server.port, _SECONDS, elsewhere), b"hello") == b"welcome HELLO"
    assert "secret-3" not in repr(replace(way, password="secret-3"))
    with pytest.raises(RouteFailed, match=r"ZCBUS_SECRET_A\}, not set") as failed:
        dial("127.0.0.1", server.port, _SECONDS, replace(way, password=Kept(None)))
    assert failed.value.step == "sign-in"


def test_a_wrong_account_is_reported(server: Greeter, way: Route) -> None:
    wrong = replace(way, key="", password="wrong")
    with pytest.raises(RouteFailed) as failed:
        dial("127.0.0.1", server.port, _SECONDS, wrong)
    assert failed.value.step == "sign-in"
    assert "wrong" not in str(failed.value)


def test_a_bastion_or_proxy_that_is_away_is_reported(server: Greeter, way: Route) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(RouteFailed) as failed:
            dial("127.0.0.1", server.port, _SECONDS, replace(way, port=free.getsockname()[1]))
    assert failed.value.step == "reach"


def test_one_host_key_is_trusted(server: Greeter, bastion: SftpServer) -> None:
    for trusted, words in (("", "not confirmed"), ("SHA256:AAAA", "another host key")):
        with pytest.raises(RouteFailed, match=words) as failed:
            dial("127.0.0.1", server.port, _SECONDS, bastion.route(host_key=trusted))
        assert (failed.value.step, failed.value.shown) == ("host-key", bastion.host_key)
    assert server.callers == []


def test_a_bastion_that_was_set_up_again_is_refused(server: Greeter) -> None:
    again = SftpServer()
    try:
        way = again.route()
        assert said(dial("127.0.0.1", server.port, _SECONDS, way), b"a") == b"welcome A"
        again.restart_with_another_key()
        with pytest.raises(RouteFailed, match="another host key"):
            dial("127.0.0.1", server.port, _SECONDS, way)
    finally:
        again.remove()


def test_connections_end_with_the_bastion_and_are_made_again_behind_it(server: Greeter, bastion: SftpServer) -> None:
    way = bastion.route()
    with dial("127.0.0.1", server.port, _SECONDS, way) as connection:
        assert connection.recv(8) == b"welcome "
        bastion.stop()
        assert connection.recv(8) == b""
    with pytest.raises(RouteFailed) as failed:
        dial("127.0.0.1", server.port, _SECONDS, way)
    assert failed.value.step == "reach"
    bastion.start()
    assert said(dial("127.0.0.1", server.port, _SECONDS, way), b"again") == b"welcome AGAIN"


def test_the_rules_hold_for_bastion_and_proxy(server: Greeter, way: Route) -> None:
    network.use(NetworkRules(loopback=False))
    with pytest.raises(AddressRefused):
        dial("192.0.2.1", server.port, _SECONDS, way)
    assert server.callers == []


@pytest.mark.parametrize("host", ["169.254.169.254", "2852039166", "0xa9fea9fe", "[fe80::1]", "::ffff:169.254.169.254"])
def test_link_local_addresses_are_refused_behind_a_route_too(way: Route, host: str) -> None:
    with pytest.raises(AddressRefused, match="network rules"):
        dial(host, 80, _SECONDS, way)


def test_under_rules_only_listed_names_are_reached(server: Greeter, way: Route) -> None:
    network.use(NetworkRules(deny=(ipaddress.ip_network("192.0.2.0/24"),)))
    with pytest.raises(AddressRefused, match="cannot judge a name"):
        dial("localhost", server.port, _SECONDS, way)
    with pytest.raises(AddressRefused, match="network rules"):
        dial("192.0.2.9", server.port, _SECONDS, way)
    listed = replace(way, targets=("*.example.com", "localhost"))
    assert said(dial("LOCALHOST", server.port, _SECONDS, listed), b"x") == b"welcome X"
    for other in ("127.0.0.1", "example.org"):
        with pytest.raises(AddressRefused, match="not among the targets"):
            dial(other, server.port, _SECONDS, listed)
    assert said(dial("127.0.0.1", server.port, _SECONDS, replace(way, targets=("127.0.0.0/8",))), b"x")


def test_connections_leave_from_the_source_address(server: Greeter) -> None:
    direct = Route("second-card", source="127.0.0.9")
    assert said(dial("127.0.0.1", server.port, _SECONDS, direct), b"x") == b"welcome X"
    assert server.callers == ["127.0.0.9"]
    with pytest.raises(OSError, match="assign"):
        dial("127.0.0.1", server.port, _SECONDS, Route("none", source="192.0.2.1"))


def test_a_tunnel_stands_for_the_server(server: Greeter, way: Route) -> None:
    tunnel = tunnel_to("localhost", server.port, way)
    connection = socket.create_connection((tunnel.host, tunnel.port), _SECONDS)
    assert said(connection, b"tunnel") == b"welcome TUNNEL"


def test_connections_of_the_process_to_itself_need_no_permission() -> None:
    """In a process of its own, because an audit hook on sockets cannot be removed."""
    script = (
        "import socket\n"
        "from zcbus.kit.network import *\n"
        "from zcbus.kit.network.local_pair import local_pair\n"
        "other = socket.create_server(('127.0.0.1', 0))\n"
        "use(NetworkRules(loopback=False))\n"
        "watch_sockets(main_thread=True)\n"
        "near, far = local_pair()\n"
        "near.sendall(b'x')\n"
        "assert far.recv(1) == b'x'\n"
        "for address in (other.getsockname(), near.getsockname()):\n"
        "    try:\n"
        "        socket.create_connection(address)\n"
        "    except AddressRefused:\n"
        "        continue\n"
        "    raise AssertionError(address)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
