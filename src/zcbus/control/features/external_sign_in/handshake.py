"""State that a browser carries to the provider and back, sealed: nothing of it is stored here."""

import secrets
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

import orjson

from zcbus.control.features.external_sign_in.errors import HandshakeOverError
from zcbus.control.platform.secrets import SecretBox, SecretUnreadableError

LIFETIME = timedelta(minutes=10)

_CONTEXT = "openid-handshake"


@dataclass(frozen=True, slots=True)
class Handshake:
    """`state` ties the answer to the browser, `nonce` the token to the question, `verifier` the code to both (PKCE)."""

    state: str
    nonce: str
    verifier: str
    redirect_uri: str
    # Seconds since 1970.
    expires: float


def new_handshake(redirect_uri: str, now: datetime) -> Handshake:
    """Fresh random values."""
    return Handshake(
        state=secrets.token_urlsafe(24),
        nonce=secrets.token_urlsafe(24),
        verifier=secrets.token_urlsafe(48),
        redirect_uri=redirect_uri,
        expires=(now + LIFETIME).timestamp(),
    )


def seal(box: SecretBox, handshake: Handshake) -> str:
    """For the browser to carry; it can neither read nor change it."""
    return box.seal(orjson.dumps(asdict(handshake)).decode(), _CONTEXT)


def unseal(box: SecretBox, handle: str, state: str, now: datetime) -> Handshake:
    """Open a handle of `seal`. Raises HandshakeOverError when it is too old, forged, or belongs to another state."""
    try:
        handshake = Handshake(**orjson.loads(box.open(handle, _CONTEXT)))
    except (ValueError, SecretUnreadableError):
        raise HandshakeOverError from None
    if handshake.expires <= now.timestamp() or not secrets.compare_digest(handshake.state.encode(), state.encode()):
        raise HandshakeOverError
    return handshake
