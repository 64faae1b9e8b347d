"""Comparison fields of a row of `views.tables`."""

from typing import Any

from sqlalchemy import Row

from zcbus.control.features.subscribe import comparison_state
from zcbus.control.features.subscribe.sheet_schemas import ComparisonAction, ComparisonFigures
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.model.table_verbs import SUBSCRIBED, SubscribedFacts, TableVerb

_FIGURES = ("rows_total", "rows_compared", "missing", "extra", "different", "unsettled", "not_checked", "repaired")


def figures(row: Row[Any], facts: SubscribedFacts, texts: ReasonTexts) -> ComparisonFigures | None:
    """The comparison as a record; None: the table was never compared."""
    if row.comparison_number is None:
        return None
    fresh = row.comparison_number == row.comparison_reported_number
    refusals = {action: SUBSCRIBED[verb].refusal(facts) for action, verb in _VERBS.items()}
    return ComparisonFigures(
        state=comparison_state.state_of(row),
        repair_state=comparison_state.repair_state_of(row),
        method=row.comparison_method,
        columns=row.comparison_columns,
        rounds=row.comparison_rounds,
        finished_at=row.comparison_finished_at if fresh else None,
        reason=texts.record(row.comparison_reason) if fresh else None,
        repair_reason=texts.record(row.comparison_repair_reason) if fresh else None,
        differences=comparison_state.differences(row) if fresh else 0,
        actions=[action for action, refusal in refusals.items() if not refusal],
        refusals={action: texts.named(refusal, "") for action, refusal in refusals.items() if refusal},
        **{name: getattr(row, f"comparison_{name}") if fresh else 0 for name in _FIGURES},
    )


_VERBS = {
    ComparisonAction.COMPARE: TableVerb.COMPARE,
    ComparisonAction.STOP: TableVerb.STOP_COMPARING,
    ComparisonAction.REPAIR: TableVerb.REPAIR,
    ComparisonAction.DISCARD: TableVerb.DISCARD,
}
