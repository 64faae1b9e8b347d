"""Fields of fixed sizes, fetched row by row and then read column by column.

A fetch from an arbitrary offset costs the same for one byte and for forty, so neighbouring columns are fetched
together. From the resulting contiguous rows a column is read at a tenth of that cost.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zcbus.connectors.mysql.binlog.vectors import Buffer
from zcbus.model.characters import Bytes, Integers

LARGEST = 64
"""Bytes of a row that may be fetched together: a buffer's slack holds them and a wide read."""
_WIDEST_READ = 8


@dataclass(frozen=True, slots=True)
class Records:
    """The same bytes of every row, readable as integers of any width at any offset."""

    _rows: npt.NDArray[np.void]
    _chosen: Integers | None = None
    """Which of the rows; None: all of them."""

    @staticmethod
    def fetched(buffer: Buffer, at: Integers, size: int, ahead: int = 0) -> "Records":
        """Fetch `size` bytes, LARGEST at most, that start `ahead` after each of these offsets; some may extend beyond
        the last value."""
        return Records(buffer.view(f"V{size + _WIDEST_READ}")[ahead:][at])

    def chosen(self, rows: Integers) -> "Records":
        """Some of all the rows."""
        return Records(self._rows, rows)

    def __len__(self) -> int:
        return len(self._rows) if self._chosen is None else len(self._chosen)

    def octets(self, at: int, count: int) -> Bytes:
        """A matrix of bytes, one row each."""
        matrix = self._rows.view(np.uint8).reshape(len(self._rows), self._rows.itemsize)[:, at : at + count]
        return matrix if self._chosen is None else matrix[self._chosen]

    def numbers(self, at: int, kind: str) -> npt.NDArray[Any]:
        """Numbers of that kind (as `<u4`)."""
        every: npt.NDArray[Any] = np.ndarray((len(self._rows),), kind, self._rows, at, self._rows.strides)
        return every if self._chosen is None else every.take(self._chosen)

    def little(self, at: int, width: int) -> Integers:
        """Little-endian unsigned integers of 1 to 8 bytes; 8 bytes wrap into the sign."""
        if width in (1, 2, 4):
            return self.numbers(at, f"<u{width}").astype(np.int64)
        numbers_read = self.numbers(at, "<i8")
        return numbers_read.astype(np.int64) if width == 8 else numbers_read & ((1 << (8 * width)) - 1)

    def signed(self, at: int, width: int) -> Integers:
        """Little-endian signed integers of 1 to 8 bytes."""
        if width in (1, 2, 4, 8):
            return self.numbers(at, f"<i{width}").astype(np.int64)
        sign = 1 << (8 * width - 1)
        return (self.little(at, width) ^ sign) - sign

    def big(self, at: int, width: int) -> Integers:
        """Big-endian unsigned integers of 1 to 8 bytes; 8 bytes wrap into the sign."""
        # One wider read with the surplus shifted out is cheaper than a read of every byte.
        value = self.numbers(at, ">u8").astype(np.uint64)
        if width < 8:
            value >>= np.uint64(64 - 8 * width)
        return value.view(np.int64)

    def big_pair(self, at: int, first: int, second: int) -> tuple[Integers, Integers]:
        """Two consecutive big-endian unsigned integers of these bytes. Up to 8 bytes together are read at once; 8 bytes
        of one wrap into the sign."""
        if first + second > 8:
            return self.big(at, first), self.big(at + first, second)
        both, bits = self.big(at, first + second).view(np.uint64), 8 * second
        ahead = both >> np.uint64(bits) if bits < 64 else np.zeros_like(both)
        return ahead.view(np.int64), (both & np.uint64((1 << bits) - 1)).view(np.int64)
