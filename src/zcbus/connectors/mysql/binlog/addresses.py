"""MariaDB's UUID and network address types."""

import ipaddress
import uuid
from collections.abc import Callable

import pyarrow as pa

from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute


def uuid_text(values: ArrowArray) -> ArrowArray:
    """Sixteen bytes as text. Zeros at the end are lost in the log."""
    return _each(values, lambda value: str(uuid.UUID(bytes=value.ljust(16, b"\0"))))


def address_text(values: ArrowArray, native: str) -> ArrowArray:
    """INET4 and INET6."""
    if native.lower().startswith("inet4"):
        return _each(values, lambda value: str(ipaddress.IPv4Address(value.ljust(4, b"\0"))))
    return _each(values, lambda value: inet6_text(value.ljust(16, b"\0")))


def inet6_text(value: bytes) -> str:
    """As the server prints it: IPv4 addresses inside with dots."""
    if value[:12] == bytes(10) + b"\xff\xff":
        return f"::ffff:{ipaddress.IPv4Address(value[12:])}"
    if value[:12] == bytes(12) and value[12:14] != bytes(2):
        return f"::{ipaddress.IPv4Address(value[12:])}"
    return str(ipaddress.IPv6Address(value))


def _each(values: ArrowArray, convert: Callable[[bytes], str]) -> ArrowArray:
    distinct = compute.dictionary_encode(values)
    texts = [convert(value) for value in distinct.dictionary.to_pylist()]
    result: ArrowArray = pa.array(texts, pa.string()).take(distinct.indices)
    return result
