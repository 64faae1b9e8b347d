"""Verifying one table: the next range of its rows, and rows that are known to differ."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from zcbus.connectors.reading import Key as RowPlace
from zcbus.connectors.reading import ordered_by_value
from zcbus.connectors.roles import TargetSession
from zcbus.engine.comparison.merge import Key, Merge, Part
from zcbus.engine.comparison.recheck import Log, Recheck
from zcbus.engine.comparison.repair import Repair, held_keys
from zcbus.engine.comparison.sides import Plan, SourceSide, TargetSide
from zcbus.engine.verification.budget import SOURCE, TARGET, Budget
from zcbus.engine.verification.metered import MeteredSide
from zcbus.model.comparison import Difference

MOST_KEPT = 1_000
"""Where so many rows are known to differ, no more are looked for."""
_FIRST_ROWS, _MOST_ROWS, _MOST_BYTES = 1_000, 5_000, 8 << 20
_SORTED_ROWS = 50_000
"""Of a range whose rows the server may have to sort the whole table for."""
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Looked:
    """At rows, whose changes on their way had arrived."""

    differences: dict[Key, Difference]
    unsettled: int = 0
    rows: int = 0
    """Of the source, in the range."""
    end: RowPlace | None = None
    """The range's; None: it went to the table's end."""


class TableVerification:
    """Over readers that nobody else uses. What raises leaves them unusable. Each call answers None where the link does
    not bring the target up to the source: nothing is known then."""

    def __init__(
        self,
        plan: Plan,
        source: SourceSide,
        target: TargetSide,
        budget: Budget,
        session: TargetSession,
        subscription: str,
        table: str,
        log: Callable[[], Log],
    ) -> None:
        self.plan = plan
        self._source, self._target, self._session, self._log = source, target, session, log
        self._budget = budget
        self._ours, self._theirs = MeteredSide(source, budget, SOURCE), MeteredSide(target, budget, TARGET)
        self._subscription, self._table = subscription, table
        by_value = all(ordered_by_value(plan.source.column(name)) for name in plan.source_key)
        self._rows = _FIRST_ROWS if by_value else _SORTED_ROWS
        self._most = _MOST_ROWS if by_value else _SORTED_ROWS

    def next_range(self, behind: RowPlace | None) -> Looked | None:
        """Compare the rows behind a place, as many as are read at once."""
        with self._budget.on(SOURCE):
            end = self._source.border(behind, self._rows)
        ours = _Counted(self._ours.between(behind, end))
        found: list[Key] = []

        def keep(part: Part, places: Any) -> None:
            found.extend(part.key(int(place)) for place in (range(len(part)) if places is None else places))

        Merge(self.plan.columns, self.plan.key, keep).run(iter(ours), self._theirs.between(behind, end))
        self._rows = max(1, self._rows // 2) if ours.bytes > _MOST_BYTES else min(self._rows * 2, self._most)
        looked = self.look_at(found)
        return None if looked is None else Looked(looked.differences, looked.unsettled, ours.rows, end)

    def look_at(self, keys: Sequence[Key]) -> Looked | None:
        """Which of these rows differ. Beyond MOST_KEPT that do, the others are not looked at."""
        differences, unsettled = dict[Key, Difference](), 0
        for first in range(0, len(keys), MOST_KEPT):
            settled = Recheck(self.plan, self._ours, self._theirs, self._log(), _ROUNDS).settle(
                keys[first : first + MOST_KEPT]
            )
            if not settled.caught_up:
                return None
            differences |= settled.differences
            unsettled += settled.unsettled
            if len(differences) >= MOST_KEPT:
                break
        return Looked(self._without_held(differences), unsettled)

    def repair(self, keys: Sequence[Key]) -> int:
        """How many rows were written or deleted. Raises as Repair.repair."""
        source, target, session = self._source, self._target, self._session
        return Repair(self.plan, source, target, session, self._subscription, self._table).repair(keys)

    def _without_held(self, differences: dict[Key, Difference]) -> dict[Key, Difference]:
        """Rows that the target refused are told as row errors."""
        if not differences:
            return differences
        held = held_keys(self.plan, self._session, self._subscription, self._table)
        self._session.rollback()
        return {key: one for key, one in differences.items() if key not in held}


class _Counted:
    """Parts, and what they come to."""

    def __init__(self, parts: Iterator[Part]) -> None:
        self._parts = parts
        self.rows = self.bytes = 0

    def __iter__(self) -> Iterator[Part]:
        for part in self._parts:
            self.rows += len(part)
            self.bytes += part.rows.nbytes
            yield part
