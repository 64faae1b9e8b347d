"""Recheck of rows that differ, after the link has caught up: only this separates differences from lag."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa

from zcbus.engine.comparison.changing_keys import ChangingKeys, ChangingRows
from zcbus.engine.comparison.rows import Key, Part, joined
from zcbus.engine.comparison.sides import Plan, Row, rows_by_key
from zcbus.model.batches import take
from zcbus.model.comparison import Difference, DifferenceKind

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Rechecked:
    """Result of a recheck."""

    differences: dict[Key, Difference]
    """Rows that differ although all changes have arrived."""
    unsettled: int
    """Rows that changed in every round."""
    caught_up: bool
    """Whether all changes had arrived: else differences may be lag."""


class Side(Protocol):
    """One side of the comparison, for single rows."""

    def find(self, keys: Sequence[Key]) -> Part:
        """The rows with these keys, as they are now."""


class Log(Protocol):
    """The source's log, and how far the target has followed it."""

    def watch(self, rows: ChangingRows) -> None:
        """Have `rows` observe changes from now on."""

    def mark(self) -> int:
        """An offset in the log: all later commits of the source come behind it."""

    def wait(self) -> bool:
        """Wait until the target has all that the source has now; false: the link does not get there."""

    def changed_since(self, mark: int) -> frozenset[Key] | None:
        """The observed keys that changed between the mark and now; None: the log is not known so far."""


class Recheck:
    """Reads keys again, in at least two rounds and at most `rounds`."""

    def __init__(self, plan: Plan, source: Side, target: Side, log: Log, rounds: int) -> None:
        self._plan, self._source, self._target = plan, source, target
        self._log, self._rounds = log, max(rounds, 2)

    def recheck(self, keys: Sequence[Key]) -> Rechecked:
        """A row differs if, in two rounds with the same values, the source kept it while the target caught up. Both
        its values and the log prove that: values can change and change back between two reads, and the log can have a
        change a moment before other sessions see it."""
        pending, confirmed = list(keys), dict[Key, Difference]()
        arrived, seen = True, dict[Key, Difference]()
        if not pending:
            return Rechecked(confirmed, 0, arrived)
        self._log.watch(ChangingKeys(self._plan, pending))
        mark, source = self._log.mark(), self._find(self._source, pending)
        for _ in range(self._rounds):
            arrived = arrived and self._log.wait()
            target = self._find(self._target, pending)
            next_mark, again = self._log.mark(), self._find(self._source, pending)
            before, after = (find_differences(self._plan, rows, target, pending) for rows in (source, again))
            alike = {key: one for key, one in after.items() if key in before and before[key].source == one.source}
            changed = self._log.changed_since(mark) if alike and arrived else frozenset()
            arrived = arrived and changed is not None
            alike = {key: one for key, one in alike.items() if key not in (changed or ())}
            confirmed.update({key: one for key, one in alike.items() if seen.get(key) == one})
            pending = [key for key in pending if key in before and key in after and key not in confirmed]
            seen, source, mark = alike, again, next_mark
            if not pending:
                break
        return Rechecked(confirmed, len(pending), arrived)

    def _find(self, side: Side, keys: Sequence[Key]) -> Part:
        # Also a side without rows has its columns.
        parts = [side.find(keys[first : first + _AT_ONCE]) for first in range(0, len(keys), _AT_ONCE)]
        return joined(parts)


def find_differences(plan: Plan, source: Part, target: Part, keys: Sequence[Key]) -> dict[Key, Difference]:
    """The rows of these keys that differ, with both sides' values."""
    requested = set(keys)
    ours = {key: index for index, key in enumerate(source.every_key()) if key in requested}
    theirs = {key: index for index, key in enumerate(target.every_key()) if key in requested}
    both = [key for key in ours if key in theirs]
    columns = _differing_columns(
        plan, _rows_at(source, [ours[key] for key in both]), _rows_at(target, [theirs[key] for key in both])
    )
    differing = {key: columns[index] for index, key in enumerate(both) if columns[index]}
    only = {key: () for key in requested if (key in ours) != (key in theirs)}
    return _described(plan, source, target, {**differing, **only})


def _rows_at(part: Part, indexes: list[int]) -> pa.RecordBatch:
    return take(part.rows, np.array(indexes, np.int64))


def _differing_columns(plan: Plan, source: pa.RecordBatch, target: pa.RecordBatch) -> list[tuple[str, ...]]:
    names: list[list[str]] = [[] for _ in range(source.num_rows)]
    for column in plan.columns:
        if column in plan.key:
            continue
        differing = column.differing(source.column(column.name), target.column(column.name))
        for index in np.flatnonzero(differing) if differing is not None else ():
            names[index].append(column.name)
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
