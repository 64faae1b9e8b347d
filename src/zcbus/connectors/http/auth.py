"""Who asks: what is added to each request, by the way to sign in that the document names."""

import base64
import hashlib
import hmac
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import orjson

from zcbus.connectors.http import paths
from zcbus.connectors.http.document import (
    BasicAuth,
    BearerAuth,
    HmacAuth,
    Interface,
    KeyAuth,
    OAuth2Auth,
    TokenAuth,
)
from zcbus.connectors.http.templates import filled_below

_EARLIER_SECONDS = 30.0
"""A token is renewed so long before its end."""
_USUAL_SECONDS = 3600.0


@dataclass(slots=True)
class Request:
    """A request about to be sent."""

    method: str
    target: str
    """Path with query, as it is sent."""
    headers: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    """Added to the query by who signs in."""
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class Credentials:
    """Of a connection."""

    account: str
    secret: str
    refresh: str


Exchange = Callable[[str, Mapping[str, str], bytes], Any]
"""Sends a POST to a place, with headers and content, and gives the JSON of the answer."""


class Signer:
    """Signs requests. Thread-safe."""

    def __init__(self, interface: Interface, credentials: Credentials, exchange: Exchange) -> None:
        self._auth, self._known, self._exchange = interface.auth, credentials, exchange
        self._token, self._until = "", 0.0
        self._refresh = credentials.refresh
        self._lock = threading.RLock()
        self._renewals = 0

    @property
    def renewals(self) -> int:
        """How many tokens were given up."""
        return self._renewals

    def sign(self, request: Request) -> None:
        """Add what the service wants to see. Raises what `exchange` raises."""
        known = self._known
        match self._auth:
            case KeyAuth(header=str(header), prefix=prefix):
                request.headers[header] = prefix + known.secret
            case KeyAuth(query=str(name)):
                request.query[name] = known.secret
            case BearerAuth():
                request.headers["Authorization"] = f"Bearer {known.secret}"
            case BasicAuth():
                request.headers["Authorization"] = _basic(known.account, known.secret)
            case OAuth2Auth():
                request.headers["Authorization"] = f"Bearer {self._current()}"
            case TokenAuth(header=header, prefix=prefix):
                request.headers[header] = prefix + self._current()
            case HmacAuth() as auth:
                request.headers |= signature(auth, known, request, str(int(time.time())))

    def secrets(self) -> list[str]:
        """Secrets that must not be shown, longest first."""
        known = {self._known.secret, self._known.refresh, self._refresh, self._token} - {""}
        return sorted(known, key=len, reverse=True)

    def renew(self, known: int) -> bool:
        """The service refused the token: whether another one can be had. `known`: `renewals` before the request; of
        several threads whose token is refused the first gives it up."""
        with self._lock:
            if self._renewals != known:
                return True
            had, self._token = bool(self._token), ""
            self._renewals += had
            return had

    def _current(self) -> str:
        with self._lock:
            if not self._token or time.monotonic() >= self._until:
                token, seconds = self._oauth2() if isinstance(self._auth, OAuth2Auth) else self._handed_out()
                self._token, self._until = token, time.monotonic() + max(0.0, seconds - _EARLIER_SECONDS)
            return self._token

    def _oauth2(self) -> tuple[str, float]:
        auth, known = self._auth, self._known
        assert isinstance(auth, OAuth2Auth)
        form = {"grant_type": auth.grant.replace("-", "_"), **auth.parameters}
        if auth.grant == "refresh-token":
            form["refresh_token"] = self._refresh
        if auth.scope:
            form["scope"] = auth.scope
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if auth.client == "basic":
            headers["Authorization"] = _basic(quote(known.account, safe=""), quote(known.secret, safe=""))
        else:
            form |= {"client_id": known.account, "client_secret": known.secret}
        content = "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in form.items())
        answer = self._exchange(auth.token_url, headers, content.encode())
        # A service may hand out each refresh token once; the next is good until the connection is opened again.
        renewed = paths.first(answer, "refresh_token")
        self._refresh = renewed if isinstance(renewed, str) and renewed else self._refresh
        return _token_and_seconds(answer, "access_token", "expires_in")

    def _handed_out(self) -> tuple[str, float]:
        auth, known = self._auth, self._known
        assert isinstance(auth, TokenAuth)
        body = filled_below(dict(auth.body), {"account": known.account, "secret": known.secret})
        answer = self._exchange(auth.url, {"Content-Type": "application/json"}, orjson.dumps(body))
        return _token_and_seconds(answer, auth.token, auth.seconds)


class NoToken(ValueError):
    """A token was asked for, and the answer has none."""


def signature(auth: HmacAuth, known: Credentials, request: Request, moment: str) -> dict[str, str]:
    """Headers of a signed request; `moment`: seconds since 1970-01-01 UTC."""
    parts = {
        "method": request.method,
        "path": request.target,
        "time": moment,
        "body": request.content.decode("utf-8", "replace"),
        "body-sha256": hashlib.sha256(request.content).hexdigest(),
        "account": known.account,
    }
    signed = auth.separator.join(parts[name] for name in auth.signed)
    digest = hmac.new(known.secret.encode(), signed.encode(), hashlib.sha256).digest()
    spelled = digest.hex() if auth.encoding == "hex" else base64.b64encode(digest).decode()
    headers = {auth.time_header: moment, auth.header: auth.prefix + spelled}
    return headers | ({auth.account_header: known.account} if auth.account_header else {})


def _token_and_seconds(answer: Any, token: str, seconds: str | None) -> tuple[str, float]:
    found = paths.first(answer, token)
    if not isinstance(found, str) or not found:
        raise NoToken(token)
    lasts = paths.first(answer, seconds) if seconds else None
    try:
        return found, float(lasts) if lasts is not None else _USUAL_SECONDS
    except (TypeError, ValueError):
        return found, _USUAL_SECONDS


def _basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
