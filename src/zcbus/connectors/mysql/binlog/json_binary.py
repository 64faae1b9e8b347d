"""MySQL's binary JSON as the text that MySQL itself prints. (MariaDB stores JSON as text.)

Layout: one type byte, then the value. Objects and arrays start with count and size, then entries with offsets from
their own start; small ones use two-byte offsets, large ones four. Small scalars are in their entry.
"""

import base64
import struct
from decimal import Decimal

import orjson
import pyarrow as pa

from zcbus.connectors.mysql.binlog import tables as codes
from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute

_SMALL_OBJECT, _LARGE_OBJECT, _SMALL_ARRAY, _LARGE_ARRAY, _LITERAL = range(5)
_INT16, _UINT16, _INT32, _UINT32, _INT64, _UINT64, _DOUBLE, _STRING = range(5, 13)
_LITERALS = {0: "null", 1: "true", 2: "false"}
_NUMBERS = {
    _INT16: struct.Struct("<h"),
    _UINT16: struct.Struct("<H"),
    _INT32: struct.Struct("<i"),
    _UINT32: struct.Struct("<I"),
    _INT64: struct.Struct("<q"),
    _UINT64: struct.Struct("<Q"),
}
_INLINE_SMALL = frozenset({_LITERAL, _INT16, _UINT16})
_INLINE_LARGE = _INLINE_SMALL | {_INT32, _UINT32}
_MAX_DIGITS = 15
_DECIMAL_BYTES = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)


def json_text(values: ArrowArray) -> ArrowArray:
    """A binary column of JSON documents as text; documents are trees, so one by one."""
    distinct = compute.dictionary_encode(values)
    texts = [document(value) for value in distinct.dictionary.to_pylist()]
    result: ArrowArray = pa.array(texts, pa.string()).take(distinct.indices)
    return result


def document(data: bytes) -> str:
    """One document; an empty value is printed as null by the server."""
    return _value(data[0], data, 1) if data else "null"


def _value(kind: int, data: bytes, at: int) -> str:
    if kind in (_SMALL_OBJECT, _LARGE_OBJECT):
        return _object(data[at:], kind == _LARGE_OBJECT)
    if kind in (_SMALL_ARRAY, _LARGE_ARRAY):
        return _array(data[at:], kind == _LARGE_ARRAY)
    if kind == _LITERAL:
        return _LITERALS[data[at]]
    if kind in _NUMBERS:
        return str(_NUMBERS[kind].unpack_from(data, at)[0])
    if kind == _DOUBLE:
        return double_text(struct.unpack_from("<d", data, at)[0])
    if kind == _STRING:
        length, at = _variable_length(data, at)
        return _quoted(data[at : at + length].decode())
    return _opaque(data, at)


def _object(data: bytes, large: bool) -> str:
    width = 4 if large else 2
    count = _offset(data, 0, large)
    entries = 2 * width + count * (width + 2)
    parts = []
    for index in range(count):
        key = 2 * width + index * (width + 2)
        start = _offset(data, key, large)
        length = struct.unpack_from("<H", data, key + width)[0]
        value = _entry(data, entries + index * (1 + width), large)
        parts.append(f"{_quoted(data[start : start + length].decode())}: {value}")
    return "{" + ", ".join(parts) + "}"


def _array(data: bytes, large: bool) -> str:
    width = 4 if large else 2
    count = _offset(data, 0, large)
    return "[" + ", ".join(_entry(data, 2 * width + index * (1 + width), large) for index in range(count)) + "]"


def _entry(data: bytes, at: int, large: bool) -> str:
    kind = data[at]
    inline = kind in (_INLINE_LARGE if large else _INLINE_SMALL)
    return _value(kind, data, at + 1 if inline else _offset(data, at + 1, large))


def _offset(data: bytes, at: int, large: bool) -> int:
    return int(struct.unpack_from("<I" if large else "<H", data, at)[0])


def _variable_length(data: bytes, at: int) -> tuple[int, int]:
    """Seven bits per byte, the lowest first; the top bit means that more follow."""
    length = shift = 0
    while True:
        length |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return length, at


def _quoted(text: str) -> str:
    return orjson.dumps(text).decode()


def double_text(number: float) -> str:
    """As the server prints numbers inside JSON: plain digits for middling sizes, always with a mark of the real."""
    sign, digits, exponent = Decimal(repr(number)).as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits)).rstrip("0") or "0"
    point = len(digits) + exponent
    minus = "-" if sign else ""
    if text == "0":
        return f"{minus}0.0"
    if -_MAX_DIGITS < point <= _MAX_DIGITS or len(text) > point > 0:
        return minus + _plain(text, point)
    mantissa = text[0] + ("." + text[1:] if len(text) > 1 else "")
    return f"{minus}{mantissa}e{point - 1}"


def _plain(digits: str, point: int) -> str:
    if point <= 0:
        return "0." + "0" * -point + digits
    if point >= len(digits):
        return digits + "0" * (point - len(digits)) + ".0"
    return digits[:point] + "." + digits[point:]


def _opaque(data: bytes, at: int) -> str:
    kind = data[at]
    length, start = _variable_length(data, at + 1)
    payload = data[start : start + length]
    if kind == codes.NEWDECIMAL:
        return _decimal(payload)
    if kind in (codes.DATE, codes.DATETIME, codes.TIMESTAMP, codes.TIME):
        return f'"{_moment(kind, struct.unpack("<q", payload)[0])}"'
    return f'"base64:type{kind}:{base64.b64encode(payload).decode()}"'


def _decimal(payload: bytes) -> str:
    precision, scale = payload[0], payload[1]
    data = bytearray(payload[2:])
    negative = not data[0] & 0x80
    data[0] ^= 0x80
    if negative:
        data = bytearray(byte ^ 0xFF for byte in data)
    integral = precision - scale
    digits, at = "", 0
    for size in [integral % 9, *[9] * (integral // 9), *[9] * (scale // 9), scale % 9]:
        width = _DECIMAL_BYTES[size]
        if size:
            digits += f"{int.from_bytes(data[at : at + width], 'big'):0{size}d}"
        at += width
    number = digits[:integral].lstrip("0") or "0"
    return ("-" if negative else "") + number + ("." + digits[integral:] if scale else "")


def _moment(kind: int, packed: int) -> str:
    size = abs(packed)
    clock, micro = size >> 24, size & 0xFFFFFF
    if kind == codes.TIME:
        sign = "-" if packed < 0 else ""
        return f"{sign}{clock >> 12 & 0x3FF:02d}:{clock >> 6 & 63:02d}:{clock & 63:02d}.{micro:06d}"
    date, clock = clock >> 17, clock & 0x1FFFF
    month = date >> 5
    day = f"{month // 13:04d}-{month % 13:02d}-{date & 31:02d}"
    if kind == codes.DATE:
        return day
    return f"{day} {clock >> 12:02d}:{clock >> 6 & 63:02d}:{clock & 63:02d}.{micro:06d}"
