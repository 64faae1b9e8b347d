"""MariaDB's UUID and network address types."""

import ipaddress
import uuid

import pyarrow as pa

from zcbus.connectors.mysql.vectors import compute
from zcbus.model.arrow import ArrowArray


def uuid_text(values: ArrowArray) -> ArrowArray:
    """Sixteen bytes as text. Zeros at the end are lost in the log."""
    return _each(values, lambda value: str(uuid.UUID(bytes=_record_to_uuid(value.ljust(16, b"\0")))))


def address_text(values: ArrowArray, native: str) -> ArrowArray:
    """INET4 and INET6."""
    if native.lower().startswith("inet4"):
        return _each(values, lambda value: str(ipaddress.IPv4Address(value.ljust(4, b"\0"))))
    return _each(values, lambda value: inet6_text(value.ljust(16, b"\0")))


def inet6_text(value: bytes) -> str:
    """As the server prints it: mapped IPv4 addresses with dots."""
    address = ipaddress.IPv6Address(value)
    if address.ipv4_mapped is not None:
        return f"::ffff:{address.ipv4_mapped}"
    return str(address)


def _record_to_uuid(value: bytes) -> bytes:
    """The server stores the parts of a UUID in the order in which they sort best."""
    return value


def _each(values: ArrowArray, convert: object) -> ArrowArray:
    distinct = compute.dictionary_encode(values)
    function: object = convert
    assert callable(function)
    texts = [function(value) for value in distinct.dictionary.to_pylist()]
    result: ArrowArray = pa.array(texts, pa.string()).take(distinct.indices)
    return result
