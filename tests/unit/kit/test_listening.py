"""Sockets that servers listen on."""

import socket

import pytest

from zcbus.kit.listening import listening_socket


@pytest.mark.parametrize(("host", "dual_stack", "to"), [("127.0.0.1", False, "127.0.0.1"), ("::", True, "127.0.0.1")])
def test_accepted_connections_send_without_delay(host: str, dual_stack: bool, to: str) -> None:
    with listening_socket(host, 0, 5, dual_stack=dual_stack) as listener:
        with socket.create_connection((to, listener.getsockname()[1])):
            accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
