"""Limits on connections of an HTTP server, applied before any handler runs.

The server itself waits forever for a request and accepts headers of any size.
"""

import asyncio
import resource
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from zcbus.kit.gateway_settings import Network, contains, parse_ip

_REFUSAL = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
PEER_NAME = "zcbus_peer_name"
"""Key in a request's scope: the name in the verified client certificate; None: no certificate."""


def _common_name(certificate: dict[str, Any] | None) -> str | None:
    parts = certificate.get("subject", ()) if certificate else ()
    return next((value for part in parts for name, value in part if name == "commonName"), None)


def _most_connections() -> int:
    """Half of the files that the process may open; the rest is for its store, logs and data."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 2_000 if files == resource.RLIM_INFINITY else max(100, min(2_000, files // 2))


@dataclass(slots=True)
class HttpLimits:
    """Limits of one server.

    Connections from this host, such as those of a proxy, count as one address without a limit of its own.
    """

    header_seconds: float = 10.0
    """From the connection, or the first byte of a request, until the end of its headers."""
    body_seconds: float = 120.0
    header_bytes: int = 64 << 10
    connections: int = field(default_factory=_most_connections)
    of_one_address: int = 250
    proxies: tuple[Network, ...] = ()
    """Addresses that many callers share."""
    by_address: Counter[str] = field(default_factory=Counter)

    def enter(self, address: str) -> bool:
        """Count a connection; False if it exceeds a limit. Every counted one must `leave`."""
        crowded = self.by_address[address] >= self.of_one_address and not self._is_shared(address)
        if crowded or self.by_address.total() >= self.connections:
            return False
        self.by_address[address] += 1
        return True

    def _is_shared(self, address: str) -> bool:
        try:
            own = parse_ip(address)
        except ValueError:
            return False
        return own.is_loopback or contains(self.proxies, own)

    def leave(self, address: str) -> None:
        self.by_address[address] -= 1
        if self.by_address[address] <= 0:
            del self.by_address[address]


def limited(limits: HttpLimits) -> type[asyncio.Protocol]:
    """The connection protocol with these limits (`uvicorn.Config(http=…)`)."""

    class Limited(_LimitedProtocol):
        pass

    Limited.limits = limits
    return Limited


class _LimitedProtocol(HttpToolsProtocol):
    limits: HttpLimits

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._address: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._heading = 0
        """Bytes since the end of the last headers."""
        self._in_body = False
        self._peer_name: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the base
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if not self.limits.enter(address):
            transport.abort()
            return
        self._address = address
        self._peer_name = _common_name(transport.get_extra_info("peercert"))
        self._arm(self.limits.header_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._in_body:
            self._heading += len(data)
        super().data_received(data)
        if not self._in_body and self._heading > self.limits.header_bytes and not self.transport.is_closing():
            self.transport.write(_REFUSAL)
            self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope[PEER_NAME] = self._peer_name  # type: ignore[literal-required]
        self._arm(self.limits.header_seconds)

    def on_headers_complete(self) -> None:
        self._in_body, self._heading = True, 0
        self._arm(self.limits.body_seconds)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_body = False
        self._disarm()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._end()
        super().handle_websocket_upgrade()

    def _arm(self, seconds: float) -> None:
        self._disarm()
        self._timer = self.loop.call_later(seconds, self._expire)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire(self) -> None:
        self.transport.abort()

    def _end(self) -> None:
        self._disarm()
        if self._address is not None:
            self.limits.leave(self._address)
            self._address = None
