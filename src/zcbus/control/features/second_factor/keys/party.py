"""As whom this platform presents itself to security keys. A key's signature counts for one name only, so the name is
the configured one, never what a request says."""

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from zcbus.kit.settings import Settings

_TLS_PORT, _PLAIN_PORT = 443, 80


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """`id` is the host's name that keys are bound to, `origin` the address of the pages that may use them."""

    id: str
    origin: str


def relying_party(settings: Settings) -> RelyingParty | None:
    """None where browsers let no page use keys: without a public address, at an address in digits, or without TLS
    anywhere but on the own host."""
    address = urlsplit(settings.public_address or "")
    name = (address.hostname or "").encode("idna").decode()
    is_tls = address.scheme == "https"
    if not name or _is_digits(name) or not (is_tls or _is_this_host(name)):
        return None
    is_default = address.port in (None, _TLS_PORT if is_tls else _PLAIN_PORT)
    return RelyingParty(name, f"{address.scheme}://{name}" + ("" if is_default else f":{address.port}"))


def _is_this_host(name: str) -> bool:
    return name == "localhost" or name.endswith(".localhost")


def _is_digits(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
