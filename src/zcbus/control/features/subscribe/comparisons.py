"""What a row of `views.tables` tells of the table's comparison."""

from typing import Any

from sqlalchemy import Row

from zcbus.control.features.container.reasons import ReasonTexts
from zcbus.control.features.subscribe.sheet_schemas import ComparisonAction, ComparisonFigures
from zcbus.model.comparison import RUNNING, ComparisonMethod, ComparisonState, RepairState

_FIGURES = ("rows_total", "rows_compared", "missing", "extra", "different", "unsettled", "not_checked", "repaired")
# Another comparison would forget what is to be repaired.
_REPAIR_FIRST = {RepairState.ALLOWED: "comparison-repair-first", RepairState.REPAIRING: "comparison-repairing"}


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


def why_not_compared(row: Row[Any]) -> str:
    """Key of the text that says why no other comparison may begin; empty: it may."""
    if state_of(row) in RUNNING:
        return "comparison-under-way"
    return _REPAIR_FIRST.get(repair_state_of(row), "")


def why_not_compared_by(method: ComparisonMethod | None, row: Row[Any]) -> str:
    """The same of one by this method; None: by the one that suits it. Without a key no row of one side is known to be a
    row of the other."""
    if row.append_only and method not in (None, "count"):
        return "comparison-append-only"
    return why_not_compared(row)


def why_not_stopped(row: Row[Any]) -> str:
    """The same of breaking it off."""
    return "" if state_of(row) in RUNNING else "comparison-not-under-way"


def why_not_repaired(row: Row[Any]) -> str:
    """The same of repairing what it found."""
    if row.comparison_method == "count":
        return "comparison-counts-only"
    state = state_of(row)
    if state in RUNNING:
        return "comparison-not-over"
    if state is ComparisonState.ERROR:
        return "comparison-abnormal"
    if repair_state_of(row) is RepairState.REPAIRING:
        return "comparison-repairing"
    return "" if state is ComparisonState.DONE and _differences(row) else "comparison-nothing-to-repair"


def why_not_discarded(row: Row[Any]) -> str:
    """The same of letting go what it found."""
    return "" if repair_state_of(row) is RepairState.ALLOWED else "comparison-nothing-to-discard"


def figures(row: Row[Any], texts: ReasonTexts) -> ComparisonFigures | None:
    """As it is shown; None: the table was never compared."""
    if row.comparison_number is None:
        return None
    fresh = row.comparison_number == row.comparison_reported_number
    refusals = {action: why_not(row) for action, why_not in _WHY_NOT.items()}
    return ComparisonFigures(
        state=state_of(row),
        repair_state=repair_state_of(row),
        method=row.comparison_method,
        columns=row.comparison_columns,
        rounds=row.comparison_rounds,
        finished_at=row.comparison_finished_at if fresh else None,
        reason=texts.record(row.comparison_reason) if fresh else None,
        repair_reason=texts.record(row.comparison_repair_reason) if fresh else None,
        differences=_differences(row) if fresh else 0,
        actions=[action for action, refusal in refusals.items() if not refusal],
        refusals={action: texts.named(refusal, "") for action, refusal in refusals.items() if refusal},
        **{name: getattr(row, f"comparison_{name}") if fresh else 0 for name in _FIGURES},
    )


_WHY_NOT = {
    ComparisonAction.COMPARE: why_not_compared,
    ComparisonAction.STOP: why_not_stopped,
    ComparisonAction.REPAIR: why_not_repaired,
    ComparisonAction.DISCARD: why_not_discarded,
}


def _differences(row: Row[Any]) -> int:
    total: int = row.comparison_missing + row.comparison_extra + row.comparison_different
    return total
