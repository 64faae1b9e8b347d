"""Identification of the log's columns, by what was known before and by the current catalog.

The log lists a relation's columns in the order of their attribute numbers, without the numbers. The catalog has the
numbers, but may be ahead of the log. These facts hold nevertheless:

- Numbers are assigned in ascending order and never reused; a dropped column keeps its row in pg_attribute.
- A column that existed before and exists today existed all the time.
- Writers of rows and ALTER TABLE exclude each other by locks held until commit, so the order of commits is the order of
  their effects. If that order is unknown, and in the transaction that altered a column, both orders are possible.

If exactly one set of columns remains, that is the one (`identify`). If several remain because the order of commits is
unknown, two heuristics must agree (`agreed`): the older transaction id came first, and no column was renamed and
dropped, or added and renamed, since the previous rows. Otherwise the columns cannot be identified.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from zcbus.connectors.postgresql.capture.commit_order import Order
from zcbus.connectors.postgresql.catalog.attributes import Attribute, TableAttributes
from zcbus.connectors.postgresql.pgoutput.relations import RelationColumn

_MAX_CANDIDATES = 40
"""Columns of uncertain presence; with more, there are too many sets to examine."""


@dataclass(frozen=True, slots=True)
class KnownColumns:
    """The columns of a table at an earlier position of its log."""

    columns: Mapping[int, RelationColumn]
    """By number."""
    highest: int
    """No column had a higher number, dropped ones included."""

    def may_have(self, number: int) -> bool:
        """Whether a column of this number existed, or may have been added since."""
        return number in self.columns or number > self.highest


def identify(
    columns: Sequence[RelationColumn],
    known: KnownColumns,
    today: TableAttributes,
    orders: Mapping[int, Order],
    as_named: bool = False,
) -> tuple[int, ...] | None:
    """The number of each of the log's columns; None: ambiguous.

    `orders`: by number, the order between the rows' transaction and the attribute's last change, as far as known.
    `as_named`: each column has its known name.
    """
    present, possible = _candidates(known, today, orders)
    open_positions = len(columns) - len(present)
    if open_positions < 0 or len(possible) > _MAX_CANDIDATES:
        return None
    found = None
    for chosen in combinations(possible, open_positions):
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
    """The set of numbers that ids and names agree on. `by_id`: the order of ids for those missing in `orders`."""
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
    # Numbers ascend: if a newer column exists, older ones do too, unless they were dropped before.
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
    """Whether a column of the log may be this attribute: after its last change it has today's form."""
    if attribute.dropped or order is not Order.BEHIND:
        return True
    return (column.name, column.type, column.modifier) == (attribute.name, attribute.type, attribute.modifier)


def _are_named(
    columns: Sequence[RelationColumn], numbers: Sequence[int], known: KnownColumns, today: TableAttributes
) -> bool:
    """Whether the uncertain ones have their earlier names or, if they were added since and still exist, their current
    ones."""
    for column, number in zip(columns, numbers, strict=True):
        attribute = today.attributes[number]
        if number in known.columns:
            fits = not attribute.dropped or column.name == known.columns[number].name
        else:
            fits = attribute.dropped or column.name == attribute.name
        if not fits:
            return False
    return True
