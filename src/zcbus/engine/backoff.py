"""Pauses between retries."""

from collections.abc import Callable

from zcbus.kit.retry import growing_pauses


class Backoff:
    """Growing pauses between attempts, until one succeeds."""

    def __init__(self, wait: Callable[[float], bool], first: float = 0.2, limit: float = 4.0) -> None:
        """`wait` sleeps and returns true if the service stops. `limit`: longest pause in seconds.

        After an outage of any length, work resumes within `limit`.
        """
        self._wait, self._first, self._limit = wait, first, limit
        self.succeeded()

    def pause(self) -> bool:
        """Sleep before the next attempt; true: stop instead."""
        return self._wait(next(self._pauses))

    def succeeded(self) -> None:
        """Reset to the short pause."""
        self._pauses = growing_pauses(self._first, limit=self._limit)
