"""Signatures of events as Standard Webhooks describes them: HMAC-SHA256 of id, time and body."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Sequence

_PREFIX = "whsec_"


class SecretInvalid(ValueError):
    """A text is no signing secret."""


def secrets_of(text: str) -> list[bytes]:
    """The secrets of an option, divided by blanks: with two, receivers may change from one to the other. Behind
    `whsec_` a secret is Base64; any other text is the secret itself. Raises SecretInvalid."""
    return [_secret(one) for one in text.split()]


def signed(identifier: str, seconds: int, content: bytes, secrets: Sequence[bytes]) -> dict[str, str]:
    """Headers of a request. `seconds`: when it is sent, since 1970-01-01 UTC."""
    headers = {"webhook-id": identifier, "webhook-timestamp": str(seconds)}
    signatures = [_signature(f"{identifier}.{seconds}.".encode() + content, secret) for secret in secrets]
    return headers | ({"webhook-signature": " ".join(signatures)} if signatures else {})


def _signature(data: bytes, secret: bytes) -> str:
    return "v1," + base64.b64encode(hmac.new(secret, data, hashlib.sha256).digest()).decode()


def _secret(text: str) -> bytes:
    if not text.startswith(_PREFIX):
        return text.encode()
    try:
        found = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
    except binascii.Error as error:
        raise SecretInvalid(str(error)) from error
    if not found:
        raise SecretInvalid(_PREFIX)
    return found
