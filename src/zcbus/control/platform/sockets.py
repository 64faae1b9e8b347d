"""Declaration of a feature's websockets.

    @sockets.open("/ws/ssh/{target}", "ssh")
    async def shell(socket: Socket) -> str: ...

A socket is opened from a page of this platform only (Origin), with a ticket for this purpose and target that a call
handed out a moment ago (`tickets`). The ticket is sent as the second of the offered subprotocols, because addresses end
up in logs. The function returns the end as one word; opening and end are recorded in the operation log, but for sockets
that pages open by themselves (`audited=False`).

Text goes both ways in text frames. Binary frames carry JSON about the socket itself: `{"resize": [columns, rows]}` from
the browser; `{"end": code, "message": text}` and what a feature adds from the server.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import orjson
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.concurrency import run_in_threadpool

from zcbus.control.platform import audit
from zcbus.control.platform.audit import AuditNote, Circumstances
from zcbus.control.platform.services import Services
from zcbus.control.platform.tickets import Holder, is_still_signed_in, redeem
from zcbus.kit.errors import ZcbusError
from zcbus.kit.ids import new_id
from zcbus.kit.logging import get_logger

PROTOCOL = "zcbus"
NO_TARGET = ""

# Without input for this long the socket ends.
IDLE_SECONDS = 15 * 60
# How often a socket checks that its user is still signed in.
CHECK_SECONDS = 15.0

_REFUSED = 1008
_MAX_TEXT = 64 * 1024

_log = get_logger("control.socket")


class SocketIdle(Exception):
    """No input for IDLE_SECONDS."""


class SignedOut(Exception):
    """The session that opened the socket is over."""


@dataclass(slots=True)
class Socket:
    """An accepted socket."""

    services: Services
    websocket: WebSocket
    holder: Holder
    idle_seconds: float = field(default_factory=lambda: IDLE_SECONDS)

    @property
    def target(self) -> str:
        return self.holder.target

    def text(self, key: str, /, **facts: object) -> str:
        """A message in the viewer's language."""
        return self.services.catalogue.text(self.holder.language, key, **facts)

    async def send(self, text: str) -> None:
        await self.websocket.send_text(text)

    async def send_control(self, **about: Any) -> None:
        """Say something about the socket itself."""
        await self.websocket.send_bytes(orjson.dumps(about))

    async def frames(self) -> AsyncIterator[str | dict[str, Any]]:
        """Messages from the browser: text frames as text, JSON of binary frames as a dict. Ends when the browser
        closes. Raises SocketIdle, SignedOut."""
        loop = asyncio.get_running_loop()
        last_received = last_checked = loop.time()
        receiving: asyncio.Task[Any] | None = None
        try:
            while True:
                receiving = receiving or asyncio.create_task(self.websocket.receive())
                done, _ = await asyncio.wait({receiving}, timeout=min(CHECK_SECONDS, self.idle_seconds))
                # A browser that keeps sending must not put off the end of its session.
                if not done or loop.time() - last_checked >= CHECK_SECONDS:
                    await self._check(loop.time() - last_received)
                    last_checked = loop.time()
                if not done:
                    continue
                message, receiving, last_received = receiving.result(), None, loop.time()
                if message["type"] == "websocket.disconnect":
                    return
                frame = _frame(message)
                if frame is not None:
                    yield frame
        finally:
            if receiving is not None:
                receiving.cancel()

    async def _check(self, silent: float) -> None:
        if silent >= self.idle_seconds:
            raise SocketIdle
        if not await run_in_threadpool(self._is_signed_in):
            raise SignedOut

    def _is_signed_in(self) -> bool:
        with self.services.database.read() as connection:
            return is_still_signed_in(connection, self.holder.principal, self.services.clock.now())


Handler = Callable[[Socket], Awaitable[str]]


class Sockets:
    """The websockets of one feature."""

    def __init__(self, router: APIRouter, tag: str) -> None:
        self._router = router
        self._tag = tag

    def open(self, path: str, purpose: str, *, audited: bool = True) -> Callable[[Handler], Handler]:
        """Declare a socket; `{target}` of the path, or else NO_TARGET, is what its ticket must be for."""

        def decorate(handler: Handler) -> Handler:
            action = f"{self._tag}_{handler.__name__}"

            async def serve(websocket: WebSocket) -> None:
                target = websocket.path_params.get("target", NO_TARGET)
                await _serve(websocket, action if audited else None, purpose, target, handler)

            serve.ticketed = True  # type: ignore[attr-defined]
            self._router.add_api_websocket_route(path, serve)
            return handler

        return decorate


async def _serve(websocket: WebSocket, action: str | None, purpose: str, target: str, handler: Handler) -> None:
    """`action`: the name of its record in the operation log; None: it gets none."""
    services: Services = websocket.app.state.services
    holder = await _admitted(services, websocket, purpose, target)
    if holder is None:
        await websocket.close(_REFUSED)
        return
    await websocket.accept(subprotocol=PROTOCOL)
    began = services.clock.now()
    socket = Socket(services, websocket, holder)
    ended = await _run(socket, handler)
    if action is not None:
        where = Circumstances(action, websocket.url.path, websocket.client.host if websocket.client else "", new_id())
        seconds = round((services.clock.now() - began).total_seconds(), 1)
        note = AuditNote(subject=target, after={"seconds": seconds, "ended": ended})
        await run_in_threadpool(_record, services, holder, where, note)
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await websocket.close()


async def _run(socket: Socket, handler: Handler) -> str:
    try:
        return await handler(socket)
    except WebSocketDisconnect:
        return "closed"
    except SocketIdle:
        return await _end(socket, "socket-idle", minutes=round(socket.idle_seconds / 60))
    except SignedOut:
        return await _end(socket, "session-revoked")
    except ZcbusError as error:
        return await _end(socket, error.code, **error.facts)
    except Exception as error:  # noqa: BLE001  after any failure the viewer gets a message and the record is written
        _log.error("socket failed", target=socket.target, exc_info=error)
        return await _end(socket, "server-error")


async def _end(socket: Socket, code: str, **facts: object) -> str:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.send_control(end=code, message=socket.text(code, **facts))
    return code


async def _admitted(services: Services, websocket: WebSocket, purpose: str, target: str) -> Holder | None:
    offered = websocket.scope["subprotocols"]
    if not _is_own_page(websocket, services) or len(offered) != 2 or offered[0] != PROTOCOL:
        return None
    return await run_in_threadpool(_redeem, services, offered[1], purpose, target)


def _is_own_page(websocket: WebSocket, services: Services) -> bool:
    """Whether a page of this platform opens the socket: another site's script could do it as well."""
    origin, settings = websocket.headers.get("origin", ""), services.settings
    if settings.websocket_url is not None and origin == settings.public_address:
        return True
    return urlsplit(origin).netloc == websocket.headers.get("host")


def _redeem(services: Services, ticket: str, purpose: str, target: str) -> Holder | None:
    with services.database.write() as connection:
        return redeem(connection, ticket, purpose, target, services.clock.now())


def _record(services: Services, holder: Holder, where: Circumstances, note: AuditNote) -> None:
    with services.database.write() as connection:
        audit.record(connection, services, holder.principal, where, note)


def _frame(message: dict[str, Any]) -> str | dict[str, Any] | None:
    text = message.get("text")
    if text is not None:
        return str(text)[:_MAX_TEXT]
    try:
        about = orjson.loads(message.get("bytes") or b"")
    except orjson.JSONDecodeError:
        return None
    return about if isinstance(about, dict) else None
