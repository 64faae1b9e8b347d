"""Sockets that servers of ours listen on."""

import socket


def listening_socket(host: str, port: int, backlog: int, *, dual_stack: bool = False) -> socket.socket:
    """A socket that listens on an address. `dual_stack`: on `::` it takes IPv4 too. Raises OSError.

    Its connections send without delay: else the body of an answer, written behind its headers, waits up to 40 ms for
    their acknowledgement. The event loop sets this only for sockets that name the protocol.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = dual_stack and host == "::" and socket.has_dualstack_ipv6()
    made = socket.create_server((host, port), family=family, backlog=backlog, dualstack_ipv6=both)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made
