"""Clients of HTTP whose connections take a route, and are Python's sockets: the network rules hold for each of them.

Redirections are not followed, and nothing of the process's environment counts: no proxies, no credentials.
"""

from collections.abc import Iterable
from ssl import SSLContext
from typing import Any

import httpcore
import httpx
from httpcore._backends.sync import SyncStream  # the library's own over a socket, which it offers by no other name

from zcbus.kit.network import Route, dial


def client(way: Route | None, verify: SSLContext | bool = True, **given: Any) -> httpx.Client:
    """A client of httpx. Connects with the first request."""
    if way is None:
        return httpx.Client(verify=verify, trust_env=False, follow_redirects=False, **given)
    transport = httpx.HTTPTransport(verify=verify, trust_env=False)
    # The pool that httpx makes takes no way of connecting.
    transport._pool._network_backend = _Backend(way)
    return httpx.Client(transport=transport, trust_env=False, follow_redirects=False, **given)


class _Backend(httpcore.NetworkBackend):
    """See httpcore. A server's name goes to the bastion or proxy, and certificates are checked against it."""

    def __init__(self, way: Route) -> None:
        self._way = way

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        try:
            return SyncStream(dial(host, port, timeout, self._way))
        except TimeoutError as error:
            raise httpcore.ConnectTimeout(str(error)) from error
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(str(error)) from error
