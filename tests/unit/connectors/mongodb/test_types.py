"""Values as BSON has them, and back: nothing is refused, cut off or rounded."""

from decimal import Decimal

import bson
import pytest
from bson import Decimal128
from bson.datetime_ms import DatetimeMS
from hypothesis import given
from hypothesis import strategies as st

from zcbus.connectors.mongodb.carrying import place_of
from zcbus.connectors.mongodb.connection import CODEC
from zcbus.connectors.mongodb.names import field_of, stored_name, table_name
from zcbus.connectors.mongodb.types import decode, encoder
from zcbus.model.types import DataType, Kind


def back(data: DataType, value: str | bytes, *, common: bool = False) -> tuple[object, object]:
    """A value as the server has it, and as it is read."""
    stored = bson.decode(bson.encode({"v": encoder(data, common=common)(value)}, codec_options=CODEC), CODEC)["v"]
    return stored, decode(data, stored)


@pytest.mark.parametrize(
    ("kind", "value", "stored"),
    [
        (Kind.DECIMAL, "1.50", Decimal128("1.50")),
        (Kind.DECIMAL, "NaN", None),
        (Kind.DECIMAL, "1." + 40 * "0", "1." + 40 * "0"),
        (Kind.DECIMAL, 40 * "9", 40 * "9"),
        (Kind.UINT64, str((1 << 64) - 1), Decimal128(str((1 << 64) - 1))),
        (Kind.INT64, str(-(1 << 63)), -(1 << 63)),
        (Kind.FLOAT64, "-0", None),
        (Kind.FLOAT32, "3.4028235e+38", None),
        (Kind.FLOAT64, "NaN", None),
        (Kind.DATE, "2024-02-29", DatetimeMS(1_709_164_800_000)),
        (Kind.DATE, "0044-03-15 BC", None),
        (Kind.DATE, "infinity", "infinity"),
        (Kind.DATE, "0000-00-00", "0000-00-00"),
        (Kind.YEAR, "0000", 0),
        (Kind.BINARY, b"\0\xff", b"\0\xff"),
        (Kind.UUID, "00000000-0000-0000-0000-000000000001", None),
        (Kind.JSON, '{"a": 1.0}', '{"a": 1.0}'),
        (Kind.TEXT, "中\0", "中\0"),
    ],
)
@pytest.mark.parametrize("common", [False, True])
def test_each_value_comes_back(kind: Kind, value: str | bytes, stored: object, common: bool) -> None:
    found, read = back(DataType(kind, kind.value), value, common=common)
    assert read == value
    if stored is not None and not common:
        assert found == stored
    if common:
        assert not isinstance(found, Decimal128)
        assert not (isinstance(found, float) and (found != found or str(found) == "-0.0"))


@pytest.mark.parametrize(
    ("value", "precision", "native"),
    [
        ("2024-02-29 23:59:59.999", 3, DatetimeMS),
        ("0044-03-15 00:00:00 BC", 0, DatetimeMS),
        ("294276-12-31 23:59:59", 0, DatetimeMS),
        ("infinity", 3, str),
        ("2024-02-29 23:59:59", 6, str),
        ("2024-02-29 23:59:59", None, str),
    ],
)
def test_moments_are_dates_where_none_of_their_column_has_more(value: str, precision: int | None, native: type) -> None:
    for kind, zone in ((Kind.TIMESTAMP, ""), (Kind.TIMESTAMP_TZ, "+00")):
        text = value if value == "infinity" else value + zone
        stored, read = back(DataType(kind, "timestamp", precision=precision), text)
        assert isinstance(stored, native)
        assert read == text


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals_keep_all_their_digits(number: Decimal) -> None:
    if abs(number.adjusted()) < 500:
        assert back(DataType(Kind.DECIMAL, "numeric"), f"{number:f}")[1] == f"{number:f}"


@given(st.text(min_size=1))
def test_names_of_collections_lead_back_and_fields_never_meet_the_platform_s(name: str) -> None:
    assert table_name(stored_name(name)) == name
    assert not stored_name(name).startswith(("system.", ".", "_ferretdb_"))
    assert stored_name(name) != "zcbus_state"
    field = field_of(name)
    assert field != "_id"
    assert not field.startswith(("$", "_zcbus"))
    assert "." not in field


def test_ids_are_equal_where_the_server_takes_them_for_equal() -> None:
    assert place_of(5) == place_of(5.0)
    assert place_of("5") != place_of(5)
    assert place_of(True) != place_of(1)
    assert place_of(float("nan")) == place_of(float("nan"))
    assert place_of({"a": 1, "b": 2}) != place_of({"b": 2, "a": 1})
