"""Results of a query read directly from the socket, decoded column by column.

The driver makes a Python object of every value. Here the rows' packets are received into one buffer and each column's
lengths are read for all rows at once; values stay in the buffer until Arrow copies them.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from pymysql.constants import COMMAND
from pymysql.err import MySQLError, OperationalError, raise_mysql_exception

from zcbus.connectors.mysql.binlog.vectors import SLACK, Buffer, grown
from zcbus.model.characters import Flags, Integers

BATCH_BYTES = 8 << 20
_MAX_PACKET = 0xFFFFFF
_HEADER = struct.Struct("<I")
HEADER_BYTES = 4
"""In front of each row: its length and a number."""
NULL = 251
"""Length byte of a null."""
_TWO, _THREE, _EIGHT = 252, 253, 254


@dataclass(frozen=True, slots=True)
class Values:
    """One column of a batch: the offset of each value in the buffer."""

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
            try:
                starts, self.finished = self._packets.rows(rows)
            except MySQLError:
                self.finished = True  # nothing follows an error
                raise
            if len(starts):
                yield Buffer(self._packets.taken), starts

    @property
    def lost(self) -> bool:
        """The connection broke: no more data arrives."""
        return self._packets.lost

    def drain(self) -> None:
        """Throw the rest away."""
        while not self.finished:
            _, self.finished = self._packets.rows(1 << 30)


def row_columns(buffer: Buffer, starts: Integers, count: int) -> list[Values]:
    """The columns of the rows at these offsets."""
    at, columns = starts, []
    for _ in range(count):
        values = column_at(buffer, at)
        columns.append(values)
        at = values.ends
    return columns


def column_at(buffer: Buffer, at: Integers) -> Values:
    """The length-encoded values at these offsets."""
    first = buffer.u8.take(at)
    largest = first.max(initial=0)
    starts = at + 1
    if largest < NULL:
        return Values(buffer, starts, starts + first, None)
    length, null = first.astype(np.int64), first == NULL
    length[null] = 0
    for mark, width in ((_TWO, 2), (_THREE, 3), (_EIGHT, 8)):
        if largest >= mark:
            rows = np.nonzero(first == mark)[0]
            length[rows] = buffer.lengths(at[rows], 1, width)
            starts[rows] += width
    return Values(buffer, starts, starts + length, ~null if null.any() else None)


def _length(data: bytearray, at: int) -> int:
    """The content of the packet whose header is at an offset, without the header."""
    return int(_HEADER.unpack_from(data, at)[0]) & _MAX_PACKET


def _headers(data: bytearray, at: int, filled: int) -> Iterator[int]:
    """Offsets of packets whose header and first byte have arrived. Each length gives the next offset."""
    unpack, last = _HEADER.unpack_from, filled - HEADER_BYTES - 1
    while at <= last:
        yield at
        at += HEADER_BYTES + (unpack(data, at)[0] & _MAX_PACKET)


class _Packets:
    """Packets of a result as received from the socket."""

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
        found: list[Integers] = [np.empty(0, np.int64)]
        count, ended = 0, False
        while count < most and not ended:
            plain = self._plain_rows(most - count)
            found.append(plain)
            count += len(plain)
            if count == most or (count and self._is_full()):
                break
            if not self._complete():
                if not count and self._at:
                    self._start_afresh()
                self._receive()
                continue
            rest, ended = self._odd_row()
            found.append(rest)
            count += len(rest)
        return np.concatenate(found), ended

    def _plain_rows(self, most: int) -> Integers:
        """Pass over the complete rows that are neither very large nor the end; returns where they begin."""
        headers = np.fromiter(islice(_headers(self._data, self._at, self._filled), most), np.int64)
        if not len(headers):
            return headers
        behind = np.append(headers[1:], headers[-1] + HEADER_BYTES + _length(self._data, int(headers[-1])))
        first = np.frombuffer(self._data, np.uint8).take(headers + HEADER_BYTES)
        odd = (first >= _EIGHT) | (behind > self._filled) | (behind - headers == HEADER_BYTES + _MAX_PACKET)
        count = int(odd.argmax()) if odd.any() else len(headers)
        if count:
            self._at = int(behind[count - 1])
        return headers[:count] + HEADER_BYTES

    def _odd_row(self) -> tuple[Integers, bool]:
        """Pass over one complete packet of any kind; returns where its row begins, and whether it was the end."""
        length = self._length()
        if length == _MAX_PACKET:
            length = self._join_parts()
        if self._is_end(length):
            return np.empty(0, np.int64), True
        start = self._at + HEADER_BYTES
        self._at = start + length
        return np.array([start]), False

    def _is_full(self) -> bool:
        """Whether there is no room for the rest of the next packet."""
        return not self._complete() and self._filled >= BATCH_BYTES

    def _is_end(self, length: int) -> bool:
        first = self._data[self._at + 4]
        if first == 0xFF:
            self._check_error()
        return first == 0xFE and length < 9

    def _complete(self) -> bool:
        return self._filled - self._at >= 4 and self._filled - self._at >= 4 + self._length()

    def _length(self) -> int:
        return _length(self._data, self._at)

    def _check_error(self) -> None:
        at = self._at + 4
        if self._data[at] == 0xFF:
            raise_mysql_exception(bytes(self._data[at : at + self._length()]))

    def _join_parts(self) -> int:
        """Remove the headers inside a row of 16 MiB or more, which comes in parts. Returns the row's length."""
        end = self._at + 4 + _MAX_PACKET
        while True:
            while self._filled < end + 4:
                self._receive()
            length = _length(self._data, end)
            while self._filled < end + 4 + length:
                self._receive()
            with memoryview(self._data) as view:
                view[end : self._filled - 4] = view[end + 4 : self._filled]
            self._filled -= 4
            end += length
            if length < _MAX_PACKET:
                return end - self._at - 4

    def _start_afresh(self) -> None:
        """Start a new buffer with the rest; views of the old one stay valid."""
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
