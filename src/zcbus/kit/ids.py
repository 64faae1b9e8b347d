"""Opaque identifiers: time-ordered, 26 characters of Crockford base 32 (the ULID format, github.com/ulid/spec)."""

import os
import time

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
# Two letters at a time, for speed: thousands of tables get ids at once.
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
_SHIFTS = range(120, -1, -10)


def new_id() -> str:
    """A new identifier; ids sort by creation time in milliseconds."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10))
    return "".join([_PAIRS[(value >> shift) & 1023] for shift in _SHIFTS])
