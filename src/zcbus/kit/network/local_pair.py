"""Two connected sockets of this process.

They are of TCP, unlike those of `socket.socketpair`, because drivers set options of TCP on what they are given.
"""

import socket

from zcbus.kit.network import rules

_SECONDS = 10.0


def local_pair() -> tuple[socket.socket, socket.socket]:
    """No other process can be at either end. Raises OSError."""
    with socket.create_server(("127.0.0.1", 0), backlog=1) as listener, rules.own_listener(listener):
        listener.settimeout(_SECONDS)
        near = socket.create_connection(listener.getsockname(), _SECONDS)
        while True:
            far, peer = listener.accept()
            if peer == near.getsockname():
                break
            far.close()  # another program of this host was quicker
    for one in (near, far):
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return near, far
