"""Whether a request is of a sender who knows a secret. Compared in constant time, whichever secret it is."""

import base64
import binascii
import hmac
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from zcbus.connectors.webhook.schemes import Scheme

TOLERANCE_SECONDS = 300
"""How far the time of a signature may be from ours: what was recorded on its way is not taken later."""
_MAX_SIGNATURES = 16
"""Of one request; each is compared with each secret."""
_STANDARD_PREFIX = "whsec_"
Headers = Mapping[str, str]
"""By names in lower case; a header that came twice is missing, since others may read the other one."""


class SecretUnusable(ValueError):
    """A secret is not as the scheme spells secrets. The secret itself is no part of it."""


def require_usable(scheme: Scheme, secrets: Sequence[str]) -> None:
    """Raises SecretUnusable where the scheme needs a secret and there is none, or one is not as it should be."""
    if scheme.name == "none":
        return
    if not secrets:
        raise SecretUnusable("no secret")
    for number, secret in enumerate(secrets, 1):
        if scheme.name == "standard":
            try:
                _standard_key(secret)
            except ValueError as error:
                raise SecretUnusable(f"secret {number}: no Base64, whsec_…") from error
        if scheme.name == "basic" and ":" not in secret:
            raise SecretUnusable(f"secret {number}: no USER:PASSWORD")


def is_verified(scheme: Scheme, secrets: Sequence[str], headers: Headers, body: bytes, now: float) -> bool:
    """`now`: seconds since 1970-01-01 UTC. `body`: as it came, before anything was done with it."""
    if scheme.name == "none":
        return True
    return _VERIFIERS[scheme.name](scheme, secrets, headers, body, now)


def _standard(_: Scheme, secrets: Sequence[str], headers: Headers, body: bytes, now: float) -> bool:
    """Standard Webhooks 1: HMAC-SHA256 over `id.timestamp.body`. Older senders name the headers `svix-…`."""
    names = next((one for one in ("webhook", "svix") if f"{one}-id" in headers), "webhook")
    identifier, moment = headers.get(f"{names}-id", ""), headers.get(f"{names}-timestamp", "")
    if not identifier or not _is_recent(moment, now):
        return False
    signed = b"%s.%s.%s" % (_bytes(identifier), _bytes(moment), body)
    signatures = headers.get(f"{names}-signature", "").split()
    given = (one.removeprefix("v1,") for one in signatures if one.startswith("v1,"))
    return _any(given, [_mac(_standard_key(secret), signed, "sha256", "base64") for secret in secrets])


def _github(_: Scheme, secrets: Sequence[str], headers: Headers, body: bytes, now: float) -> bool:
    given = headers.get("x-hub-signature-256", "")
    return _any([given], ["sha256=" + _mac(secret.encode(), body, "sha256", "hex") for secret in secrets])


def _stripe(_: Scheme, secrets: Sequence[str], headers: Headers, body: bytes, now: float) -> bool:
    """`t=…,v1=…,v1=…`: HMAC-SHA256 over `t.body`."""
    parts = [part.strip().partition("=") for part in headers.get("stripe-signature", "").split(",")]
    moment = next((value for name, _, value in parts if name == "t"), "")
    if not _is_recent(moment, now):
        return False
    given = (value for name, _, value in parts if name == "v1")
    signed = b"%s.%s" % (_bytes(moment), body)
    return _any(given, [_mac(secret.encode(), signed, "sha256", "hex") for secret in secrets])


def _slack(_: Scheme, secrets: Sequence[str], headers: Headers, body: bytes, now: float) -> bool:
    moment = headers.get("x-slack-request-timestamp", "")
    if not _is_recent(moment, now):
        return False
    signed = b"v0:%s:%s" % (_bytes(moment), body)
    given = headers.get("x-slack-signature", "")
    return _any([given], ["v0=" + _mac(secret.encode(), signed, "sha256", "hex") for secret in secrets])


def _hmac(scheme: Scheme, secrets: Sequence[str], headers: Headers, body: bytes, now: float) -> bool:
    given = headers.get(scheme.header, "")
    macs = [_mac(secret.encode(), body, scheme.algorithm, scheme.encoding) for secret in secrets]
    return _any([given], [scheme.prefix + mac for mac in macs])


def _token(scheme: Scheme, secrets: Sequence[str], headers: Headers, body: bytes, now: float) -> bool:
    before = f"{scheme.prefix} " if scheme.prefix else ""
    return _any([headers.get(scheme.header, "")], [before + secret for secret in secrets])


def _basic(_: Scheme, secrets: Sequence[str], headers: Headers, body: bytes, now: float) -> bool:
    kind, _blank, given = headers.get("authorization", "").partition(" ")
    wanted = [base64.b64encode(secret.encode()).decode() for secret in secrets]
    return _any([given.strip() if kind.lower() == "basic" else ""], wanted)


_VERIFIERS = {
    "standard": _standard,
    "github": _github,
    "stripe": _stripe,
    "slack": _slack,
    "hmac": _hmac,
    "token": _token,
    "basic": _basic,
}


def _any(given: Iterable[str], wanted: Sequence[str]) -> bool:
    """Whether one is the same. All are compared, so the time says nothing of which."""
    found = [
        hmac.compare_digest(_bytes(one), _bytes(other)) for one in islice(given, _MAX_SIGNATURES) for other in wanted
    ]
    return any(found)


def _mac(key: bytes, signed: bytes, algorithm: str, encoding: str) -> str:
    digest = hmac.digest(key, signed, algorithm)
    return digest.hex() if encoding == "hex" else base64.b64encode(digest).decode()


def _standard_key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(_STANDARD_PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError from error
    if not key:
        raise ValueError
    return key


def _is_recent(moment: str, now: float) -> bool:
    if not (moment.isascii() and moment.isdigit() and len(moment) <= 12):
        return False
    return abs(now - int(moment)) <= TOLERANCE_SECONDS


def _bytes(text: str) -> bytes:
    """As the header came: ASGI's bytes were read as Latin-1."""
    return text.encode("latin-1", "replace")
