"""Idle, busy and behind are distinguished by what waits and what flows."""

import pytest

from zcbus.model.reduction.pace import pace_of, table_pace
from zcbus.model.states import LinkState, SyncState

RUNNING = SyncState.INCREMENTAL_RUNNING


@pytest.mark.parametrize(
    ("state", "lag_ms", "rows_per_second", "pace"),
    [
        (RUNNING, 0, 0.0, "idle"),
        (LinkState.INCREMENTAL_RUNNING, 0, 0.0, "idle"),
        (RUNNING, 0, 0.01, "busy"),
        (RUNNING, 40, 0.0, "busy"),
        (RUNNING, 60_000, 5.0, "busy"),
        (RUNNING, 60_001, 5.0, "behind"),
        (RUNNING, 60_001, 0.0, "behind"),
        # Without a measured lag nothing proves that none waits.
        (RUNNING, None, 0.0, None),
        (RUNNING, None, 5.0, None),
        (SyncState.INCREMENTAL_ALLOWED, 90_000, 0.0, None),
        (LinkState.FULL_RUNNING, 0, 5.0, None),
    ],
)
def test_pace(state: LinkState | SyncState, lag_ms: int | None, rows_per_second: float, pace: str | None) -> None:
    assert pace_of(state, lag_ms, rows_per_second, limit_seconds=60) == pace


@pytest.mark.parametrize(
    ("lag_ms", "rows_per_second", "waiting", "pace"),
    [
        (0, 0.0, 0, "idle"),
        (0, 0.0, None, "idle"),
        # The channel is behind by other tables' changes.
        (90_000, 0.0, 0, "idle"),
        (90_000, 5.0, 0, "busy"),
        (90_000, 0.0, 3, "behind"),
        (90_000, 5.0, 3, "behind"),
        (40, 0.0, 3, "busy"),
        # Not known whether any of its own waits.
        (90_000, 5.0, None, "busy"),
        (90_000, 0.0, None, None),
        (None, 0.0, 0, None),
    ],
)
def test_pace_of_a_table_in_a_channel(
    lag_ms: int | None, rows_per_second: float, waiting: int | None, pace: str | None
) -> None:
    assert table_pace(RUNNING, lag_ms, rows_per_second, 60, waiting) == pace
