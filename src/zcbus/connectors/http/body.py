"""The body of an answer, within limits: neither its size nor what it unpacks to is believed."""

import time
import zlib
from collections.abc import Iterator

import httpx

ENCODINGS = "gzip"
"""Value of Accept-Encoding. One layer of one encoding: each further one multiplies the unpacked size by a thousand."""
_PACKED = frozenset({"gzip", "x-gzip"})


class BodyRefused(ValueError):
    """A body is too large, or packed in another way than was asked for; the text says which."""


def read(response: httpx.Response, most: int, seconds: float) -> bytes:
    """The body, unpacked, in hardly more memory than `most` bytes. Raises BodyRefused, httpx.ReadTimeout where it is
    not there whole after `seconds`, and what httpx raises."""
    found = bytearray()
    for part in _parts(response, most, seconds):
        found += part
        if len(found) > most:
            raise BodyRefused(f"answer of more than {_size(most)}")
    return bytes(found)


def beginning(response: httpx.Response, most: int, seconds: float) -> bytes:
    """The first bytes of a body, unpacked, as far as they can be had."""
    found = bytearray()
    try:
        for part in _parts(response, most, seconds):
            found += part
            if len(found) >= most:
                break
    except BodyRefused:
        pass
    return bytes(found[:most])


def _parts(response: httpx.Response, most: int, seconds: float) -> Iterator[bytes]:
    end = time.monotonic() + seconds
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in _PACKED and encoding not in ("", "identity"):
        raise BodyRefused(f"content-encoding {encoding[:50]}")
    raw = _timely(response, end)
    yield from _unpacked(raw, most) if encoding in _PACKED else raw


def _timely(response: httpx.Response, end: float) -> Iterator[bytes]:
    for part in response.iter_raw():
        if time.monotonic() > end:
            raise httpx.ReadTimeout("the answer takes too long", request=response.request)
        yield part


def _unpacked(raw: Iterator[bytes], most: int) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(wbits=31)
    is_begun = False
    try:
        for part in raw:
            while part:
                if unpacker.eof:
                    unpacker = zlib.decompressobj(wbits=31)
                is_begun = True
                yield unpacker.decompress(part, most + 1)
                part = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
    except zlib.error as error:
        raise BodyRefused(f"no gzip: {error}") from error
    if is_begun and not unpacker.eof:
        raise BodyRefused("gzip that ends early")


def _size(most: int) -> str:
    return f"{most >> 20} MiB" if most >= 1 << 20 else f"{most} bytes"
