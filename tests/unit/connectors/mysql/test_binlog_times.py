"""Dates and times of row images, against Python's own."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np

from zcbus.connectors.mysql.binlog import tables as codes
from zcbus.connectors.mysql.binlog.records import Records
from zcbus.connectors.mysql.binlog.tables import ColumnMap
from zcbus.connectors.mysql.binlog.times import date_text, datetime_text, timestamp_text
from zcbus.connectors.mysql.binlog.vectors import SLACK, Buffer
from zcbus.model.arrow import ArrowArray

_EPOCH = datetime(1970, 1, 1)


def _decoded(kind: int, digits: int, values: Sequence[bytes]) -> ArrowArray:
    width = len(values[0])
    at = np.arange(len(values), dtype=np.int64) * width
    records = Records.fetched(Buffer(b"".join(values) + bytes(SLACK)), at, width)
    column = ColumnMap(kind, digits, width, 0)
    if kind == codes.DATE:
        return date_text(records, 0)
    return (datetime_text if kind == codes.DATETIME2 else timestamp_text)(records, 0, column)


def _moments(last: datetime) -> list[datetime]:
    chance = random.Random(11)
    seconds = int((last - _EPOCH).total_seconds())
    some = [_EPOCH + timedelta(seconds=chance.randrange(1, seconds), microseconds=chance.randrange(10**6))]
    some += [_EPOCH + timedelta(seconds=chance.randrange(1, seconds)) for _ in range(2000)]
    return [*some, _EPOCH + timedelta(seconds=1), datetime(2000, 2, 29, 23, 59, 59), last]


def _packed(moment: datetime) -> int:
    date = (moment.year * 13 + moment.month) << 5 | moment.day
    return 0x8000000000 + (date << 17 | moment.hour << 12 | moment.minute << 6 | moment.second)


def test_datetimes() -> None:
    moments = [datetime(1000, 1, 1), *_moments(datetime(9999, 12, 31, 23, 59, 59, 999999))]
    values = [_packed(moment).to_bytes(5, "big") + moment.microsecond.to_bytes(3, "big") for moment in moments]
    expected = [moment.isoformat(" ", "microseconds") for moment in moments]
    assert _decoded(codes.DATETIME2, 6, values).to_pylist() == expected
    assert _decoded(codes.DATETIME2, 0, [value[:5] for value in values]).to_pylist() == [one[:19] for one in expected]


def test_timestamps() -> None:
    moments = _moments(_EPOCH + timedelta(seconds=(1 << 32) - 1))
    seconds = [(moment - _EPOCH) // timedelta(seconds=1) for moment in moments]
    values = [
        second.to_bytes(4, "big") + moment.microsecond.to_bytes(3, "big")
        for second, moment in zip(seconds, moments, strict=True)
    ]
    expected = [moment.isoformat(" ", "microseconds") + "+00" for moment in moments]
    assert _decoded(codes.TIMESTAMP2, 6, values).to_pylist() == expected


def test_moments_that_are_none() -> None:
    assert _decoded(codes.TIMESTAMP2, 0, [bytes(4)]).to_pylist() == ["0000-00-00 00:00:00+00"]
    assert _decoded(codes.TIMESTAMP2, 3, [bytes(6)]).to_pylist() == ["0000-00-00 00:00:00.000+00"]
    assert _decoded(codes.DATETIME2, 0, [(0x8000000000).to_bytes(5, "big")]).to_pylist() == ["0000-00-00 00:00:00"]
    assert _decoded(codes.DATE, 0, [bytes(3)]).to_pylist() == ["0000-00-00"]


def test_dates() -> None:
    moments = [datetime(1000, 1, 1), *_moments(datetime(9999, 12, 31))]
    values = [(one.year << 9 | one.month << 5 | one.day).to_bytes(3, "little") for one in moments]
    assert _decoded(codes.DATE, 0, values).to_pylist() == [one.date().isoformat() for one in moments]
