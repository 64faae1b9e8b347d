"""Which column a relation of the log speaks of, while the catalog is ahead of it."""

import pytest

from zcbus.connectors.postgresql.pgoutput.relations import column_numbers
from zcbus.model.schema import Column, Dialect, TableName, TableSchema
from zcbus.model.types import DataType, Kind

INT = DataType(Kind.INT32, "integer")


def schema(text: str) -> TableSchema:
    """`a2`: column a with number 2."""
    columns = tuple(Column(part[0], INT, number=int(part[1:])) for part in text.split())
    return TableSchema(TableName("s", "t"), Dialect.POSTGRESQL, columns, ("i",))


@pytest.mark.parametrize(
    ("log", "before", "today", "numbers"),
    [
        ("i a b", "i1 a2 b3", "i1 a2 b3", [1, 2, 3]),
        ("i a b", "i1 a2 b3", "i1 b3 a4", [1, 2, 3]),  # rows from before `a` was dropped and added again
        ("i b a", "i1 a2 b3", "i1 b3 a4", [1, 3, 4]),
        ("i a b", "i1 b3 a4", "i1 b3 a4", [1, 2, 3]),  # nobody remembers the first `a`, but the order does
        ("i a b", "i1 a2 b3", "i1 b2 a3", [1, 2, 3]),  # the names were exchanged since
        ("i x b", "i1 a2 b3", "i1 n2 b3", [1, 2, 3]),  # a name that lay between two others
        ("i b x", "i1 b2", "i1 b2", [1, 2, 0]),
        ("i b x", "i1 b2", "i1 b2 n3", [1, 2, 3]),  # the last one has another name by now
        ("i b x", "i1 b2", "i1 b2 n4", [1, 2, 0]),  # `n` by another name, or one that is gone
        ("i a", "i1 a2", "i1 a3", [1, 3]),
    ],
)
def test_numbers(log: str, before: str, today: str, numbers: list[int]) -> None:
    assert column_numbers(log.split(), schema(before), schema(today)) == numbers


def test_without_a_catalog() -> None:
    assert column_numbers(["i", "a"], schema("i1 a2"), None) == [1, 2]
    assert column_numbers(["i", "a"], None, None) == [0, 0]
