"""Task plans whose last run failed, that are not run in time, or whose run does not end in time."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.alert.condition import Condition
from zcbus.control.features.alert.kinds import Kind
from zcbus.control.features.task_plan import history
from zcbus.control.features.task_plan.states import BROKEN


def plans_in_trouble(connection: Connection, now: datetime) -> Iterator[Condition]:
    """Of plans that are to raise alerts. A failure is over with the next run that succeeds."""
    for row in history.alerting(connection):
        if row.last_state in BROKEN:
            yield _condition(Kind.PLAN_FAILED, row, row.last_due_at, row.last_id, row.last_reason)
        due = _late_since(row, now)
        if due is not None:
            yield _condition(Kind.PLAN_LATE, row, due, due.isoformat(), None)
        elif row.left_id is not None:
            yield _condition(Kind.PLAN_LATE, row, row.left_due_at, row.left_id, row.left_reason)
        if _is_overdue(row, now):
            yield _condition(Kind.PLAN_OVERDUE, row, row.open_since, row.open_since.isoformat(), None)


def _late_since(row: Row[Any], now: datetime) -> datetime | None:
    """The due time that should have been begun with; None: there is none."""
    waiting = [due for due in (row.waiting_since, row.next_at) if due is not None]
    oldest: datetime | None = min(waiting, default=None)
    return oldest if oldest is not None and now - oldest > timedelta(seconds=row.late_seconds) else None


def _is_overdue(row: Row[Any], now: datetime) -> bool:
    """Whether a run began and has not ended in the time that the plan gives it from its due time."""
    if row.overdue_seconds is None or row.open_since is None:
        return False
    return bool(now - row.open_since > timedelta(seconds=row.overdue_seconds))


def _condition(kind: Kind, row: Row[Any], due: datetime, mark: str, reason: Mapping[str, Any] | None) -> Condition:
    facts = {"plan": row.name, "due": due.isoformat(sep=" ", timespec="minutes")}
    return Condition(kind, row.id, row.tenant_id, facts, reason, mark, link_id=row.link_id)
