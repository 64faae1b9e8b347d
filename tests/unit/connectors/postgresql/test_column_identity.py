"""Which columns a relation of the log has, while the catalog is ahead of it."""

import pytest

from zcbus.connectors.postgresql.capture.column_identity import KnownColumns, Writer, identify
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


def today(text: str) -> TableAttributes:
    """`a2@50`: column a with number 2, altered last by transaction 50; `2@50`: dropped by it."""
    found = {}
    for part in text.split():
        spelled, _, transaction = part.partition("@")
        name, number = spelled.rstrip("0123456789"), int(spelled.lstrip("abcinx"))
        found[number] = Attribute(number, name, INTEGER if name else 0, -1, not name, int(transaction or 1))
    return TableAttributes(1, "1", found)


@pytest.mark.parametrize(
    ("log", "before", "catalog", "transaction", "numbers"),
    [
        ("i a b", "i1 a2 b3", "i1 a2 b3", 60, (1, 2, 3)),
        # dropped, and another one renamed to its name
        ("i b", "i1 a2 b3", "i1 b2@51 3@50", 60, (1, 2)),
        ("i a b", "i1 a2 b3", "i1 b2@51 3@50", 40, (1, 2, 3)),
        # names exchanged over a third one
        ("i b a", "i1 a2 b3", "i1 b2@50 a3@50", 60, (1, 2, 3)),
        # added twice under one name
        ("i a c", "i1 a2", "i1 a2 3@52 c4@52", 51, (1, 2, 3)),
        ("i a c", "i1 a2", "i1 a2 3@52 c4@52", 53, (1, 2, 4)),
        # replaced by a column of the same name: told by who came first, but not within the transaction that did it
        ("i b", "i1 b2", "i1 2@50 b3@50", 49, (1, 2)),
        ("i b", "i1 b2", "i1 2@50 b3@50", 51, (1, 3)),
        ("i b", "i1 b2", "i1 2@50 b3@50", 50, None),
        # added only; added and dropped
        ("i b", "i1 b2", "i1 b2 n3@50", 40, (1, 2)),
        ("i b n", "i1 b2", "i1 b2 n3@50", 50, (1, 2, 3)),
        ("i b", "i1 b2", "i1 b2 3@50", 60, (1, 2)),
        ("i b x", "i1 b2", "i1 b2 3@50", 40, (1, 2, 3)),
        # a column that the catalog never had
        ("i b x", "i1 b2", "i1 b2", 60, None),
        # ids begin again
        ("i b", "i1 b2", "i1 2@4294967290 b3@4294967290", 5, (1, 3)),
        ("i b", "i1 b2", "i1 2@5 b3@5", 4294967290, (1, 2)),
    ],
)
def test_numbers(log: str, before: str, catalog: str, transaction: int, numbers: tuple[int, ...] | None) -> None:
    assert identify(columns(log), known(before), today(catalog), Writer(transaction)) == numbers


def test_a_newer_id_proves_nothing_within_a_transaction_that_describes_the_table_again() -> None:
    """A subtransaction, whose id is newer, may have altered the table in between."""
    catalog = today("i1 2@51 b3@51")
    assert identify(columns("i b"), known("i1 b2"), catalog, Writer(50)) == (1, 2)
    assert identify(columns("i b"), known("i1 b2"), catalog, Writer(50, again=True)) is None


def test_what_follows_an_alteration_looks_as_it_does_today() -> None:
    """Behind the last change of a column its name in the log is its name in the catalog."""
    assert identify(columns("i x"), known("i1 a2"), today("i1 b2@50"), Writer(60)) is None
    assert identify(columns("i x"), known("i1 a2"), today("i1 b2@50"), Writer(40)) == (1, 2)
