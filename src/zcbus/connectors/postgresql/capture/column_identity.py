"""Which columns the rows of the log have, proved from what was known before and from the catalog of today.

The log names a relation's columns in the order of their numbers and does not say the numbers. The catalog has them, but
may be ahead of the log. What holds nevertheless:

- Numbers are given out upwards and never again; a dropped column keeps its row in pg_attribute.
- A column that was there before and is there today was there all the time.
- Whoever writes rows and whoever alters their table exclude each other by their locks, which both hold until their end:
  the order of their commits is the order of what they did. Where it is not known, and in the very transaction that
  altered a column, both are possible.

Where these leave one set of columns it is the one (`identify`). Where they leave several, because the order of commits
is not known, two things that hold nearly always must say the same one (`agreed`): that the older id came first, and
that no column was renamed and dropped, or added and renamed, since the rows before. Otherwise the columns cannot be
told.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from zcbus.connectors.postgresql.capture.commit_order import Order
from zcbus.connectors.postgresql.catalog.attributes import Attribute, TableAttributes
from zcbus.connectors.postgresql.pgoutput.relations import RelationColumn

_MOST_CANDIDATES = 40
"""Columns that may or may not be meant; with more, there are too many sets to look at."""


@dataclass(frozen=True, slots=True)
class KnownColumns:
    """The columns that a table had at an earlier place of its log."""

    columns: Mapping[int, RelationColumn]
    """By number."""
    highest: int
    """No column had a higher number, dropped ones included."""

    def may_have(self, number: int) -> bool:
        """Whether a column of this number was there, or may have come since."""
        return number in self.columns or number > self.highest


def identify(
    columns: Sequence[RelationColumn],
    known: KnownColumns,
    today: TableAttributes,
    orders: Mapping[int, Order],
    as_named: bool = False,
) -> tuple[int, ...] | None:
    """The number of each of the log's columns; None: it cannot be told. `orders`: where the rows' transaction stands to
    an attribute's last change, by number, as far as it is known. `as_named`: each column has the name that is known of
    it."""
    present, possible = _candidates(known, today, orders)
    open_places = len(columns) - len(present)
    if open_places < 0 or len(possible) > _MOST_CANDIDATES:
        return None
    found = None
    for chosen in combinations(possible, open_places):
        numbers = tuple(sorted({*present, *chosen}))
        if not _fits(columns, numbers, known, today, orders):
            continue
        if as_named and not _are_named(columns, numbers, known, today):
            continue
        if found is not None:
            return None
        found = numbers
    return found


def agreed(
    columns: Sequence[RelationColumn],
    known: KnownColumns,
    today: TableAttributes,
    orders: Mapping[int, Order],
    by_id: Mapping[int, Order],
) -> tuple[int, ...] | None:
    """The set of numbers for which ids and names speak. `by_id`: the order of ids where `orders` has none."""
    numbers = identify(columns, known, today, {**by_id, **orders})
    return numbers if numbers == identify(columns, known, today, orders, as_named=True) else None


def _candidates(
    known: KnownColumns, today: TableAttributes, orders: Mapping[int, Order]
) -> tuple[list[int], list[int]]:
    """Numbers that are among the columns for certain, and those that may be."""
    present, possible = [], []
    for number, attribute in sorted(today.attributes.items()):
        behind, before = orders.get(number) is Order.BEHIND, orders.get(number) is Order.BEFORE
        if number in known.columns:
            is_present, is_possible = not attribute.dropped or before, not behind
        elif number > known.highest:
            is_present, is_possible = not attribute.dropped and behind, not (attribute.dropped and behind)
        else:
            continue
        if is_present:
            present.append(number)
        elif is_possible:
            possible.append(number)
    return present, possible


def _fits(
    columns: Sequence[RelationColumn],
    numbers: Sequence[int],
    known: KnownColumns,
    today: TableAttributes,
    orders: Mapping[int, Order],
) -> bool:
    newest = max(numbers, default=0)
    # Numbers go up: where a newer column is there, older ones are too, unless they were dropped before.
    skipped = any(
        known.highest < number < newest
        and number not in numbers
        and (not one.dropped or orders.get(number) is Order.BEFORE)
        for number, one in today.attributes.items()
    )
    return not skipped and all(
        _may_be(column, today.attributes[number], orders.get(number))
        for column, number in zip(columns, numbers, strict=True)
    )


def _may_be(column: RelationColumn, attribute: Attribute, order: Order | None) -> bool:
    """Whether a column of the log may be this one: behind its last change it looks as it does today."""
    if attribute.dropped or order is not Order.BEHIND:
        return True
    return (column.name, column.type, column.modifier) == (attribute.name, attribute.type, attribute.modifier)


def _are_named(
    columns: Sequence[RelationColumn], numbers: Sequence[int], known: KnownColumns, today: TableAttributes
) -> bool:
    """Whether those that are not certain have the names they had before or, where they came since and are still there,
    have today."""
    for column, number in zip(columns, numbers, strict=True):
        attribute = today.attributes[number]
        if number in known.columns:
            fits = not attribute.dropped or column.name == known.columns[number].name
        else:
            fits = attribute.dropped or column.name == attribute.name
        if not fits:
            return False
    return True
