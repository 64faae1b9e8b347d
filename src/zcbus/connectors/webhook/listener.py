"""The HTTP server of a reader, in a thread of its own."""

import asyncio
import contextlib
import hashlib
import os
import re
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from textwrap import wrap
from typing import Any

import orjson
import uvicorn

from zcbus.connectors.errors import SourceNotReady, SourceUnavailable
from zcbus.connectors.webhook.admission import HEALTH, Admission, Gate
from zcbus.connectors.webhook.spec import WebhookOptions
from zcbus.connectors.webhook.waiting import Answer, Waiting
from zcbus.kit.http_limits import HttpLimits, limited
from zcbus.kit.listening import listening_socket

_HEADER_SECONDS, _BODY_SECONDS, _CLOSE_SECONDS, _START_SECONDS = 10.0, 30.0, 3, 15.0
_BACKLOG = 512
_BLOCK = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \1-----", re.DOTALL)
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


def marks_of(options: WebhookOptions) -> list[str]:
    """What a listener of this data source says of itself: a digest of each path."""
    texts = (f"{options.address}/{path}" for path in options.paths())
    return [hashlib.blake2b(text.encode(), digest_size=8).hexdigest() for text in texts]


def bound(options: WebhookOptions) -> socket.socket:
    """A listening socket. Raises OSError."""
    return listening_socket(options.listen, options.port, _BACKLOG, dual_stack=True)


def why_not(error: OSError) -> str:
    """Why an address cannot be listened on, in the system's words."""
    if error.errno is None or isinstance(error, socket.gaierror):
        return str(error)
    return os.strerror(error.errno)


def server_context(options: WebhookOptions) -> ssl.SSLContext:
    """Of certificate and key. Raises ssl.SSLError, OSError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # The library reads files only; this one is never on a disk.
    with os.fdopen(os.memfd_create("certificate"), "wb") as file:
        file.write(pem(options.privatekey) + pem(options.certificate))
        file.flush()
        context.load_cert_chain(f"/proc/self/fd/{file.fileno()}", password=lambda: "")
    return context


def pem(text: str) -> bytes:
    """PEM in lines again, which a form's field of one line takes away."""
    found = _BLOCK.findall(text)
    return "".join(
        "\n".join([f"-----BEGIN {name}-----", *wrap("".join(content.split()), 64), f"-----END {name}-----", ""])
        for name, content in found
    ).encode()


class _Server(uvicorn.Server):
    """Ends by `should_exit` only; signals belong to the worker."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Listener:
    """Listens from its creation until it is closed."""

    def __init__(self, options: WebhookOptions, gates: Iterable[Gate]) -> None:
        """Raises SourceUnavailable: the address is in use or is none of this host. SourceNotReady: the certificate is
        of no use."""
        self._options = options
        context = _context(options)
        try:
            self._socket = bound(options)
        except OSError as error:
            raise unavailable(options, why_not(error)) from error
        self._loop = asyncio.new_event_loop()
        self.waiting = Waiting(self._loop)
        self._admission = Admission(options, gates, self.waiting)
        self._server = _Server(self._config(context))
        self._fault = ""
        self._thread = threading.Thread(target=self._serve, name="webhooks", daemon=True)
        self._thread.start()

    def require_alive(self) -> None:
        """Raises SourceUnavailable: the server has ended."""
        if not self._thread.is_alive():
            raise unavailable(self._options, self._fault or "the listener has ended")

    def close(self) -> None:
        """Answer all that wait with 503 and free the port. Idempotent."""
        self.waiting.close()
        self._server.should_exit = True
        self._thread.join(_CLOSE_SECONDS + 2)
        self._server.force_exit = True
        self._admission.refusals.write()
        self._socket.close()

    def _config(self, context: ssl.SSLContext | None) -> uvicorn.Config:
        limits = HttpLimits(header_seconds=_HEADER_SECONDS, body_seconds=_BODY_SECONDS)
        config = uvicorn.Config(
            self._application,
            http=limited(limits),
            interface="asgi3",
            loop="asyncio",
            access_log=False,
            log_config=None,
            proxy_headers=False,
            server_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=_CLOSE_SECONDS,
        )
        config.load()
        config.ssl = context
        return config

    def _serve(self) -> None:
        """Of the thread."""
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._server.serve(sockets=[self._socket]))
        except Exception as error:  # noqa: BLE001  whatever ends it is the reason of the reader's error
            self._fault = str(error) or type(error).__name__
        finally:
            with suppress(RuntimeError):
                self._loop.close()

    async def _application(self, scope: Mapping[str, Any], receive: Callable[[], Awaitable[Any]], send: Send) -> None:
        if scope["type"] != "http":
            return
        if scope["path"] == f"/{HEALTH}":
            await _send(send, Answer(200, orjson.dumps({"listener": marks_of(self._options)}).decode()))
            return
        await _send(send, await self._admission.answer(scope, receive))


async def _send(send: Send, answer: Answer) -> None:
    headers = dict(answer.headers)
    body = answer.detail.encode()
    if "content-type" not in headers:
        headers["content-type"] = "application/json"
        if answer.status != 200:
            body = orjson.dumps({"error": answer.detail})
    headers["content-length"] = str(len(body))
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": answer.status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


def unavailable(options: WebhookOptions, detail: str) -> SourceUnavailable:
    """The listener's error."""
    return SourceUnavailable(kind=options.kind, address=options.address, detail=detail)


def _context(options: WebhookOptions) -> ssl.SSLContext | None:
    if not options.certificate:
        return None
    try:
        return server_context(options)
    except (OSError, ValueError) as error:
        facts = {"setting": "certificate", "value": str(error)[:200], "expected": "PEM"}
        raise SourceNotReady(kind=options.kind, **facts) from error
