"""Values out of receive buffers into Arrow columns: all rows at once, no Python object per value.

Both the replication stream and binary COPY put a length in front of every value. The buffer is viewed as overlapping
integers, so that the lengths of one column's values in all rows are fetched with one numpy expression.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zcbus.connectors.postgresql.pgoutput.framing import SLACK, Messages, Offsets
from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
_COPY_SIGNATURE = b"PGCOPY\n\xff\r\n\0"
_COPY_HEADER = 19
_LENGTH_BYTES = 4
_ROW_HEADER = 7
"""Message type, length, number of columns."""
_PART_BYTES = 1 << 20
_EVEN = np.arange(0, 1 << 17, 2, dtype=np.int64)
_DIGITS = np.frombuffer(b"0123456789abcdef", np.uint8)
_HEX = np.full(256, 255, np.uint8)
for _digit in range(16):
    _HEX[ord(f"{_digit:x}")] = _HEX[ord(f"{_digit:X}")] = _digit


def memory(array: Any) -> pa.Buffer:
    """A numpy array's memory as an Arrow buffer, without a copy."""
    return pa.py_buffer(array)


class Buffer:
    """A receive buffer, read as bytes or as big-endian integers at any offset. Copied if it has no slack after its end;
    otherwise it must not change any more."""

    def __init__(self, data: bytes | bytearray | memoryview, end: int) -> None:
        if len(data) < end + SLACK:
            data = b"".join((memoryview(data)[:end], bytes(SLACK)))
        raw = np.frombuffer(data, np.uint8)
        self.bytes = raw
        self.int16 = _view(raw, ">i2")
        self.int32 = _view(raw, ">i4")
        self.int64 = _view(raw, ">i8")
        self.arrow = memory(raw)


def _view(raw: npt.NDArray[np.uint8], kind: str) -> npt.NDArray[np.int64]:
    size = np.dtype(kind).itemsize
    view: npt.NDArray[np.int64] = np.ndarray((len(raw) - size + 1,), kind, raw, 0, (1,))
    return view


@dataclass(frozen=True, slots=True)
class Span:
    """Offsets of one column's values, one entry per row. `valid` None: no nulls."""

    starts: Offsets
    ends: Offsets
    valid: Mask | None

    def array(self, buffer: Buffer, binary: bool = False) -> ArrowArray:
        """The values as an Arrow string (or binary) array of its own memory."""
        count = len(self.starts)
        offsets = np.empty(2 * count + 1, np.int32)
        offsets[0:-1:2], offsets[1::2] = self.starts, self.ends
        offsets[-1] = offsets[-2] if count else 0
        kind = pa.binary() if binary else pa.string()
        # Every second element of this array is a value, the others are the bytes between values.
        every = pa.Array.from_buffers(kind, 2 * count, [None, memory(offsets), buffer.arrow])
        places: Any = _EVEN[:count] if count <= len(_EVEN) else np.arange(0, 2 * count, 2, dtype=np.int64)
        values = every.take(pa.array(places))
        if self.valid is None:
            return values
        # Nulls have no bytes: only the bitmap is missing.
        bitmap = memory(np.packbits(self.valid, bitorder="little"))
        return pa.Array.from_buffers(kind, count, [bitmap, *values.buffers()[1:]])


def copy_row_starts(messages: Messages) -> Offsets:
    """Offsets of the rows of binary COPY (of their first value's length), without the header and the end marker."""
    starts = messages.starts
    if len(starts) and bytes(messages.data[starts[0] : starts[0] + len(_COPY_SIGNATURE)]) == _COPY_SIGNATURE:
        starts = np.append(starts[0] + _COPY_HEADER, starts[1:])
        if starts[0] >= (starts[1] - 5 if len(starts) > 1 else messages.end):
            starts = starts[1:]
    # The column count comes first; the end marker is negative.
    rows: Offsets = starts[np.frombuffer(messages.data, np.uint8)[starts] < 0x80] + 2
    return rows


def row_borders(messages: Messages, buffer: Buffer, rows: Offsets) -> npt.NDArray[np.int32]:
    """Where each row's message begins, and where the last one ends. Equal bytes between two borders are equal rows; the
    first row of all has the header in front of it and is equal to another first row only."""
    last = messages.starts[np.searchsorted(messages.starts, rows[-1:], "right") - 1] - _LENGTH_BYTES
    return np.concatenate((rows - _ROW_HEADER, last + buffer.int32[last])).astype(np.int32)


def copy_payloads(messages: Messages) -> memoryview:
    """The contents of the messages of binary COPY, concatenated."""
    starts = messages.starts
    if not len(starts):
        return memoryview(b"")
    buffer = Buffer(messages.data, messages.end)
    # The length in front of a message counts itself.
    ends = starts - _LENGTH_BYTES + buffer.int32[starts - _LENGTH_BYTES]
    return memoryview(text_bytes(Span(starts, ends, None).array(buffer, binary=True))[1].data)


def copy_columns(buffer: Buffer, rows: Offsets, count: int) -> list[Span]:
    """The columns of rows of binary COPY; `rows`: offsets of their values (after the column count)."""
    spans = []
    position = rows
    for _ in range(count):
        length = buffer.int32[position].astype(np.int64)
        valid = length >= 0
        starts = position + 4
        ends = starts + np.maximum(length, 0)
        spans.append(Span(starts, ends, None if valid.all() else valid))
        position = ends
    return spans


def text_bytes(array: ArrowArray) -> tuple[npt.NDArray[np.int32], Bytes]:
    """Offsets and bytes of a string or binary array, zero-based for any slice."""
    if not len(array):
        return np.zeros(1, np.int32), np.empty(0, np.uint8)
    buffers: Any = array.buffers()
    offsets = np.frombuffer(buffers[1], np.int32)[array.offset : array.offset + len(array) + 1]
    data = np.frombuffer(buffers[2], np.uint8) if buffers[2] is not None else np.empty(0, np.uint8)
    return offsets - offsets[0], data[offsets[0] : offsets[-1]]


def with_bytes(kind: pa.DataType, offsets: Any, data: Any, like: ArrowArray) -> ArrowArray:
    """An array of these values that is null where `like` is."""
    validity = None
    if like.null_count:
        validity = memory(np.packbits(np.asarray(like.is_valid()), bitorder="little"))
    return pa.Array.from_buffers(kind, len(like), [validity, memory(offsets), memory(np.ascontiguousarray(data))])


def decode_hexadecimal(array: ArrowArray) -> ArrowArray:
    r"""Binary values from PostgreSQL's `\x…` text. Null elements hold no bytes."""
    offsets, text = text_bytes(array)
    digits = _HEX[text]
    digits = digits[digits < 16]
    ends = _octet_ends(np.diff(offsets))
    return with_bytes(pa.binary(), ends, (digits[0::2] << 4) | digits[1::2], array)


def decode_large_hexadecimal(buffer: Buffer, values: Span) -> ArrowArray:
    """As decode_hexadecimal, directly from the buffer and in pieces: a very large value must not take several times its
    size."""
    lengths = values.ends - values.starts
    if values.valid is not None:
        lengths = np.where(values.valid, lengths, 0)
    ends = _octet_ends(lengths)
    data = np.empty(int(ends[-1]), np.uint8)
    for start, at, end in zip(values.starts.tolist(), ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        text = start + 2
        for piece in range(at, end, _PART_BYTES):
            count = min(_PART_BYTES, end - piece)
            digits = _HEX[buffer.bytes[text : text + 2 * count]]
            data[piece : piece + count] = (digits[0::2] << 4) | digits[1::2]
            text += 2 * count
    validity = None if values.valid is None else memory(np.packbits(values.valid, bitorder="little"))
    return pa.Array.from_buffers(pa.binary(), len(lengths), [validity, memory(ends), memory(data)])


def _octet_ends(lengths: Any) -> npt.NDArray[np.int32]:
    r"""Where the bytes of values end whose `\x…` texts have these lengths; a zero in front."""
    ends = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(np.maximum(lengths - 2, 0) // 2, out=ends[1:])
    return ends


def hexadecimal_digits(data: Bytes) -> Bytes:
    """Two digits for each byte."""
    digits = np.empty(2 * len(data), np.uint8)
    digits[0::2], digits[1::2] = _DIGITS[data >> 4], _DIGITS[data & 15]
    return digits


def encode_hexadecimal(array: ArrowArray) -> ArrowArray:
    r"""Inverse of decode_hexadecimal."""
    offsets, data = text_bytes(array)
    text = with_bytes(pa.string(), 2 * offsets, hexadecimal_digits(data), array)
    encoded: ArrowArray = compute.binary_join_element_wise(r"\x", text, "")
    return encoded
