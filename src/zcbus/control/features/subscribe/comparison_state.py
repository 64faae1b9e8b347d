"""The state of a table's comparison, from a row of `views.tables`."""

from typing import Any

from sqlalchemy import Row

from zcbus.model.comparison import RUNNING, ComparisonState, RepairState


def state_of(row: Row[Any]) -> ComparisonState:
    """The present comparison; reports of an older one do not count."""
    if row.comparison_number is None:
        return ComparisonState.NOT_RUNNING
    if row.comparison_number > row.comparison_reported_number:
        return ComparisonState.STOPPED if row.comparison_stopped else ComparisonState.ALLOWED
    state = ComparisonState(row.comparison_state)
    # A stopped comparison is over at once: its service may be stopped and never report it.
    return ComparisonState.STOPPED if row.comparison_stopped and state in RUNNING else state


def repair_state_of(row: Row[Any]) -> RepairState:
    """The state of the repair of its differences."""
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
