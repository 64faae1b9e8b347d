"""The source of time. Tests pass another `Clock`."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Wall time for people, monotonic time for durations."""

    def now(self) -> datetime:
        """The current moment in UTC, with zone."""

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, never going back."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.fromtimestamp(time.time(), UTC)

    def monotonic(self) -> float:
        return time.monotonic()


def uptime() -> float:
    """Seconds since the start of this machine, sleep included: equal in all its processes."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def now_ms() -> int:
    """Milliseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1_000_000


def now_us() -> int:
    """Microseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1000


def moment(milliseconds: int | None) -> datetime | None:
    """Milliseconds since 1970-01-01 UTC as a moment; None: none."""
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)
