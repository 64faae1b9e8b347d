"""Rows as the server sent them, on their way to becoming lines; see raw_rows.PackedRows and raw_rows.LINES.

A row is its values with their lengths in front. Where a length was a tab comes to stand, where a row's header was a
line feed: so most bytes stay side by side as they came, and only for nulls and for what is escaped room is made between
them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from zcbus.connectors.mysql.canonical import select_expression
from zcbus.connectors.mysql.textrows import HEADER_BYTES, NULL, Values, row_columns
from zcbus.connectors.mysql.vectors import Buffer, Bytes, Flags, Integers
from zcbus.connectors.texts import escaped
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import Kind

_TAB, _LINE_FEED, _RETURN, _BACKSLASH = (ord(character) for character in "\t\n\r\\")
_IS_SPECIAL = np.zeros(256, np.bool_)
_IS_SPECIAL[[_TAB, _LINE_FEED, _RETURN, _BACKSLASH]] = True
_LETTERS = np.arange(256, dtype=np.uint8)
_LETTERS[[_TAB, _LINE_FEED, _RETURN]] = np.frombuffer(b"tnr", np.uint8)
_NULL_TEXT = np.frombuffer(rb"\N", np.uint8)
_CHUNK_BYTES = 512 << 10
"""So many are put together at a time: what is made on the way stays near the processor."""
_LARGE_BYTES = 16 << 20
"""What is larger holds a very large row, which must not take several times its size."""
_PIECE_BYTES = 1 << 20
_IN_OTHER_WORDS = frozenset({Kind.UNSUPPORTED, Kind.BIT, Kind.BINARY, Kind.FLOAT32})
_WITHOUT_ORDER = frozenset({Kind.FLOAT64})


def line_expressions(table: TableSchema, columns: Sequence[str], key: Sequence[str]) -> list[str] | None:
    """What to select for lines of these columns; None: the server's text of one of them, or of the key, means something
    else than the canonical text."""
    kinds = {table.column(name).type.kind for name in columns}
    if not set(key) <= set(columns) or kinds & _IN_OTHER_WORDS:
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
    """Where rows begin behind their headers."""
    columns: int

    @property
    def nbytes(self) -> int:
        return len(self.buffer.u8)

    def last(self, place: int) -> str:
        """The text of the last row's value at a place."""
        values = row_columns(self.buffer, self.starts[-1:], place + 1)[place]
        return self.buffer.u8[values.starts[0] : values.ends[0]].tobytes().decode()

    def lines(self) -> Iterator[memoryview]:
        each = max(len(self.starts) * _CHUNK_BYTES // self.nbytes, 1)
        for first in range(0, len(self.starts), each):
            starts = self.starts[first : first + each]
            values = row_columns(self.buffer, starts, self.columns)
            if int(values[-1].ends[-1]) - int(starts[0]) > _LARGE_BYTES:
                yield from self._pieces(values)
            else:
                yield memoryview(_joined(self.buffer, starts, values).data)

    def _pieces(self, columns: Sequence[Values]) -> Iterator[memoryview]:
        for row in range(len(columns[0].starts)):
            for place, values in enumerate(columns):
                yield memoryview(b"\t" if place else b"")
                if values.valid is not None and not values.valid[row]:
                    yield memoryview(_NULL_TEXT.data)
                for at in range(int(values.starts[row]), int(values.ends[row]), _PIECE_BYTES):
                    piece = self.buffer.u8[at : min(at + _PIECE_BYTES, int(values.ends[row]))]
                    yield memoryview(escaped(piece.tobytes()))
            yield memoryview(b"\n")


def _joined(buffer: Buffer, starts: Integers, columns: Sequence[Values]) -> Bytes:
    lengths = [starts, *(values.ends for values in columns[:-1])]
    first, end = int(starts[0]) - HEADER_BYTES, int(columns[-1].ends[-1])
    text = np.empty(end - first + 1, np.uint8)
    text[:-1], text[-1] = buffer.u8[first:end], _LINE_FEED
    marks = np.concatenate(lengths) - first
    nulls = np.sort(marks[text[marks] == NULL])
    text[marks] = _TAB
    text[starts - first] = _LINE_FEED
    squeezed = _Squeezed(starts - first, _further_bytes(lengths, columns) - first)
    lines = text[squeezed.kept(len(text))]
    places, added = np.repeat(squeezed.places(nulls) + 1, 2), np.tile(_NULL_TEXT, len(nulls))
    if _has_more_marks(lines, len(starts), len(columns)):
        special = _special(lines, squeezed.places(np.sort(marks)))
        lines[special] = _LETTERS[lines[special]]
        places, added = np.append(places, special), np.append(added, np.full(len(special), _BACKSLASH, np.uint8))
    return _with_added(lines, places, added)[1:]


def _further_bytes(lengths: Sequence[Integers], columns: Sequence[Values]) -> Integers:
    """Where lengths are that take more than one byte, but for their first bytes."""
    found = []
    for at, values in zip(lengths, columns, strict=True):
        width = values.starts - at
        wide = np.unique(width)[1 if width.min() == 1 else 0 :] if width.max() > 1 else ()
        found += [(at[width == one][:, None] + np.arange(1, one)).ravel() for one in wide]
    return np.sort(np.concatenate(found)) if found else np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class _Squeezed:
    """A text without the headers of its rows and the further bytes of lengths."""

    starts: Integers
    """Where rows begin behind their headers."""
    further: Integers

    def kept(self, length: int) -> Flags:
        """What is left of a text of that length."""
        kept = np.ones(length, np.bool_)
        for place in range(1, HEADER_BYTES + 1):
            kept[self.starts - place] = False
        kept[self.further] = False
        return kept

    def places(self, at: Integers) -> Integers:
        """Where the bytes at these places, in order, come to lie."""
        headers = HEADER_BYTES * np.searchsorted(self.starts, at, "right")
        return at - headers - np.searchsorted(self.further, at)


def _has_more_marks(lines: Bytes, rows: int, columns: int) -> bool:
    """Whether values hold what would be taken for something else. A line feed stands in front of every row, and behind
    the last one."""
    expected = ((_TAB, rows * (columns - 1)), (_LINE_FEED, rows + 1), (_RETURN, 0), (_BACKSLASH, 0))
    return any(np.count_nonzero(lines == mark) != count for mark, count in expected)


def _special(lines: Bytes, marks: Integers) -> Integers:
    """Where such characters are, but for our own marks and the last line feed."""
    found = np.flatnonzero(_IS_SPECIAL[lines[:-1]])
    return np.setdiff1d(found, marks, assume_unique=True)


def _with_added(lines: Bytes, places: Integers, added: Bytes) -> Bytes:
    """With these bytes in front of what is at those places."""
    if not len(places):
        return lines
    order = np.argsort(places, kind="stable")
    places = places[order] + np.arange(len(places))
    whole = np.empty(len(lines) + len(places), np.uint8)
    old = np.ones(len(whole), np.bool_)
    old[places] = False
    whole[places], whole[old] = added[order], lines
    return whole
