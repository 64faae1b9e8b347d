"""Results of a query read straight from the socket, decoded column by column.

The driver makes a Python object of every value. Here the rows' packets are received into one buffer and each column's
lengths are read for all rows at once; values stay where they are until Arrow copies them out.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from pymysql.constants import COMMAND
from pymysql.err import OperationalError, raise_mysql_exception

from zcbus.connectors.mysql.vectors import SLACK, Buffer, Flags, Integers, grown

BATCH_BYTES = 8 << 20
_LARGEST_PACKET = 0xFFFFFF
_HEADER = struct.Struct("<I")
HEADER_BYTES = 4
"""In front of each row: its length and a number."""
NULL = 251
"""What stands in place of the length of a value that is null."""
_TWO, _THREE, _EIGHT = 252, 253, 254


@dataclass(frozen=True, slots=True)
class Values:
    """One column of a batch: where each value lies in the buffer."""

    buffer: Buffer
    starts: Integers
    ends: Integers
    valid: Flags | None
    """None: no nulls."""


class TextRows:
    """The rows of one query, in batches. While it is not exhausted the connection can do nothing else."""

    def __init__(self, driver: Any, sql: str, columns: int) -> None:
        """Sends the query. `columns`: how many the result has."""
        self._columns = columns
        self._packets = _Packets(driver)
        self.finished = False
        driver._execute_command(COMMAND.COM_QUERY, sql)
        # Number of columns, their definitions, and an end mark.
        for _ in range(columns + 2):
            self._packets.skip()

    def batches(self, rows: int) -> Iterator[list[Values]]:
        """Columns of at most `rows` rows and about 8 MiB at a time."""
        for buffer, starts in self.packed(rows):
            yield row_columns(buffer, starts, self._columns)

    def packed(self, rows: int) -> Iterator[tuple[Buffer, Integers]]:
        """As batches: where each row begins in a buffer, which is not to be changed."""
        while not self.finished:
            starts, self.finished = self._packets.rows(rows)
            if len(starts):
                yield Buffer(self._packets.taken), starts

    @property
    def lost(self) -> bool:
        """The connection broke: nothing comes any more."""
        return self._packets.lost

    def drain(self) -> None:
        """Throw the rest away."""
        while not self.finished:
            _, self.finished = self._packets.rows(1 << 30)


def row_columns(buffer: Buffer, starts: Integers, count: int) -> list[Values]:
    """The columns of the rows that begin at these places."""
    at, columns = starts, []
    for _ in range(count):
        values = column_at(buffer, at)
        columns.append(values)
        at = values.ends
    return columns


def column_at(buffer: Buffer, at: Integers) -> Values:
    """The length-encoded values that begin at these places."""
    first = buffer.u8[at]
    if not len(first) or first.max() < NULL:
        starts = at + 1
        return Values(buffer, starts, starts + first, None)
    length, header = first.astype(np.int64), np.ones(len(at), np.int64)
    null = first == NULL
    length[null] = 0
    for mark, width in ((_TWO, 2), (_THREE, 3), (_EIGHT, 8)):
        rows = np.nonzero(first == mark)[0]
        if len(rows):
            length[rows] = buffer.little(at[rows] + 1, width)
            header[rows] = 1 + width
    starts = at + header
    return Values(buffer, starts, starts + length, ~null if null.any() else None)


class _Packets:
    """Packets of a result as they come from the socket."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver
        self._data = bytearray(BATCH_BYTES + SLACK)
        self._filled = 0
        self._at = 0
        self.lost = False
        self.taken = self._data

    def skip(self) -> None:
        """Pass over one packet; raises the server's error if it is one."""
        while not self._complete():
            self._receive()
        self._check_error()
        self._at += 4 + self._length()

    def rows(self, most: int) -> tuple[Integers, bool]:
        """Where the next rows begin in `taken`, and whether they were the last. Waits for a full buffer or the end."""
        starts: list[int] = []
        while len(starts) < most:
            self._plain_rows(starts, most)
            if len(starts) == most:
                break
            if not self._complete():
                if starts and self._filled >= BATCH_BYTES:
                    break
                if not starts and self._at:
                    self._start_afresh()
                self._receive()
                continue
            length = self._length()
            if length == _LARGEST_PACKET:
                length = self._join_parts()
            if self._is_end(length):
                return np.array(starts, np.int64), True
            starts.append(self._at + 4)
            self._at += 4 + length
        return np.array(starts, np.int64), False

    def _plain_rows(self, starts: list[int], most: int) -> None:
        """Add the complete rows that are neither very large nor the end, as quickly as it goes one by one."""
        data, at, last, unpack, add = self._data, self._at, self._filled - 5, _HEADER.unpack_from, starts.append
        left = most - len(starts)
        while left and at <= last:
            length = unpack(data, at)[0] & 0xFFFFFF
            following = at + 4 + length
            if following > last + 5 or length == _LARGEST_PACKET or data[at + 4] >= _EIGHT:
                break
            add(at + 4)
            at = following
            left -= 1
        self._at = at

    def _is_end(self, length: int) -> bool:
        first = self._data[self._at + 4]
        if first == 0xFF:
            self._check_error()
        return first == 0xFE and length < 9

    def _complete(self) -> bool:
        return self._filled - self._at >= 4 and self._filled - self._at >= 4 + self._length()

    def _length(self) -> int:
        return int(_HEADER.unpack_from(self._data, self._at)[0]) & 0xFFFFFF

    def _check_error(self) -> None:
        at = self._at + 4
        if self._data[at] == 0xFF:
            raise_mysql_exception(bytes(self._data[at : at + self._length()]))

    def _join_parts(self) -> int:
        """A row of 16 MiB or more comes in parts: take the headers between them out. Returns the row's length."""
        end = self._at + 4 + _LARGEST_PACKET
        while True:
            while self._filled < end + 4:
                self._receive()
            length = int(_HEADER.unpack_from(self._data, end)[0]) & 0xFFFFFF
            while self._filled < end + 4 + length:
                self._receive()
            with memoryview(self._data) as view:
                view[end : self._filled - 4] = view[end + 4 : self._filled]
            self._filled -= 4
            end += length
            if length < _LARGEST_PACKET:
                return end - self._at - 4

    def _start_afresh(self) -> None:
        """Begin a new buffer with what is left; the old one may still be looked at."""
        rest = self._data[self._at : self._filled]
        self._data = bytearray(max(BATCH_BYTES, len(rest)) + SLACK)
        self._data[: len(rest)] = rest
        self._at, self._filled = 0, len(rest)
        self.taken = self._data

    def _receive(self) -> None:
        room = len(self._data) - SLACK - self._filled
        if room == 0:
            self._data = self.taken = grown(self._data)
            room = len(self._data) - SLACK - self._filled
        self.lost = True
        with memoryview(self._data) as view:
            count = self._driver.receive_into(view[self._filled : self._filled + room])
        self.lost = count == 0
        if self.lost:
            raise OperationalError(2013, "Lost connection to MySQL server during query")
        self._filled += count
