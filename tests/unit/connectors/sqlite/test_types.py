"""SQLite's storage of texts in columns with numeric affinity."""

import sqlite3
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zcbus.connectors.sqlite.types import changes

NUMBERS = st.one_of(
    st.decimals(allow_nan=False, allow_infinity=False, places=4).map(lambda number: f"{number:f}"),
    st.integers(-(1 << 70), 1 << 70).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)
TEXTS = st.one_of(
    NUMBERS, st.text("0123456789.+-eE_ \t", max_size=12), st.sampled_from(["NaN", "Infinity", "1_000", "007"])
)


def kept(declared: str, text: str) -> object:
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE t (v {declared})")
    connection.execute("INSERT INTO t VALUES (?)", (text,))
    return connection.execute("SELECT v FROM t").fetchone()[0]


def number(value: object) -> Decimal:
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(str(value))


@pytest.mark.parametrize("declared", ["NUMERIC", "DECIMAL(20,4)", "INTEGER", "REAL"])
@given(text=NUMBERS)
def test_numbers_that_are_taken_stay(declared: str, text: str) -> None:
    if not changes(text, exact=False, floating=declared == "REAL"):
        assert number(kept(declared, text)) == Decimal(text)


@pytest.mark.parametrize("declared", ["NUMERIC", "DATE", "REAL"])
@given(text=TEXTS)
def test_texts_that_are_taken_stay(declared: str, text: str) -> None:
    if not changes(text, exact=True, floating=declared == "REAL"):
        assert str(kept(declared, text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "12345678901234567.89",
        "99999999999999999999",
        "0.12345678901234567890",
        "9" * 5000,
        "1e400",
        "4.22959366675177e+16",
        "1e1000000",
        "5.17586750395752e-301",
    ],
)
def test_rounded_numbers_are_refused(text: str) -> None:
    assert changes(text, exact=False, floating=False)


@pytest.mark.parametrize("text", ["007", " 1", "1e3", "1.50"])
def test_other_spellings_are_refused(text: str) -> None:
    assert changes(text, exact=True, floating=False)
    assert not changes(text, exact=False, floating=False)


@pytest.mark.parametrize("text", ["12.50", "-3", "2024-02-29", "x", ""])
def test_plain_values_are_taken(text: str) -> None:
    assert not changes(text, exact=False, floating=False)
