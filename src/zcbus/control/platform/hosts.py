"""Under which names this platform is reached: what a request says of it is the caller's word."""

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import Headers

from zcbus.control.platform.envelope import fault_response
from zcbus.control.platform.errors import HostUnknownError
from zcbus.control.platform.language import language_of
from zcbus.control.platform.middleware import Application, Receive, Scope, Send
from zcbus.control.platform.services import Services
from zcbus.kit.settings import Settings

_MAX_NAME_LENGTH = 255


def page_address(request: Request, settings: Settings) -> str:
    """The console's address with a slash at its end: the configured one, or the request's where none is."""
    return f"{settings.public_address}/" if settings.public_address else str(request.base_url)


class KnownHosts:
    """Refuses requests under other names once there is a public address. Addresses in digits are never refused: no
    other site's name can be made to lead to them."""

    def __init__(self, app: Application, services: Services) -> None:
        self._app = app
        self._services = services
        public = services.settings.public_address
        self._names = _known_names(services.settings, public) if public else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._names is None or scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) == 1 and _is_known(hosts[0], self._names):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            error = HostUnknownError(host=", ".join(hosts)[:_MAX_NAME_LENGTH])
            text = self._services.catalogue.error_text(language_of(headers), error)
            fault = {"error": error.code, "facts": error.facts, "fields": []}
            await fault_response(error.status, error.wire_code, text, fault)(scope, receive, send)


def _known_names(settings: Settings, public_address: str) -> frozenset[str]:
    own = ("localhost", socket.gethostname().lower(), socket.getfqdn().lower(), settings.host.lower())
    addresses = (public_address, settings.service_url or "", settings.websocket_url or "")
    hosts = (urlsplit(address).hostname for address in addresses)
    # A request without a host is none of theirs.
    return frozenset(name for name in (*hosts, *settings.other_hosts, *own) if name)


def _is_known(host: str, names: frozenset[str]) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name in names or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
