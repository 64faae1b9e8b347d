"""Telling differences from changes on their way: rows that were found are read again once the link has caught up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from zcbus.engine.batches import take
from zcbus.engine.contrast.merge import Key, Part, joined
from zcbus.engine.contrast.sides import Plan, Row, SourceSide, TargetSide, rows_by_key
from zcbus.model.comparison import Difference, DifferenceKind

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of the keys that were found."""

    differences: dict[Key, Difference]
    """Rows that differ although everything has arrived."""
    unsettled: int
    """Rows that were changed each time they were looked at."""
    caught_up: bool
    """Whether everything had arrived: else differences may be changes on their way."""


class Settling:
    """Looks at keys again, twice at least and so many times at most."""

    def __init__(
        self, plan: Plan, source: SourceSide, target: TargetSide, caught_up: Callable[[], bool], rounds: int
    ) -> None:
        """`caught_up`: waits until what the source has now is in the target; false: it does not get there."""
        self._plan, self._source, self._target = plan, source, target
        self._caught_up, self._rounds = caught_up, max(rounds, 2)

    def settle(self, keys: Sequence[Key]) -> Settled:
        """A row differs where it was not changed in the source while the target was given the time to follow, and that
        twice with the same values: else a value that goes and comes back would look like a difference."""
        pending, settled = list(keys), dict[Key, Difference]()
        arrived, seen = True, dict[Key, Difference]()
        if not pending:
            return Settled(settled, 0, arrived)
        source = self._find(self._source, pending)
        for _ in range(self._rounds):
            arrived = arrived and self._caught_up()
            target = self._find(self._target, pending)
            again = self._find(self._source, pending)
            before, after = (confront(self._plan, rows, target, pending) for rows in (source, again))
            alike = {key: one for key, one in after.items() if key in before and before[key].source == one.source}
            settled.update({key: one for key, one in alike.items() if seen.get(key) == one})
            pending = [key for key in pending if key in before and key in after and key not in settled]
            seen, source = alike, again
            if not pending:
                break
        return Settled(settled, len(pending), arrived)

    def _find(self, side: SourceSide | TargetSide, keys: Sequence[Key]) -> Part:
        # An empty side has its columns too.
        parts = [side.find(keys[first : first + _AT_ONCE]) for first in range(0, len(keys), _AT_ONCE)]
        return joined(parts)


def confront(plan: Plan, source: Part, target: Part, keys: Sequence[Key]) -> dict[Key, Difference]:
    """Which of these keys' rows differ, and how."""
    wanted = set(keys)
    ours = {key: place for place in range(len(source)) if (key := source.key(place)) in wanted}
    theirs = {key: place for place in range(len(target)) if (key := target.key(place)) in wanted}
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
