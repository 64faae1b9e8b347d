"""Verification of one table: its next range of rows, and rows known to differ."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from zcbus.connectors.reading import Key as CanonicalKey
from zcbus.connectors.reading import ordered_by_value
from zcbus.connectors.roles import TargetSession
from zcbus.engine.comparison.merge import Merge
from zcbus.engine.comparison.recheck import Log, Recheck
from zcbus.engine.comparison.repair import Repair, quarantined_keys
from zcbus.engine.comparison.rows import Key, Part
from zcbus.engine.comparison.sides import Plan, SourceSide, TargetSide
from zcbus.engine.verification.budget import SOURCE, TARGET, Budget
from zcbus.engine.verification.metered import MeteredSide
from zcbus.engine.verification.progress import MAX_KEPT, CheckedRows
from zcbus.model.comparison import Difference

_FIRST_ROWS, _MAX_ROWS, _MAX_BYTES = 1_000, 5_000, 8 << 20
_SORTED_ROWS = 50_000
"""Rows of a range for which the server may have to sort the table."""
_ROUNDS = 4


class TableVerification:
    """Verifies a table over its own readers, which an error makes unusable. A call returns None if the link does not
    catch up: then nothing is known."""

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
        self._most = _MAX_ROWS if by_value else _SORTED_ROWS

    def next_range(self, behind: CanonicalKey | None) -> CheckedRows | None:
        """Compare the next rows behind a key; None: from the first row."""
        with self._budget.on(SOURCE):
            end = self._source.border(behind, self._rows)
        ours = _Counted(self._ours.between(behind, end))
        found: list[Key] = []

        def keep(part: Part, indexes: Any) -> None:
            found.extend(part.key(int(index)) for index in (range(len(part)) if indexes is None else indexes))

        Merge(self.plan.columns, self.plan.key, keep).run(iter(ours), self._theirs.between(behind, end))
        self._rows = max(1, self._rows // 2) if ours.bytes > _MAX_BYTES else min(self._rows * 2, self._most)
        checked = self.recheck(found)
        return None if checked is None else CheckedRows(checked.differences, checked.unsettled, ours.rows, end)

    def recheck(self, keys: Sequence[Key]) -> CheckedRows | None:
        """Check which of these rows differ. Stops after MAX_KEPT that do."""
        differences, unsettled = dict[Key, Difference](), 0
        for first in range(0, len(keys), MAX_KEPT):
            confirmed = Recheck(self.plan, self._ours, self._theirs, self._log(), _ROUNDS).recheck(
                keys[first : first + MAX_KEPT]
            )
            if not confirmed.caught_up:
                return None
            differences |= confirmed.differences
            unsettled += confirmed.unsettled
            if len(differences) >= MAX_KEPT:
                break
        return CheckedRows(self._without_quarantined(differences), unsettled)

    def repair(self, keys: Sequence[Key]) -> int:
        """See Repair.repair."""
        source, target, session = self._source, self._target, self._session
        return Repair(self.plan, source, target, session, self._subscription, self._table).repair(keys)

    def _without_quarantined(self, differences: dict[Key, Difference]) -> dict[Key, Difference]:
        """The differences without quarantined rows, which are reported as row errors."""
        if not differences:
            return differences
        quarantined = quarantined_keys(self.plan, self._session, self._subscription, self._table)
        self._session.rollback()
        return {key: one for key, one in differences.items() if key not in quarantined}


class _Counted:
    """Parts, counted while they are iterated."""

    def __init__(self, parts: Iterator[Part]) -> None:
        self._parts = parts
        self.rows = self.bytes = 0

    def __iter__(self) -> Iterator[Part]:
        for part in self._parts:
            self.rows += len(part)
            self.bytes += part.rows.nbytes
            yield part
