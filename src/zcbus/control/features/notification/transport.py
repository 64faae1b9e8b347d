"""Connections to receivers: within the network rules, in bounded time, without redirects and proxies."""

import http.client
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self
from urllib.parse import SplitResult, urlsplit

from zcbus.control.features.notification.errors import NoticeAddressRefusedError, ReceiverUnreachableError
from zcbus.kit.network import AddressRefused, NetworkRules, addresses

STEP_SECONDS = 10.0
"""For each step: to connect, to send, to wait for the server."""
WHOLE_SECONDS = 30.0
"""For an attempt, however slowly the server answers."""
MAX_ADDRESSES = 3
"""Addresses of a host that are tried: each takes up to `STEP_SECONDS`, and a name may have hundreds."""
MAX_ANSWER_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class Reach:
    """Allowed destinations, and trusted certificates in addition to the host's (a PEM file; empty: none)."""

    rules: NetworkRules
    trusted: str = ""

    def tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        if self.trusted:
            context.load_verify_locations(self.trusted)
        return context

    def connect(self, host: str, port: int) -> socket.socket:
        """Raises NoticeAddressRefusedError, ReceiverUnreachableError."""
        try:
            found = addresses(host, port, self.rules)
        except AddressRefused as error:
            raise NoticeAddressRefusedError(address=host) from error
        except (OSError, UnicodeError) as error:
            raise ReceiverUnreachableError(address=f"{host}:{port}", detail=_plain(error)) from error
        detail = ""
        for address in found[:MAX_ADDRESSES]:
            try:
                return socket.create_connection((address, port), STEP_SECONDS)
            except OSError as error:
                detail = _plain(error)
        raise ReceiverUnreachableError(address=f"{host}:{port}", detail=detail)


class TimeLimit:
    """Closes a connection at its time limit, so that operations on it fail."""

    def __init__(self, current: Callable[[], socket.socket | None]) -> None:
        self._current = current
        self._timer = threading.Timer(WHOLE_SECONDS, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _cut(self) -> None:
        connection = self._current()
        if connection is not None:
            try:
                # Not the method of a TLS socket, which would continue unencrypted for a moment.
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
            except OSError:
                return


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's status and the beginning of its answer."""

    status: int
    content: bytes


def post(reach: Reach, url: str, content: bytes, headers: Mapping[str, str]) -> Answer:
    """Send JSON to an HTTP server. A redirect is an answer like others. Raises NoticeAddressRefusedError,
    ReceiverUnreachableError; neither names more of the address than its host."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = http.client.HTTPConnection(host, port, timeout=STEP_SECONDS)
    connection.sock = reach.connect(host, port)
    try:
        with TimeLimit(lambda: connection.sock):
            if parts.scheme == "https":
                connection.sock = _wrapped(reach, connection.sock, host)
                connection.sock.do_handshake()
            return _exchange(connection, parts, content, headers)
    except (OSError, http.client.HTTPException) as error:
        raise ReceiverUnreachableError(address=f"{host}:{port}", detail=_plain(error)) from error
    finally:
        connection.close()


def _wrapped(reach: Reach, plain: socket.socket, host: str) -> ssl.SSLSocket:
    return reach.tls().wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)


def _exchange(
    connection: http.client.HTTPConnection, parts: SplitResult, content: bytes, headers: Mapping[str, str]
) -> Answer:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    defaults = {"Host": parts.netloc, "Content-Type": "application/json; charset=utf-8", "User-Agent": "ZCBUS"}
    connection.request("POST", target, content, {**defaults, "Connection": "close", **headers})
    answer = connection.getresponse()
    return Answer(answer.status, answer.read(MAX_ANSWER_BYTES))


def _plain(error: Exception) -> str:
    return str(error) or type(error).__name__
