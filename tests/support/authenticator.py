"""An authenticator as a phone has one, written down from RFC 4226 and RFC 6238 apart from the platform's own."""

import base64
import hashlib
import hmac
import struct
from datetime import datetime


def code_of(secret: str, now: datetime) -> str:
    """The six digits that are shown at a moment."""
    counter = struct.pack(">Q", int(now.timestamp()) // 30)
    digest = hmac.digest(base64.b32decode(secret), counter, hashlib.sha1)
    offset = digest[-1] & 0xF
    number: int = struct.unpack_from(">I", digest, offset)[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"
