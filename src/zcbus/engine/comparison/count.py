"""Comparing how many rows there are, while both sides change."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from zcbus.engine.comparison.changing_keys import ChangingCount
from zcbus.engine.comparison.prefetch import beside
from zcbus.engine.comparison.recheck import Log
from zcbus.engine.comparison.sides import Plan


@dataclass(frozen=True, slots=True)
class Counted:
    """Rows of both sides."""

    source: int
    target: int
    changing: bool = False
    """The number changed each time that it was looked at."""
    caught_up: bool = True
    """As in Settled."""


class Countable(Protocol):
    """A side of a comparison."""

    def count(self) -> int:
        """How many rows there are now."""


class Counting:
    """Counts until both sides have as many, or it is sure that they have not, twice at least and so many times at
    most."""

    def __init__(
        self, plan: Plan, source: Countable, target: Countable, log: Log, rounds: int, cancelled: threading.Event
    ) -> None:
        self._plan, self._source, self._target, self._log = plan, source, target, log
        self._rounds, self._cancelled = max(rounds, 2), cancelled

    def count(self) -> Counted:
        """The numbers differ where the source's was not changed around the count of the target, by the log, and that
        twice; see Recheck. Raises Cancelled."""
        self._log.watch(ChangingCount(self._plan))
        seen: Counted | None = None
        for _ in range(self._rounds):
            mark, source = self._log.mark(), self._asked(self._source.count)
            arrived = self._log.wait()
            target = self._asked(self._target.count)
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

    def _asked(self, count: Callable[[], int]) -> int:
        return beside(self._cancelled, [count])[0]
