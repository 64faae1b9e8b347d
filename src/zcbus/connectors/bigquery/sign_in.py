"""Tokens for the key of a service account (RFC 7523)."""

import base64
import time
from typing import Any
from urllib.parse import urlencode

import orjson
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

_SCOPE = "https://www.googleapis.com/auth/bigquery"
_SECONDS = 3600
_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"


class KeyUnusable(ValueError):
    """The key is none of a service account; its text says what is wrong, and has nothing of the key."""


def token_place(key: str) -> str:
    """The URL where tokens are handed out. Raises KeyUnusable."""
    return str(_document(key)["token_uri"])


def request(key: str, now: float | None = None) -> bytes:
    """Body of the request for a token. Raises KeyUnusable."""
    document = _document(key)
    begin = int(time.time() if now is None else now)
    claims = {
        "iss": document["client_email"],
        "scope": _SCOPE,
        "aud": document["token_uri"],
        "iat": begin,
        "exp": begin + _SECONDS,
    }
    head = {"alg": "RS256", "typ": "JWT", "kid": document.get("private_key_id", "")}
    signed = f"{_part(orjson.dumps(head))}.{_part(orjson.dumps(claims))}"
    signature = _private(document).sign(signed.encode(), PKCS1v15(), SHA256())
    return urlencode({"grant_type": _GRANT, "assertion": f"{signed}.{_part(signature)}"}).encode()


def _document(key: str) -> dict[str, Any]:
    try:
        found = orjson.loads(key)
    except ValueError:
        raise KeyUnusable("the key is no JSON") from None
    for name in ("client_email", "private_key", "token_uri"):
        if not isinstance(found, dict) or not isinstance(found.get(name), str):
            raise KeyUnusable(f"the key has no {name}")
    return dict(found)


def _private(document: dict[str, Any]) -> RSAPrivateKey:
    try:
        found = load_pem_private_key(document["private_key"].encode(), None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise KeyUnusable("private_key is no key in PEM") from None
    if not isinstance(found, RSAPrivateKey):
        raise KeyUnusable("private_key is no RSA key")
    return found


def _part(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
