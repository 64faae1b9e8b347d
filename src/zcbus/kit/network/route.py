"""A route: the way from this host to servers that it doesn't reach by itself, or not from any of its addresses."""

import ipaddress
import socket
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal, Protocol

from zcbus.kit.errors import ZcbusError
from zcbus.kit.gateway_settings import contains, parse_networks

RouteKind = Literal["direct", "ssh", "socks5", "http"]
"""Directly (from an address of its own), by an SSH bastion, by a SOCKS5 proxy, by an HTTP proxy (CONNECT)."""
RouteStep = Literal["reach", "host-key", "sign-in", "target"]
"""Steps of a connection in their order: to the bastion or proxy, its identity, the account, the server behind it."""


class Elsewhere(Protocol):
    """A secret that is kept elsewhere (`kit.secret_references.KeptElsewhere`)."""

    def read(self) -> str:
        """The secret as it is now. Raises ZcbusError."""
        ...


@dataclass(frozen=True, slots=True)
class Route:
    """A named route. `repr` shows no secret."""

    name: str
    kind: RouteKind = "direct"
    host: str = ""
    """Of the bastion or proxy; empty: direct."""
    port: int = 0
    user: str = ""
    password: str | Elsewhere = field(default="", repr=False)
    key: str | Elsewhere = field(default="", repr=False)
    """Private key for a bastion, as OpenSSH or PEM writes it; ends of lines may be missing."""
    host_key: str = ""
    """SHA256 fingerprint of the one key that the bastion may show."""
    source: str = ""
    """Address of this host that connections leave from; empty: the system chooses."""
    targets: tuple[str, ...] = ()
    """Servers that may be reached: addresses, networks, names with wildcards (`*.example.com`); (): all."""

    @property
    def leads_through(self) -> bool:
        """Whether another host makes the connection to the server, and resolves its name."""
        return self.kind != "direct"

    def admits(self, host: str) -> bool:
        """Whether a server is among the targets."""
        address = literal(host)
        if not self.targets:
            return True
        if address is None:
            return any(fnmatchcase(host.lower().rstrip("."), one.lower()) for one in self.targets)
        return any(contains(parse_networks(one), address) for one in self.targets if _is_network(one))

    def secrets(self) -> tuple[str, str]:
        """Password and key, as they are now. May take seconds where they are kept elsewhere. Raises ZcbusError."""
        password, key = (one if isinstance(one, str) else one.read() for one in (self.password, self.key))
        return password, key

    def credentials(self) -> tuple[str, str]:
        """As `secrets`, for a connection that begins. Raises RouteFailed."""
        try:
            return self.secrets()
        except ZcbusError as error:
            detail = ", ".join(str(fact) for fact in error.facts.values())
            raise RouteFailed(self, "sign-in", f"{error.code}: {detail}") from error

    def __str__(self) -> str:
        return f"{self.name} ({self.kind} {self.host}:{self.port})" if self.leads_through else self.name


class RouteFailed(OSError):
    """A route leads not to the server. `step`: where it ended; `shown`: fingerprint that a bastion showed."""

    def __init__(self, route: Route, step: RouteStep, detail: str, shown: str = "") -> None:
        super().__init__(f"route {route}: {detail}")
        self.step: RouteStep = step
        self.detail, self.shown = detail, shown


def literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a host is written as, also in the old forms (`127.1`, `0x7f000001`); None: it is a name."""
    try:
        return ipaddress.ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host)) if host[:1].isdecimal() else None
    except OSError:
        return None


def _is_network(text: str) -> bool:
    try:
        return bool(parse_networks(text))
    except ValueError:
        return False
