"""Rates over the last seconds."""

from collections import deque
from collections.abc import Callable


class Rate:
    """Events per second over a sliding window. One thread adds, others may read."""

    def __init__(self, monotonic: Callable[[], float], window: float = 5.0) -> None:
        self._monotonic = monotonic
        self._window = window
        self._marks: deque[tuple[float, int]] = deque()

    def add(self, count: int) -> None:
        """Count events that happened now."""
        self._marks.append((self._monotonic(), count))
        while self._marks and self._marks[0][0] < self._monotonic() - self._window:
            self._marks.popleft()

    def per_second(self) -> float:
        """Events per second over the window (over at least one second)."""
        now = self._monotonic()
        recent = [mark for mark in tuple(self._marks) if mark[0] >= now - self._window]
        if not recent:
            return 0.0
        return sum(count for _, count in recent) / max(now - recent[0][0], 1.0)
