"""Telling differences from changes on their way: rows that were found are read again once the link has caught up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa

from zcbus.engine.batches import take
from zcbus.engine.comparison.changing_keys import ChangingKeys, ChangingRows
from zcbus.engine.comparison.merge import Key, Part, joined
from zcbus.engine.comparison.sides import Plan, Row, rows_by_key
from zcbus.model.comparison import Difference, DifferenceKind

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Rechecked:
    """What became of the keys that were found."""

    differences: dict[Key, Difference]
    """Rows that differ although everything has arrived."""
    unsettled: int
    """Rows that were changed each time they were looked at."""
    caught_up: bool
    """Whether everything had arrived: else differences may be changes on their way."""


class Side(Protocol):
    """Where single rows are looked at."""

    def find(self, keys: Sequence[Key]) -> Part:
        """The rows that have these keys, as they are now."""


class Log(Protocol):
    """What the source's log has, and what of it is in the target."""

    def watch(self, watched: ChangingRows) -> None:
        """Have changes noticed from now on."""

    def mark(self) -> int:
        """A moment: everything that is committed from now on comes behind it."""

    def wait(self) -> bool:
        """Until what the source has now is in the target; false: it does not get there."""

    def changed_since(self, mark: int) -> frozenset[Key] | None:
        """What was changed of what is watched since then, up to now; None: the log is not known that far."""


class Recheck:
    """Looks at keys again, twice at least and so many times at most."""

    def __init__(self, plan: Plan, source: Side, target: Side, log: Log, rounds: int) -> None:
        self._plan, self._source, self._target = plan, source, target
        self._log, self._rounds = log, max(rounds, 2)

    def settle(self, keys: Sequence[Key]) -> Rechecked:
        """A row differs where it was not changed in the source while the target was given the time to follow, and that
        twice with the same values. That it was not, say its values and the log: the values alone can go and come back,
        and a change can be in the log for a moment before others see it."""
        pending, settled = list(keys), dict[Key, Difference]()
        arrived, seen = True, dict[Key, Difference]()
        if not pending:
            return Rechecked(settled, 0, arrived)
        self._log.watch(ChangingKeys(self._plan, pending))
        mark, source = self._log.mark(), self._find(self._source, pending)
        for _ in range(self._rounds):
            arrived = arrived and self._log.wait()
            target = self._find(self._target, pending)
            next_mark, again = self._log.mark(), self._find(self._source, pending)
            before, after = (confront(self._plan, rows, target, pending) for rows in (source, again))
            alike = {key: one for key, one in after.items() if key in before and before[key].source == one.source}
            changed = self._log.changed_since(mark) if alike and arrived else frozenset()
            arrived = arrived and changed is not None
            alike = {key: one for key, one in alike.items() if key not in (changed or ())}
            settled.update({key: one for key, one in alike.items() if seen.get(key) == one})
            pending = [key for key in pending if key in before and key in after and key not in settled]
            seen, source, mark = alike, again, next_mark
            if not pending:
                break
        return Rechecked(settled, len(pending), arrived)

    def _find(self, side: Side, keys: Sequence[Key]) -> Part:
        # An empty side has its columns too.
        parts = [side.find(keys[first : first + _AT_ONCE]) for first in range(0, len(keys), _AT_ONCE)]
        return joined(parts)


def confront(plan: Plan, source: Part, target: Part, keys: Sequence[Key]) -> dict[Key, Difference]:
    """Which of these keys' rows differ, and how."""
    wanted = set(keys)
    ours = {key: place for place, key in enumerate(source.every_key()) if key in wanted}
    theirs = {key: place for place, key in enumerate(target.every_key()) if key in wanted}
    both = [key for key in ours if key in theirs]
    columns = _differing_columns(
        plan, _taken(source, [ours[key] for key in both]), _taken(target, [theirs[key] for key in both])
    )
    differing = {key: columns[place] for place, key in enumerate(both) if columns[place]}
    only = {key: () for key in wanted if (key in ours) != (key in theirs)}
    return _described(plan, source, target, {**differing, **only})


def _taken(part: Part, places: list[int]) -> pa.RecordBatch:
    return take(part.rows, np.array(places, np.int64))


def _differing_columns(plan: Plan, source: pa.RecordBatch, target: pa.RecordBatch) -> list[tuple[str, ...]]:
    names: list[list[str]] = [[] for _ in range(source.num_rows)]
    for column in plan.columns:
        if column in plan.key:
            continue
        differing = column.differing(source.column(column.name), target.column(column.name))
        for place in np.flatnonzero(differing) if differing is not None else ():
            names[place].append(column.name)
    return [tuple(one) for one in names]


def _described(plan: Plan, source: Part, target: Part, found: dict[Key, tuple[str, ...]]) -> dict[Key, Difference]:
    if not found:
        return {}
    ours, theirs = rows_by_key(source), rows_by_key(target)
    return {
        key: Difference(_kind(ours.get(key), theirs.get(key)), key, ours.get(key), theirs.get(key), columns)
        for key, columns in found.items()
    }


def _kind(ours: Row | None, theirs: Row | None) -> DifferenceKind:
    if theirs is None:
        return DifferenceKind.MISSING
    return DifferenceKind.EXTRA if ours is None else DifferenceKind.DIFFERENT
