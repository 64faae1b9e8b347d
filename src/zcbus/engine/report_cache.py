"""What was told last of one of thousands of tables."""

from collections.abc import Callable
from typing import Generic, TypeVar

R = TypeVar("R")


class ReportCache(Generic[R]):
    """Keeps a report until something changes that it is made from. For the reporting thread alone."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: tuple[tuple[object, ...], R] | None = None

    def report(self, made_from: tuple[object, ...], make: Callable[[], R]) -> R:
        """The very report of the last time where `made_from` is the same; else what `make` makes now."""
        if self._last is None or self._last[0] != made_from:
            self._last = (made_from, make())
        return self._last[1]
