"""A connection to a NATS server, for threads: the library lives in an event loop of its own."""

import asyncio
import contextlib
import threading
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar

from nats.aio.client import Client
from nats.errors import Error, NoRespondersError
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError, ServiceUnavailableError

from zcbus.connectors import tls
from zcbus.connectors.errors import AccessDenied, SourceUnavailable
from zcbus.connectors.nats.spec import NatsOptions
from zcbus.kit import network
from zcbus.kit.network.relay import Relay, tunnel_to

T = TypeVar("T")
RESPONSE_SECONDS = 10.0
_CONNECT_SECONDS, _CLOSE_SECONDS = 10, 2.0
_REFUSED = ("authorization violation", "authentication", "permissions violation")


class NatsLink:
    """Connects at creation. Not thread-safe. A lost connection is not made again: the engine opens another link, since
    only addresses that the network rules permit may be connected to."""

    def __init__(self, options: NatsOptions) -> None:
        """Raises SourceUnavailable, AccessDenied."""
        self._options = options
        self._fault = ""
        """What the server reported last, apart from responses."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="nats", daemon=True)
        self._thread.start()
        self.client = Client()
        self.streams: JetStreamContext = self.client.jetstream(timeout=RESPONSE_SECONDS)
        self._tunnel: Relay | None = None
        try:
            # A secret that is kept elsewhere may take seconds to read.
            self.run(self._connect(_account(options)), _CONNECT_SECONDS + RESPONSE_SECONDS)
        except BaseException:
            self.close()
            raise

    @property
    def identity(self) -> str:
        """The cluster's name, or else the address: a single server has another id with each start."""
        cluster: str = self.client._server_info.get("cluster", "")
        return cluster or self._options.address

    def run(self, work: Coroutine[Any, Any, T], seconds: float = RESPONSE_SECONDS * 2) -> T:
        """The result of something done in the loop. Raises NotFoundError, SourceUnavailable, AccessDenied."""
        self._fault = ""  # of an earlier call: a right that was missing there would make a lost connection look denied
        pending = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return pending.result(seconds)
        except TimeoutError as error:
            pending.cancel()
            raise self.error(self._fault or "no response") from error
        except NotFoundError:
            raise
        except (NoRespondersError, ServiceUnavailableError) as error:
            raise self.error("JetStream is not enabled for this account") from error
        except (network.AddressRefused, OSError) as error:
            raise self.error(str(error) or type(error).__name__) from error
        except Error as error:
            raise self.error(self._fault or str(error) or type(error).__name__) from error

    def error(self, detail: str) -> SourceUnavailable | AccessDenied:
        """The error of what the server or the library says."""
        options = self._options
        detail = (self._tunnel.failure if self._tunnel else "") or detail
        if any(word in detail.lower() for word in _REFUSED):
            return AccessDenied(kind=options.kind, address=options.address, user=options.user, detail=detail)
        return SourceUnavailable(kind=options.kind, address=options.address, detail=detail)

    def close(self) -> None:
        """End the connection and the loop. Idempotent."""
        if self._loop.is_closed():
            return
        with contextlib.suppress(Exception):
            asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(RESPONSE_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(RESPONSE_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    async def _end(self) -> None:
        with contextlib.suppress(Exception):
            # Without a connection the library would wait for one to end.
            if self.client.is_connected:
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await self.client.close()
        transport = self.client._transport
        if transport is not None:
            transport.close()  # type: ignore[no-untyped-call]  # the library leaves it open where signing in failed.
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    async def _connect(self, account: Mapping[str, Any]) -> None:
        options = self._options
        hosts, port = self._places()
        secured: dict[str, Any] = {}
        if options.tls != "disable":
            secured = {"tls": tls.context(options.tls), "tls_hostname": options.host}
        await self.client.connect(
            [f"{'nats' if options.tls == 'disable' else 'tls'}://{host}:{port}" for host in hosts],
            name="zcbus",
            allow_reconnect=False,
            # Counted for each address; the library would try to connect for two minutes.
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            connect_timeout=_CONNECT_SECONDS,
            error_cb=self._note,
            **account,
            **secured,
        )

    def _places(self) -> tuple[list[str], int]:
        """Where the library connects to. Names are resolved here: it would connect to any address that a name means by
        then. By a route it connects to this host."""
        options = self._options
        if options.way is not None:
            network.require_target(options.way, options.host)
            self._tunnel = tunnel_to(options.host, options.port, options.way)
            return [self._tunnel.host], self._tunnel.port
        found = network.addresses(options.host, options.port)
        return [f"[{one}]" if ":" in one else one for one in found], options.port

    async def _note(self, error: Exception) -> None:
        self._fault = str(error) or type(error).__name__


def _account(options: NatsOptions) -> dict[str, Any]:
    if options.user:
        return {"user": options.user, "password": options.password}
    token = options.token
    return {"token": token} if token else {}
