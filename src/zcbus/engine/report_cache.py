"""Cache of the last report of a table."""

from collections.abc import Callable
from typing import Generic, TypeVar

R = TypeVar("R")


class ReportCache(Generic[R]):
    """Reuses a report while its inputs are unchanged. For the reporting thread only."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: tuple[tuple[object, ...], R] | None = None

    def report(self, inputs: tuple[object, ...], make: Callable[[], R]) -> R:
        """The same report object while `inputs` are equal; otherwise the result of `make`."""
        if self._last is None or self._last[0] != inputs:
            self._last = (inputs, make())
        return self._last[1]
