"""A REST service of the tests: answers what a test says, and keeps what it was asked."""

import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Asked:
    """A request that came."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes
    target: str

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """What is answered."""

    value: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class RestService:
    """Answers by a function; `asked` has all requests in order."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[Asked] = []
        self.answer: Callable[[Asked], Reply] = lambda _: Reply(status=404)

    def paths(self) -> list[str]:
        return [one.target for one in self.asked]


@contextmanager
def rest_service() -> Iterator[RestService]:
    """A service on a free port."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1
        """Head and body in one packet: apart, each answer waits for an acknowledgement of 40 ms."""

        def _respond(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, parts.path, dict(parse_qsl(parts.query)), headers, body, self.path)
            service.asked.append(asked)
            reply = service.answer(asked)
            content = b"" if reply.status == 204 else self._content(reply)
            self.send_response(reply.status)
            for name, value in {"Content-Length": str(len(content)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
            self.wfile.flush()

        def _content(self, reply: Reply) -> bytes:
            return reply.value if isinstance(reply.value, bytes) else json.dumps(reply.value).encode()

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _respond  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Quiet."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """A client that was killed is no error."""
            if not isinstance(sys.exception(), ConnectionError):
                super().handle_error(request, client_address)  # type: ignore[arg-type]

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service = RestService(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield service
    server.shutdown()
    server.server_close()
    thread.join()
