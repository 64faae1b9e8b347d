"""Connections that take their time, and headers without end, against the real server."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from zcbus.kit.http_limits import HttpLimits, limited


async def _answer(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


@contextmanager
def serving(limits: HttpLimits) -> Iterator[int]:
    own = socket.create_server(("127.0.0.1", 0))
    app = Starlette(routes=[Route("/", _answer, methods=["GET", "POST"])])
    config = uvicorn.Config(app, http=limited(limits), log_config=None, lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[own])), daemon=True)
    thread.start()
    try:
        yield own.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(30)


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=20)


def ended_after(connection: socket.socket, drip: bytes = b"") -> float:
    """Seconds until the server ends a connection into which bytes drip."""
    began = time.monotonic()
    connection.settimeout(0.1)
    while time.monotonic() - began < 20:
        try:
            if drip:
                connection.send(drip)
            if not connection.recv(100):
                break
        except TimeoutError:
            continue
        except OSError:
            break
    return time.monotonic() - began


@pytest.mark.parametrize(
    ("sent", "drip"),
    [
        (b"", b""),
        (b"GET / HTTP/1.1\r\n", b"x-a: b\r\n"),
        (b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n", b"a"),
    ],
    ids=["silent", "headers", "body"],
)
def test_slow_connections_end(sent: bytes, drip: bytes) -> None:
    with serving(HttpLimits(header_seconds=0.5, body_seconds=0.5)) as port, connected(port) as connection:
        connection.sendall(sent)
        assert ended_after(connection, drip) < 10


def test_headers_have_an_end() -> None:
    with serving(HttpLimits()) as port, connected(port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nx-a: " + b"a" * 70_000)
        assert connection.recv(100).startswith(b"HTTP/1.1 431")


def test_connections_are_counted_and_given_back() -> None:
    limits = HttpLimits(connections=2)
    with serving(limits) as port:
        request = b"GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"
        with connected(port) as first, connected(port) as second:
            with connected(port) as third:
                third.sendall(request)
                assert ended_after(third) < 10
            for connection in (first, second):
                connection.sendall(request)
                assert connection.recv(100).startswith(b"HTTP/1.1 200")
        deadline = time.monotonic() + 10
        while limits.by_address:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        with connected(port) as again:
            again.sendall(request)
            assert again.recv(100).startswith(b"HTTP/1.1 200")


def test_an_address_beyond_this_host_has_a_limit_of_its_own() -> None:
    limits = HttpLimits(connections=10, of_one_address=1)
    assert limits.enter("192.0.2.1")
    assert not limits.enter("192.0.2.1")
    assert limits.enter("192.0.2.2")
    assert limits.enter("127.0.0.1")
    assert limits.enter("127.0.0.1")
    limits.leave("192.0.2.1")
    assert limits.enter("192.0.2.1")
