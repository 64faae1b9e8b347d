"""Rows as received from the server, converted to lines; see raw_rows.PackedRows and raw_rows.LINES.

A row is its values with their lengths in front. A tab replaces each length, a line feed replaces each row header, so
most bytes stay contiguous as received. Until bytes are removed and escaped, two bytes that are invalid in UTF-8 mark
both.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from zcbus.connectors.mysql.binlog.vectors import Buffer
from zcbus.connectors.mysql.canonical import select_expression
from zcbus.connectors.mysql.connection.text_rows import HEADER_BYTES, NULL, Values, row_columns
from zcbus.connectors.texts import escaped
from zcbus.model.characters import Bytes, Integers
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import Kind

_GONE, _ROW, _NULL_ROW, _FIELD, _NULL_FIELD = 0xFF, 0xFE, 0xFD, 0xFC, 0xFB
"""Markers until the conversion is complete: for removed bytes and for starts of rows and fields, null or not."""
_FIRST_MARK = 0xF8
"""No text in UTF-8 has such bytes."""
_LINE_FEED, _TAB = b"\n", b"\t"
_WRITTEN = bytes.maketrans(bytes([_ROW, _FIELD]), _LINE_FEED + _TAB)
_NULL_TEXT = rb"\N"
_CHUNK_BYTES = 512 << 10
"""Rows converted at a time: intermediate results stay in the processor's cache."""
_LARGE_BYTES = 16 << 20
"""Larger batches hold a very large row, which must not take several times its size."""
_PIECE_BYTES = 1 << 20
_SPELLED_DIFFERENTLY = frozenset({Kind.UNSUPPORTED, Kind.BIT, Kind.BINARY, Kind.FLOAT32})
_WITHOUT_ORDER = frozenset({Kind.FLOAT64})


def line_expressions(table: TableSchema, columns: Sequence[str], key: Sequence[str]) -> list[str] | None:
    """The select expressions for lines of these columns; None: the server's text of a column, or of the key, differs
    from the canonical text."""
    kinds = {table.column(name).type.kind for name in columns}
    if not set(key) <= set(columns) or kinds & _SPELLED_DIFFERENTLY:
        return None
    if {table.column(name).type.kind for name in key} & _WITHOUT_ORDER:
        return None
    return [_expression(table.column(name)) for name in columns]


def _expression(column: Column) -> str:
    selected = select_expression(column)
    return f"CONCAT({selected}, '+00')" if column.type.kind is Kind.TIMESTAMP_TZ else selected


@dataclass(frozen=True, slots=True)
class PackedLines:
    """See raw_rows.PackedPart."""

    buffer: Buffer
    starts: Integers
    """Offsets of the rows after their headers."""
    columns: int

    @property
    def nbytes(self) -> int:
        return len(self.buffer.u8)

    def last(self, place: int) -> str:
        """The text of the last row's value at an index."""
        values = row_columns(self.buffer, self.starts[-1:], place + 1)[place]
        return self.buffer.u8[values.starts[0] : values.ends[0]].tobytes().decode()

    def lines(self) -> Iterator[memoryview]:
        each = max(len(self.starts) * _CHUNK_BYTES // self.nbytes, 1)
        for first in range(0, len(self.starts), each):
            starts = self.starts[first : first + each]
            values = row_columns(self.buffer, starts, self.columns)
            is_large = int(values[-1].ends[-1]) - int(starts[0]) > _LARGE_BYTES
            joined = None if is_large else _joined(self.buffer, starts, values)
            if joined is not None:
                yield joined
            else:
                yield from self._pieces(values)

    def _pieces(self, columns: Sequence[Values]) -> Iterator[memoryview]:
        for row in range(len(columns[0].starts)):
            for place, values in enumerate(columns):
                yield memoryview(b"\t" if place else b"")
                if values.valid is not None and not values.valid[row]:
                    yield memoryview(_NULL_TEXT)
                for at in range(int(values.starts[row]), int(values.ends[row]), _PIECE_BYTES):
                    piece = self.buffer.u8[at : min(at + _PIECE_BYTES, int(values.ends[row]))]
                    yield memoryview(escaped(piece.tobytes()))
            yield memoryview(b"\n")


def _joined(buffer: Buffer, starts: Integers, columns: Sequence[Values]) -> memoryview | None:
    """The lines; None: a value holds bytes that are invalid in UTF-8."""
    first, end = int(starts[0]) - HEADER_BYTES, int(columns[-1].ends[-1])
    text = bytearray(buffer.u8[first:end].tobytes()) + _LINE_FEED
    fields = [values.ends - first for values in columns[:-1]]
    marks = _Marks(np.frombuffer(text, np.uint8), starts - first, fields, _further_bytes(starts, columns) - first)
    if not marks.alone:
        return None
    if marks.text_is_plain(text):
        return memoryview(marks.with_nulls(marks.kept(_LINE_FEED, _TAB)))[1:]
    lines = escaped(marks.kept(bytes([_ROW]), bytes([_FIELD]))[:-1]).translate(_WRITTEN) + _LINE_FEED
    return memoryview(marks.with_nulls(lines))[1:]


def _further_bytes(starts: Integers, columns: Sequence[Values]) -> Integers:
    """Offsets of lengths of more than one byte, without their first bytes."""
    found = [np.empty(0, np.int64)]
    for at, values in zip((starts, *(values.ends for values in columns)), columns, strict=False):
        width = values.starts - at
        wide = np.unique(width)[1 if width.min() == 1 else 0 :] if width.max() > 1 else ()
        found += [(at[width == one][:, None] + np.arange(1, one)).ravel() for one in wide]
    return np.concatenate(found)


class _Marks:
    """Markers in the bytes of rows, in place of their headers and lengths."""

    def __init__(self, octets: Bytes, rows: Integers, fields: Sequence[Integers], further: Integers) -> None:
        """`octets` are overwritten. `rows`: offsets of the rows after their headers; `fields`: offsets of the lengths
        of all columns but the first; `further`: the further bytes of lengths."""
        self._octets = octets
        self._gone = np.concatenate([further, *(rows - place for place in range(1, HEADER_BYTES + 1))])
        others = np.concatenate(fields) if fields else further[:0]
        self._count = len(self._gone) + len(rows) + len(others)
        self._rows, self._null_rows = self._by_null(rows)
        self._fields, self._null_fields = self._by_null(others)
        self._put(_ROW, _FIELD)
        for places, mark in (
            (self._gone, _GONE),
            (self._null_rows, _NULL_ROW),
            (self._null_fields, _NULL_FIELD),
        ):
            octets[places] = mark

    @property
    def alone(self) -> bool:
        """Whether no value has a byte that means something here."""
        return int(np.count_nonzero(self._octets >= _FIRST_MARK)) == self._count

    def text_is_plain(self, text: bytearray) -> bool:
        """Whether nothing is to be escaped in the bytes with the marks and a line feed at the end."""
        return text.find(_LINE_FEED) == len(text) - 1 and not any(one in text for one in (b"\\", _TAB, b"\r"))

    def kept(self, row: bytes, field: bytes) -> bytes:
        """The remaining bytes, with these bytes in place of the markers for rows and fields that are not null."""
        self._put(row[0], field[0])
        kept = np.ones(len(self._octets), np.bool_)
        kept[self._gone] = False
        return self._octets[kept].tobytes()

    def with_nulls(self, lines: bytes) -> bytes:
        """With the text for null."""
        if len(self._null_rows):
            lines = lines.replace(bytes([_NULL_ROW]), _LINE_FEED + _NULL_TEXT)
        if len(self._null_fields):
            lines = lines.replace(bytes([_NULL_FIELD]), _TAB + _NULL_TEXT)
        return lines

    def _by_null(self, places: Integers) -> tuple[Integers, Integers]:
        """Of offsets of lengths: those of values, and those of nulls."""
        null = self._octets.take(places) == NULL
        return (places[~null], places[null]) if null.any() else (places, places[:0])

    def _put(self, row: int, field: int) -> None:
        self._octets[self._rows], self._octets[self._fields] = row, field
