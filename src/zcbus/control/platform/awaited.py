"""Answers that wait until something happened, without a thread that waits."""

from collections.abc import AsyncIterator, Awaitable, Callable

from fastapi import Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, PrivateAttr

from zcbus.control.platform.call import Call


class Awaited(BaseModel):
    """Whether something happened before the time was over. The caller was admitted when it began to wait."""

    happened: bool = False

    _wait: Callable[[], Awaitable[bool]] = PrivateAttr()

    @classmethod
    def of(cls, wait: Callable[[], Awaitable[bool]]) -> "Awaited":
        """An answer that comes when `wait` ends; it runs on the server's event loop."""
        awaited = cls()
        awaited._wait = wait
        return awaited

    def response(self, _call: Call, head: bytes) -> Response:
        """The answer; `head` is the envelope up to its data."""
        return StreamingResponse(self._pieces(head), media_type="application/json")

    async def _pieces(self, head: bytes) -> AsyncIterator[bytes]:
        self.happened = await self._wait()
        yield head + self.model_dump_json().encode() + b"}"
