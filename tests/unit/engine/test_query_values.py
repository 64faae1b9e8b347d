"""What a caller gives becomes typed values or a clear refusal."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from zcbus.engine.query.values import ParameterMissing, ParameterRefused, ParameterUnknown, values_of
from zcbus.protocol.data_service import ApiParameter


def parameter(**given: Any) -> ApiParameter:
    return ApiParameter.model_validate({"name": "p", **given})


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("string", "' OR 1=1 --", "' OR 1=1 --"),
        ("integer", "-42", -42),
        ("decimal", "12.50", Decimal("12.50")),
        ("date", "2026-02-28", date(2026, 2, 28)),
        ("timestamp", "2026-02-28T08:00:00+08:00", datetime(2026, 2, 28, tzinfo=UTC)),
        ("timestamp", "2026-02-28 08:00:00", datetime(2026, 2, 28, 8, tzinfo=UTC)),
        ("boolean", "True", True),
    ],
)
def test_values(kind: str, text: str, value: object) -> None:
    assert values_of([parameter(type=kind)], {"p": text}) == {"p": value}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("integer", "1 OR 1=1"),
        ("integer", "9223372036854775808"),
        ("decimal", "1e5"),
        ("decimal", "NaN"),
        ("date", "2026-02-30"),
        ("timestamp", "soon"),
        ("boolean", "maybe"),
        ("string", "a\0b"),
        ("string", "x" * 70_000),
    ],
    ids=lambda value: value[:20],
)
def test_no_values(kind: str, text: str) -> None:
    with pytest.raises(ParameterRefused):
        values_of([parameter(type=kind)], {"p": text})


def test_left_out_defaults_and_lists() -> None:
    with pytest.raises(ParameterMissing):
        values_of([parameter()], {})
    with pytest.raises(ParameterUnknown):
        values_of([], {"p": "1"})
    assert values_of([parameter(required=False)], {}) == {"p": None}
    assert values_of([parameter(required=False, default="7", type="integer")], {}) == {"p": 7}
    many = parameter(many=True, type="integer", required=False, default="1,2")
    assert values_of([many], {}) == {"p": (1, 2)}
    assert values_of([many], {"p": ["3"]}) == {"p": (3,)}
    assert values_of([many], {"p": "4"}) == {"p": (4,)}
    for wrong in ([], ["1"] * 1001, ["x"]):
        with pytest.raises(ParameterRefused):
            values_of([many], {"p": wrong})
    with pytest.raises(ParameterRefused):
        values_of([parameter()], {"p": ["a", "b"]})
