"""Opaque identifiers: time-ordered, 26 characters of Crockford base 32 (the ULID format, github.com/ulid/spec)."""

import os
import time

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id() -> str:
    """A new identifier; later ones sort after earlier ones to the millisecond."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10))
    return "".join(_ALPHABET[(value >> shift) & 31] for shift in range(125, -1, -5))
