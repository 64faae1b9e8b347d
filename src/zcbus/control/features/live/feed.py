"""The socket of live events. The server sends JSON in text frames, each with one of:

{"live": true}          from here on every change is announced; what is shown may be older and is to be asked for again
{"live": false}         changes of other replicas may be missed until `live` is true again
{"topics": ["link"]}    what kinds of things changed (`store.live`); an empty list only shows that the socket is alive

What waits for a slow browser is a set of topics. One that takes nothing for SEND_SECONDS loses its socket.
The socket ends with the session that opened it, and when its user gets to see other tenants.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import orjson
from starlette.concurrency import run_in_threadpool

from zcbus.control.features.live.errors import TooManyFeedsError
from zcbus.control.features.live.pending import Pending
from zcbus.control.platform.errors import NotAuthenticatedError
from zcbus.control.platform.routing import Api
from zcbus.control.platform.sessions import find_session, session_subject
from zcbus.control.platform.sockets import SignedOut, Socket, Sockets
from zcbus.control.store.live import EVERY_TENANT

PURPOSE = "live"
PATH = "/api/websocket"

HEARTBEAT_SECONDS = 15.0
"""A socket that is silent for three of these is dead to the browser."""
# Changes within this time are announced together.
_GAP_SECONDS = 1.0
SEND_SECONDS = 10.0
CHECK_SECONDS = 15.0
MAX_OF_A_USER = 50

_open: Counter[str] = Counter()
"""Sockets of this process by user. Only its event loop counts."""


def declare(api: Api) -> None:
    """Add the socket to the feature."""
    Sockets(api.router, api.tag).open(PATH, PURPOSE, audited=False)(feed)


async def feed(socket: Socket) -> str:
    """Announce changes until the browser closes or the session ends."""
    tenant = await run_in_threadpool(_tenant, socket)
    pending = Pending()
    with _counted(socket.holder.principal.user_id), pending.listening(socket.services.database.change_events, tenant):
        work = [
            asyncio.create_task(part)
            for part in (_receive(socket), _pass_on(socket, pending), _watch_session(socket, tenant))
        ]
        try:
            done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
    return "closed"


@contextlib.contextmanager
def _counted(user_id: str) -> Iterator[None]:
    """Raises TooManyFeedsError."""
    if _open[user_id] >= MAX_OF_A_USER:
        raise TooManyFeedsError(limit=MAX_OF_A_USER)
    _open[user_id] += 1
    try:
        yield
    finally:
        _open[user_id] -= 1
        if not _open[user_id]:
            del _open[user_id]


async def _receive(socket: Socket) -> None:
    """Until the browser closes; it has nothing to say."""
    while (await socket.websocket.receive())["type"] != "websocket.disconnect":
        pass


async def _pass_on(socket: Socket, pending: Pending) -> None:
    """Until the browser takes nothing more."""
    relay = socket.services.database.relay
    with contextlib.suppress(TimeoutError):
        await _send(socket, live=relay.is_complete)
        while True:
            topics, relay_changed = await pending.take(HEARTBEAT_SECONDS)
            if relay_changed:
                await _send(socket, live=relay.is_complete)
            if topics or not relay_changed:
                await _send(socket, topics=sorted(topics))
            await asyncio.sleep(_GAP_SECONDS)


async def _send(socket: Socket, **event: Any) -> None:
    """Raises TimeoutError."""
    async with asyncio.timeout(SEND_SECONDS):
        await socket.send(orjson.dumps(event).decode())


async def _watch_session(socket: Socket, tenant: str) -> None:
    """Until the user gets to see other tenants, or the process stops. Raises SignedOut."""
    events, loop, changed = socket.services.database.change_events, asyncio.get_running_loop(), asyncio.Event()
    subject = session_subject(socket.holder.principal.session_id or "")
    # Listening begins before the session is read, and never pauses: a sign-out at any moment ends the socket at once.
    with events.calling(subject, partial(loop.call_soon_threadsafe, changed.set)):
        while not events.is_closed:
            changed.clear()
            if await run_in_threadpool(_tenant, socket) != tenant:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CHECK_SECONDS):
                    await changed.wait()


def _tenant(socket: Socket) -> str:
    """Whose changes the holder may learn of. Raises SignedOut."""
    session_id = socket.holder.principal.session_id
    if session_id is None:
        return EVERY_TENANT
    try:
        with socket.services.database.read() as connection:
            principal = find_session(socket.services, connection, session_id)
    except NotAuthenticatedError as error:
        raise SignedOut from error
    return EVERY_TENANT if principal.spans_tenants else principal.tenant_id
