"""The state of a table's comparison, from a row of `views.tables`."""

from typing import Any

from sqlalchemy import Row

from zcbus.model.comparison import RUNNING, ComparisonState, RepairState


def state_of(row: Row[Any]) -> ComparisonState:
    """As it is now; what was reported of an older comparison holds no longer."""
    if row.comparison_number is None:
        return ComparisonState.NOT_RUNNING
    if row.comparison_number > row.comparison_reported_number:
        return ComparisonState.STOPPED if row.comparison_stopped else ComparisonState.ALLOWED
    state = ComparisonState(row.comparison_state)
    # Whoever stops one need not wait until its service, which may stand still, has heard of it.
    return ComparisonState.STOPPED if row.comparison_stopped and state in RUNNING else state


def repair_state_of(row: Row[Any]) -> RepairState:
    """The same of the repair of what it found."""
    if row.comparison_number is None or row.comparison_number > row.comparison_reported_number:
        return RepairState.NONE
    if row.comparison_repair > row.comparison_reported_repair:
        return RepairState.REPAIRING
    return RepairState(row.comparison_repair_state)


def differs(row: Row[Any]) -> bool:
    """Whether the last comparison found rows."""
    return row.comparison_number is not None and differences(row) > 0


def differences(row: Row[Any]) -> int:
    """How many rows of a comparison differ, are missing or are extra."""
    total: int = row.comparison_missing + row.comparison_extra + row.comparison_different
    return total
