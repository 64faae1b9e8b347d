"""Values and names as Cassandra has them, and the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zcbus.connectors.cassandra.names import OWN, stored_name, table_name
from zcbus.connectors.cassandra.types import declared, decoder, encoder
from zcbus.model.types import DataType, Kind

NAMES = st.text(st.sampled_from("aA_0x5f8表'"), min_size=1, max_size=12) | st.sampled_from(sorted(OWN))


@given(NAMES, NAMES)
def test_no_two_tables_have_one_name(one: str, other: str) -> None:
    assert table_name(stored_name(one)) == one
    assert (stored_name(one) == stored_name(other)) == (one == other)
    assert stored_name(one) not in OWN
    assert stored_name(one).isascii()


@pytest.mark.parametrize(
    ("kind", "precision", "native", "text"),
    [
        (Kind.TIMESTAMP_TZ, 3, "timestamp", "1969-12-31 23:59:59.999+00"),
        (Kind.TIMESTAMP, 0, "timestamp", "0001-01-01 00:00:00"),
        (Kind.TIMESTAMP, 3, "timestamp", "9999-12-31 23:59:59.999"),
        (Kind.TIMESTAMP_TZ, 6, "text", "2024-02-29 03:34:56.789123+00"),
        (Kind.TIMESTAMP, None, "text", "infinity"),
        (Kind.TIMESTAMP_TZ, 3, "timestamp", "3170843-11-07 09:46:39.999+00"),
        (Kind.TIMESTAMP_TZ, 3, "timestamp", "0002-01-01 00:00:00 BC+00"),
        (Kind.UINT64, None, "varint", "18446744073709551615"),
        (Kind.YEAR, None, "smallint", "0000"),
        (Kind.BOOLEAN, None, "boolean", "f"),
        (Kind.JSON, None, "text", "[1,  2]"),
    ],
)
def test_values_come_back(kind: Kind, precision: int | None, native: str, text: str) -> None:
    data = DataType(kind, "", precision=precision)
    stored = encoder(data)(text)
    if native == "timestamp":  # read as bytes
        stored = stored.to_bytes(8, signed=True)
    assert (declared(data), decoder(data)(stored)) == (native, text)


@pytest.mark.parametrize("text", ["0044-03-15 BC", "0001-12-31 BC", "0001-01-01", "1970-01-01", "294276-12-31"])
def test_days_of_all_years_come_back(text: str) -> None:
    data = DataType(Kind.DATE, "")
    assert decoder(data)(encoder(data)(text)) == text


@pytest.mark.parametrize(
    ("kind", "precision", "text"),
    [
        (Kind.TIMESTAMP, 3, "2024-02-29 03:34:56.7891"),
        (Kind.TIMESTAMP, 3, "2024-02-30 00:00:00"),
        (Kind.TIMESTAMP_TZ, 0, "infinity"),
        (Kind.DATE, None, "0000-00-00"),
        (Kind.DATE, None, "2023-02-29"),
        (Kind.DATE, None, "9999999-01-01"),
        (Kind.TIME, None, "24:00:00"),
        (Kind.DECIMAL, None, "NaN"),
        (Kind.INT8, None, "128"),
        (Kind.UUID, None, "x"),
    ],
)
def test_what_a_type_does_not_have_is_an_error(kind: Kind, precision: int | None, text: str) -> None:
    with pytest.raises((ValueError, ArithmeticError)):
        encoder(DataType(kind, "", precision=precision))(text)
