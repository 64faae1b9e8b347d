"""A record in a segment file: a header of 40 bytes, then the payload.

Header, little endian: magic `ZR1\\n`; u32 length of the payload; u64 offset; u64 time in ms; u64 `proven`: every record
below this offset was durable when this one was written; u32 CRC-32 of the payload; u32 CRC-32 of the header before it.
"""

import os
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

_PACK = struct.Struct("<4sIQQQI")
_SUM = struct.Struct("<I")
MAGIC = b"ZR1\n"
HEADER_BYTES = _PACK.size + _SUM.size
_PIECE_BYTES = 4 << 20


@dataclass(slots=True)
class Header:
    """Header of a payload."""

    length: int
    offset: int
    time: int
    proven: int
    checksum: int


def pack_header(header: Header) -> bytes:
    """Encode a header."""
    body = _PACK.pack(MAGIC, header.length, header.offset, header.time, header.proven, header.checksum)
    return body + _SUM.pack(zlib.crc32(body))


def checksum_of(parts: Sequence[bytes | memoryview]) -> int:
    """CRC-32 of concatenated parts."""
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    return checksum


def unpack_header(data: bytes | memoryview) -> Header | None:
    """Inverse of pack_header; None for incomplete or damaged bytes."""
    if len(data) < HEADER_BYTES or bytes(data[:4]) != MAGIC:
        return None
    if zlib.crc32(data[: _PACK.size]) != _SUM.unpack_from(data, _PACK.size)[0]:
        return None
    _, length, offset, time, proven, checksum = _PACK.unpack_from(data)
    return Header(length, offset, time, proven, checksum)


def read_fully(descriptor: int, length: int, position: int) -> bytes:
    """`length` bytes from `position`, fewer only at the end of the file."""
    data = os.pread(descriptor, length, position)
    while data and len(data) < length:
        more = os.pread(descriptor, length - len(data), position + len(data))
        if not more:
            break
        data += more
    return data


def read_header(descriptor: int, position: int) -> Header | None:
    """The header at a position of a segment; None if there is no valid one."""
    return unpack_header(os.pread(descriptor, HEADER_BYTES, position))


def is_payload_intact(descriptor: int, position: int, header: Header) -> bool:
    """Whether the payload of the record at `position` has the right checksum; reads it in pieces."""
    checksum, at, left = 0, position + HEADER_BYTES, header.length
    while left:
        piece = os.pread(descriptor, min(left, _PIECE_BYTES), at)
        if not piece:
            return False
        checksum = zlib.crc32(piece, checksum)
        at, left = at + len(piece), left - len(piece)
    return checksum == header.checksum
