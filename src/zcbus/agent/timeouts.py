"""How long a supervisor waits: for a worker to drain, to make progress, and before it starts one again."""

from dataclasses import dataclass

from zcbus.kit.retry import growing_pauses
from zcbus.model.properties import RETRY_SECONDS, STOP_SECONDS, STUCK_SECONDS, Values, value_of


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the supervisor waits for what; seconds."""

    stop: float = 30.0
    """For a worker to drain before it is killed."""
    progress: float = 90.0
    """For its progress counter to grow before it counts as stuck."""
    healthy: float = 60.0
    """After so long a run the pauses begin small again."""
    failed_starts: int = 5
    """So many ends in a row before the first sign of work mean: cannot start."""
    cannot_start_pause: float = 60.0

    @classmethod
    def of(cls, properties: Values) -> "Patience":
        """As it is set for the container."""
        return cls(
            stop=value_of(properties, STOP_SECONDS),
            progress=value_of(properties, STUCK_SECONDS),
            cannot_start_pause=value_of(properties, RETRY_SECONDS),
        )


class Pauses:
    """How long to wait before the next start, and how many starts in a row came to nothing."""

    def __init__(self) -> None:
        self.failed_starts = 0
        self._crashed = growing_pauses(0.05, limit=0.5)
        self._failed = growing_pauses(0.2, limit=15.0)

    def after(self, worked: bool) -> float:
        """Note the end of a run; returns seconds."""
        if worked:
            self.failed_starts = 0
            return next(self._crashed)
        self.failed_starts += 1
        return next(self._failed)
