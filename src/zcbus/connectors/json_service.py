"""Requests to a service that is asked in JSON, by sockets of this process: the network rules hold for each."""

from collections.abc import Mapping
from typing import Any

import httpx
import orjson

from zcbus.connectors.http_transport import client
from zcbus.connectors.roles import Side
from zcbus.connectors.server_errors import ServerErrors
from zcbus.connectors.tls import is_untrusted

_CONNECT_SECONDS = 10.0
_REQUEST_SECONDS = 60.0
_MAX_BYTES = 512 << 20
"""Of an answer: the services divide larger results."""


class JsonService(ServerErrors):
    """Base of a connection. `options` of the kind: with `kind`, `address`, `user` and `way`."""

    def __init__(self, options: Any, side: Side, seconds: float) -> None:
        """`seconds`: for each request, at most. Connects with the first request."""
        super().__init__(options, side)
        timeout = httpx.Timeout(min(seconds, _REQUEST_SECONDS), connect=_CONNECT_SECONDS)
        self._http = client(options.way, timeout=timeout)

    def ask(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None) -> tuple[int, Any]:
        """Status and JSON of an answer; a text where it has none. Raises SourceUnavailable, AccessDenied,
        DatabaseFailed."""
        try:
            with self._http.stream(method, url, headers=dict(headers), content=content) as response:
                found = self._body(response)
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            if is_untrusted(error):
                raise self.denied(str(error)) from error
            raise self.unavailable(str(error) or "no answer") from error
        try:
            return response.status_code, orjson.loads(found)
        except ValueError:
            return response.status_code, found[:200].decode("utf-8", "replace")

    def close(self) -> None:
        """Idempotent."""
        self._http.close()

    def _body(self, response: httpx.Response) -> bytes:
        found = bytearray()
        for part in response.iter_bytes():
            found += part
            if len(found) > _MAX_BYTES:
                raise self.failed(ValueError(f"an answer of more than {_MAX_BYTES >> 20} MiB"))
        return bytes(found)
