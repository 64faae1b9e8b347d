"""A clock that a test moves."""

from datetime import UTC, datetime, timedelta


class MovableClock:
    """Stands still until `advance` is called."""

    def __init__(self, start: datetime = datetime(2026, 1, 31, 12, 0, 0, 123456, tzinfo=UTC)) -> None:
        self._start = start
        self._now = start

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return (self._now - self._start).total_seconds()

    def advance(self, by: timedelta) -> None:
        self._now += by
