"""Settings of a host for data services: addresses, ports, certificate and trusted proxies."""

import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

MIN_PORT = 1024


@dataclass(frozen=True, slots=True)
class GatewaySettings:
    """Settings for the data services of a host.

    `proxies`: trusted to report the caller's address. `certificate`, `key`: PEM files; '': plain HTTP. `addresses`:
    allowed listen addresses; (): all. `ports`: first and last allowed port.
    """

    proxies: tuple[Network, ...] = ()
    certificate: str = ""
    key: str = ""
    addresses: tuple[Network, ...] = ()
    ports: tuple[int, int] = (MIN_PORT, 65535)

    @property
    def tls(self) -> bool:
        return bool(self.certificate)

    def allows(self, host: str, port: int) -> bool:
        """Whether a data service may listen on an address. Port 0, any free one, is for tests."""
        if port and not self.ports[0] <= port <= self.ports[1]:
            return False
        try:
            return not self.addresses or contains(self.addresses, parse_ip(host))
        except ValueError:
            return False


def parse_ip(text: str) -> Address:
    """Parse an address; an IPv4 address mapped to IPv6 becomes IPv4. Raises ValueError."""
    address = ipaddress.ip_address(text)
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def contains(networks: Sequence[Network], address: Address) -> bool:
    return any(address in network for network in networks)


def parse_networks(text: str) -> tuple[Network, ...]:
    """Parse addresses and networks, separated by commas. Raises ValueError."""
    return tuple(ipaddress.ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip())


def parse_ports(text: str) -> tuple[int, int]:
    """Parse `from-to`, or one port. Raises ValueError."""
    first, _, last = text.partition("-")
    ports = int(first), int(last or first)
    if not 1 <= ports[0] <= ports[1] <= 65535:
        raise ValueError(text)
    return ports


def readable_file(value: str) -> str:
    """The absolute path of a readable file; '' stays. Raises ValueError."""
    if value and not os.access(value, os.R_OK):
        raise ValueError(value)
    return str(Path(value).absolute()) if value else ""
