"""Which target table each source table goes to."""

from typing import Any

from zcbus.control.features.simplify_sync.matching import TargetSide, match
from zcbus.protocol.answers import TableLine
from zcbus.protocol.base import TableRef
from zcbus.protocol.transforms import NameRule


def line(table: str, schema: str = "public", refused: str = "") -> TableLine:
    return TableLine(
        schema_name=schema,
        table=table,
        estimated_rows=None,
        size_bytes=None,
        has_primary_key=True,
        has_unique_key=False,
        refused=refused,
    )


def found(
    *lines: TableLine, there: tuple[str, ...] = (), exact: bool = False, carried: Any = None, **names: Any
) -> list[tuple[str, str]]:
    side = TargetSide("copy", there, carried or {})
    return [(one.target.table, one.state.value) for one in match(lines, side, NameRule(**names), exact)]


def test_names_are_found_ignoring_case_and_the_very_name_first() -> None:
    assert found(line("Orders"), line("new"), there=("ORDERS",)) == [("ORDERS", "existing"), ("new", "new")]
    assert found(line("Orders"), there=("ORDERS", "Orders")) == [("Orders", "existing")]
    assert found(line("Orders"), there=("ORDERS",), exact=True) == [("Orders", "new")]


def test_prefix_suffix_and_case_make_the_target_name() -> None:
    rule = {"prefix": "ods_", "suffix": "_d", "case": "lower"}
    assert found(line("Orders"), there=("ODS_ORDERS_D",), **rule) == [("ODS_ORDERS_D", "existing")]
    assert found(line("Orders"), there=("orders",), **rule) == [("ods_orders_d", "new")]
    assert found(line("x" * 125), prefix="ods_") == [("ods_" + "x" * 125, "refused")]


def test_two_that_go_to_one_are_both_left_out() -> None:
    assert found(line("t"), line("t", "other"), line("u")) == [("t", "conflict"), ("t", "conflict"), ("u", "new")]
    assert found(line("t"), line("T"), there=("t",)) == [("t", "conflict"), ("t", "conflict")]
    assert found(line("t"), line("t", "other", refused="foreign-engine")) == [("t", "new"), ("t", "refused")]


def test_tables_already_replicated_to_the_target_are_left_out() -> None:
    pair = (TableRef(schema_name="public", table="t"), TableRef(schema_name="copy", table="t"))
    assert found(line("t"), line("t", "other"), carried={pair: "shop"}) == [("t", "carried"), ("t", "new")]
