"""Connections to servers, directly or by a route."""

import socket
from contextlib import suppress
from dataclasses import replace

from zcbus.kit.network import proxies, rules
from zcbus.kit.network.route import Route, RouteFailed, literal
from zcbus.kit.network.rules import AddressRefused

_ROUTE_SECONDS = 30.0
"""For a connection by a route whose caller sets no limit."""


def dial(host: str, port: int, timeout: float | None, way: Route | None = None) -> socket.socket:
    """Connect to the first allowed address that answers; by a route where one is given. The socket keeps the timeout.
    Raises AddressRefused, RouteFailed and other OSErrors, all of which may pass.

    By a bastion the socket leads to a thread of this process: its peer is not the server's address.
    """
    if way is None:
        return rules.connect(host, port, timeout)
    require_target(way, host)
    if not way.leads_through:
        return rules.connect(host, port, timeout, way.source)
    seconds = _ROUTE_SECONDS if timeout is None else timeout
    if way.kind == "ssh":
        # Loads a large library.
        from zcbus.kit.network import bastion

        made = bastion.dial(way, host, port, seconds)
    else:
        made = _by_proxy(way, host, port, seconds)
    made.settimeout(timeout)
    return made


def require_target(way: Route, host: str) -> None:
    """Whether a server may be reached by a route. Raises AddressRefused.

    An address is held against the network rules as always, except that its loopback is another host's. What a name
    means is decided by bastion or proxy, where these rules see nothing: under rules only a name that the route lists is
    allowed.
    """
    if not way.admits(host):
        raise AddressRefused(host, f"not among the targets of the route {way.name}")
    if not way.leads_through:
        return
    now = rules.current()
    address = literal(host)
    if address is not None and not replace(now, loopback=True).permits(str(address)):
        raise AddressRefused(host)
    if address is None and not way.targets and (now.allow or now.deny):
        why = f"network rules cannot judge a name behind the route {way.name}; list it among the route's targets"
        raise AddressRefused(host, why)


def reach(way: Route, seconds: float | None) -> socket.socket:
    """A connection to the bastion or proxy itself. Raises AddressRefused, RouteFailed."""
    try:
        return rules.connect(way.host, way.port, seconds, way.source)
    except AddressRefused:
        raise
    except (OSError, UnicodeError) as error:
        raise RouteFailed(way, "reach", str(error) or type(error).__name__) from error


def _by_proxy(way: Route, host: str, port: int, seconds: float) -> socket.socket:
    made = reach(way, seconds)
    try:
        agree = proxies.socks5 if way.kind == "socks5" else proxies.http_connect
        agree(made, way, host, port)
    except BaseException as error:
        with suppress(OSError):
            made.close()
        if isinstance(error, OSError) and not isinstance(error, RouteFailed):
            raise RouteFailed(way, "target", str(error) or type(error).__name__) from error
        raise
    return made
