"""Comparison of row counts while both sides change."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from zcbus.engine.comparison.changing_keys import ChangingCount
from zcbus.engine.comparison.prefetch import in_parallel
from zcbus.engine.comparison.recheck import Log
from zcbus.engine.comparison.sides import Plan


@dataclass(frozen=True, slots=True)
class Counted:
    """Row counts of both sides."""

    source: int
    target: int
    changing: bool = False
    """The source's count changed in every round."""
    caught_up: bool = True
    """As in Rechecked."""


class Countable(Protocol):
    """A side of a comparison."""

    def count(self) -> int:
        """Number of rows now."""


class Counting:
    """Counts both sides until the numbers are equal or proved to differ: at least twice, at most `rounds` times."""

    def __init__(
        self,
        plan: Plan,
        source: Countable,
        target: Countable,
        log: Log,
        rounds: int,
        cancelled: threading.Event,
        on_source_counted: Callable[[int], None],
    ) -> None:
        self._plan, self._source, self._target, self._log = plan, source, target, log
        self._rounds, self._cancelled, self._on_source_counted = max(rounds, 2), cancelled, on_source_counted

    def count(self) -> Counted:
        """The numbers differ if, in two rounds, the log shows no change of the source's number while the target was
        counted; see Recheck. Raises Cancelled."""
        self._log.watch(ChangingCount(self._plan))
        seen: Counted | None = None
        for _ in range(self._rounds):
            mark, source = self._log.mark(), self._interruptible(self._source.count)
            self._on_source_counted(source)
            arrived = self._log.wait()
            target = self._interruptible(self._target.count)
            if source == target:
                return Counted(source, target)
            changed = self._log.changed_since(mark) if arrived else None
            if changed is None:
                return Counted(source, target, caught_up=False)
            counted = None if changed else Counted(source, target)
            if counted is not None and counted == seen:
                return counted
            seen = counted
        return Counted(source, target, changing=True)

    def _interruptible(self, count: Callable[[], int]) -> int:
        return in_parallel(self._cancelled, [count])[0]
