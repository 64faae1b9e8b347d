"""Encoding of columns for PostgreSQL: COPY's text format and array literals, by column, not by value."""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.postgresql.pgoutput.columns import encode_hexadecimal, hexadecimal_digits, text_bytes
from zcbus.connectors.texts import ESCAPES, contains, escaped
from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute
from zcbus.model.types import INTEGERS, DataType, Kind

_PLAIN = frozenset(
    {
        Kind.BOOLEAN,
        *INTEGERS,
        Kind.DECIMAL,
        Kind.FLOAT32,
        Kind.FLOAT64,
        Kind.DATE,
        Kind.TIME,
        Kind.TIME_TZ,
        Kind.TIMESTAMP,
        Kind.TIMESTAMP_TZ,
        Kind.DURATION,
        Kind.YEAR,
        Kind.UUID,
        Kind.BIT,
    }
)
"""Kinds whose text never holds a character that would have to be escaped."""

_PIECE_BYTES = 1 << 20

_INTEGER_TYPES = frozenset({"smallint", "integer", "bigint", "numeric"})
_TEXT_TYPES = frozenset({"text", "character varying", '"pg_catalog"."bpchar"'})
_ZERO_DATE = r"^0000-00-00"
"""Days that lack only a month or a day are other values, and none here: their rows are refused."""


def to_input(values: ArrowArray, source: DataType, target: str, table: str, column: str) -> ArrowArray:
    """A column's values as the target type's input text. `target` is the type's name without modifiers (`integer`,
    `character varying`). Raises RowRefused for text with NUL characters, which PostgreSQL cannot hold."""
    if source.kind == Kind.BINARY:
        return encode_hexadecimal(values)
    if source.kind in (Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ):
        return values if target in _TEXT_TYPES else _without_zero_dates(values)
    if source.kind == Kind.BOOLEAN and target in _INTEGER_TYPES:
        return compute.if_else(compute.equal(values, "t"), "1", "0") if len(values) else values
    if source.kind not in _PLAIN and contains(values, b"\0"):
        raise RowRefused(table=table, detail=f"column {column}: PostgreSQL text cannot hold the NUL character")
    if target == "bytea":
        return encode_hexadecimal(values.cast(pa.binary()))
    return values


def accepts_as_text(source: DataType, target: str) -> bool:
    """Whether `to_input` keeps every text unchanged, or the server refuses what it would change.

    Lines (raw_rows.LINES) then need no inspection. `target`: as in `to_input`.
    """
    if source.kind in (Kind.FLOAT32, Kind.FLOAT64, Kind.BOOLEAN):
        return target not in _TEXT_TYPES  # another text of the same value is another value in such a column
    return target != "bytea" or source.kind is Kind.BINARY


def copy_text(columns: Sequence[tuple[ArrowArray, DataType]]) -> memoryview:
    """Rows in COPY's text format."""
    *fields, last = [_copy_field(values, data) for values, data in columns]
    # The line feed is joined to the last field first, so that long values are copied once.
    end = compute.binary_join_element_wise(last, "\n", "", null_handling="replace", null_replacement="\\N")
    lines = compute.binary_join_element_wise(*fields, end, "\t", null_handling="replace", null_replacement="\\N")
    data: Any = text_bytes(lines)[1]
    return memoryview(data)


def large_copy_text(columns: Sequence[tuple[ArrowArray, DataType]]) -> Iterator[bytes]:
    """One row with very large values in COPY's text format, in pieces, so that it is never in memory at once.

    Binary columns are passed through, the others are texts from `to_input`.
    """
    for place, (values, data) in enumerate(columns):
        if place:
            yield b"\t"
        if not values[0].is_valid:
            yield b"\\N"
            continue
        if data.kind == Kind.BINARY:
            yield b"\\\\x"
        octets = text_bytes(values)[1]
        for start in range(0, len(octets), _PIECE_BYTES):
            piece = octets[start : start + _PIECE_BYTES]
            is_binary = data.kind == Kind.BINARY
            yield hexadecimal_digits(piece).tobytes() if is_binary else escaped(piece.tobytes())
    yield b"\n"


def array_literal(values: ArrowArray, data: DataType) -> str:
    """The values as one PostgreSQL array literal: a complete column in one bound parameter."""
    if not len(values):
        return "{}"
    text: Any = values
    if data.kind not in _PLAIN and contains(values, b"\\", b'"'):
        text = compute.replace_substring(compute.replace_substring(text, "\\", "\\\\"), '"', '\\"')
    quoted = compute.binary_join_element_wise('"', text, '"', "")
    filled = compute.fill_null(quoted, "NULL")
    lists = pa.ListArray.from_arrays(pa.array([0, len(values)], pa.int32()), filled)
    return "{" + str(compute.binary_join(lists, ",")[0].as_py()) + "}"


def _copy_field(values: ArrowArray, data: DataType) -> Any:
    text: Any = values
    if data.kind == Kind.BINARY:
        return compute.replace_substring(text, "\\", "\\\\")
    if data.kind not in _PLAIN and contains(values, b"\\", b"\t", b"\n", b"\r"):
        for character, escape in ESCAPES:
            text = compute.replace_substring(text, character, escape)
    return text


def stored_form(values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
    """See roles.Target."""
    if source.kind in (Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ):
        return values if target.kind is Kind.TEXT else _without_zero_dates(values)
    if source.kind is Kind.BOOLEAN and target.kind is not Kind.BOOLEAN and len(values):
        numbers: ArrowArray = compute.if_else(compute.equal(values, "t"), "1", "0")
        return numbers
    return values


def _without_zero_dates(values: ArrowArray) -> ArrowArray:
    if not contains(values, b"0000-00-00"):
        return values
    zero = compute.match_substring_regex(values, _ZERO_DATE)
    if not compute.any(zero).as_py():
        return values
    replaced: ArrowArray = compute.if_else(zero, "-infinity", values)
    return replaced
