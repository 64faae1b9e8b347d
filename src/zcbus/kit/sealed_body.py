"""Bodies of calls, encrypted for the platform where the connection is not: what both sides agree on.

The client makes a key pair for each request (X25519), derives the content key (HKDF-SHA256, no salt, info `zcbus-body`)
and sends `{"kid", "epk", "iv", "ct"}` in base64: AES-256-GCM, additional data `METHOD|path` as in the request line.
"""

import base64
import os
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

MEDIA_TYPE = "application/zcbus+json"
INFO = b"zcbus-body"
KEY_PATH = "sys/authentication/key"
"""Where the platform says its key, below `/api/zcbus/`."""

_KEY_BYTES = 32
_IV_BYTES = 12


@dataclass(frozen=True, slots=True)
class BodyKey:
    """The public half of this hour's key, in base64, and its name."""

    kid: str
    public_key: str


def content_key(shared_secret: bytes) -> bytes:
    """The AES key that both sides derive."""
    return HKDF(SHA256(), _KEY_BYTES, salt=None, info=INFO).derive(shared_secret)


def additional_data(method: str, path: str) -> bytes:
    """What ties a body to one call."""
    return f"{method}|{path}".encode()


def seal(key: BodyKey, method: str, path: str, body: bytes) -> dict[str, str]:
    """The document to send for `body`. Raises ValueError where the key is none."""
    own = X25519PrivateKey.generate()
    shared = own.exchange(X25519PublicKey.from_public_bytes(base64.b64decode(key.public_key)))
    iv = os.urandom(_IV_BYTES)
    parts = {
        "epk": own.public_key().public_bytes_raw(),
        "iv": iv,
        "ct": AESGCM(content_key(shared)).encrypt(iv, body, additional_data(method, path)),
    }
    return {"kid": key.kid, **{name: base64.b64encode(part).decode() for name, part in parts.items()}}
