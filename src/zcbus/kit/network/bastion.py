"""Connections through an SSH bastion, as `ssh -W` makes them.

A process signs in to a bastion once for all of its connections, and again when they are needed after a loss. A lost
bastion closes them all within 20 seconds, so that their users see what they see when a server goes away.
"""

import asyncio
import socket
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

import asyncssh

from zcbus.kit.network import rules
from zcbus.kit.network.local_pair import local_pair
from zcbus.kit.network.route import Route, RouteFailed
from zcbus.kit.ssh import HostKeyGuard, private_key

T = TypeVar("T")
_SIGN_IN_SECONDS = 15.0
_ALIVE_SECONDS, _ALIVE_TIMES = 5, 3
_IDLE_SECONDS = 60.0
"""After the last connection through it a bastion is left."""
_PART = 256 << 10


class Bastion:
    """One bastion. All of it but `dial` runs in the loop of this module."""

    def __init__(self, way: Route) -> None:
        self._way = way
        self._connection: asyncssh.SSHClientConnection | None = None
        self._signing_in = asyncio.Lock()
        self._carried = 0
        self._carriers: set[asyncio.Task[None]] = set()

    async def carry(self, far: socket.socket, host: str, port: int) -> None:
        """Join a socket to a server. Returns once both are connected. Raises RouteFailed, AddressRefused."""
        try:
            reader, writer = await self._open(host, port)
        except BaseException:
            far.close()
            raise
        carrier = asyncio.ensure_future(self._join(far, reader, writer))
        self._carriers.add(carrier)
        carrier.add_done_callback(self._carriers.discard)

    async def sign_in(self) -> asyncssh.SSHClientConnection:
        """The connection to the bastion. Raises RouteFailed, AddressRefused."""
        async with self._signing_in:
            if self._connection is not None and not rules.current().permits(_peer(self._connection)):
                await self.leave()  # the rules have changed
            if self._connection is None or self._connection.is_closed():
                self._connection = await self._signed_in()
            return self._connection

    async def leave(self) -> None:
        """End all connections. Idempotent."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.abort()
            await connection.wait_closed()
        await asyncio.gather(*self._carriers, return_exceptions=True)

    async def _open(self, host: str, port: int) -> tuple[Any, Any]:
        for attempt in (1, 2):
            connection = await self.sign_in()
            try:
                return await connection.open_connection(host, port)
            except asyncssh.ChannelOpenError as error:
                # Of a connection that was lost unnoticed: another one is tried once.
                if attempt == 1 and connection.is_closed():
                    continue
                raise RouteFailed(self._way, "target", f"{host}:{port}: {error.reason}") from error
            except (OSError, asyncssh.Error) as error:
                if attempt == 1:
                    connection.abort()
                    self._connection = None
                    continue
                raise RouteFailed(self._way, "target", f"{host}:{port}: {error}") from error
        raise AssertionError

    async def _signed_in(self) -> asyncssh.SSHClientConnection:
        way, guard = self._way, HostKeyGuard(self._way.host_key)
        loop = asyncio.get_running_loop()
        # Neither may hold up the connections that this loop carries.
        password, key = await loop.run_in_executor(None, way.credentials)
        plain = await loop.run_in_executor(None, _reach, way)
        try:
            return await asyncssh.connect(
                way.host,
                way.port,
                sock=plain,
                username=way.user,
                password=password or None,
                client_keys=[private_key(key)] if key else None,
                client_factory=lambda: guard,
                known_hosts=([], [], []),
                agent_path=None,
                config=None,
                login_timeout=_SIGN_IN_SECONDS,
                keepalive_interval=_ALIVE_SECONDS,
                keepalive_count_max=_ALIVE_TIMES,
            )
        except asyncssh.HostKeyNotVerifiable as error:
            why = "another host key than the confirmed one" if way.host_key else "its host key is not confirmed yet"
            raise RouteFailed(way, "host-key", f"{why}: {guard.shown}", guard.shown) from error
        except asyncssh.PermissionDenied as error:
            raise RouteFailed(way, "sign-in", f"{way.user}: {error.reason}", guard.shown) from error
        except ValueError as error:
            plain.close()
            raise RouteFailed(way, "sign-in", f"private key: {error}") from error
        except (OSError, asyncssh.Error) as error:
            raise RouteFailed(way, "reach", str(error) or type(error).__name__) from error

    async def _join(self, far: socket.socket, reader: Any, writer: Any) -> None:
        self._carried += 1
        near_reader, near_writer = await asyncio.open_connection(sock=far)
        try:
            # Where one side fails, the other learns of it by its end.
            await asyncio.gather(_pump(near_reader, writer), _pump(reader, near_writer), return_exceptions=True)
        finally:
            writer.close()
            near_writer.close()
            with suppress(OSError):
                await near_writer.wait_closed()
            self._carried -= 1
            if not self._carried:
                asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._leave_if_idle)

    def _leave_if_idle(self) -> None:
        if not self._carried and self._connection is not None:
            self._connection.close()
            self._connection = None


def _peer(connection: asyncssh.SSHClientConnection) -> str:
    """The address that was connected to."""
    return str((connection.get_extra_info("peername") or ("",))[0])


async def _pump(reader: Any, writer: Any) -> None:
    """Hand on what comes until its end, and the end too."""
    try:
        while part := await reader.read(_PART):
            writer.write(part)
            await writer.drain()
    except (OSError, asyncssh.Error):
        writer.close()
        raise
    if writer.can_write_eof():
        with suppress(OSError):
            writer.write_eof()


def _reach(way: Route) -> socket.socket:
    try:
        return rules.connect(way.host, way.port, _SIGN_IN_SECONDS, way.source)
    except rules.AddressRefused:
        raise
    except (OSError, UnicodeError) as error:
        raise RouteFailed(way, "reach", str(error) or type(error).__name__) from error


_loop: asyncio.AbstractEventLoop | None = None
_bastions: dict[Route, Bastion] = {}
_lock = threading.Lock()


def dial(way: Route, host: str, port: int, seconds: float) -> socket.socket:
    """A connection to a server. Raises RouteFailed, AddressRefused."""
    near, far = local_pair()
    try:
        _within(_carry(way, far, host, port), way, "target", seconds)
    except BaseException:
        near.close()
        raise
    return near


def sign_in(way: Route, seconds: float) -> None:
    """Sign in without a server. Raises RouteFailed, AddressRefused."""
    _within(_sign_in(way), way, "sign-in", seconds)


def leave_all() -> None:
    """End all connections through bastions, and the thread that carries them."""
    global _loop
    with _lock:
        loop, _loop = _loop, None
    if loop is not None:
        asyncio.run_coroutine_threadsafe(_leave_all(), loop).result(_SIGN_IN_SECONDS)
        loop.call_soon_threadsafe(loop.stop)


def _within(work: Coroutine[Any, Any, T], way: Route, step: Any, seconds: float) -> T:
    pending: Future[T] = asyncio.run_coroutine_threadsafe(work, _running())
    try:
        return pending.result(seconds)
    except TimeoutError as error:
        pending.cancel()
        raise RouteFailed(way, step, f"no answer within {seconds:g} s") from error


async def _carry(way: Route, far: socket.socket, host: str, port: int) -> None:
    await _bastion(way).carry(far, host, port)


async def _sign_in(way: Route) -> None:
    await _bastion(way).sign_in()


async def _leave_all() -> None:
    for one in _bastions.values():
        await one.leave()
    _bastions.clear()


def _bastion(way: Route) -> Bastion:
    if way not in _bastions:
        _bastions[way] = Bastion(way)
    return _bastions[way]


def _running() -> asyncio.AbstractEventLoop:
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_run, args=(_loop,), name="bastions", daemon=True).start()
        return _loop


def _run(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()
