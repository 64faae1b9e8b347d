"""A server that says nothing: is it at work for us, or is the connection dead without anybody being told?

The kernel's probes (keepalive.py) cannot tell: a firewall that forgot the connection or a host that hangs may go on
acknowledging. No time limit can tell either: a statement may rightly take hours. So every connection that waits and on
which nothing has moved for a while asks about its server process over another connection, whose waits are short.
"""

import select
from collections.abc import Callable
from typing import Protocol

SILENT_SECONDS = 10.0
"""So long nothing moves before the server is asked, each time."""
ASK_SECONDS = 5.0
"""For each answer to the question."""
_ON_ITS_WAY_SECONDS = 1.0
"""What the server process sent just before we asked is here by then."""


class Silent(ConnectionError):
    """The connection is dead, or the server answers nobody."""


class ServerProcess(Protocol):
    """What serves a connection, asked about over another one. Waits are bounded by ASK_SECONDS."""

    def is_at_work(self) -> bool:
        """Whether it does something for us. One that waits to hear from us, or for us to take what it sends, has a
        dead connection, because we do wait. False also where the server cannot be reached at all; true where it
        answers but does not tell."""

    def end(self) -> None:
        """Let it hold locks and slots no longer. Never raises."""


def judge(process: ServerProcess, moves: Callable[[float], bool]) -> None:
    """To be called after SILENT_SECONDS in which nothing moved. Returns where it is right to wait on, raises Silent
    where not. `moves` waits up to some seconds for the connection to go on."""
    if process.is_at_work() or moves(_ON_ITS_WAY_SECONDS):
        return
    process.end()
    raise Silent(f"nothing heard for {SILENT_SECONDS:.0f} s")


def becomes_ready(descriptor: int, events: int, seconds: float) -> bool:
    """Whether a socket gets ready for `events` (select.POLLIN, select.POLLOUT) within some seconds."""
    poll = select.poll()
    poll.register(descriptor, events)
    return bool(poll.poll(seconds * 1000))
