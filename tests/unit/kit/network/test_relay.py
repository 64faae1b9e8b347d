"""The relay leads to one server, at an address that the network rules allow at that moment."""

import gc
import ipaddress
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from zcbus.kit import network
from zcbus.kit.network.relay import Relay, relay_to

NAME = "lake.invalid"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, list[str]]]:
    """Port of a server that answers each connection's first bytes in capitals, and what NAME means, answer by answer;
    the last answer stays."""
    listener = socket.create_server(("127.0.0.1", 0))
    meanings = ["127.0.0.1"]
    real = socket.getaddrinfo

    def resolve(host: Any, *given: Any, **named: Any) -> Any:
        if host == NAME:
            host = meanings.pop(0) if len(meanings) > 1 else meanings[0]
        return real(host, *given, **named)

    def serve() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            with client:
                client.sendall(client.recv(4096).upper())

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    threading.Thread(target=serve, daemon=True).start()
    yield listener.getsockname()[1], meanings
    network.use(network.NetworkRules())
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


def asked(relay: Relay, request: str, then: str = "") -> str:
    port = int(relay.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.sendall(request.encode())
        answer = connection.recv(4096)
        if then:
            connection.sendall(then.encode())
        while part := connection.recv(4096):
            answer += part
    return answer.decode()


def test_requests_and_tunnels_reach_the_server(server: tuple[int, list[str]]) -> None:
    port, _ = server
    relay = relay_to(NAME, port)
    assert (
        asked(relay, f"get http://{NAME}:{port}/a HTTP/1.1\r\n\r\n")
        == f"GET HTTP://LAKE.INVALID:{port}/A HTTP/1.1\r\n\r\n"
    )
    tunnel = asked(relay, f"CONNECT {NAME}:{port} HTTP/1.1\r\nhost: x\r\n\r\n", then="hello")
    assert tunnel == "HTTP/1.1 200 OK\r\n\r\nHELLO"


def test_the_relay_connects_to_no_other_host(server: tuple[int, list[str]]) -> None:
    """Neither behind a redirection to another host, nor to what the name means later."""
    port, meanings = server
    relay = relay_to(NAME, port)
    assert asked(relay, f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n").startswith("HTTP/1.1 403 ")
    network.use(network.NetworkRules(deny=(ipaddress.ip_network("127.0.0.2/32"),)))
    meanings[:] = ["127.0.0.1", "127.0.0.2"]
    request = f"GET http://{NAME}:{port}/ HTTP/1.1\r\n\r\n"
    assert not asked(relay, request).startswith("HTTP/1.1 403 ")
    refused = asked(relay, request)
    assert refused.startswith("HTTP/1.1 403 ")
    assert "127.0.0.2" in refused


def test_a_relay_is_shared_per_server_while_in_use(server: tuple[int, list[str]]) -> None:
    port, _ = server
    relay = relay_to(NAME, port)
    assert relay_to(NAME, port) is relay
    there = ("127.0.0.1", int(relay.url.rpartition(":")[2]))
    del relay
    gc.collect()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(there, 10)
