"""A way to one server for libraries that resolve and connect by themselves.

Such a library is given an address of this host: as its HTTP proxy (`relay_to`), or in place of the server's
(`tunnel_to`). So every connection, also of a retry or behind a redirection, is made here by `dial`: by the route, at an
address that the network rules allow. It leads to one host and port only; TLS is between the library and the server,
which must be given the server's name to check certificates against.
"""

import os
import socket
import sys
import threading
import weakref
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from zcbus.kit.keepalive import enable_keepalive
from zcbus.kit.logging import get_logger
from zcbus.kit.network import rules
from zcbus.kit.network.dialling import dial
from zcbus.kit.network.route import Route

_CONNECT_SECONDS = 10.0
_HEAD_SECONDS = 10.0
_MAX_HEAD_BYTES = 64 << 10
_PART = 256 << 10
_HERE = "127.0.0.1"
_TABLE = Path("/proc/net/tcp")
_END = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class _Target:
    host: str
    port: int
    way: Route | None
    as_proxy: bool
    """Begins with a request to a proxy; else all bytes are the server's."""


class Relay:
    """Listens on this host until its last reference is gone, for this process's user only. Thread-safe."""

    def __init__(self, target: _Target) -> None:
        listener = socket.create_server((_HERE, 0))
        self.port = int(listener.getsockname()[1])
        self.url = f"http://{_HERE}:{self.port}"
        rules.allow_own((_HERE, self.port))
        self._failures: deque[str] = deque(maxlen=1)
        threading.Thread(target=_accept, args=(listener, target, self._failures), name="relay", daemon=True).start()
        weakref.finalize(self, _end, listener, self.port)

    @property
    def failure(self) -> str:
        """Why the last connection was not made; empty: none failed."""
        return self._failures[-1] if self._failures else ""

    @property
    def host(self) -> str:
        return _HERE


_relays: "weakref.WeakValueDictionary[_Target, Relay]" = weakref.WeakValueDictionary()
_lock = threading.Lock()


def relay_to(host: str, port: int, way: Route | None = None) -> Relay:
    """The HTTP proxy of this process to a server; made where there is none. Keep it for as long as it is used."""
    return _relay(_Target(host, port, way, as_proxy=True))


def tunnel_to(host: str, port: int, way: Route | None) -> Relay:
    """An address that stands for the server. Keep it for as long as it is used."""
    return _relay(_Target(host, port, way, as_proxy=False))


def _relay(target: _Target) -> Relay:
    with _lock:
        found = _relays.get(target)
        if found is None:
            found = _relays[target] = Relay(target)
        return found


def _end(listener: socket.socket, port: int) -> None:
    rules.forget_own((_HERE, port))
    with suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)  # `accept` would wait on behind a mere close
    listener.close()


def _accept(listener: socket.socket, target: _Target, failures: deque[str]) -> None:
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_serve, args=(client, target, failures), name="relay", daemon=True).start()


def _serve(client: socket.socket, target: _Target, failures: deque[str]) -> None:
    with client:
        try:
            _require_own(client)
            server = _connected(client, _head(client), target) if target.as_proxy else _dialled(client, target)
        except (OSError, UnicodeError) as error:
            failures.append(str(error))
            get_logger("network").warning("relay refused", host=target.host, port=target.port, detail=str(error))
            if target.as_proxy:
                with suppress(OSError):
                    client.sendall(_refusal(str(error)))
            return
        with server:
            back = threading.Thread(target=_pump, args=(server, client), name="relay", daemon=True)
            back.start()
            _pump(client, server)
            back.join()


def _head(client: socket.socket) -> bytes:
    """First bytes from the library, at least to the end of the head."""
    client.settimeout(_HEAD_SECONDS)
    found = b""
    while _END not in found:
        part = client.recv(_PART)
        if not part or len(found) > _MAX_HEAD_BYTES:
            raise ConnectionResetError("no request")
        found += part
    client.settimeout(None)
    return found


def _connected(client: socket.socket, head: bytes, target: _Target) -> socket.socket:
    """The connection to the server, with what is sent there already. Raises OSError."""
    method, _, rest = head.partition(b" ")
    tunnel = method == b"CONNECT"
    wanted, named = rest.partition(b" ")[0].decode(errors="replace").lower(), _named(target)
    if tunnel and wanted != named:
        raise PermissionError(f"{wanted}: not {named}")
    server = _dialled(client, target)
    if tunnel:
        client.sendall(b"HTTP/1.1 200 OK" + _END)
        head = head.partition(_END)[2]
    # A plain request goes to the server whatever its line names: there is no way elsewhere.
    server.sendall(head)
    return server


def _dialled(client: socket.socket, target: _Target) -> socket.socket:
    server = dial(target.host, target.port, _CONNECT_SECONDS, target.way)
    server.settimeout(None)
    for one in (server, client):
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    # The library's own probes end at the relay.
    enable_keepalive(server)
    return server


def _require_own(client: socket.socket) -> None:
    """A route's server is for this process: others of the host have their own users. Raises PermissionError."""
    local, peer = (_spelled(address) for address in (client.getsockname(), client.getpeername()))
    for line in _TABLE.read_text().splitlines()[1:]:
        parts = line.split()
        if parts[1] == peer and parts[2] == local:
            if int(parts[7]) == os.getuid():
                return
            break
    raise PermissionError("the relay is another user's")


def _spelled(address: tuple[str, int]) -> str:
    """As the kernel's table writes it: the address's bytes in the order of this machine."""
    return f"{int.from_bytes(socket.inet_aton(address[0]), sys.byteorder):08X}:{address[1]:04X}"


def _named(target: _Target) -> str:
    return f"[{target.host}]:{target.port}" if ":" in target.host else f"{target.host}:{target.port}"


def _refusal(detail: str) -> bytes:
    body = f"<Error><Code>AccessDenied</Code><Message>{detail}</Message></Error>".encode()
    return b"HTTP/1.1 403 Forbidden\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s" % (len(body), body)


def _pump(of: socket.socket, to: socket.socket) -> None:
    """Hand on what comes until its end, and the end too."""
    with suppress(OSError):
        while part := of.recv(_PART):
            to.sendall(part)
    for one, how in ((to, socket.SHUT_WR), (of, socket.SHUT_RD)):
        with suppress(OSError):
            one.shutdown(how)
