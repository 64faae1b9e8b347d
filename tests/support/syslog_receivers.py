"""Syslog servers: TCP or TLS with octet counting, and UDP."""

import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class SyslogServer:
    """Keeps the messages that it reads; `resets`: it resets connections after the first bytes instead."""

    port: int = 0
    messages: list[bytes] = field(default_factory=list)
    resets: bool = False


@contextmanager
def stream_server(identity: tuple[Path, Path] | None = None) -> Iterator[SyslogServer]:
    """A server over TCP; with files of a certificate and its key over TLS."""
    server = SyslogServer()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server.port = listener.getsockname()[1]
        thread = threading.Thread(target=_serve, args=(listener, server, identity), daemon=True)
        thread.start()
        yield server
        # Not close: the thread would wait on in accept.
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(10)


@contextmanager
def datagram_server() -> Iterator[socket.socket]:
    """A bound socket of UDP with a deadline of ten seconds."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(10)
        yield receiver


def _serve(listener: socket.socket, server: SyslogServer, identity: tuple[Path, Path] | None) -> None:
    context = None
    if identity:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*identity)
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection:
            try:
                _read(connection, server, context)
            except OSError:
                continue


def _read(connection: socket.socket, server: SyslogServer, context: ssl.SSLContext | None) -> None:
    if server.resets:
        connection.recv(1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return
    if context is None:
        server.messages += _messages(_to_end(connection))
        return
    with context.wrap_socket(connection, server_side=True) as encrypted:
        content = _to_end(encrypted)
        server.messages += _messages(content)
        encrypted.unwrap()


def _to_end(connection: socket.socket) -> bytes:
    content = b""
    while part := connection.recv(65536):
        content += part
    return content


def _messages(content: bytes) -> list[bytes]:
    found = []
    while content:
        length, _, rest = content.partition(b" ")
        found.append(rest[: int(length)])
        content = rest[int(length) :]
    return found
