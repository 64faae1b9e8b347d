"""Texts of numbers and moments in complete columns: a matrix of characters, one row for each value."""

from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zcbus.model.arrow import ArrowArray

Bytes: TypeAlias = npt.NDArray[np.uint8]
Integers: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]

SECONDS_OF_DAY = 86400
LAST_DAY = (1 << 32) // SECONDS_OF_DAY
"""Of `days`: as far as four bytes of seconds since 1970 reach."""
DIGITS = {
    width: np.frombuffer("".join(f"{value:0{width}d}" for value in range(10**width)).encode(), f"<u{width}")
    for width in (1, 2, 4)
}
"""By width: the digits of every number of that width, as the bytes of one integer."""


def memory(array: Any) -> pa.Buffer:
    """An array's memory as an Arrow buffer."""
    return pa.py_buffer(array)


def validity(valid: Flags | None) -> pa.Buffer | None:
    """Arrow's validity bitmap; None: all valid."""
    if valid is None or valid.all():
        return None
    return memory(np.packbits(valid, bitorder="little"))


def fixed_text(characters: Bytes, valid: Flags | None = None, binary: bool = False) -> ArrowArray:
    """One text per row of a matrix of characters, all of the same width."""
    count, width = characters.shape
    offsets = np.arange(count + 1, dtype=np.int32) * np.int32(width)
    buffers = [validity(valid), memory(offsets), memory(np.ascontiguousarray(characters))]
    return pa.Array.from_buffers(pa.binary() if binary else pa.string(), count, buffers)


def put_digits(characters: Bytes, column: int, width: int, values: Integers) -> None:
    """Write values as decimal digits with leading zeros into `width` columns of a contiguous matrix of characters."""
    count, row = characters.shape
    end = column + width
    while end > column:
        size = 4 if end - column >= 4 else 2 if end - column >= 2 else 1
        table = DIGITS[size]
        rest = values // len(table)
        last = values - rest * len(table)
        values = rest
        # The digits of a group are one number of one, two or four bytes.
        group: npt.NDArray[Any] = np.ndarray((count,), table.dtype, characters.data, end - size, (row,))
        group[:] = table.take(last)
        end -= size


def put_texts(characters: Bytes, column: int, texts: npt.NDArray[Any], numbers: Integers) -> None:
    """Write texts of one width by their numbers, which must be there."""
    count, row = characters.shape
    place: npt.NDArray[Any] = np.ndarray((count,), texts.dtype, characters.data, column, (row,))
    place[:] = texts.take(numbers, mode="wrap")


def put_moments(characters: Bytes, seconds: Integers) -> None:
    """Write `YYYY-MM-DD HH:MM:SS` of seconds since 1970 up to LAST_DAY into the first 19 columns."""
    of_day = seconds // SECONDS_OF_DAY
    put_texts(characters, 0, days(), of_day)
    characters[:, 10] = ord(" ")
    put_texts(characters, 11, times_of_day(), seconds - of_day * SECONDS_OF_DAY)


@cache
def days() -> npt.NDArray[np.bytes_]:
    """`YYYY-MM-DD` by days since 1970, up to LAST_DAY."""
    day = np.arange(LAST_DAY + 1).astype("M8[D]")
    month = day.astype("M8[M]")
    number = month.astype(np.int64)
    characters = np.full((len(day), 10), ord("-"), np.uint8)
    parts = (number // 12 + 1970, number % 12 + 1, (day - month).astype(np.int64) + 1)
    for column, width, part in zip((0, 5, 8), (4, 2, 2), parts, strict=True):
        put_digits(characters, column, width, part)
    return characters.view("S10").ravel()


@cache
def times_of_day() -> npt.NDArray[np.bytes_]:
    """`HH:MM:SS` by seconds."""
    second = np.arange(SECONDS_OF_DAY)
    characters = np.full((len(second), 8), ord(":"), np.uint8)
    for column, part in ((0, second // 3600), (3, second // 60 % 60), (6, second % 60)):
        put_digits(characters, column, 2, part)
    return characters.view("S8").ravel()
