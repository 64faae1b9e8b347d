"""Which addresses this process may connect to for people: checked for the address that is connected to, not for a name.

A name is resolved once, and only what came of it and is allowed is connected to: another answer a moment later changes
nothing.
"""

import ipaddress
import socket
import sys
import threading
from dataclasses import dataclass

from zcbus.kit.gateway_settings import Address, Network, contains, parse_ip

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class AddressRefused(OSError):
    """The network rules of this host or container do not allow the address."""

    def __init__(self, address: str) -> None:
        super().__init__(f"{address}: not allowed by the network rules of the host or its container")


@dataclass(frozen=True, slots=True)
class NetworkRules:
    """`deny` counts more than `allow`; an empty `allow` allows all. Addresses of the host itself and link-local ones
    need their own permission besides."""

    allow: tuple[Network, ...] = ()
    deny: tuple[Network, ...] = ()
    loopback: bool = True
    link_local: bool = False

    def permits(self, text: str) -> bool:
        """Whether an address (with or without its zone) may be connected to."""
        try:
            address = _meant(parse_ip(text.partition("%")[0]))
        except ValueError:
            return False
        if contains(self.deny, address) or address.is_multicast:
            return False
        # To connect to the unspecified address is to connect to this host.
        if (address.is_loopback or address.is_unspecified) and not self.loopback:
            return False
        if address.is_link_local and not self.link_local:
            return False
        return not self.allow or contains(self.allow, address)

    def within(self, other: "NetworkRules") -> "NetworkRules":
        """What both permit."""
        return NetworkRules(
            _common(self.allow, other.allow) if self.allow and other.allow else self.allow or other.allow,
            tuple(dict.fromkeys((*self.deny, *other.deny))),
            self.loopback and other.loopback,
            self.link_local and other.link_local,
        )

    def environment(self) -> dict[str, str]:
        """The variables by which a process that is started hears of them."""
        return {
            "ZCBUS_NETWORK_ALLOW": ",".join(map(str, self.allow)),
            "ZCBUS_NETWORK_DENY": ",".join(map(str, self.deny)),
            "ZCBUS_NETWORK_LOOPBACK": "on" if self.loopback else "off",
            "ZCBUS_NETWORK_LINK_LOCAL": "on" if self.link_local else "off",
        }


NOTHING = (ipaddress.ip_network("0.0.0.0/32"),)
"""An `allow` that allows nothing: two lists that have nothing in common."""

_rules = NetworkRules()
_hooked = threading.Event()


def use(rules: NetworkRules) -> None:
    """From now on these rules count in this process."""
    global _rules
    _rules = rules


def addresses(host: str, port: int, rules: NetworkRules | None = None) -> list[str]:
    """The addresses of a host that may be connected to, each once: by the process's rules, or by those given. Raises
    AddressRefused, OSError."""
    permits = (rules or _rules).permits
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    known = list(dict.fromkeys(str(place[4][0]) for place in found))
    allowed = [address for address in known if permits(address)]
    if not allowed:
        raise AddressRefused(f"{host} ({', '.join(known)})" if known != [host] else host)
    return allowed


def dial(host: str, port: int, timeout: float | None) -> socket.socket:
    """A connection to the first allowed address that answers. Raises AddressRefused, OSError."""
    failure: OSError | None = None
    for address in addresses(host, port):
        try:
            return socket.create_connection((address, port), timeout)
        except OSError as error:
            failure = error
    assert failure is not None
    raise failure


def watch_sockets(*, main_thread: bool) -> None:
    """Refuse whatever library of Python connects elsewhere. `main_thread`: there as well; an agent talks with its
    control plane there. Libraries that connect by themselves (libpq, librdkafka) must ask `addresses`. Idempotent."""
    if _hooked.is_set():
        return
    _hooked.set()

    def check(event: str, arguments: tuple[object, ...]) -> None:
        if event != "socket.connect":
            return
        _, address = arguments
        if not isinstance(address, tuple) or _rules.permits(str(address[0])):
            return
        if main_thread or threading.current_thread() is not threading.main_thread():
            raise AddressRefused(str(address[0]))

    sys.addaudithook(check)


def _meant(address: Address) -> Address:
    """An address of IPv4 that is written as one of IPv6 for a translator on the way."""
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
