"""A socket ends with its session, also while its browser keeps sending."""

import asyncio
from typing import Any, cast

import pytest
from fastapi import WebSocket

from zcbus.control.platform import sockets
from zcbus.control.platform.services import Services
from zcbus.control.platform.sockets import SignedOut, Socket
from zcbus.control.platform.tickets import Holder

_FRAMES = 2000


class Busy:
    """A browser that sends a key at a time, then closes."""

    def __init__(self) -> None:
        self.sent = 0

    async def receive(self) -> dict[str, Any]:
        await asyncio.sleep(0.0005)
        self.sent += 1
        if self.sent > _FRAMES:
            return {"type": "websocket.disconnect"}
        return {"type": "websocket.receive", "text": "x"}


class SignedOutSocket(Socket):
    def _is_signed_in(self) -> bool:
        return False


def test_input_does_not_put_off_the_end_of_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "CHECK_SECONDS", 0.1)
    busy = Busy()
    socket = SignedOutSocket(cast("Services", None), cast("WebSocket", busy), cast("Holder", None))

    async def read() -> None:
        async for _ in socket.frames():
            pass

    with pytest.raises(SignedOut):
        asyncio.run(read())
    assert busy.sent < _FRAMES
