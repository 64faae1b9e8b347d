"""Columns of row images in the canonical forms, with the same texts as a snapshot of the rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from zcbus.connectors.mysql.binlog import tables as codes
from zcbus.connectors.mysql.binlog import times as times
from zcbus.connectors.mysql.binlog.addresses import address_text, uuid_text
from zcbus.connectors.mysql.binlog.charsets import Charsets
from zcbus.connectors.mysql.binlog.json_binary import json_text
from zcbus.connectors.mysql.binlog.records import Records
from zcbus.connectors.mysql.binlog.tables import ColumnLayout, ColumnMap
from zcbus.connectors.mysql.binlog.vectors import (
    Buffer,
    bit_text,
    bits,
    float_text,
    integer_text,
    numbers,
    pick,
    right_text,
    slices,
)
from zcbus.model.arrow import ArrowArray
from zcbus.model.characters import Bytes, Flags, Integers, fixed_text, put_digits
from zcbus.model.types import UNSIGNED, Kind

_BYTES_OF_DIGITS = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)
_GROUP = 9
_DIGITS_OF_INT64 = 18

_SMALL_UNSIGNED = pa.array([str(number) for number in range(256)])
_SMALL = pa.array([str(number - (number >> 7 << 8)) for number in range(256)])
"""Integers of one byte by that byte."""


@dataclass(frozen=True, slots=True)
class FixedField:
    """Offsets of the values of a column of a fixed size, none of them null."""

    records: Records
    at: int


def fixed_column(field: FixedField, column: ColumnMap, layout: ColumnLayout) -> ArrowArray:
    """The canonical column."""
    return _DECODERS[column.type](field, column, layout)


def long_column(
    buffer: Buffer, starts: Integers, ends: Integers, column: ColumnMap, layout: ColumnLayout, charsets: Charsets
) -> ArrowArray:
    """The canonical column of values with these starts and ends, none of them null. Raises TableRefused for undecodable
    values."""
    kind = layout.column.type.kind
    values = slices(buffer.arrow, starts, ends, None, binary=True)
    if kind is Kind.UUID:
        return uuid_text(values)
    if kind is Kind.OTHER:
        return address_text(values, layout.column.type.native)
    if kind is Kind.BINARY:
        return _padded(values, layout.column.type.length or 0) if layout.column.type.fixed else values
    if column.type == codes.JSON:
        return json_text(values)
    return charsets.decode(values, layout.charset or "utf8mb4")


def _padded(values: ArrowArray, length: int) -> ArrowArray:
    """BINARY(n) loses its zeros at the end in the log."""
    _, offsets, data = values.buffers()
    assert offsets is not None
    ends = np.frombuffer(memoryview(offsets), np.int32)
    sizes = np.diff(ends)
    if (sizes == length).all():
        return values
    matrix = np.zeros((len(values), length), np.uint8)
    if data is not None and ends[-1] > ends[0]:
        source = np.frombuffer(memoryview(data), np.uint8)[ends[0] : ends[-1]]
        matrix[np.arange(length)[None, :] < sizes[:, None]] = source
    return fixed_text(matrix, binary=True)


def _integer(field: FixedField, column: ColumnMap, layout: ColumnLayout) -> ArrowArray:
    width, is_unsigned = column.fixed, layout.column.type.kind in UNSIGNED
    if width == 1:
        return pick(_SMALL_UNSIGNED if is_unsigned else _SMALL, field.records.numbers(field.at, "u1"))
    if not is_unsigned:
        return integer_text(field.records.signed(field.at, width))
    values = field.records.little(field.at, width)
    return integer_text(values.view(np.uint64) if width == 8 else values)


def _float(field: FixedField, column: ColumnMap, layout: ColumnLayout) -> ArrowArray:
    values = field.records.numbers(field.at, "<f4" if column.type == codes.FLOAT else "<f8")
    return float_text(numbers(values), layout.column.type.kind)


def _decimal(field: FixedField, column: ColumnMap, _layout: ColumnLayout) -> ArrowArray:
    """A DECIMAL's text.

    Groups of nine digits are in four bytes, fewer digits in fewer bytes. The top bit is set for non-negative values;
    negative values have all bits inverted.
    """
    precision, scale = column.metadata & 0xFF, column.metadata >> 8
    integral = precision - scale
    if precision <= _DIGITS_OF_INT64:
        return _short_decimal(field, integral, scale)
    first = max(integral, 1)  # `0.5` has a leading zero even if no integer digit is declared
    width = 1 + first + (scale + 1 if scale else 0)
    characters = np.full((len(field.records), width), ord("0"), np.uint8)
    negative = field.records.numbers(field.at, "u1") & 0x80 == 0
    at, written = field.at, 0
    groups = [integral % _GROUP, *[_GROUP] * (integral // _GROUP)]
    column_at = 1 + first - integral
    for digits in [*groups, *[_GROUP] * (scale // _GROUP), scale % _GROUP]:
        if written == integral and scale:
            column_at = 2 + first
        at = _put_group(field, characters, column_at, digits, at, negative)
        column_at += digits
        written += digits
        if written == integral and scale:
            characters[:, 1 + first] = ord(".")
    return right_text(characters, _sign(characters, first, negative))


def _short_decimal(field: FixedField, integral: int, scale: int) -> ArrowArray:
    """Text of a DECIMAL whose digits before and after the point fit into two integers."""
    front, behind = _groups(integral), _groups(scale)[::-1]
    head, tail = (front, behind) if integral else (behind, [])
    signed, rest = field.records.big_pair(field.at, _octets(head), _octets(tail))
    signed += -(0x80 << 8 * (_octets(head) - 1))
    sign = signed >> 63  # all bits are set where the number is negative
    first = _number(signed ^ sign, head)
    if not scale:
        return integer_text((first ^ sign) - sign)
    second = _number((rest ^ sign) & _ones(_octets(tail)), tail) if integral else first
    return _point_text(first if integral else np.zeros_like(first), second, sign != 0, scale)


def _groups(digits: int) -> list[int]:
    """The incomplete group first, as in front of the point."""
    return [*([digits % _GROUP] if digits % _GROUP else []), *[_GROUP] * (digits // _GROUP)]


def _octets(groups: Sequence[int]) -> int:
    return sum(_BYTES_OF_DIGITS[digits] for digits in groups)


def _ones(octets: int) -> int:
    """A number of 64 bits, so many of whose lower bytes are all ones."""
    return -1 if octets == 8 else (1 << 8 * octets) - 1


def _number(packed: Integers, groups: Sequence[int]) -> Integers:
    """Numbers whose groups of digits are consecutive."""
    if len(groups) < 2:
        return packed
    *front, last = groups
    octets = _BYTES_OF_DIGITS[last]
    number: Integers = _number(packed >> 8 * octets, front) * 10**last + (packed & _ones(octets))
    return number


def _point_text(in_front: Integers, behind: Integers, negative: Flags, scale: int) -> ArrowArray:
    """Decimals with `scale` digits after the point, from their unsigned parts."""
    integral = len(str(in_front.max(initial=0)))
    characters = np.full((len(in_front), integral + scale + 2), ord("."), np.uint8)
    put_digits(characters, 1, integral, in_front)
    put_digits(characters, integral + 2, scale, behind)
    starts = np.full(len(in_front), integral, np.uint8)
    for digits in range(1, integral):
        starts -= in_front >= 10**digits
    rows = np.nonzero(negative)[0]
    characters[rows, starts[rows] - 1] = ord("-")
    return right_text(characters, starts - negative)


def _put_group(field: FixedField, characters: Bytes, column: int, digits: int, at: int, negative: Flags) -> int:
    """Write a group of digits; returns the offset of the next one."""
    width = _BYTES_OF_DIGITS[digits]
    if width == 0:
        return at
    value = field.records.big(at, width)
    if at == field.at:
        value = value ^ (0x80 << 8 * (width - 1))
    value = np.where(negative, value ^ ((1 << 8 * width) - 1), value)
    put_digits(characters, column, digits, value)
    return at + width


def _sign(characters: Bytes, integral: int, negative: Flags) -> Integers:
    """Put the sign in front of the first digit that counts; returns where each number begins."""
    leading = (
        np.argmax(characters[:, 1:integral] != ord("0"), axis=1) if integral > 1 else np.zeros(len(characters), int)
    )
    none = np.all(characters[:, 1:integral] == ord("0"), axis=1)
    starts = np.where(none, integral, leading + 1).astype(np.int64)
    rows = np.nonzero(negative)[0]
    characters[rows, starts[rows] - 1] = ord("-")
    return starts - negative


def _date(field: FixedField, _column: ColumnMap, _layout: ColumnLayout) -> ArrowArray:
    return times.date_text(field.records, field.at)


def _year(field: FixedField, _column: ColumnMap, _layout: ColumnLayout) -> ArrowArray:
    return times.year_text(field.records, field.at)


def _datetime(field: FixedField, column: ColumnMap, _layout: ColumnLayout) -> ArrowArray:
    return times.datetime_text(field.records, field.at, column)


def _timestamp(field: FixedField, column: ColumnMap, _layout: ColumnLayout) -> ArrowArray:
    return times.timestamp_text(field.records, field.at, column)


def _time(field: FixedField, column: ColumnMap, _layout: ColumnLayout) -> ArrowArray:
    return times.time_text(field.records, field.at, column)


def _bit(field: FixedField, column: ColumnMap, layout: ColumnLayout) -> ArrowArray:
    return bit_text(field.records.octets(field.at, column.fixed), bits(layout.column.type), None)


def _enum(field: FixedField, column: ColumnMap, layout: ColumnLayout) -> ArrowArray:
    """A number counted from 1; 0 is the empty text the server stores for unknown values."""
    labels = pa.array(["", *layout.column.type.values])
    return pick(labels, field.records.little(field.at, column.fixed))


def _set(field: FixedField, column: ColumnMap, layout: ColumnLayout) -> ArrowArray:
    """A bit per label."""
    distinct, places = np.unique(field.records.little(field.at, column.fixed), return_inverse=True)
    labels = layout.column.type.values
    texts = [",".join(label for bit, label in enumerate(labels) if int(value) >> bit & 1) for value in distinct]
    return pick(pa.array(texts, pa.string()), places.astype(np.int64))


_Decoder = Callable[[FixedField, ColumnMap, ColumnLayout], ArrowArray]
_DECODERS: dict[int, _Decoder] = {
    **dict.fromkeys((codes.TINY, codes.SHORT, codes.INT24, codes.LONG, codes.LONGLONG), _integer),
    **dict.fromkeys((codes.FLOAT, codes.DOUBLE), _float),
    codes.NEWDECIMAL: _decimal,
    **dict.fromkeys((codes.DATE, codes.NEWDATE), _date),
    codes.YEAR: _year,
    **dict.fromkeys((codes.DATETIME, codes.DATETIME2), _datetime),
    **dict.fromkeys((codes.TIMESTAMP, codes.TIMESTAMP2), _timestamp),
    **dict.fromkeys((codes.TIME, codes.TIME2), _time),
    codes.BIT: _bit,
    codes.ENUM: _enum,
    codes.SET: _set,
}
