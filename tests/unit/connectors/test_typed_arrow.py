"""Typed columns as canonical values: as Python writes them one by one."""

import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zcbus.connectors.typed_arrow import canonical, typed


@given(st.lists(st.none() | st.integers(-(10**20), 10**20), min_size=1), st.integers(0, 20))
def test_decimals_have_all_their_digits(digits: list[int | None], scale: int) -> None:
    numbers = [None if one is None else Decimal(one).scaleb(-scale) for one in digits]
    found = canonical(pa.array(numbers, pa.decimal128(38, scale)))
    assert found.to_pylist() == [None if one is None else f"{one:.{scale}f}" for one in numbers]


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
