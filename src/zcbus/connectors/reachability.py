"""The first check of connection tests: whether a server can be connected to, by the connection's route."""

from urllib.parse import urlsplit

from zcbus.connectors.roles import Advice, CheckResult
from zcbus.kit.network import Route, RouteFailed, dial


def reachable(host: str, port: int, way: Route | None, seconds: float, remedy: str = "") -> CheckResult:
    """`remedy`: what the server's settings need where nothing answers."""
    statement = f"TCP connect to {host}:{port}" + (f" by route {way}" if way else "")
    try:
        with dial(host, port, seconds, way) as connection:
            # By a route this host's peer is the bastion, the proxy or itself.
            peer = (host, port) if way and way.leads_through else connection.getpeername()
    except RouteFailed as error:
        remedy = remedy if error.step == "target" else ""
        advice: Advice = "address" if error.step == "target" else "route"
        return CheckResult("reachable", statement, False, True, str(error), remedy, advice)
    except (OSError, UnicodeError) as error:
        return CheckResult("reachable", statement, False, True, str(error), remedy, "address")
    return CheckResult("reachable", statement, True, True, f"{peer[0]}:{peer[1]}")


def reachable_url(url: str, way: Route | None, seconds: float) -> CheckResult:
    """As `reachable`, of the server of a URL."""
    parts = urlsplit(url)
    return reachable(parts.hostname or "", parts.port or {"http": 80}.get(parts.scheme, 443), way, seconds)
