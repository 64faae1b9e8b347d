"""Defaults that mean the same in a database of the other dialect."""

import pytest

from zcbus.model.defaults import default_elsewhere
from zcbus.model.schema import Column
from zcbus.model.types import DataType, Kind


@pytest.mark.parametrize(
    ("kind", "default", "value"),
    [
        (Kind.INT32, "7", "7"),
        (Kind.INT32, "(-7)", "-7"),
        (Kind.INT32, "'-7'::integer", "-7"),
        (Kind.INT32, "1.5", None),
        (Kind.DECIMAL, "1.50", "1.50"),
        (Kind.DECIMAL, "1.505", None),
        (Kind.DECIMAL, "'NaN'::numeric", None),
        (Kind.FLOAT64, "0.125", "0.125"),
        (Kind.TEXT, "'it''s; so'::character varying", "it's; so"),
        (Kind.TEXT, "''", ""),
        (Kind.TEXT, "NULL::character varying", None),
        (Kind.TEXT, "lower('A'::text)", None),
        (Kind.ENUM, "'new'", "new"),
        (Kind.BOOLEAN, "true", "t"),
        (Kind.BOOLEAN, "0", "f"),
        (Kind.BOOLEAN, "2", None),
        (Kind.DATE, "'2024-02-29'::date", "2024-02-29"),
        (Kind.DATE, "'0000-00-00'", None),
        (Kind.DATE, "'infinity'::date", None),
        (Kind.TIMESTAMP, "'2024-02-29 10:20:30.5'", "2024-02-29 10:20:30.5"),
        (Kind.TIMESTAMP, "'2024-00-01 00:00:00'", None),
        (Kind.TIMESTAMP, "current_timestamp()", None),
        (Kind.TIMESTAMP_TZ, "'2024-02-29 10:20:30+00'::timestamp with time zone", None),
        (Kind.BINARY, "'ab'", None),
    ],
)
def test_only_values_that_both_have_are_carried_over(kind: Kind, default: str, value: str | None) -> None:
    column = Column("c", DataType(kind, "", scale=2 if kind is Kind.DECIMAL else None), default=default)
    assert default_elsewhere(column) == value


def test_generated_columns_have_no_default_in_the_target() -> None:
    assert default_elsewhere(Column("c", DataType(Kind.INT32, "integer"), default="7", generated=True)) is None
