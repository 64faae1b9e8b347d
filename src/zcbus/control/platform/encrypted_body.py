"""Opens bodies that were encrypted for this platform (see kit.sealed_body), by clients that reach it without TLS.

The platform's key is derived from the master key and the hour, so replicas with the same key file need not exchange it.
The previous hour's key is still accepted. A body is accepted once: its content key is its nonce, the name of the
platform's key its time, and the store keeps the nonces of these two hours for all replicas.
"""

import base64
import binascii
import hashlib
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from fastapi import Request
from sqlalchemy import delete, func, select
from starlette.concurrency import run_in_threadpool
from starlette.types import Message

from zcbus.control.platform.errors import (
    BodyKeyUnknownError,
    BodyReplayedError,
    BodyUnreadableError,
    TooManyRequestsError,
)
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.identity import opened_body
from zcbus.kit.sealed_body import MEDIA_TYPE, BodyKey, additional_data, content_key

_PURPOSE = "body-key"
_PERIOD = timedelta(hours=1)
_REMEMBERED = 3 * _PERIOD
"""Longer than any key is taken; clocks of replicas differ."""
MAX_REMEMBERED = 100_000


def current_key(services: Services) -> BodyKey:
    """The key that clients encrypt with now."""
    kid = _kid(services.secrets.sealing_key_id, services.clock.now())
    public = _private_key(services, kid).public_key().public_bytes_raw()
    return BodyKey(kid, base64.b64encode(public).decode())


def is_encrypted(request: Request) -> bool:
    """Whether the body came as this module has it."""
    return request.headers.get("content-type", "").split(";")[0].strip().lower() == MEDIA_TYPE


def is_private(request: Request) -> bool:
    """Whether the request could not be read on the way: it came over TLS, or from this host."""
    if request.url.scheme == "https":
        return True
    try:
        address = ip_address(request.client.host if request.client else "")
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


async def decrypted(request: Request, services: Services) -> Request:
    """The request with its body decrypted; a request that is not encrypted is returned unchanged.

    Raises BodyKeyUnknownError (fetch the key again) or BodyUnreadableError.
    """
    if not is_encrypted(request):
        return request
    additional = additional_data(request.method, _sent_path(request))
    plain = await run_in_threadpool(_open, services, await request.body(), additional)

    async def receive() -> Message:
        return {"type": "http.request", "body": plain, "more_body": False}

    return Request(request.scope, receive)


def _open(services: Services, body: bytes, tied_to: bytes) -> bytes:
    try:
        parts = orjson.loads(body)
        kid = str(parts["kid"])
        epk, iv, ciphertext = (_bytes(parts[name]) for name in ("epk", "iv", "ct"))
    except (ValueError, KeyError, TypeError) as error:
        raise BodyUnreadableError from error
    if not _is_known(services, kid):
        raise BodyKeyUnknownError(kid=kid[:64])
    try:
        shared = _private_key(services, kid).exchange(X25519PublicKey.from_public_bytes(epk))
        key = content_key(shared)
        plain = AESGCM(key).decrypt(iv, ciphertext, tied_to)
    except (ValueError, InvalidTag) as error:
        raise BodyUnreadableError from error
    _take_once(services, key)
    return plain


def _take_once(services: Services, key: bytes) -> None:
    """Remember the content key, not the client's public one, of which several spellings lead to the same. Raises
    BodyReplayedError; TooManyRequestsError where no more can be remembered."""
    now = services.clock.now()
    hashed = hashlib.sha256(b"opened:" + key).hexdigest()
    with services.database.write_alone() as connection:
        connection.execute(delete(opened_body).where(opened_body.c.opened_at < now - _REMEMBERED))
        if connection.execute(select(opened_body.c.hash).where(opened_body.c.hash == hashed)).first():
            raise BodyReplayedError
        if connection.execute(select(func.count()).select_from(opened_body)).scalar_one() >= MAX_REMEMBERED:
            raise TooManyRequestsError(seconds=int(_PERIOD.total_seconds()))
        connection.execute(opened_body.insert().values(hash=hashed, opened_at=now))


def _is_known(services: Services, kid: str) -> bool:
    """Whether it names this hour's key or the last one's, by any master key: another control plane may use a newer."""
    key_id, now = _key_id(kid), services.clock.now()
    return kid in [_kid(key_id, now - _PERIOD * age) for age in (0, 1)] and services.secrets.holds(key_id)


def _kid(key_id: str, moment: datetime) -> str:
    return f"{key_id}-{moment:%Y%m%d%H}"


def _key_id(kid: str) -> str:
    return kid.rpartition("-")[0]


def _private_key(services: Services, kid: str) -> X25519PrivateKey:
    return X25519PrivateKey.from_private_bytes(services.secrets.derive(f"{_PURPOSE}:{kid}", _key_id(kid)))


def _sent_path(request: Request) -> str:
    # The path as the client sent it: both spellings of a path reach the same handler.
    raw_path: bytes = request.scope["raw_path"]
    return raw_path.decode("latin-1")


def _bytes(text: object) -> bytes:
    if not isinstance(text, str):
        raise TypeError("base64 is text")
    padded = text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4)
    try:
        return base64.b64decode(padded, validate=True)
    except binascii.Error as error:
        raise ValueError("not base64") from error
