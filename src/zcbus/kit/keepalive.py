"""TCP keepalive: an idle connection to a dead host or through a forgetful firewall fails after 25 seconds."""

import socket

IDLE_SECONDS, INTERVAL_SECONDS, PROBES = 10, 5, 3
UNANSWERED_MILLISECONDS = 25_000
"""For data that was sent and never acknowledged; the same time."""

_OPTIONS = {
    "TCP_KEEPIDLE": IDLE_SECONDS,
    "TCP_KEEPINTVL": INTERVAL_SECONDS,
    "TCP_KEEPCNT": PROBES,
    "TCP_USER_TIMEOUT": UNANSWERED_MILLISECONDS,
}


def enable_keepalive(connection: socket.socket) -> None:
    """Enable the kernel's probes; options that the system does not support are skipped."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _OPTIONS.items():
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
