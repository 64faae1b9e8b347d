"""Connections to a control plane that take their time, or are too many of one address, on real sockets."""

import contextlib
import socket
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.support.control_plane import control_plane
from zcbus.control import server
from zcbus.kit.http_limits import HttpLimits

_REQUEST = b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n"
_MOST = 3


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with pytest.MonkeyPatch.context() as patched:
        quick = partial(HttpLimits, header_seconds=0.5, body_seconds=0.5, of_one_address=_MOST)
        patched.setattr(server, "HttpLimits", quick)
        folder: Path = tmp_path_factory.mktemp("slow")
        with control_plane(folder, host="0.0.0.0", tls="off") as plane:
            yield int(plane.address.rsplit(":", 1)[1])


def ended(connection: socket.socket, drip: bytes) -> bool:
    """Whether the server ends a connection into which bytes drip."""
    connection.settimeout(0.05)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            connection.send(drip)
            if not connection.recv(4096):
                return True
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


@pytest.mark.parametrize(
    ("sent", "drip"),
    [
        (_REQUEST, b"x-a: b\r\n"),
        (b"POST /api/zcbus/sys/authentication/login HTTP/1.1\r\nhost: a\r\ncontent-length: 60000\r\n\r\n{", b" "),
    ],
    ids=["headers", "body"],
)
def test_slow_headers_and_bodies_are_cut(port: int, sent: bytes, drip: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(sent)
        assert ended(connection, drip)


def own_address() -> str:
    """An address of this host that is not its loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with contextlib.suppress(OSError):
            # Sends nothing: only the route is looked up.
            probe.connect(("192.0.2.1", 9))
        found: str = probe.getsockname()[0]
    if found.startswith(("127.", "0.")):
        pytest.skip("this host has a loopback address only")
    return found


def test_one_address_has_a_limited_number_of_connections(port: int) -> None:
    address = own_address()

    def answered(connection: socket.socket) -> bool:
        connection.settimeout(30)
        try:
            connection.sendall(_REQUEST + b"\r\n")
            return connection.recv(100).startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    with contextlib.ExitStack() as opened:
        connections = [
            opened.enter_context(socket.create_connection((address, port), timeout=30)) for _ in range(_MOST)
        ]
        assert all(map(answered, connections))
        with socket.create_connection((address, port), timeout=30) as excess:
            assert not answered(excess)
        # Others are not concerned.
        with socket.create_connection(("127.0.0.1", port), timeout=30) as other:
            assert answered(other)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with socket.create_connection((address, port), timeout=30) as again:
            if answered(again):
                return
    pytest.fail("closed connections still count")
