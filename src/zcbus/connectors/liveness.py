"""Liveness of a silent connection: is the server working on a statement, or is the connection dead?

The kernel's probes (keepalive.py) cannot decide: a firewall or a hung host may continue to acknowledge. A time limit
cannot decide either: a statement may rightly take hours. So a connection that waits without data for a while asks about
its server process over another connection with short time-outs.
"""

import select
from collections.abc import Callable
from typing import Protocol

LIVENESS_SECONDS = 10.0
"""Seconds without data before the server is asked, each time."""
PROBE_SECONDS = 5.0
"""For each answer to the question."""
_IN_FLIGHT_SECONDS = 1.0
"""Data that the server process sent before the question arrives within this time."""


class ConnectionDead(ConnectionError):
    """The connection is dead, or the server does not respond."""


class ServerProcess(Protocol):
    """The server's process for a connection, examined over another connection. Waits are bounded by PROBE_SECONDS."""

    def is_at_work(self) -> bool:
        """Whether it works for this connection.

        A process that waits for the client, while the client waits for it, has a dead connection. False also if the
        server cannot be reached; true if it responds without the information.
        """

    def end(self) -> None:
        """Let it hold locks and slots no longer. Never raises."""


def check(process: ServerProcess, moves: Callable[[float], bool]) -> None:
    """Decide after LIVENESS_SECONDS without data whether to wait on: returns, or raises ConnectionDead.

    `moves` waits up to some seconds for the connection to become ready.
    """
    if process.is_at_work() or moves(_IN_FLIGHT_SECONDS):
        return
    process.end()
    raise ConnectionDead(f"nothing received for {LIVENESS_SECONDS:.0f} s")


def becomes_ready(descriptor: int, events: int, seconds: float) -> bool:
    """Whether a socket gets ready for `events` (select.POLLIN, select.POLLOUT) within some seconds."""
    poll = select.poll()
    poll.register(descriptor, events)
    return bool(poll.poll(seconds * 1000))
