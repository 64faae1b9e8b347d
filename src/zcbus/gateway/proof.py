"""Authentication of callers: by a signature, valid once for some minutes, or by the secret itself over TLS."""

import hashlib
import hmac
import ipaddress
import re
import threading
from collections import OrderedDict
from collections.abc import Mapping

from zcbus.gateway.calls import Call
from zcbus.gateway.errors import AddressRefused, AppExpired, NotProven
from zcbus.kit.clock import Clock
from zcbus.kit.gateway_settings import parse_ip
from zcbus.protocol.data_service import ApiApp

WINDOW_SECONDS = 300
"""Largest difference between the caller's clock and ours."""
MAX_REMEMBERED = 200_000
"""Limit of nonces of one app: calls beyond it are refused, other apps are not affected."""
_FIELD = re.compile(r'\s*(\w+)\s*=\s*"?([^",\s]*)"?\s*')
_NONCE = re.compile(r"[A-Za-z0-9_-]{8,64}")
_NO_HASH = "0" * 64


class Proofs:
    """Authenticates callers. Thread-safe."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._nonces: dict[str, OrderedDict[str, float]] = {}
        """App → its nonces, with the time until which each is remembered."""

    def app_of(self, call: Call, apps: Mapping[str, ApiApp]) -> ApiApp:
        """The app that makes a call. Raises NotProven, AddressRefused, AppExpired."""
        scheme, _, rest = call.header("authorization").partition(" ")
        if scheme.lower() == "zcbus":
            app = self._signed(call, rest, apps)
        elif scheme.lower() == "bearer":
            app = _by_bearer(call, rest.strip(), apps)
        else:
            raise NotProven(why="no-header")
        if app.expires_at is not None and app.expires_at <= self._clock.now():
            raise AppExpired
        if app.addresses and not _within(call.address, app.addresses):
            raise AddressRefused(address=call.address)
        return app

    def _signed(self, call: Call, rest: str, apps: Mapping[str, ApiApp]) -> ApiApp:
        given = {match[1]: match[2] for match in map(_FIELD.fullmatch, rest.split(",")) if match}
        if not {"key", "time", "nonce", "signature"} <= given.keys() or not _NONCE.fullmatch(given["nonce"]):
            raise NotProven(why="header")
        app = apps.get(given["key"])
        secret_hash = app.secret_hash.get_secret_value() if app is not None else _NO_HASH
        expected = signature(secret_hash, call, given["time"], given["nonce"])
        if not hmac.compare_digest(expected.encode(), given["signature"].lower().encode()) or app is None:
            raise NotProven(why="signature")
        self._once(app.key, given["time"], given["nonce"])
        return app

    def _once(self, key: str, time: str, nonce: str) -> None:
        now = self._clock.now().timestamp()
        if not time.isdecimal() or len(time) > 12 or abs(int(time) - now) > WINDOW_SECONDS:
            raise NotProven(why="time")
        with self._lock:
            seen = self._nonces.setdefault(key, OrderedDict())
            while seen and next(iter(seen.values())) < now:
                seen.popitem(last=False)
            # A nonce that cannot be remembered cannot be distinguished from a replay.
            if nonce in seen or len(seen) >= MAX_REMEMBERED:
                raise NotProven(why="nonce")
            seen[nonce] = now + 2 * WINDOW_SECONDS


def signature(secret_hash: str, call: Call, time: str, nonce: str) -> str:
    """The expected signature, hexadecimal. Its key is `secret_hash`: SHA-256 of the secret, hexadecimal."""
    body = hashlib.sha256(call.body).hexdigest()
    text = "\n".join((call.method, call.path, call.query, time, nonce, body))
    return hmac.new(bytes.fromhex(secret_hash), text.encode(), hashlib.sha256).hexdigest()


def _by_bearer(call: Call, credentials: str, apps: Mapping[str, ApiApp]) -> ApiApp:
    if not call.is_private:
        raise NotProven(why="bearer")
    key, _, secret = credentials.partition(":")
    app = apps.get(key)
    secret_hash = app.secret_hash.get_secret_value() if app is not None else _NO_HASH
    given = hashlib.sha256(secret.encode()).hexdigest()
    if not hmac.compare_digest(given, secret_hash) or app is None:
        raise NotProven(why="signature")
    return app


def _within(address: str, networks: tuple[str, ...]) -> bool:
    try:
        own = parse_ip(address)
    except ValueError:
        return False
    return any(own in ipaddress.ip_network(network, strict=False) for network in networks)
