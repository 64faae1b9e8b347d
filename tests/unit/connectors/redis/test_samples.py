"""The columns that entries suggest: the narrowest type that changes no value."""

import pytest

from zcbus.connectors.consuming.options import ConsumingOptions
from zcbus.connectors.options import parse
from zcbus.connectors.redis.samples import suggested


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        (["1", "-20"], "bigint"),
        (["1", "2.50"], "decimal"),
        (["9" * 19], "decimal"),
        (["007"], "text"),
        (["1e5"], "text"),
        (["true", "false"], "boolean"),
        (["1", "true"], "text"),
        (["2026-01-31"], "date"),
        (["2026-01-31T10:00:00Z", "2026-01-31 10:00:00.5+08"], "timestamptz"),
        (["2026-01-31 10:00"], "timestamp"),
        (['{"a": 1}', "[2]"], "json"),
        (["{a}"], "text"),
        (["", "5"], "bigint"),
        ([""], "text"),
    ],
)
def test_a_field_s_type(values: list[str], type_: str) -> None:
    assert suggested([[("x", value.encode())] for value in values]) == f"x {type_}"


def test_fields_that_cannot_be_declared_are_left_out() -> None:
    entry = [("id", b"1"), ("a b", b""), ("a:b", b""), ("_key", b""), ("raw", b"\xff"), ("名", "值".encode())]
    found = suggested([entry, [("later", b"true")]])
    assert found == "id bigint, 名 text, later boolean"
    parse(ConsumingOptions, {"columns": f"shop:orders: {found}"})
