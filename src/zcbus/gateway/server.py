"""The HTTP server in front of an edge."""

import contextlib
import socket
import ssl
from collections.abc import Iterator

import anyio
import uvicorn
from anyio import CapacityLimiter
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from zcbus.gateway.calls import MAX_BODY_BYTES, Call
from zcbus.gateway.edge import Edge
from zcbus.gateway.errors import PortTaken
from zcbus.gateway.log import CallLog
from zcbus.gateway.origins import Origin, origin_of
from zcbus.kit.gateway_settings import GatewaySettings, Network
from zcbus.kit.http_limits import HttpLimits, limited
from zcbus.kit.listening import listening_socket
from zcbus.kit.logging import get_logger

_AT_ONCE = 64
_SHUTDOWN_SECONDS = 10
_BACKLOG = 512
_CERTIFICATE_TICKS = 600
"""Once a minute: a server ticks ten times a second."""
_log = get_logger("gateway.server")


class Server(uvicorn.Server):
    """Ends by `should_exit` only; signals belong to the worker. Loads its certificate again once a minute."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def on_tick(self, counter: int) -> bool:
        if self.config.ssl is not None and counter % _CERTIFICATE_TICKS == _CERTIFICATE_TICKS - 1:
            self._load_certificate(self.config.ssl)
        return await super().on_tick(counter)

    def _load_certificate(self, context: ssl.SSLContext) -> None:
        """For connections from now on. One that cannot be loaded, as while it is replaced, changes nothing."""
        try:
            context.load_cert_chain(str(self.config.ssl_certfile), self.config.ssl_keyfile)
        except (OSError, ssl.SSLError) as error:
            _log.error("certificate-not-loaded", file=str(self.config.ssl_certfile), error=str(error))


def listening(host: str, port: int) -> socket.socket:
    """A listening socket. Raises PortTaken."""
    try:
        return listening_socket(host, port, _BACKLOG)
    except OSError as error:
        raise PortTaken(host=host, port=port, detail=error.strerror or str(error)) from error


def server(edge: Edge, log: CallLog, settings: GatewaySettings) -> Server:
    """An HTTP server for an edge, with `/-/healthz` and, for this host only, `/-/metrics`."""
    return Server(
        uvicorn.Config(
            _application(edge, log, settings.proxies),
            http=limited(HttpLimits()),
            ssl_certfile=settings.certificate or None,
            ssl_keyfile=settings.key or None,
            access_log=False,
            log_config=None,
            proxy_headers=False,
            server_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        )
    )


def _application(edge: Edge, log: CallLog, proxies: tuple[Network, ...]) -> Starlette:
    limiter = CapacityLimiter(_AT_ONCE)

    async def answer(request: Request) -> Response:
        call = await _call(request, origin_of(request, proxies))
        reply = await anyio.to_thread.run_sync(edge.answer, call, limiter=limiter)
        return Response(reply.body, reply.status, dict(reply.headers), reply.media_type)

    async def healthy(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def metrics(request: Request) -> Response:
        if not origin_of(request, proxies).is_local:
            return PlainTextResponse("", 404)
        return Response(log.metrics(), media_type="text/plain; version=0.0.4")

    return Starlette(
        routes=[
            Route("/-/healthz", healthy),
            Route("/-/metrics", metrics),
            Route("/{path:path}", answer, methods=["GET", "POST"]),
        ]
    )


async def _call(request: Request, origin: Origin) -> Call:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY_BYTES:
            break  # Enough to refuse the call.
    return Call(
        method=request.method,
        path=request.scope["raw_path"].decode("ascii", "replace"),
        query=request.scope["query_string"].decode("ascii", "replace"),
        pairs=request.query_params.multi_items(),
        headers={name.lower(): value for name, value in request.headers.items()},
        body=bytes(body),
        address=origin.address,
        is_private=origin.is_private,
    )
