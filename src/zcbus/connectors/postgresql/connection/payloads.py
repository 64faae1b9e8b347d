"""Payloads of PostgreSQL's protocol messages, except COPY's data."""

import hashlib
import struct

from zcbus.connectors.options import ConnectionOptions


def md5_response(options: ConnectionOptions, salt: bytes) -> bytes:
    """The response to a request for the password as MD5."""
    inner = hashlib.md5((options.password + options.user).encode(), usedforsecurity=False).hexdigest()
    return b"md5" + hashlib.md5(inner.encode() + salt, usedforsecurity=False).hexdigest().encode() + b"\0"


def fields(payload: bytes) -> dict[str, str]:
    """Of an error or notice: its letters and texts."""
    parts = payload.split(b"\0")
    return {part[:1].decode(): part[1:].decode(errors="replace") for part in parts if part}


def data_row(payload: bytes) -> tuple[str | None, ...]:
    """The values of a DataRow as text."""
    (count,) = struct.unpack_from("!H", payload)
    values: list[str | None] = []
    position = 2
    for _ in range(count):
        (length,) = struct.unpack_from("!i", payload, position)
        position += 4
        values.append(None if length < 0 else payload[position : position + length].decode(errors="replace"))
        position += max(length, 0)
    return tuple(values)
