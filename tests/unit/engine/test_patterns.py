"""Patterns of a link file."""

import pytest

from zcbus.connectors.errors import TableRefused
from zcbus.engine.requests.patterns import PatternMatchesNothing, select
from zcbus.model.schema import TableName, TableSummary


def tables(*names: str, refused: str = "") -> list[TableSummary]:
    return [
        TableSummary(TableName(*name.split(".")), None, None, True, True, refused="geometry" if name == refused else "")
        for name in names
    ]


ALL = tables("public.orders", "public.audit_1", "public.audit_2", "公共.订单", "Other.Orders")


def chosen(*patterns: str) -> list[str]:
    return [str(name) for name in select(ALL, patterns).tables]


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["public.*"], ["public.orders", "public.audit_1", "public.audit_2"]),
        (["public.*", "!public.audit_*"], ["public.orders"]),
        (["*.*", "!public.*"], ["公共.订单", "Other.Orders"]),
        (["public.audit_?"], ["public.audit_1", "public.audit_2"]),
        (["orders"], ["public.orders"]),
        (["公共.*"], ["公共.订单"]),
        (["public.*", "!*audit*", "public.audit_2"], ["public.orders", "public.audit_2"]),
    ],
)
def test_selection(patterns: list[str], expected: list[str]) -> None:
    assert chosen(*patterns) == expected


def test_a_pattern_without_a_dot_stays_in_the_connections_database() -> None:
    summaries = tables("shop.orders", "other.orders")
    assert [str(n) for n in select(summaries, ["*"], "shop").tables] == ["shop.orders"]
    assert [str(n) for n in select(summaries, ["*.*"], "shop").tables] == ["shop.orders", "other.orders"]


def test_dots_and_brackets_are_themselves() -> None:
    assert [str(n) for n in select(tables("a.x[1]", "a.x1"), ["a.x[1]"]).tables] == ["a.x[1]"]


def test_a_pattern_without_a_match_is_said() -> None:
    with pytest.raises(PatternMatchesNothing) as caught:
        chosen("public.*", "public.ordres")
    assert caught.value.facts == {"pattern": "public.ordres"}


def test_a_refused_table_is_left_out_by_a_wildcard_with_the_reason_and_refused_by_name() -> None:
    summaries = tables("a.good", "a.bad", refused="a.bad")
    assert select(summaries, ["a.*"]).left_out == {TableName("a", "bad"): "geometry"}
    assert select(summaries, ["a.*", "!a.b*"]).left_out == {}
    assert [str(n) for n in select(summaries, ["a.*"]).tables] == ["a.good"]
    with pytest.raises(TableRefused):
        select(summaries, ["a.bad"])
