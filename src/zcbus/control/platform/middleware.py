"""Handling of every request before its route: an id, a size limit, one spelling of the path, a log line."""

import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import unquote

from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.exceptions import HTTPException

from zcbus.kit.ids import new_id
from zcbus.kit.logging import get_logger, logged_with

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY_BYTES = 8 * 1024 * 1024
MAX_ANONYMOUS_BYTES = 64 * 1024
"""Limit of a body before its sender is authenticated."""
_LIMIT = "zcbus_body_limit"

SECURITY_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)


def content_policy(service_url: str | None) -> tuple[bytes, bytes]:
    """What pages may load and call: this platform, and where its calls go when that is elsewhere."""
    called = f"'self' {service_url} ws: wss:" if service_url else "'self' ws: wss:"
    policy = (
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        f"frame-src 'self' blob:; font-src 'self' data:; connect-src {called}; frame-ancestors 'none'; "
        "base-uri 'self'; form-action 'self'; object-src 'none'"
    )
    return b"content-security-policy", policy.encode()


_MAX_NUMBER_LENGTH = 15
_SOURCE_HEADER = b"zcbus-source-url"
_MAX_SOURCE_LENGTH = 1500
_log = get_logger("control.http")


class OneSpelling:
    """`/api/{product}/…` and `/ws/{product}/…` lead to the handlers of `/api/zcbus/…` and `/ws/zcbus/…`."""

    def __init__(self, app: Application, product: str) -> None:
        self._app = app
        self._prefixes = [(f"/{area}/{product}/", f"/{area}/zcbus/") for area in ("api", "ws")]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            for prefix, canonical in self._prefixes:
                if scope["path"].startswith(prefix):
                    scope["path"] = canonical + scope["path"][len(prefix) :]
        await self._app(scope, receive, send)


class RequestFrame:
    """Gives each request an id, times it, logs it, counts it, and adds the headers every answer carries."""

    def __init__(self, app: Application, metrics: CollectorRegistry, service_url: str | None = None) -> None:
        self._app = app
        self._headers = (*SECURITY_HEADERS, content_policy(service_url))
        self._count = Counter(
            "zcbus_http_requests", "Requests answered", ("method", "route", "status"), registry=metrics
        )
        self._seconds = Histogram("zcbus_http_request_seconds", "Time to answer", ("method", "route"), registry=metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = scope["zcbus_request_id"] = new_id()
        started = time.perf_counter()
        status = 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                present = {name for name, _ in message["headers"]}
                extra = [pair for pair in self._headers if pair[0] not in present]
                cache = [] if b"cache-control" in present else [(b"cache-control", b"no-store")]
                message["headers"] = [*message["headers"], *extra, *cache, (b"x-request-id", request_id.encode())]
            await send(message)

        with logged_with(request_id=request_id):
            try:
                await self._app(scope, receive, send_with_headers)
            finally:
                self._note(scope, status, time.perf_counter() - started)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        # The route's pattern, never the path itself: a metric must not grow with what callers make up.
        route = getattr(scope.get("route"), "path", "other")
        self._count.labels(scope["method"], route, str(status)).inc()
        self._seconds.labels(scope["method"], route).observe(seconds)
        # Polling is most of the traffic: what changes nothing and succeeds is not worth a line in an ordinary log.
        is_notable = status >= 400 or scope.get("zcbus_notable", False)
        log = _log.warning if status >= 500 else _log.info if is_notable else _log.debug
        log(
            "request",
            method=scope["method"],
            path=scope["path"],
            status=status,
            milliseconds=round(seconds * 1000, 1),
            user=scope.get("zcbus_user"),
            **_source_of(scope),
        )


def _source_of(scope: Scope) -> dict[str, str]:
    """The portal that the viewer signed in from, as the console says: for a reader of the log only."""
    stated = [value for name, value in scope["headers"] if name == _SOURCE_HEADER]
    return {"source": unquote(stated[0].decode("latin-1")[:_MAX_SOURCE_LENGTH])} if stated else {}


class BodyLimit:
    """Stops reading a body over the limit with 413, whether or not the client declared its length."""

    def __init__(self, app: Application, limit: int = MAX_BODY_BYTES) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            receive = self._limited(receive, scope)
        await self._app(scope, receive, send)

    def _limited(self, receive: Receive, scope: Scope) -> Receive:
        received, declared = 0, declared_length(scope) or 0

        async def limited() -> Message:
            nonlocal received
            limit = scope.get(_LIMIT, self._limit)
            message = await receive() if declared <= limit else {}
            received += len(message.get("body", b""))
            if max(received, declared) > limit:
                # The one exception that FastAPI lets through while it reads a body.
                raise HTTPException(413, str(limit))
            return message

        return limited


def limit_body(scope: Scope, limit: int) -> None:
    """Limit how many bytes of the request's body are read from here on."""
    scope[_LIMIT] = limit


def declared_length(scope: Scope) -> int | None:
    """The length of the body that the client declared; None: it declared none."""
    headers = dict(scope["headers"])
    text = headers.get(b"content-length", b"")
    if text.isdigit() and len(text) < _MAX_NUMBER_LENGTH:
        return int(text)
    return None if text or b"transfer-encoding" in headers else 0
