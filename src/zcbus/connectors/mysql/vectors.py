"""Whole columns at once: from bytes in a buffer to Arrow arrays, without one Python object per value."""

from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zcbus.model.arrow import ArrowArray

Bytes: TypeAlias = npt.NDArray[np.uint8]
Integers: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]

SLACK = 16
"""Bytes that a buffer must have behind its last value, so that wide reads never leave it."""

DIGITS = {
    width: np.frombuffer("".join(f"{value:0{width}d}" for value in range(10**width)).encode(), f"<u{width}")
    for width in (1, 2, 4)
}
"""By width: the digits of every number of that width, as the bytes of one integer."""
_SMALL_NUMBERS = 10_000
"""Those below have their digits in a table, which the processor's cache holds."""


class Buffer:
    """Received bytes, readable as integers of any width at any place. The last SLACK bytes hold no data."""

    def __init__(self, data: bytearray | bytes) -> None:
        self.u8: Bytes = np.frombuffer(data, np.uint8)
        self.arrow = pa.py_buffer(data)
        self._data = data

    def view(self, kind: str) -> npt.NDArray[Any]:
        """Element i is the number of that kind (as `<u4`) that begins at byte i."""
        size = np.dtype(kind).itemsize
        return np.ndarray((len(self.u8) - size + 1,), kind, self._data, 0, (1,))

    def little(self, at: Integers, width: int) -> Integers:
        """Little-endian unsigned integers of 1 to 8 bytes; 8 bytes wrap into the sign."""
        if width == 1:
            return self.u8.take(at).astype(np.int64)
        if width == 2:
            return self.view("<u2")[at].astype(np.int64)
        if width <= 4:
            return self.view("<u4")[at].astype(np.int64) & ((1 << (8 * width)) - 1)
        whole = self.view("<i8")[at]
        return whole if width == 8 else whole & ((1 << (8 * width)) - 1)

    def signed(self, at: Integers, width: int) -> npt.NDArray[Any]:
        """Little-endian signed integers of 1 to 8 bytes."""
        if width in (1, 2, 4, 8):
            return self.view(f"<i{width}")[at]
        sign = 1 << (8 * width - 1)
        return (self.little(at, width) ^ sign) - sign

    def big(self, at: Integers, width: int) -> Integers:
        """Big-endian unsigned integers of 1 to 8 bytes; 8 bytes wrap into the sign."""
        if width == 8:
            return self.view(">i8")[at].astype(np.int64)
        if width == 1:
            return self.u8.take(at).astype(np.int64)
        kind, size = (">u4", 4) if width <= 4 else (">u8", 8)
        # One read of more than is wanted, and the rest of it shifted out, is cheaper than a read of every byte.
        value = self.view(kind)[at].astype(np.uint64) >> np.uint64(8 * (size - width))
        return value.view(np.int64)

    def big_pair(self, at: Integers, first: int, second: int) -> tuple[Integers, Integers]:
        """Two big-endian unsigned integers of these bytes behind each other. Up to 8 bytes together are read at once;
        8 bytes of one wrap into the sign."""
        if first + second > 8:
            return self.big(at, first), self.big(at + first, second)
        both, bits = self.big(at, first + second).view(np.uint64), 8 * second
        ahead = both >> np.uint64(bits) if bits < 64 else np.zeros_like(both)
        return ahead.view(np.int64), (both & np.uint64((1 << bits) - 1)).view(np.int64)


def grown(data: bytearray) -> bytearray:
    """A receive buffer of twice the size, the same one where nobody looks at it."""
    more = bytes(len(data))
    try:
        data.extend(more)
    except BufferError:
        return data + more
    return data


def memory(array: Any) -> pa.Buffer:
    """An array's memory as an Arrow buffer."""
    return pa.py_buffer(array)


def validity(valid: Flags | None) -> pa.Buffer | None:
    """Arrow's validity bitmap; None: all valid."""
    if valid is None or valid.all():
        return None
    return memory(np.packbits(valid, bitorder="little"))


def slices(data: pa.Buffer, starts: Integers, ends: Integers, valid: Flags | None, binary: bool = False) -> ArrowArray:
    """Copies of `data[start:end]` as one string or binary array, of offsets below 2 GiB."""
    kind = pa.binary() if binary else pa.string()
    count = len(starts)
    if count == 0:
        return pa.array([], kind)
    if count > 1 and (starts[1:] < ends[:-1]).any():
        order = np.argsort(starts, kind="stable")
        back = np.empty(count, np.int64)
        back[order] = np.arange(count)
        sorted_valid = None if valid is None else valid[order]
        return pick(slices(data, starts[order], ends[order], sorted_valid, binary), back, None)
    return _ordered_slices(data, starts, ends, valid, kind)


def _ordered_slices(
    data: pa.Buffer, starts: Integers, ends: Integers, valid: Flags | None, kind: pa.DataType
) -> ArrowArray:
    """Slices and the gaps between them are neighbours in one array over the buffer; every other one is taken."""
    count = 2 * len(starts) - 1
    offsets = np.empty(count + 1, np.int32)
    offsets[0::2] = starts
    offsets[1::2] = ends
    neighbours = pa.Array.from_buffers(kind, count, [None, memory(offsets), data])
    return pick(neighbours, np.arange(0, count, 2, dtype=np.int32), valid)


def fixed_text(characters: Bytes, valid: Flags | None = None, binary: bool = False) -> ArrowArray:
    """One text per row of a matrix of characters, all of the same width."""
    count, width = characters.shape
    offsets = np.arange(count + 1, dtype=np.int32) * np.int32(width)
    buffers = [validity(valid), memory(offsets), memory(np.ascontiguousarray(characters))]
    return pa.Array.from_buffers(pa.binary() if binary else pa.string(), count, buffers)


def right_text(characters: Bytes, starts: Integers | Bytes, valid: Flags | None = None) -> ArrowArray:
    """The characters of each row from its start to the end of the row."""
    count, width = characters.shape
    rows = np.arange(count, dtype=np.int64) * width
    data = memory(np.ascontiguousarray(characters))
    return _ordered_slices(data, rows + starts, rows + width, valid, pa.string()) if count else null_text(0)


def put_digits(characters: Bytes, column: int, width: int, values: Integers) -> None:
    """Write values as decimal digits with leading zeros into `width` columns of a contiguous matrix of characters."""
    count, row = characters.shape
    end = column + width
    while end > column:
        size = 4 if end - column >= 4 else 2 if end - column >= 2 else 1
        table = DIGITS[size]
        # Floor division and its rest stay in the table also for the meaningless numbers of nulls.
        rest = values // len(table)
        last = values - rest * len(table)
        values = rest
        # The digits of a group are one number of one, two or four bytes.
        group: npt.NDArray[Any] = np.ndarray((count,), table.dtype, characters.data, end - size, (row,))
        group[:] = table.take(last)
        end -= size


def pick(values: ArrowArray, places: npt.NDArray[Any], valid: Flags | None) -> ArrowArray:
    """The values at these places; null where not valid."""
    return values.take(numbers(places, valid))


def numbers(values: npt.NDArray[Any], valid: Flags | None) -> Any:
    """Integers or floating-point numbers as they are; null where not valid."""
    return pa.Array.from_buffers(
        pa.from_numpy_dtype(values.dtype), len(values), [validity(valid), memory(np.ascontiguousarray(values))]
    )


def integer_text(values: npt.NDArray[Any], valid: Flags | None = None) -> ArrowArray:
    """Decimal digits of integers; those of small ones are looked up, in a third of the time."""
    told = values if valid is None else np.where(valid, values, 0)
    if len(told) and int(told.min()) >= 0 and int(told.max()) < _SMALL_NUMBERS:
        return pick(_small_numbers(), told, valid)
    text: ArrowArray = numbers(told, valid).cast(pa.string())
    return text


@cache
def _small_numbers() -> ArrowArray:
    """Decimal digits by number."""
    return pa.array(np.arange(_SMALL_NUMBERS)).cast(pa.string())


def null_text(count: int, binary: bool = False) -> ArrowArray:
    """Nothing but nulls."""
    return pa.nulls(count, pa.binary() if binary else pa.string())
