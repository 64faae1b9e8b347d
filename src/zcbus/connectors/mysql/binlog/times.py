"""Dates and times of row images as text, in complete columns."""

from functools import cache

import numpy as np
import numpy.typing as npt

from zcbus.connectors.mysql.binlog import tables as codes
from zcbus.connectors.mysql.binlog.records import Records
from zcbus.connectors.mysql.binlog.tables import ColumnMap
from zcbus.connectors.mysql.binlog.vectors import right_text
from zcbus.model.arrow import ArrowArray
from zcbus.model.characters import (
    DIGITS,
    Bytes,
    Flags,
    Integers,
    fixed_text,
    put_digits,
    put_moments,
    put_texts,
)

_MICROSECONDS = 1_000_000
_NO_DATE = np.frombuffer(b"0000-00-00 00:00:00", np.uint8)


def date_text(records: Records, at: int) -> ArrowArray:
    """DATE: year, month and day in three bytes."""
    value = records.little(at, 3)
    characters = np.empty((len(records), 10), np.uint8)
    put_texts(characters, 0, _months(16), value >> 5)
    put_texts(characters, 8, DIGITS[2], value & 31)
    return fixed_text(characters)


def year_text(records: Records, at: int) -> ArrowArray:
    """YEAR: one byte counted from 1900; 0 is the year 0000."""
    value = records.little(at, 1)
    characters = np.empty((len(records), 4), np.uint8)
    put_digits(characters, 0, 4, np.where(value == 0, 0, value + 1900))
    return fixed_text(characters)


def datetime_text(records: Records, at: int, column: ColumnMap) -> ArrowArray:
    """DATETIME, of today and of old."""
    parts: tuple[Integers, ...]
    if column.type == codes.DATETIME2:
        return fixed_text(_packed_datetime(records, at, column.metadata))
    if column.metadata == 0:
        parts, micro = _old_datetime(records.little(at, 8)), np.zeros(len(records), np.int64)
    else:
        parts, micro = _old_fractional_datetime(records, at, column)
    return fixed_text(_datetime_characters(parts, micro, column.metadata))


def _packed_datetime(records: Records, at: int, digits: int) -> Bytes:
    """Five bytes: the month counted with 13 to a year, then day, hour, minute and second in 5, 5, 6 and 6 bits."""
    value, fraction = records.big_pair(at, 5, (digits + 1) // 2)
    characters = np.empty((len(records), 19 + (digits + 1 if digits else 0)), np.uint8)
    put_texts(characters, 0, _months(13), (value >> 22) - (0x8000000000 >> 22))
    put_texts(characters, 8, DIGITS[2], value >> 17 & 31)
    characters[:, 10] = ord(" ")
    put_texts(characters, 11, _clocks(), value & 0x1FFFF)
    _put_fraction(characters, 19, _microseconds(fraction, digits), digits)
    return characters


def timestamp_text(records: Records, at: int, column: ColumnMap) -> ArrowArray:
    """TIMESTAMP, of today and of old: seconds since 1970 in UTC; no seconds at all are the zero date."""
    digits = column.metadata
    if column.type == codes.TIMESTAMP2:
        seconds, fraction = records.big_pair(at, 4, (digits + 1) // 2)
        micro = _microseconds(fraction, digits)
    elif digits == 0:
        seconds, micro = records.little(at, 4), np.zeros(len(records), np.int64)
    else:
        seconds = records.big(at, 4)
        micro = records.big(at + 4, column.fixed - 4) * 10 ** (6 - digits)
    return fixed_text(_moment_characters(seconds, micro, digits))


def time_text(records: Records, at: int, column: ColumnMap) -> ArrowArray:
    """TIME, of today and of old: a signed duration."""
    digits = column.metadata
    if column.type == codes.TIME2:
        packed = _packed_time(records, at, digits)
        size = np.abs(packed)
        clock, micro = size >> 24, size & 0xFFFFFF
        hours, minutes, seconds = clock >> 12 & 0x3FF, clock >> 6 & 63, clock & 63
    elif digits == 0:
        value = records.little(at, 3)
        packed = np.where(value >= 0x800000, value - 0x1000000, value)
        size = np.abs(packed)
        hours, minutes, seconds = size // 10000, size // 100 % 100, size % 100
        micro = np.zeros(len(records), np.int64)
    else:
        packed = _old_fractional_time(records, at, column)
        size = np.abs(packed)
        clock, micro = size // _MICROSECONDS, size % _MICROSECONDS
        hours, minutes, seconds = clock // 3600, clock // 60 % 60, clock % 60
    return _duration_text(packed < 0, hours, minutes, seconds, micro, digits)


def _duration_text(
    negative: Flags, hours: Integers, minutes: Integers, seconds: Integers, micro: Integers, digits: int
) -> ArrowArray:
    width = 10 + (digits + 1 if digits else 0)  # sign, three digits of hours, :MM:SS, fraction
    characters = np.full((len(hours), width), ord(":"), np.uint8)
    characters[:, 0] = ord("-")
    put_digits(characters, 1, 3, hours)
    put_digits(characters, 5, 2, minutes)
    put_digits(characters, 8, 2, seconds)
    _put_fraction(characters, 10, micro, digits)
    short = hours < 100
    starts = np.where(short, 2, 1)
    # Two digits of hours at least; the sign is directly before them.
    moved = negative & short
    characters[moved, 1] = ord("-")
    return right_text(characters, starts - negative)


def _microseconds(fraction: Integers, digits: int) -> Integers:
    """Bytes of `digits` digits, two per byte."""
    scale: int = 10 ** (6 - 2 * ((digits + 1) // 2))
    return fraction * scale


def _packed_time(records: Records, at: int, digits: int) -> Integers:
    """TIME as one signed number: clock in the high bits, microseconds in the low 24."""
    width = (digits + 1) // 2
    if width == 3:
        return records.big(at, 6) - 0x800000000000
    clock = records.big(at, 3) - 0x800000
    if width == 0:
        return clock << 24
    fraction = records.big(at + 3, width)
    # Of negative times the fraction counts upwards from the next lower second.
    borrow = (clock < 0) & (fraction != 0)
    clock = clock + borrow
    fraction = fraction - borrow * (1 << 8 * width)
    scale: int = 10 ** (6 - 2 * width)
    packed: Integers = (clock << 24) + fraction * scale
    return packed


def _old_datetime(value: Integers) -> tuple[Integers, ...]:
    """The digits YYYYMMDDHHMMSS as one number."""
    date, clock = value // 1_000_000, value % 1_000_000
    return date // 10000, date // 100 % 100, date % 100, clock // 10000, clock // 100 % 100, clock % 100


def _old_fractional_datetime(records: Records, at: int, column: ColumnMap) -> tuple[tuple[Integers, ...], Integers]:
    """MariaDB's former format with a fraction: one number in mixed radix."""
    value = records.big(at, column.fixed) * 10 ** (6 - column.metadata)
    micro, value = value % _MICROSECONDS, value // _MICROSECONDS
    seconds, value = value % 60, value // 60
    minutes, value = value % 60, value // 60
    hours, value = value % 24, value // 24
    day, value = value % 32, value // 32
    return (value // 13, value % 13, day, hours, minutes, seconds), micro


def _old_fractional_time(records: Records, at: int, column: ColumnMap) -> Integers:
    """Signed microseconds from MariaDB's former format, which is shifted by the greatest time."""
    digits = column.metadata
    shift: int = 839 * 3600 * 10**digits
    unit: int = 10 ** (6 - digits)
    return (records.big(at, column.fixed) - shift) * unit


def _moment_characters(seconds: Integers, micro: Integers, digits: int) -> Bytes:
    """Of seconds since 1970, with the zone they are in."""
    width = 19 + (digits + 1 if digits else 0)
    characters = np.empty((len(seconds), width + 3), np.uint8)
    put_moments(characters, seconds)
    zero = (seconds == 0) & (micro == 0)
    if zero.any():
        characters[zero, :19] = _NO_DATE
    _put_fraction(characters, 19, micro, digits)
    characters[:, width:] = np.frombuffer(b"+00", np.uint8)
    return characters


def _datetime_characters(parts: tuple[Integers, ...], micro: Integers, digits: int) -> Bytes:
    """`YYYY-MM-DD HH:MM:SS` and the fraction."""
    year, month, day, hour, minute, second = parts
    characters = np.full((len(year), 19 + (digits + 1 if digits else 0)), ord("-"), np.uint8)
    _put_date(characters, year, month, day)
    characters[:, 10] = ord(" ")
    characters[:, 13] = characters[:, 16] = ord(":")
    put_digits(characters, 11, 2, hour)
    put_digits(characters, 14, 2, minute)
    put_digits(characters, 17, 2, second)
    _put_fraction(characters, 19, micro, digits)
    return characters


@cache
def _months(to_a_year: int) -> npt.NDArray[np.uint64]:
    """`YYYY-MM-` by the number of the month, as the bytes of one integer."""
    month = np.arange(10000 * to_a_year)
    characters = np.full((len(month), 8), ord("-"), np.uint8)
    put_digits(characters, 0, 4, month // to_a_year)
    put_digits(characters, 5, 2, month % to_a_year)
    return characters.view("<u8").ravel()


@cache
def _clocks() -> npt.NDArray[np.uint64]:
    """`HH:MM:SS` by hour, minute and second in 5, 6 and 6 bits, as the bytes of one integer."""
    clock = np.arange(1 << 17)
    characters = np.full((len(clock), 8), ord(":"), np.uint8)
    for column, part in ((0, clock >> 12), (3, clock >> 6 & 63), (6, clock & 63)):
        put_digits(characters, column, 2, part)
    return characters.view("<u8").ravel()


def _put_date(characters: Bytes, year: Integers, month: Integers, day: Integers) -> None:
    put_digits(characters, 0, 4, year)
    put_digits(characters, 5, 2, month)
    put_digits(characters, 8, 2, day)


def _put_fraction(characters: Bytes, column: int, micro: Integers, digits: int) -> None:
    if digits:
        characters[:, column] = ord(".")
        put_digits(characters, column + 1, digits, micro // 10 ** (6 - digits))
