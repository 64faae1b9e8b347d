"""MySQL's binary JSON, byte by byte: no server of that kind is at hand, so the format's own rules are the witness."""

import struct

import pyarrow as pa
import pytest

from zcbus.connectors.mysql.binlog.json_binary import document, double_text, json_text


def _string(text: str) -> bytes:
    data = text.encode()
    length, size = b"", len(data)
    while True:
        length += bytes([size & 0x7F | (0x80 if size > 0x7F else 0)])
        size >>= 7
        if not size:
            return length + data


def test_small_object_with_inlined_and_stored_values() -> None:
    # {"a": 1, "b": [true, "x"]}: two key entries, two value entries, keys, then the array.
    array = struct.pack("<HH", 2, 0) + b"\x04" + struct.pack("<H", 1) + b"\x0c" + struct.pack("<H", 10) + _string("x")
    body = struct.pack("<HH", 2, 20 + len(array))
    body += struct.pack("<HHHH", 18, 1, 19, 1)
    body += b"\x05" + struct.pack("<h", 1) + b"\x02" + struct.pack("<H", 20)
    body += b"ab" + array
    assert document(b"\x00" + body) == '{"a": 1, "b": [true, "x"]}'


def test_large_array_inlines_four_bytes() -> None:
    entries = b"\x07" + struct.pack("<i", -70000) + b"\x08" + struct.pack("<I", 4000000000)
    assert document(b"\x03" + struct.pack("<II", 2, 18) + entries) == "[-70000, 4000000000]"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "null"),
        (b"\x04\x00", "null"),
        (b"\x04\x02", "false"),
        (b"\x09" + struct.pack("<q", -(2**63)), "-9223372036854775808"),
        (b"\x0a" + struct.pack("<Q", 2**64 - 1), "18446744073709551615"),
        (b"\x0c" + _string('é"\\\n' + "x" * 200), '"é\\"\\\\\\n' + "x" * 200 + '"'),
        # DATETIME 2015-01-15 23:24:25.000120 and DATE and TIME, packed into eight bytes.
        (b"\x0f\x0c\x08" + struct.pack("<q", ((2015 * 13 + 1) << 5 | 15) << 41 | (23 << 12 | 24 << 6 | 25) << 24 | 120),
         '"2015-01-15 23:24:25.000120"'),
        (b"\x0f\x0a\x08" + struct.pack("<q", ((2015 * 13 + 1) << 5 | 15) << 41), '"2015-01-15"'),
        (b"\x0f\x0b\x08" + struct.pack("<q", -((1 << 12 | 2 << 6 | 3) << 24 | 500000)), '"-01:02:03.500000"'),
        (b"\x0f\xfc\x03abc", '"base64:type252:YWJj"'),
    ],
)  # fmt: skip
def test_scalars(data: bytes, text: str) -> None:
    assert document(data) == text


def test_decimal() -> None:
    # DECIMAL(8,4) 1234.5678: two groups of four digits in two bytes each, the top bit set.
    positive = bytes([8, 4]) + struct.pack(">HH", 1234 | 0x8000, 5678)
    negative = bytes([8, 4]) + struct.pack(">HH", ~(1234 | 0x8000) & 0xFFFF, ~5678 & 0xFFFF)
    assert document(b"\x0f\xf6" + bytes([len(positive)]) + positive) == "1234.5678"
    assert document(b"\x0f\xf6" + bytes([len(negative)]) + negative) == "-1234.5678"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (0.1, "0.1"),
        (-2.5, "-2.5"),
        (1e14, "100000000000000.0"),
        (1e15, "1e15"),
        (1.5e300, "1.5e300"),
        (1e-5, "0.00001"),
        (1e-20, "1e-20"),
        (123456789.125, "123456789.125"),
    ],
)
def test_doubles_look_as_the_server_prints_them(number: float, text: str) -> None:
    assert double_text(number) == text


def test_columns_keep_their_nulls() -> None:
    column = pa.array([b"\x04\x01", None, b"\x04\x01"], pa.binary())
    assert json_text(column).to_pylist() == ["true", None, "true"]
