"""Settings of servers that get metrics: the metric store's, and a collector of OpenTelemetry."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from zcbus.kit.tls import is_loopback

SERVER_ADDRESS = "an http:// or https:// address without account, query and fragment"
WRITE_ADDRESS = "a path that begins with /, or such an address"
SHARE = "a share from 0 to 1; more than 0 needs ZCBUS_OTLP"
HEADERS = "Name: value, divided by ; (for an https:// address, or this host's own)"


@dataclass(frozen=True, slots=True)
class MetricStoreSettings:
    """A server that speaks Prometheus' protocols. `address`: what `/api/v1/query` follows. `write`: the whole address
    of its remote write. `repr` hides the headers."""

    address: str
    write: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class CollectorSettings:
    """A collector of OpenTelemetry. `address`: what `/v1/metrics` and `/v1/traces` follow. `traces`: the share of
    records that are traced, from 0 to 1. `repr` hides the headers."""

    address: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    traces: float = 0.0


def parse_server(text: str) -> str:
    """An address without a slash at its end, or none. Raises ValueError."""
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ValueError(text)
    if parts.query or parts.fragment or parts.username is not None:
        raise ValueError(text)
    return text.rstrip("/")


def parse_write(text: str) -> str:
    """A path, or an address. Raises ValueError."""
    if not text.startswith("/"):
        return parse_server(text or ":")
    parse_server(f"http://host{text}")
    return text


def write_address(address: str, write: str) -> str:
    """A path follows the address, which may have one itself."""
    return address + write if write.startswith("/") else urljoin(address, write)


def parse_headers(text: str) -> dict[str, str]:
    """Headers of requests, which may be secret. Raises ValueError."""
    found = {}
    for part in text.split(";"):
        name, divider, value = (piece.strip() for piece in part.partition(":"))
        if not part.strip():
            continue
        if not (divider and value and name.replace("-", "").isalnum() and text.isascii() and text.isprintable()):
            raise ValueError
        found[name] = value
    return found


def parse_share(text: str) -> float:
    """A share from 0 to 1. Raises ValueError."""
    share = float(text)
    if not 0.0 <= share <= 1.0:
        raise ValueError(text)
    return share


def is_private(address: str) -> bool:
    """Whether headers sent to an address are read by its server alone."""
    parts = urlsplit(address)
    return parts.scheme == "https" or is_loopback(parts.hostname or "")
