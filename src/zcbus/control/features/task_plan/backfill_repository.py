"""Queries over backfills of plans."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, ScalarSelect, delete, func, or_, select, update

from zcbus.control.features.task_plan.states import BROKEN, NOT_RUN, OPEN, BackfillState, RunState
from zcbus.control.store.live import announce
from zcbus.control.store.tables.task_plan import task_backfill, task_plan, task_run
from zcbus.kit.ids import new_id

BACKFILL = "backfill"
"""Origin of a run that stands for a past due time."""

_backfill = task_backfill.c
_is_running = _backfill.state == BackfillState.RUNNING
_open_states = sorted(OPEN)
_SHOWN = ("id", "state", "asked_by", "first_at", "last_at", "total", "created_at", "ended_at")
newest_backfill = task_backfill.alias("newest_backfill")


def newest_of_plan() -> ScalarSelect[str]:
    """Id of the newest backfill of a plan of the statement."""
    newest = select(_backfill.id).where(_backfill.plan_id == task_plan.c.id)
    return newest.order_by(_backfill.id.desc()).limit(1).correlate(task_plan).scalar_subquery()


def shown_columns() -> list[ColumnElement[Any]]:
    """Columns of `newest_backfill` as `backfill_…`, with the number of runs that succeeded, and that did not."""
    return [
        *(newest_backfill.c[name].label(f"backfill_{name}") for name in _SHOWN),
        _runs_in({RunState.SUCCEEDED}).label("backfill_succeeded"),
        _runs_in(BROKEN).label("backfill_broken"),
    ]


def _runs_in(states: set[RunState] | frozenset[RunState]) -> ScalarSelect[int]:
    counted = select(func.count()).select_from(task_run)
    counted = counted.where(
        task_run.c.backfill_id == newest_backfill.c.id,
        task_run.c.plan_id == newest_backfill.c.plan_id,
        task_run.c.state.in_(sorted(states)),
    )
    return counted.correlate(newest_backfill).scalar_subquery()


def times_run(connection: Connection, plan_id: str, first: datetime, last: datetime) -> set[datetime]:
    """Due times of a range, both ends included, that a run was made for."""
    query = select(task_run.c.due_at).where(
        task_run.c.plan_id == plan_id,
        task_run.c.due_at.between(first, last),
        task_run.c.origin.in_(("schedule", BACKFILL)),
        task_run.c.state.not_in(sorted(NOT_RUN)),
    )
    return set(connection.execute(query).scalars())


def insert(connection: Connection, **values: Any) -> str:
    backfill_id = new_id()
    connection.execute(task_backfill.insert().values(id=backfill_id, **values))
    return backfill_id


def running_of_plan(connection: Connection, plan_id: str) -> Row[Any] | None:
    """The running backfill of a plan, locked until the transaction ends."""
    query = select(task_backfill).where(_backfill.plan_id == plan_id, _is_running)
    return connection.execute(query.with_for_update()).first()


def free_to_advance(connection: Connection) -> Sequence[Row[Any, Any]]:
    """`id` and `plan_id` of running backfills that wait for no run: no run of their plan, and none that they caused,
    is open. Those of paused plans wait."""
    in_the_way = select(task_run.c.id).where(
        task_run.c.state.in_(_open_states),
        or_(task_run.c.plan_id == _backfill.plan_id, task_run.c.backfill_id == _backfill.id),
    )
    query = (
        select(_backfill.id, _backfill.plan_id)
        .join(task_plan, task_plan.c.id == _backfill.plan_id)
        .where(_is_running, ~task_plan.c.paused, ~in_the_way.correlate(task_backfill).exists())
    )
    return connection.execute(query).all()


def change(connection: Connection, backfill_id: str, **values: Any) -> None:
    changed = update(task_backfill).where(_backfill.id == backfill_id).values(**values).returning(_backfill.tenant_id)
    announce(connection, "plan", connection.execute(changed).scalars().all())


def has_run(connection: Connection, plan_id: str, due_at: datetime) -> bool:
    """Whether a backfill made a run of a plan for a due time."""
    same = (task_run.c.plan_id == plan_id, task_run.c.due_at == due_at, task_run.c.origin == BACKFILL)
    return connection.execute(select(task_run.c.id).where(*same)).first() is not None


def remove_waiting_runs(connection: Connection, backfill_id: str) -> None:
    """Forget its runs that never began: their due times count as not run."""
    connection.execute(
        delete(task_run).where(
            task_run.c.backfill_id == backfill_id, task_run.c.state == RunState.QUEUED, task_run.c.attempt == 0
        )
    )


def remove_before(connection: Connection, limit: datetime) -> None:
    """Forget backfills that ended before `limit`."""
    connection.execute(delete(task_backfill).where(_backfill.ended_at < limit))
