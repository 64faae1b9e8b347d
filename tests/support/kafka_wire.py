"""What clients say to a Kafka broker, read off the wire."""

import struct
from collections.abc import Iterator

from tests.support.proxy import Proxy

PRODUCE, FETCH, CREATE_TOPICS = 0, 1, 19
"""Kinds of request (Kafka's API keys)."""
_HEAD = struct.Struct(">ihhih")
"""Bytes that follow the size, kind, its version, number of the request, bytes of the client's id."""
_SIZE_BYTES = 4


def clients(wire: Proxy) -> set[tuple[int, str]]:
    """Kind of request and `client.id` of every request so far."""
    return {request for said in list(wire.said) for request in _requests(bytes(said))}


def count(wire: Proxy, kind: int | None = None) -> int:
    """How many requests there were so far, of one kind or of all."""
    requests = (request for said in list(wire.said) for request, _ in _requests(bytes(said)))
    return sum(kind is None or request == kind for request in requests)


def _requests(said: bytes) -> Iterator[tuple[int, str]]:
    at = 0
    while at + _HEAD.size <= len(said):
        size, kind, _, _, length = _HEAD.unpack_from(said, at)
        name = said[at + _HEAD.size : at + _HEAD.size + length]
        at += _SIZE_BYTES + size
        if at <= len(said):
            yield kind, name.decode()
