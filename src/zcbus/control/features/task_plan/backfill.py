"""Running the past due times of a plan that nothing was run for, the oldest first.

A backfill makes one run at a time, when no other run of the plan is open. A due time that comes meanwhile waits for the
end of that run, whatever the overlap rule, and goes before the rest of the backfill: a backfill never costs a run.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.task_plan import backfill_repository, repository
from zcbus.control.features.task_plan.backfill_repository import BACKFILL
from zcbus.control.features.task_plan.errors import (
    PlanBackfillOverError,
    PlanBackfillRunningError,
    PlanBackfillTooLongError,
    PlanHasNoTimesError,
    PlanNothingToBackfillError,
    PlanPausedError,
)
from zcbus.control.features.task_plan.schedule import due_times
from zcbus.control.features.task_plan.schemas import PREVIEWED, BackfillInput, BackfillPreview
from zcbus.control.features.task_plan.states import BackfillState, RunState
from zcbus.control.platform.call import Call
from zcbus.control.platform.services import Services

MAX_TIMES = 400
"""Due times of one backfill: a year of days."""
_MAX_EXAMINED = 10_000


def preview(call: Call, plan: Row[Any], given: BackfillInput) -> BackfillPreview:
    """Due times that a backfill of a range would run. Raises PlanHasNoTimesError, PlanBackfillTooLongError."""
    times = _times(call.connection, plan, given, call.services.clock.now())
    return BackfillPreview(total=len(times), times=list(times[:PREVIEWED]), last=times[-1] if times else None)


def start(call: Call, plan_id: str, given: BackfillInput) -> int:
    """Have the due times of a range run; returns how many. Raises PlanPausedError, PlanOwnerGoneError,
    PlanBackfillRunningError, PlanNothingToBackfillError, and as `preview`."""
    store, now = call.connection, call.services.clock.now()
    plan = repository.lock_plan(store, plan_id)
    if plan.paused:
        raise PlanPausedError(name=plan.name)
    repository.require_owner(store, plan)
    if backfill_repository.running_of_plan(store, plan.id) is not None:
        raise PlanBackfillRunningError(name=plan.name)
    times = _times(store, plan, given, now)
    if not times:
        raise PlanNothingToBackfillError(name=plan.name)
    backfill_repository.insert(
        store,
        plan_id=plan.id,
        tenant_id=plan.tenant_id,
        asked_by=call.principal.user_name[:50],
        first_at=given.first_at,
        last_at=given.last_at,
        times=[due.isoformat() for due in times],
        total=len(times),
        passed=0,
        state=BackfillState.RUNNING,
        created_at=now,
    )
    return len(times)


def cancel(call: Call, plan: Row[Any]) -> None:
    """End the backfill of a plan; a run of it that began continues. Raises PlanBackfillOverError."""
    found = backfill_repository.running_of_plan(call.connection, plan.id)
    if found is None:
        raise PlanBackfillOverError(name=plan.name)
    backfill_repository.remove_waiting_runs(call.connection, found.id)
    _end(call.connection, found.id, BackfillState.CANCELLED, call.services.clock.now())


def advance(services: Services) -> None:
    """Make the next run of every backfill whose turn it is, or end it."""
    with services.database.read() as store:
        waiting = backfill_repository.free_to_advance(store)
    for found in waiting:
        with services.database.write() as store:
            plan = repository.lock_plan(store, found.plan_id)
            backfill = backfill_repository.running_of_plan(store, plan.id)
            is_free = any(one.id == found.id for one in backfill_repository.free_to_advance(store))
            if is_free and backfill is not None and backfill.id == found.id:
                _next_run(store, plan, backfill, services.clock.now())


def queue_run(
    store: Connection, plan: Row[Any], backfill_id: str, asked_by: str, due_at: datetime, now: datetime
) -> None:
    """Queue the run of a plan that stands for a past due time, of its own or of the plan that it follows."""
    repository.insert_run(
        store,
        plan_id=plan.id,
        tenant_id=plan.tenant_id,
        origin=BACKFILL,
        backfill_id=backfill_id,
        asked_by=asked_by,
        due_at=due_at,
        job=plan.job,
        link_id=plan.link_id,
        state=RunState.QUEUED,
        available_at=now,
        log=[],
    )


def _next_run(store: Connection, plan: Row[Any], backfill: Row[Any], now: datetime) -> None:
    times = [datetime.fromisoformat(text) for text in backfill.times]
    # A due time may have got a run meanwhile: one that made up for it.
    have_run = backfill_repository.times_run(store, plan.id, times[0], times[-1])
    for index in range(backfill.passed, len(times)):
        if times[index] not in have_run:
            queue_run(store, plan, backfill.id, backfill.asked_by, times[index], now)
            backfill_repository.change(store, backfill.id, passed=index + 1)
            return
    _end(store, backfill.id, BackfillState.DONE, now)


def _end(store: Connection, backfill_id: str, state: BackfillState, now: datetime) -> None:
    backfill_repository.change(store, backfill_id, state=state, ended_at=now)


def _times(store: Connection, plan: Row[Any], given: BackfillInput, now: datetime) -> Sequence[datetime]:
    """Due times of a range that nothing was run for, in order, in UTC. Those that the schedule is about to claim are
    its own."""
    first, last = given.first_at.astimezone(UTC), min(given.last_at.astimezone(UTC), now)
    due = [one for one in _due(plan, first, last) if plan.next_at is None or one < plan.next_at]
    have_run = backfill_repository.times_run(store, plan.id, first, last)
    times = [one for one in due if one not in have_run]
    if len(due) > _MAX_EXAMINED or len(times) > MAX_TIMES:
        raise PlanBackfillTooLongError(most=MAX_TIMES)
    return times


def _due(plan: Row[Any], first: datetime, last: datetime) -> Sequence[datetime]:
    if plan.trigger == "after":
        raise PlanHasNoTimesError(name=plan.name)
    if plan.trigger == "once":
        return [plan.once_at] if first <= plan.once_at <= last else []
    before = first - timedelta(microseconds=1)
    in_range = takewhile(lambda due: due <= last, due_times(plan.cron, plan.time_zone, before))
    return list(islice(in_range, _MAX_EXAMINED + 1))
