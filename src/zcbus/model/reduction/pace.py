"""How what runs keeps up with its source: idle, busy or behind."""

from enum import StrEnum

from zcbus.model.states import LinkState, SyncState

_MEASURED = frozenset({LinkState.INCREMENTAL_RUNNING.value, SyncState.INCREMENTAL_RUNNING.value})


class Pace(StrEnum):
    """How a link or table that applies changes keeps up."""

    IDLE = "idle"
    """No change waits, and none was applied within the last seconds."""
    BUSY = "busy"
    """Changes are applied, or wait no longer than the limit of the alert about lag."""
    BEHIND = "behind"
    """A change waits longer than that limit."""


def is_behind(lag_ms: int, limit_seconds: int) -> bool:
    """Whether a change waits longer than the limit: the bound of the alert about lag too."""
    return lag_ms > limit_seconds * 1000


def pace_of(
    state: LinkState | SyncState, lag_ms: int | None, rows_per_second: float, limit_seconds: int
) -> Pace | None:
    """The pace of what is in incremental running; None in any other state, and while its lag is not known: then nothing
    proves that no change waits."""
    if state.value not in _MEASURED or lag_ms is None:
        return None
    if is_behind(lag_ms, limit_seconds):
        return Pace.BEHIND
    return Pace.BUSY if lag_ms or rows_per_second > 0 else Pace.IDLE


def table_pace(
    state: SyncState, lag_ms: int | None, rows_per_second: float, limit_seconds: int, waiting: int | None
) -> Pace | None:
    """The pace of one table. Its lag is that of its channel, so it says something of a table for which changes wait.

    `waiting`: changes on the topic that are not settled for this table; None: not known, then only a channel that has
    nothing to do, or rows that are applied, prove something.
    """
    pace = pace_of(state, lag_ms, rows_per_second, limit_seconds)
    if pace is None or waiting or lag_ms == 0:
        return pace
    if rows_per_second > 0:
        return Pace.BUSY
    return Pace.IDLE if waiting == 0 else None
