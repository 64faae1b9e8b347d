"""Rules for addresses that this process may connect to on behalf of users.

A name is resolved once, and only its allowed addresses are used: a changed answer of the name server has no effect.
"""

import ipaddress
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from zcbus.kit.gateway_settings import Address, Network, contains, parse_ip

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class AddressRefused(OSError):
    """The network rules of this host or container forbid the address."""

    def __init__(
        self, address: str, why: str = "not allowed by the network rules of the host or its container"
    ) -> None:
        super().__init__(f"{address}: {why}")


@dataclass(frozen=True, slots=True)
class NetworkRules:
    """Network rules: `deny` overrides `allow`; an empty `allow` allows all.

    Addresses of the host itself and link-local ones also need a permission of their own.
    """

    allow: tuple[Network, ...] = ()
    deny: tuple[Network, ...] = ()
    loopback: bool = True
    link_local: bool = False

    def permits(self, text: str) -> bool:
        """Whether an address, with or without its zone, is allowed."""
        try:
            address = _embedded_ipv4(parse_ip(text.partition("%")[0]))
        except ValueError:
            return False
        if contains(self.deny, address) or address.is_multicast:
            return False
        # A connection to the unspecified address reaches this host.
        if (address.is_loopback or address.is_unspecified) and not self.loopback:
            return False
        if address.is_link_local and not self.link_local:
            return False
        return not self.allow or contains(self.allow, address)

    def within(self, other: "NetworkRules") -> "NetworkRules":
        """Rules that allow what both allow."""
        return NetworkRules(
            _common(self.allow, other.allow) if self.allow and other.allow else self.allow or other.allow,
            tuple(dict.fromkeys((*self.deny, *other.deny))),
            self.loopback and other.loopback,
            self.link_local and other.link_local,
        )

    def environment(self) -> dict[str, str]:
        """Environment variables that pass the rules to a child process."""
        return {
            "ZCBUS_NETWORK_ALLOW": ",".join(map(str, self.allow)),
            "ZCBUS_NETWORK_DENY": ",".join(map(str, self.deny)),
            "ZCBUS_NETWORK_LOOPBACK": "on" if self.loopback else "off",
            "ZCBUS_NETWORK_LINK_LOCAL": "on" if self.link_local else "off",
        }


NOTHING = (ipaddress.ip_network("0.0.0.0/32"),)
"""An `allow` list that matches nothing: the intersection of two disjoint lists."""

_rules = NetworkRules()
_hooked = threading.Event()
_owner = threading.local()
_own: dict[tuple[str, int], int] = {}
"""Addresses that this process itself listens on for its own connections, and how often."""


def use(rules: NetworkRules) -> None:
    """Apply rules to this process."""
    global _rules
    _rules = rules


def addresses(host: str, port: int, rules: NetworkRules | None = None) -> list[str]:
    """The allowed addresses of a host, each once. Raises AddressRefused, OSError.

    `rules`: default to those of the process.
    """
    permits = (rules or _rules).permits
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    resolved = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    allowed = [address for address in resolved if permits(address)]
    if not allowed:
        raise AddressRefused(f"{host} ({', '.join(resolved)})" if resolved != [host] else host)
    return allowed


def current() -> NetworkRules:
    """The rules of this process."""
    return _rules


def connect(host: str, port: int, timeout: float | None, source: str = "") -> socket.socket:
    """Connect directly to the first allowed address that answers. `source`: address of this host to leave from; empty:
    the system chooses. Raises AddressRefused, OSError."""
    failure: OSError | None = None
    for address in addresses(host, port):
        try:
            return socket.create_connection((address, port), timeout, (source, 0) if source else None)
        except OSError as error:
            failure = error
    assert failure is not None
    raise failure


@contextmanager
def own_listener(listener: socket.socket) -> Iterator[None]:
    """Let this process connect to what it listens on itself, whatever the rules say of loopback."""
    address = listener.getsockname()[:2]
    allow_own(address)
    try:
        yield
    finally:
        forget_own(address)


def allow_own(address: tuple[str, int]) -> None:
    """See own_listener."""
    _own[address] = _own.get(address, 0) + 1


def forget_own(address: tuple[str, int]) -> None:
    """See own_listener."""
    left = _own.pop(address, 1) - 1
    if left:
        _own[address] = left


@contextmanager
def owner_connections() -> Iterator[None]:
    """Let this thread connect anywhere: to a server that this host's owner set, never one that users name."""
    _owner.connects = True
    try:
        yield
    finally:
        _owner.connects = False


def watch_sockets(*, main_thread: bool) -> None:
    """Refuse forbidden connections of all Python libraries. Idempotent.

    `main_thread`: also there; an agent calls its control plane there. Libraries with sockets of their own (libpq,
    librdkafka) must use `addresses`.
    """
    if _hooked.is_set():
        return
    _hooked.set()

    def check(event: str, arguments: tuple[object, ...]) -> None:
        if event != "socket.connect":
            return
        _, address = arguments
        if not isinstance(address, tuple) or address[:2] in _own or _rules.permits(str(address[0])):
            return
        if getattr(_owner, "connects", False):
            return
        if main_thread or threading.current_thread() is not threading.main_thread():
            raise AddressRefused(str(address[0]))

    sys.addaudithook(check)


def _embedded_ipv4(address: Address) -> Address:
    """The IPv4 address in an IPv6 address of a translation prefix."""
    if isinstance(address, ipaddress.IPv6Address) and address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _common(ours: tuple[Network, ...], theirs: tuple[Network, ...]) -> tuple[Network, ...]:
    found: list[Network] = []
    for one in ours:
        for other in theirs:
            if one.version != other.version or not one.overlaps(other):
                continue
            found.append(one if one.prefixlen >= other.prefixlen else other)
    return tuple(dict.fromkeys(found)) or NOTHING
