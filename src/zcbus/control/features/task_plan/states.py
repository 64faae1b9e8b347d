"""States of a plan's run, and of a backfill."""

from collections.abc import Mapping
from enum import StrEnum


class RunState(StrEnum):
    """Of a due time, or of a request to run at once."""

    QUEUED = "queued"
    """It waits for a run before it, or for its next attempt."""
    RUNNING = "running"
    """Its orders are given; their completion is being checked."""
    SUCCEEDED = "succeeded"
    """Everything that it was to reach is reached."""
    PARTIAL = "partial"
    """Some tables are as ordered, others not."""
    FAILED = "failed"
    TIMED_OUT = "timed-out"
    SKIPPED = "skipped"
    """A run before it was open still."""
    MISSED = "missed"
    """No control plane was there at its due time, and the plan does not make up for it."""


class BackfillState(StrEnum):
    """Of a request to run past due times."""

    RUNNING = "running"
    """Due times are left, or the newest one's run is open."""
    DONE = "done"
    """Every due time had its run, whatever that run's result."""
    CANCELLED = "cancelled"


OPEN = frozenset({RunState.QUEUED, RunState.RUNNING})
BROKEN = frozenset({RunState.PARTIAL, RunState.FAILED, RunState.TIMED_OUT})
"""It ended, and not as it should."""
NOT_RUN = frozenset({RunState.SKIPPED, RunState.MISSED})

ENDINGS: Mapping[tuple[bool, bool], RunState] = {
    (True, True): RunState.PARTIAL,
    (True, False): RunState.SUCCEEDED,
    (False, True): RunState.FAILED,
    (False, False): RunState.SUCCEEDED,
}
"""By whether tables are as ordered, and whether others are not."""
