"""Origin of a call: its peer, or the caller that trusted proxies report."""

from dataclasses import dataclass

from starlette.requests import Request

from zcbus.kit.gateway_settings import Network, contains, parse_ip

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


@dataclass(frozen=True, slots=True)
class Origin:
    """`is_private`: the call cannot be read on its way. `is_local`: from a program on this host, for itself."""

    address: str
    is_private: bool
    is_local: bool


def origin_of(request: Request, proxies: tuple[Network, ...]) -> Origin:
    """The origin of a call, from its peer and the headers of trusted proxies.

    `X-Forwarded-For` and `X-Forwarded-Proto` of other peers are ignored. A peer on this host that forwards calls
    without being trusted does not count as the caller.
    """
    peer = request.client.host if request.client is not None else ""
    encrypted = request.url.scheme == "https"
    if not _is_in(peer, proxies):
        local = _is_loopback(peer) and not any(name in request.headers for name in _FORWARDED)
        return Origin(peer, encrypted or local, local)
    hops = [hop.strip() for hop in ",".join(request.headers.getlist("x-forwarded-for")).split(",") if hop.strip()]
    # From the right: entries left of the first untrusted hop may be forged.
    address = next((hop for hop in reversed(hops) if not _is_in(hop, proxies)), hops[0] if hops else peer)
    local = not hops and _is_loopback(peer)
    return Origin(address, local or request.headers.get("x-forwarded-proto") == "https", local)


def _is_in(address: str, networks: tuple[Network, ...]) -> bool:
    try:
        return contains(networks, parse_ip(address))
    except ValueError:
        return False


def _is_loopback(address: str) -> bool:
    try:
        return parse_ip(address).is_loopback
    except ValueError:
        return False
