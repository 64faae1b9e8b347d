"""Servers that take notices: web servers that answer as robots do, and a mail server with TLS and accounts."""

import asyncio
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from zcbus.kit.certificates import KeyPair, make_server_certificate

USER, PASSWORD = "bus@example.com", "mail-secret-1"


@dataclass(frozen=True)
class Taken:
    """One request."""

    path: str
    headers: dict[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)


@dataclass
class WebReceiver:
    """Keeps what it takes; answers with what a test sets."""

    port: int = 0
    scheme: str = "http"
    taken: list[Taken] = field(default_factory=list)
    status: int = 200
    answer: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    # Answers only once it is set.
    open: threading.Event = field(default_factory=threading.Event)

    def url(self, path: str = "/hook?key=url-secret-1") -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}{path}"


@contextmanager
def web_receiver(identity: tuple[Path, Path] | None = None) -> Iterator[WebReceiver]:
    """A web server; with files of a certificate and its key it speaks TLS."""
    receiver = WebReceiver(scheme="https" if identity else "http")
    receiver.open.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.taken.append(Taken(self.path, dict(self.headers.items()), content))
            receiver.open.wait()
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(receiver.answer)))
            self.end_headers()
            self.wfile.write(receiver.answer)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if identity:
        server.socket = _context(identity).wrap_socket(server.socket, server_side=True)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield receiver
    finally:
        receiver.open.set()
        server.shutdown()
        thread.join()
        server.server_close()


@dataclass
class MailReceiver:
    """A mail server of one account; `refused` recipients are not taken."""

    port: int = 0
    mails: list[Envelope] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    encrypted: list[bool] = field(default_factory=list)

    async def handle_RCPT(  # noqa: N802  as the server calls it
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if address in self.refused:
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802  as the server calls it
        self, _server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        self.encrypted.append(session.ssl is not None)
        self.mails.append(envelope)
        return "250 taken"


class _OnFreePort(Controller):
    def _trigger_server(self) -> None:
        # The base asks the port it was given.
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


@contextmanager
def mail_receiver(identity: tuple[Path, Path]) -> Iterator[MailReceiver]:
    """A mail server that asks for STARTTLS and then for the account."""
    receiver = MailReceiver()
    controller = _OnFreePort(
        receiver,
        hostname="127.0.0.1",
        port=0,
        tls_context=_context(identity),
        require_starttls=True,
        auth_required=True,
        authenticator=_authenticate,
    )
    controller.start()
    receiver.port = controller.port
    try:
        yield receiver
    finally:
        controller.stop()


def identity_files(authority: KeyPair, folder: Path, now: Any, *names: str) -> tuple[Path, Path]:
    """Files of a certificate that an authority signed, and of its key."""
    made = make_server_certificate(authority, now, list(names))
    paths = folder / f"{names[0]}.pem", folder / f"{names[0]}.key"
    paths[0].write_bytes(made.certificate)
    paths[1].write_bytes(made.key)
    return paths


def _authenticate(_server: SMTP, _session: Session, _envelope: Envelope, _way: str, data: object) -> AuthResult:
    given = (data.login, data.password) if isinstance(data, LoginPassword) else None
    return AuthResult(success=given == (USER.encode(), PASSWORD.encode()), handled=False)


def _context(identity: tuple[Path, Path]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*identity)
    return context
