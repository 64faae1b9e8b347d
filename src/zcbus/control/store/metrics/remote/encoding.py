"""Requests of Prometheus' remote write, version 0.1.0.

Format: message `WriteRequest` of prometheus.io/docs/specs/prw/remote_write_spec, as Protocol Buffers write it, in
Snappy's block format. A message has field 1 for each series; that has field 1 for each label (field 1 its name, 2 its
value), sorted by name, and field 2 for each sample (field 1 the value as a double, 2 the milliseconds since 1970).
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

HEADERS = {
    "Content-Type": "application/x-protobuf",
    "Content-Encoding": "snappy",
    "X-Prometheus-Remote-Write-Version": "0.1.0",
}

Sample = tuple[float, int]
"""A value and its moment, in milliseconds since 1970."""

# Tags: the field's number, and how it is written: 0 varint, 1 eight bytes, 2 length and bytes.
_FIRST, _SECOND, _DOUBLE, _TIME = b"\x0a", b"\x12", b"\x09", b"\x10"
_VALUE = struct.Struct("<d").pack


def write_request(series: Iterable[tuple[bytes, Sequence[Sample]]]) -> bytes:
    """A request's body. The first of each pair is a series' `labels`."""
    # A control plane without such a server starts sooner.
    import pyarrow as pa

    message = b"".join(
        _field(_FIRST, b"".join((labels, *(_field(_SECOND, _sample(*sample)) for sample in samples))))
        for labels, samples in series
    )
    return bytes(pa.compress(message, codec="snappy", asbytes=True))


def labels(values: Mapping[str, str]) -> bytes:
    """The labels of a series. Empty ones are left out: they are none."""
    return b"".join(
        _field(_FIRST, _field(_FIRST, name.encode()) + _field(_SECOND, value.encode()))
        for name, value in sorted(values.items())
        if value
    )


def _sample(value: float, moment: int) -> bytes:
    return _DOUBLE + _VALUE(value) + _time(moment)


@lru_cache(maxsize=1024)
def _time(moment: int) -> bytes:
    return _TIME + _varint(moment)


def _field(tag: bytes, content: bytes) -> bytes:
    return tag + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    if number < 128:
        return bytes((number,))
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    found.append(number)
    return bytes(found)
