"""Signature of requests that the platform sends: HMAC-SHA256 over the moment and the body."""

import hmac
from collections.abc import Mapping
from datetime import datetime

TIME_HEADER = "X-ZCBUS-Timestamp"
SIGNATURE_HEADER = "X-ZCBUS-Signature"


def signature(secret: str, moment: str, content: bytes) -> str:
    """In hexadecimal, of `moment`, a dot and the body: who checks both knows that the body is new."""
    return hmac.new(secret.encode(), moment.encode() + b"." + content, "sha256").hexdigest()


def signed_headers(secret: str, now: datetime, content: bytes) -> Mapping[str, str]:
    """Headers that prove sender and moment of a body."""
    moment = str(int(now.timestamp()))
    return {TIME_HEADER: moment, SIGNATURE_HEADER: f"v1={signature(secret, moment, content)}"}
