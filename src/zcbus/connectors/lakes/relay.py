"""A way to one server for libraries that resolve and connect by themselves.

Such a library is given the relay as its HTTP proxy. So every connection, also of a retry or behind a redirection, is
made here by `kit.network.dial`: the address that is connected to is the one that the network rules were asked for. The
relay leads to one host and port only; TLS is between the library and the server.
"""

import socket
import threading
import weakref
from contextlib import suppress

from zcbus.kit.logging import get_logger
from zcbus.kit.network import dial

_CONNECT_SECONDS = 10.0
_HEAD_SECONDS = 10.0
_MAX_HEAD_BYTES = 64 << 10
_PART = 256 << 10
_END = b"\r\n\r\n"
_Target = tuple[str, int]


class Relay:
    """Listens on this host until its last reference is gone. Thread-safe."""

    def __init__(self, target: _Target) -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        threading.Thread(target=_accept, args=(listener, target), name="relay", daemon=True).start()
        weakref.finalize(self, _end, listener)


_relays: "weakref.WeakValueDictionary[_Target, Relay]" = weakref.WeakValueDictionary()
_lock = threading.Lock()


def relay_to(host: str, port: int) -> Relay:
    """The relay of this process to a server; made where there is none. Keep it for as long as it is used."""
    with _lock:
        found = _relays.get((host, port))
        if found is None:
            found = _relays[host, port] = Relay((host, port))
        return found


def _end(listener: socket.socket) -> None:
    with suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)  # `accept` would wait on behind a mere close
    listener.close()


def _accept(listener: socket.socket, target: _Target) -> None:
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_serve, args=(client, target), name="relay", daemon=True).start()


def _serve(client: socket.socket, target: _Target) -> None:
    with client:
        try:
            head = _head(client)
            server = _connected(client, head, target)
        except OSError as error:
            get_logger("network").warning("relay refused", host=target[0], port=target[1], detail=str(error))
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
    server = dial(*target, _CONNECT_SECONDS)
    server.settimeout(None)
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if tunnel:
        client.sendall(b"HTTP/1.1 200 OK" + _END)
        head = head.partition(_END)[2]
    # A plain request goes to the server whatever its line names: there is no way elsewhere.
    server.sendall(head)
    return server


def _named(target: _Target) -> str:
    host, port = target
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


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
