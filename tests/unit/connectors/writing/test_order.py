"""Keys in the order that all databases share, and conditions on them."""

import pytest

from zcbus.connectors.conditions import Comparison, Junction, Membership, NullTest
from zcbus.connectors.writing.order import fulfils, key_of, keys_named, order_of, texts
from zcbus.model.schema import Column, TableName, TableSchema
from zcbus.model.types import DataType, Kind


def column(name: str, kind: Kind) -> Column:
    return Column(name, DataType(kind, kind.value), nullable=False)


TABLE = TableSchema(
    TableName("x", "t"), "redis", (column("a", Kind.INT32), column("b", Kind.TEXT), column("v", Kind.TEXT)), ("a", "b")
)


@pytest.mark.parametrize(
    ("kind", "ordered"),
    [
        (Kind.INT64, ["-10", "-9", "0", "2", "10"]),
        (Kind.DECIMAL, ["-Infinity", "-0.5", "0.25", "3", "12.0", "Infinity", "NaN"]),
        (Kind.FLOAT64, ["-1e+300", "-1", "1e-05", "2", "10", "NaN"]),
        (
            Kind.DATE,
            ["-infinity", "0002-01-01 BC", "0001-01-01 BC", "0999-12-31", "2024-02-29", "10000-01-01", "infinity"],
        ),
        (Kind.TIMESTAMP, ["2024-02-29 12:00:00", "2024-02-29 12:00:00.5", "2024-02-29 12:00:01"]),
        (Kind.DURATION, ["-838:59:59", "-00:00:01", "00:00:00.5", "12:00:00", "100:00:00"]),
        (Kind.TEXT, ["", "A", "Z", "a", "é", "中", "😀"]),
    ],
)
def test_values_are_in_the_shared_order(kind: Kind, ordered: list[str]) -> None:
    order = order_of([column("k", kind)])
    backwards = ordered[::-1]
    assert sorted(backwards, key=lambda text: order((text,))) == ordered


def test_values_that_do_not_parse_are_refused() -> None:
    for kind in (Kind.INT64, Kind.DATE):
        with pytest.raises(ValueError):
            order_of([column("k", kind)])(("stats",))


def test_keys_of_bytes_are_written_in_hexadecimal() -> None:
    columns = [column("k", Kind.BINARY), column("l", Kind.TEXT)]
    assert texts((b"\0\xff", "x")) == ("00ff", "x")
    assert key_of(columns, ("00ff", "x")) == (b"\0\xff", "x")


def test_conditions_that_name_their_keys() -> None:
    pairs = Junction("OR", tuple(Junction("AND", (Comparison("a", "=", a), Comparison("b", "=", "x"))) for a in "12"))
    assert keys_named(TABLE, pairs) == [("1", "x"), ("2", "x")]
    one = TableSchema(TABLE.name, "redis", TABLE.columns, ("a",))
    assert keys_named(one, Membership("a", ("1", "2"))) == [("1",), ("2",)]
    for other in (
        None,
        Membership("a", ("1",)),
        Junction("OR", (Comparison("a", "=", "1"),)),
        Junction("OR", (Junction("AND", (Comparison("a", "=", "1"), Comparison("v", "=", "x"))),)),
        Junction("AND", (Comparison("a", ">", "1"), Comparison("b", "=", "x"))),
    ):
        assert keys_named(TABLE, other) is None


def test_conditions_are_checked_on_the_key_alone() -> None:
    between = Junction("AND", (Comparison("a", ">", "9"), Comparison("a", "<=", "10")))
    assert [fulfils(TABLE, between)((a, "x")) for a in ("9", "10", "11")] == [False, True, False]
    assert not fulfils(TABLE, Junction("OR", (Comparison("b", "=", "y"), NullTest("a", True))))(("1", "x"))
    assert fulfils(TABLE, Junction("AND", (Comparison("v", "=", "y"), NullTest("a", False))))(("1", "x"))
    assert fulfils(TABLE, Membership("b", ("x", "y")))(("1", "x"))
