"""Operations on complete columns: from bytes in a buffer to Arrow arrays, without one Python object per value."""

from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zcbus.model.arrow import ArrowArray
from zcbus.model.characters import Bytes, Flags, Integers, fixed_text, memory, validity
from zcbus.model.types import DataType, Kind

SLACK = 80
"""Bytes that a buffer must have after its last value, so that wide reads and `records.Records` never leave it."""
_SMALL_NUMBERS = 10_000
"""Those below have their digits in a table, which the processor's cache holds."""


class Buffer:
    """Received bytes, readable as integers of any width at any offset. The last SLACK bytes hold no data."""

    def __init__(self, data: bytearray | bytes) -> None:
        self.u8: Bytes = np.frombuffer(data, np.uint8)
        self.arrow = pa.py_buffer(data)
        self._data = data

    def view(self, kind: str) -> npt.NDArray[Any]:
        """Element i is the number of that kind (as `<u4`) that begins at byte i."""
        size = np.dtype(kind).itemsize
        return np.ndarray((len(self.u8) - size + 1,), kind, self._data, 0, (1,))

    def lengths(self, at: Integers, ahead: int, width: int) -> npt.NDArray[Any]:
        """Little-endian unsigned integers of 1, 2, 3, 4 or 8 bytes, `ahead` after these offsets; a new array."""
        if width == 1:
            return self.u8[ahead:].take(at)
        if width == 2:
            return self._words[ahead:][at]
        if width == 8:
            return self.view("<u8")[ahead:][at]
        numbers_read = self._double_words[ahead:][at]
        return numbers_read if width == 4 else numbers_read & np.uint32((1 << 24) - 1)

    @cached_property
    def _words(self) -> npt.NDArray[np.uint16]:
        return self.view("<u2")

    @cached_property
    def _double_words(self) -> npt.NDArray[np.uint32]:
        return self.view("<u4")


def grown(data: bytearray) -> bytearray:
    """A receive buffer of twice the size; the same one if it has no other views."""
    more = bytes(len(data))
    try:
        data.extend(more)
    except BufferError:
        return data + more
    return data


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
        return pick(slices(data, starts[order], ends[order], sorted_valid, binary), back)
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
    return neighbours.take(numbers(np.arange(0, count, 2, dtype=np.int32), valid))


def right_text(characters: Bytes, starts: Integers | Bytes) -> ArrowArray:
    """The characters of each row from its start to the end of the row."""
    count, width = characters.shape
    rows = np.arange(count, dtype=np.int64) * width
    data = memory(np.ascontiguousarray(characters))
    return _ordered_slices(data, rows + starts, rows + width, None, pa.string()) if count else null_text(0)


def pick(values: ArrowArray, places: npt.NDArray[Any]) -> ArrowArray:
    """The values at these indexes."""
    return values.take(numbers(places))


def numbers(values: npt.NDArray[Any], valid: Flags | None = None) -> Any:
    """Integers or floating-point numbers as they are; null where not valid."""
    return pa.Array.from_buffers(
        pa.from_numpy_dtype(values.dtype), len(values), [validity(valid), memory(np.ascontiguousarray(values))]
    )


def integer_text(values: npt.NDArray[Any]) -> ArrowArray:
    """Decimal digits of integers; those of small ones are looked up, in a third of the time."""
    if len(values) and int(values.min()) >= 0 and int(values.max()) < _SMALL_NUMBERS:
        return pick(_small_numbers(), values)
    text: ArrowArray = numbers(values).cast(pa.string())
    return text


@cache
def _small_numbers() -> ArrowArray:
    """Decimal digits by number."""
    return pa.array(np.arange(_SMALL_NUMBERS)).cast(pa.string())


def null_text(count: int, binary: bool = False) -> ArrowArray:
    """Nothing but nulls."""
    return pa.nulls(count, pa.binary() if binary else pa.string())


def float_text(numbers: ArrowArray, kind: Kind) -> ArrowArray:
    """The shortest text that reads back to the same number."""
    if kind is Kind.FLOAT32:
        numbers = numbers.cast(pa.float32(), safe=False)
    return numbers.cast(pa.string())


def bits(data_type: DataType) -> int:
    """Width of a BIT column."""
    return data_type.length or 1


def bit_text(octets: Bytes, width: int, valid: Flags | None) -> ArrowArray:
    """Digits 0 and 1 from a matrix of big-endian octets, one row per value."""
    digits = np.unpackbits(octets, axis=1)[:, octets.shape[1] * 8 - width :]
    return fixed_text(digits + np.uint8(ord("0")), valid)
