"""Codes of second factors: time-based ones (RFC 6238: SHA-1, six digits, 30 seconds, as every authenticator supports),
and recovery codes."""

import base64
import hmac
import re
import secrets
from datetime import datetime
from urllib.parse import quote, urlencode

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

STEP_SECONDS = 30
RECOVERY_CODES = 10

_DIGITS = 6
# As long as the output of the hash, which RFC 4226 recommends.
_SECRET_BYTES = 20
# Steps by which the clocks of phone and server may differ (RFC 6238, 5.2).
_WINDOW = 1
_ISSUER = "ZCBUS"
# 80 bits in base32 without look-alike characters: random enough for a plain hash at rest.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP_LENGTH = 4, 4
_SEPARATORS = re.compile(r"[\s-]+")


def new_secret() -> str:
    """A random secret in base32, as people type it into an authenticator."""
    return base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def address(secret: str, account: str) -> str:
    """The secret as the picture carries it (Key URI format of Google Authenticator)."""
    values = {"secret": secret, "issuer": _ISSUER, "algorithm": "SHA1", "digits": _DIGITS, "period": STEP_SECONDS}
    return f"otpauth://totp/{_ISSUER}:{quote(account)}?{urlencode(values)}"


def plain(code: str) -> str:
    """A code without the separators that people and authenticators put into it."""
    return _SEPARATORS.sub("", code).lower()


def steps_of(secret: str, code: str, now: datetime) -> list[int]:
    """The time steps near `now` whose code this is, the latest first; most often one or none."""
    totp = TOTP(base64.b32decode(secret), _DIGITS, SHA1(), STEP_SECONDS)  # noqa: S303  HMAC-SHA-1 is the standard's
    current = int(now.timestamp()) // STEP_SECONDS
    near = range(current + _WINDOW, current - _WINDOW - 1, -1)
    return [step for step in near if hmac.compare_digest(totp.generate(step * STEP_SECONDS), code.encode())]


def new_recovery_codes() -> list[str]:
    """Random codes, each good once."""
    return [_recovery_code() for _ in range(RECOVERY_CODES)]


def _recovery_code() -> str:
    letters = [secrets.choice(_ALPHABET) for _ in range(_GROUPS * _GROUP_LENGTH)]
    groups = ("".join(letters[at : at + _GROUP_LENGTH]) for at in range(0, len(letters), _GROUP_LENGTH))
    return "-".join(groups)
