"""Counts of a subscribed table's changes, compared with the control totals on the topic.

The counts are stored with the rows, in the same transaction of the target. So they are those of the table's position,
whatever was killed or sent again, and the comparison at a position is exact: a difference never is one of timing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from zcbus.kit.clock import moment
from zcbus.model.changes import ControlTotals, TableTotal
from zcbus.protocol.reports import ChangeCounts

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts up to a position on the topic. The fields from `handled` on are those of protocol.reports.ChangeCounts."""

    since: int
    """Offset of the first record that is counted."""
    handled: int = 0
    skipped: int = 0
    filtered: int = 0
    refused: int = 0
    epoch: int | None = None
    base: int = 0
    difference: int = 0
    compared_ms: int | None = None

    def compared(self, totals: ControlTotals, of_table: TableTotal, time_ms: int) -> "Counts":
        """The counts at the position of these totals, compared with them.

        What was counted before the first totals that can be compared is taken for right.
        """
        base = self.base
        if self.epoch is None and totals.began <= self.since <= totals.previous:
            # No totals since `since` named the table, so this is what the publisher had counted there.
            base = of_table.before
        elif self.epoch != totals.epoch:
            base = of_table.total - self.handled - self.difference
        difference = of_table.total - base - self.handled
        return replace(self, epoch=totals.epoch, base=base, difference=difference, compared_ms=time_ms)

    def report(self) -> ChangeCounts:
        """As the service reports them."""
        return ChangeCounts(
            handled=self.handled,
            skipped=self.skipped,
            filtered=self.filtered,
            refused=self.refused,
            epoch=self.epoch,
            base=self.base,
            difference=self.difference,
            compared_at=moment(self.compared_ms),
        )


class CountsAhead(Generic[T]):
    """Counts of tables that are not in their stored checkpoints yet, by their owners.

    Those up to the last boundary are kept apart from those of the records behind it, which may be read again.
    """

    def __init__(self) -> None:
        self._settled: dict[T, Counts] = {}
        self._open: dict[T, Counts] = {}

    def get(self, table: T, stored: Counts) -> Counts:
        """The newest counts."""
        return self._open.get(table) or self._settled.get(table) or stored

    def put(self, table: T, counts: Counts) -> None:
        """Set the counts up to the last record that was read."""
        self._open[table] = counts

    def settle(self) -> None:
        """Everything that was read is before a boundary."""
        self._settled |= self._open
        self._open.clear()

    def rewind(self) -> None:
        """The records behind the last boundary will be read again."""
        self._open.clear()

    def all(self) -> Mapping[T, Counts]:
        """Everything that is not stored."""
        return self._settled | self._open

    def take(self, table: T, stored: Counts | None) -> Counts | None:
        """The counts of a table that leaves at the boundary."""
        return self._settled.pop(table, stored)

    def stored(self, tables: Iterable[T]) -> None:
        """The counts of these tables are stored."""
        for table in tables:
            self._settled.pop(table, None)
            self._open.pop(table, None)
