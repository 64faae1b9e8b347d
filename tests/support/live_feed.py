"""A browser's side of the socket of live events."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from tests.support.control_plane import ControlPlane


@dataclass(frozen=True)
class LiveFeed:
    """An open socket."""

    socket: ClientConnection

    def next(self, seconds: float = 15) -> dict[str, Any]:
        """The next event. Raises TimeoutError, ConnectionClosed."""
        event: dict[str, Any] = json.loads(self.socket.recv(timeout=seconds))
        return event

    def await_topic(self, topic: str) -> set[str]:
        """Everything announced until this topic is, the topic included."""
        heard: set[str] = set()
        while topic not in heard:
            heard |= set(self.next().get("topics", ()))
        return heard


def opened(plane: ControlPlane, path: str, ticket: str, origin: str = "") -> ClientConnection:
    """A socket of a page of `origin`, by default the platform's own. Raises InvalidStatus."""
    return connect(
        plane.address.replace("http", "ws", 1) + path,
        subprotocols=[Subprotocol("zcbus"), Subprotocol(ticket)],
        origin=Origin(origin or plane.address),
        proxy=None,
    )


@contextmanager
def live_feed(plane: ControlPlane, token: str) -> Iterator[LiveFeed]:
    """Opened, and from here on every change is announced."""
    ticket = plane.post("live/open", token=token).json()["data"]
    with opened(plane, ticket["path"], ticket["ticket"]) as socket:
        feed = LiveFeed(socket)
        while feed.next() != {"live": True}:
            pass
        yield feed
