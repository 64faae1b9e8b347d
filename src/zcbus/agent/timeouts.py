"""Timeouts of the supervisor and pauses between starts."""

from dataclasses import dataclass

from zcbus.kit.retry import growing_pauses
from zcbus.model.properties import RETRY_SECONDS, STOP_SECONDS, STUCK_SECONDS, Values, value_of


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Timeouts of the supervisor, in seconds."""

    stop: float = 30.0
    """Until a worker that drains is killed."""
    progress: float = 90.0
    """Without progress for so long a worker counts as stuck."""
    healthy: float = 60.0
    """After a run of this length the pauses start small again."""
    failed_starts: int = 5
    """So many ends in a row before the first sign of work mean that it cannot start."""
    cannot_start_pause: float = 60.0

    @classmethod
    def of(cls, properties: Values) -> "Timeouts":
        """The timeouts in a container's properties."""
        return cls(
            stop=value_of(properties, STOP_SECONDS),
            progress=value_of(properties, STUCK_SECONDS),
            cannot_start_pause=value_of(properties, RETRY_SECONDS),
        )


class Pauses:
    """Pauses before the next start, and the number of failed starts in a row."""

    def __init__(self) -> None:
        self.failed_starts = 0
        self._crashed = growing_pauses(0.05, limit=0.5)
        self._failed = growing_pauses(0.2, limit=15.0)

    def after(self, worked: bool) -> float:
        """Record the end of a run; returns the pause in seconds."""
        if worked:
            self.failed_starts = 0
            return next(self._crashed)
        self.failed_starts += 1
        return next(self._failed)
