"""Waiting for something outside to come back."""

from collections.abc import Callable

from zcbus.kit.retry import growing_pauses


class Backoff:
    """Growing pauses between attempts, until told that one went well."""

    def __init__(self, wait: Callable[[float], bool], first: float = 0.2, limit: float = 4.0) -> None:
        """`wait` sleeps up to some seconds and returns true as soon as the service is to stop. `limit`: of the pauses,
        in seconds; work goes on no later than that behind an outage, however long it was."""
        self._wait, self._first, self._limit = wait, first, limit
        self.succeeded()

    def pause(self) -> bool:
        """Sleep before the next attempt; true: stop instead."""
        return self._wait(next(self._pauses))

    def succeeded(self) -> None:
        """Begin with the short pause again."""
        self._pauses = growing_pauses(self._first, limit=self._limit)
