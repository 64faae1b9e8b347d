"""Which columns a relation of the log has, while the catalog is ahead of it."""

import pytest

from zcbus.connectors.postgresql.capture.column_identity import KnownColumns, identify
from zcbus.connectors.postgresql.capture.commit_order import Order
from zcbus.connectors.postgresql.catalog.attributes import Attribute, TableAttributes
from zcbus.connectors.postgresql.pgoutput.relations import RelationColumn

INTEGER = 23


def columns(text: str) -> list[RelationColumn]:
    return [RelationColumn(name, INTEGER, -1) for name in text.split()]


def known(text: str) -> KnownColumns:
    """`a2`: column a with number 2; a number alone was dropped."""
    numbers = {int(part.lstrip("abcinx")): part.rstrip("0123456789") for part in text.split()}
    found = {number: RelationColumn(name, INTEGER, -1) for number, name in numbers.items() if name}
    return KnownColumns(found, max(numbers))


def today(text: str) -> tuple[TableAttributes, dict[int, Order]]:
    """`a2`: column a with number 2, `2`: a dropped one. Order of the rows and its last change: `a2<` before it, `a2>`
    after it, `a2` unknown."""
    found, orders = {}, {}
    for part in text.split():
        spelled = part.rstrip("<>")
        name, number = spelled.rstrip("0123456789"), int(spelled.lstrip("abcinx"))
        found[number] = Attribute(number, name, INTEGER if name else 0, -1, not name, 50)
        if part != spelled:
            orders[number] = Order.BEFORE if part.endswith("<") else Order.BEHIND
    return TableAttributes(1, "1", found), orders


@pytest.mark.parametrize(
    ("log", "before", "catalog", "numbers"),
    [
        ("i a b", "i1 a2 b3", "i1> a2> b3>", (1, 2, 3)),
        ("i a b", "i1 a2 b3", "i1 a2 b3", (1, 2, 3)),
        # dropped, and another one renamed to its name
        ("i b", "i1 a2 b3", "i1> b2> 3>", (1, 2)),
        ("i b", "i1 a2 b3", "i1> b2 3", (1, 2)),
        ("i a b", "i1 a2 b3", "i1> b2< 3<", (1, 2, 3)),
        ("i a b", "i1 a2 b3", "i1> b2 3", (1, 2, 3)),
        # names exchanged over a third one
        ("i b a", "i1 a2 b3", "i1> b2 a3", (1, 2, 3)),
        # added twice under one name
        ("i a c", "i1 a2", "i1> a2> 3< c4<", (1, 2, 3)),
        ("i a c", "i1 a2", "i1> a2> 3> c4>", (1, 2, 4)),
        ("i a c", "i1 a2", "i1> a2> 3 c4", None),
        # replaced by a column of the same name: identified by the order of commits, and not at all without it
        ("i b", "i1 b2", "i1> 2< b3<", (1, 2)),
        ("i b", "i1 b2", "i1> 2> b3>", (1, 3)),
        ("i b", "i1 b2", "i1> 2 b3", None),
        # replaced before another one: identified by its position
        ("i a b", "i1 a2 b3", "i1> 2 b3> a4", (1, 2, 3)),
        ("i b a", "i1 a2 b3", "i1> 2 b3> a4", (1, 3, 4)),
        # added only; added and dropped
        ("i b", "i1 b2", "i1> b2> n3", (1, 2)),
        ("i b n", "i1 b2", "i1> b2> n3", (1, 2, 3)),
        ("i b", "i1 b2", "i1> b2> 3", (1, 2)),
        ("i b x", "i1 b2", "i1> b2> 3", (1, 2, 3)),
        ("i b x", "i1 b2", "i1> b2> 3>", None),
        # a column that the catalog never had
        ("i b x", "i1 b2", "i1> b2>", None),
        # behind the last change of a column its name in the log is its name in the catalog
        ("i x", "i1 a2", "i1> b2>", None),
        ("i x", "i1 a2", "i1> b2<", (1, 2)),
    ],
)
def test_columns_are_identified_by_attribute_numbers(
    log: str, before: str, catalog: str, numbers: tuple[int, ...] | None
) -> None:
    attributes, orders = today(catalog)
    assert identify(columns(log), known(before), attributes, orders) == numbers
