"""Typed columns as canonical values: as Python writes them one by one."""

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zcbus.connectors.typed_arrow import canonical, typed
from zcbus.model.characters import LAST_DAY, days, times_of_day


@given(st.lists(st.none() | st.integers(-(10**20), 10**20), min_size=1), st.integers(0, 20))
def test_decimals_have_all_their_digits(digits: list[int | None], scale: int) -> None:
    numbers = [None if one is None else Decimal(one).scaleb(-scale) for one in digits]
    found = canonical(pa.array(numbers, pa.decimal128(38, scale)))
    assert found.to_pylist() == [None if one is None else f"{one:.{scale}f}" for one in numbers]


@given(st.lists(st.none() | st.integers(1 - 10**18, 10**18 - 1), min_size=1), st.integers(0, 18), st.integers(0, 3))
def test_short_decimals_are_the_same_both_ways(digits: list[int | None], scale: int, first: int) -> None:
    numbers = [None if one is None else Decimal(one).scaleb(-scale) for one in digits]
    texts: Any = pa.array([None if one is None else f"{one:.{scale}f}" for one in numbers], pa.string()).slice(first)
    held = pa.array(numbers, pa.decimal128(18, scale)).slice(first)
    assert canonical(held).equals(texts)
    assert typed(texts, held.type).equals(held)


@pytest.mark.parametrize("text", ["1.2.34", "0x1.23", "1e1.23", " 1.23", "1-1.23", "-.", "10000000000.00", "1.234", ""])
def test_what_is_no_decimal_of_the_type_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        typed(pa.array(["1.00", text]), pa.decimal128(12, 2))


def test_decimals_in_another_notation_are_taken() -> None:
    found = typed(pa.array(["1.5", "2", "-3.25", None, "1E2"]), pa.decimal128(12, 2))
    assert found.to_pylist() == [Decimal("1.50"), Decimal("2.00"), Decimal("-3.25"), None, Decimal("100.00")]


_TODAY = st.datetimes(dt.datetime(1970, 1, 1), dt.datetime(2105, 12, 31))


@given(st.lists(st.none() | _TODAY, min_size=1), st.integers(0, 3))
def test_moments_of_our_time_are_the_same_both_ways(moments: list[dt.datetime | None], first: int) -> None:
    texts = [None if one is None else f"{one:%Y-%m-%d %H:%M:%S.%f}".rstrip("0").rstrip(".") for one in moments]
    kinds: list[tuple[pa.DataType, str]] = [
        (pa.timestamp("us"), ""),
        (pa.timestamp("us", "UTC"), "+00"),
        (pa.timestamp("ns"), ""),
    ]
    for kind, end in kinds:
        held = pa.array(moments, kind).slice(first)
        found = canonical(held)
        assert found.to_pylist() == [None if one is None else one + end for one in texts[first:]]
        assert typed(found, held.type).equals(held)


def test_whole_seconds_have_no_fraction() -> None:
    held = pa.array([dt.datetime(2026, 1, 31, 23, 59, 59), None], pa.timestamp("s"))
    assert canonical(held).to_pylist() == ["2026-01-31 23:59:59", None]


def test_days_and_times_are_those_of_the_calendar() -> None:
    assert days().tolist() == [str(day).encode() for day in np.arange(LAST_DAY + 1).astype("M8[D]")]
    assert times_of_day().tolist() == [str(one)[11:].encode() for one in np.arange(86400).astype("M8[s]")]


@given(st.lists(st.none() | st.datetimes(dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31)), min_size=1))
def test_moments_and_times_have_no_zeros_at_their_end(moments: list[dt.datetime | None]) -> None:
    texts = [None if one is None else f"{one:%H:%M:%S.%f}".rstrip("0").rstrip(".") for one in moments]
    times = pa.array([None if one is None else one.time() for one in moments], pa.time64("us"))
    assert canonical(times).to_pylist() == texts
    days = [None if one is None else one.date().isoformat() for one in moments]
    both = [None if text is None else f"{day} {text}" for day, text in zip(days, texts, strict=True)]
    assert canonical(pa.array(moments, pa.timestamp("us"))).to_pylist() == both


@pytest.mark.parametrize("text", ["12:00:00", "10000-01-01", "-001-01-01", "24-01-01", ""])
def test_what_is_no_day_of_four_digits_is_refused(text: str) -> None:
    for target in (pa.date32(), pa.timestamp("us")):
        with pytest.raises(ValueError):
            typed(pa.array([text]), target)
