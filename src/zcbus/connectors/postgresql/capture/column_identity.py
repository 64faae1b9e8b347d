"""Which columns the rows of the log have, proved from what was known before and from the catalog of today.

The log names a relation's columns in the order of their numbers and does not say the numbers. The catalog has them, but
may be ahead of the log. What holds nevertheless:

- Numbers are given out upwards and never again; a dropped column keeps its row in pg_attribute.
- A column that was there before and is there today was there all the time.
- Whoever writes rows and whoever alters their table exclude each other by their locks. So a transaction with a newer id
  than the one that altered a column last came behind it, one with an older id came before it.
- In the very transaction that altered a column, both are possible. A subtransaction has an id of its own, newer than
  its transaction's: where a relation is described once more within a transaction, newer ids prove nothing.

Where these leave one set of columns it is the one; where they leave several, the columns cannot be told.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from zcbus.connectors.postgresql.catalog.attributes import Attribute, TableAttributes
from zcbus.connectors.postgresql.pgoutput.relations import RelationColumn

_HALF = 1 << 31
_MOST_CANDIDATES = 40
"""Columns that may or may not be meant; with more, there are too many sets to look at."""


@dataclass(frozen=True, slots=True)
class KnownColumns:
    """The columns that a table had at an earlier place of its log."""

    columns: Mapping[int, RelationColumn]
    """By number."""
    highest: int
    """No column had a higher number, dropped ones included."""


@dataclass(frozen=True, slots=True)
class Writer:
    """The transaction whose rows have the columns."""

    id: int
    again: bool = False
    """Its log has described the relation before."""

    def is_behind(self, attribute: Attribute) -> bool:
        """Whether its rows were certainly written behind the attribute's last change."""
        return _is_newer(self.id, attribute.changed_by)

    def is_before(self, attribute: Attribute) -> bool:
        """Whether its rows were certainly written before the attribute's last change."""
        return not self.again and _is_newer(attribute.changed_by, self.id)


def identify(
    columns: Sequence[RelationColumn], known: KnownColumns, today: TableAttributes, writer: Writer
) -> tuple[int, ...] | None:
    """The number of each of the log's columns; None: it cannot be told."""
    present, possible = _candidates(known, today, writer)
    open_places = len(columns) - len(present)
    if open_places < 0 or len(possible) > _MOST_CANDIDATES:
        return None
    found = None
    for chosen in combinations(possible, open_places):
        numbers = tuple(sorted({*present, *chosen}))
        if not _fits(columns, numbers, known, today, writer):
            continue
        if found is not None:
            return None
        found = numbers
    return found


def _is_newer(transaction: int, other: int) -> bool:
    """Whether a transaction's id was given out after another's. Ids have 32 bits and begin again."""
    return 0 < ((transaction - other) & 0xFFFFFFFF) < _HALF


def _candidates(known: KnownColumns, today: TableAttributes, writer: Writer) -> tuple[list[int], list[int]]:
    """Numbers that are among the columns for certain, and those that may be."""
    present, possible = [], []
    for number, attribute in sorted(today.attributes.items()):
        behind = writer.is_behind(attribute)
        if number in known.columns:
            is_present, is_possible = not attribute.dropped or writer.is_before(attribute), not behind
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
    writer: Writer,
) -> bool:
    newest = max(numbers, default=0)
    # Numbers go up: where a newer column is there, older ones are too, unless they were dropped before.
    skipped = (
        one
        for number, one in today.attributes.items()
        if known.highest < number < newest and number not in numbers and (not one.dropped or writer.is_before(one))
    )
    return next(skipped, None) is None and all(
        _may_be(column, today.attributes[number], writer) for column, number in zip(columns, numbers, strict=True)
    )


def _may_be(column: RelationColumn, attribute: Attribute, writer: Writer) -> bool:
    """Whether a column of the log may be this one: behind its last change it looks as it does today."""
    if attribute.dropped or not writer.is_behind(attribute):
        return True
    return (column.name, column.type, column.modifier) == (attribute.name, attribute.type, attribute.modifier)
