"""The part of names that all patterns share."""

import pytest

from zcbus.connectors.redis.names import _common_prefix


@pytest.mark.parametrize(
    ("patterns", "prefix"),
    [
        (["*"], ""),
        (["orders:*"], "orders:"),
        (["orders:*", "orders:eu"], "orders:"),
        (["orders", "audit*"], ""),
        (["a?c*", "ab*"], "a"),
        (["a[bc]"], "a"),
    ],
)
def test_the_prefix_of_every_selected_name(patterns: list[str], prefix: str) -> None:
    assert _common_prefix(patterns) == prefix
