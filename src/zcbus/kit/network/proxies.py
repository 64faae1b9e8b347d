"""What is said to a proxy before a connection leads to the server: SOCKS5 (RFC 1928, 1929) and HTTP CONNECT (RFC 9110).

Names go to the proxy as they are: it resolves them.
"""

import base64
import socket
import struct

from zcbus.kit.network.route import Route, RouteFailed, literal

_MAX_HEAD_BYTES = 16 << 10
_REPLIES = {
    1: "general failure",
    2: "not allowed by the proxy's rules",
    3: "network unreachable",
    4: "host unreachable",
    5: "connection refused",
    6: "time to live expired",
    7: "command not supported",
    8: "address type not supported",
}
_NO_SIGN_IN, _PASSWORD = 0, 2


def socks5(connection: socket.socket, way: Route, host: str, port: int) -> None:
    """Raises RouteFailed, OSError, UnicodeError."""
    methods = bytes([_NO_SIGN_IN, _PASSWORD] if way.user else [_NO_SIGN_IN])
    connection.sendall(bytes([5, len(methods)]) + methods)
    version, method = _exactly(connection, 2)
    if version != 5:
        raise RouteFailed(way, "reach", "no SOCKS5 proxy answers there")
    if method == _PASSWORD and way.user:
        _sign_in(connection, way)
    elif method != _NO_SIGN_IN:
        raise RouteFailed(way, "sign-in", "the proxy wants another way of signing in")
    connection.sendall(b"\x05\x01\x00" + _address(host) + struct.pack("!H", port))
    _, reply, _, kind = _exactly(connection, 4)
    if reply:
        raise RouteFailed(way, "target", f"{host}:{port}: {_REPLIES.get(reply, f'reply {reply}')}")
    length = {1: 4, 4: 16}.get(kind) or _exactly(connection, 1)[0]
    _exactly(connection, length + 2)


def http_connect(connection: socket.socket, way: Route, host: str, port: int) -> None:
    """Raises RouteFailed, OSError, UnicodeError."""
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
    if way.user:
        password, _ = way.credentials()
        account = base64.b64encode(f"{way.user}:{password}".encode()).decode()
        lines.append(f"Proxy-Authorization: Basic {account}")
    connection.sendall("\r\n".join([*lines, "", ""]).encode("ascii"))
    version, _, rest = _head(connection).partition(b"\r\n")[0].decode("latin-1").partition(" ")
    if not version.startswith("HTTP/1."):
        raise RouteFailed(way, "reach", "no HTTP proxy answers there")
    if rest.startswith(("407", "401")):  # the latter is what some proxies say
        raise RouteFailed(way, "sign-in", rest[:200])
    if not rest.startswith("2"):
        raise RouteFailed(way, "target", f"{place}: {rest[:200]}")


def _sign_in(connection: socket.socket, way: Route) -> None:
    user, password = way.user.encode(), way.credentials()[0].encode()
    connection.sendall(b"\x01" + bytes([len(user)]) + user + bytes([len(password)]) + password)
    if _exactly(connection, 2)[1]:
        raise RouteFailed(way, "sign-in", "the proxy refuses user or password")


def _address(host: str) -> bytes:
    found = literal(host)
    if found is not None:
        return (b"\x01" if found.version == 4 else b"\x04") + found.packed
    name = host.encode("ascii")
    return b"\x03" + bytes([len(name)]) + name


def _exactly(connection: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        part = connection.recv(count - len(found))
        if not part:
            raise ConnectionResetError("the proxy closed the connection")
        found += part
    return found


def _head(connection: socket.socket) -> bytes:
    """Byte by byte: what follows is the server's, which may speak first."""
    found = bytearray()
    while not found.endswith(b"\r\n\r\n"):
        if len(found) > _MAX_HEAD_BYTES:
            raise ConnectionResetError("no answer of a proxy")
        found += _exactly(connection, 1)
    return bytes(found)
