"""Rules of plans: owners, due times, records."""

from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.recycle_bin.service import keep
from zcbus.control.features.task_plan import repository
from zcbus.control.features.task_plan.due import first_due, run_now
from zcbus.control.features.task_plan.errors import (
    PlanCircleError,
    PlanFollowedError,
    PlanNameTakenError,
    PlanNeverDueError,
    PlanOverError,
)
from zcbus.control.features.task_plan.job_input import JobInput
from zcbus.control.features.task_plan.jobs import JOBS
from zcbus.control.features.task_plan.schedule import due_times
from zcbus.control.features.task_plan.schemas import (
    PLANS,
    PREVIEWED,
    BackfillRecord,
    JobRecord,
    PlanChange,
    PlanInput,
    PlanPageRequest,
    PlanRecord,
    PlanState,
    Preview,
    RunSummary,
    ScheduleInput,
)
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.sync_link import sync_link
from zcbus.control.store.tables.task_plan import task_plan

MENU_KEY = "task"
_NAMED = 5
_STORED = (
    *("name", "trigger", "time_zone", "once_at", "misfire", "overlap", "retries", "retry_seconds"),
    *("timeout_seconds", "late_seconds", "overdue_seconds", "alerts", "remark", "after_when"),
)
_SHOWN = ("id", *_STORED, "after_name", "owner_name", "next_at", "created_at", "updated_at")


def listing(call: Call, request: PlanPageRequest) -> Listing[PlanRecord]:
    """By name."""
    texts = ReasonTexts.of(call)
    statement = repository.plans(call.principal)
    if request.search.strip():
        statement = statement.where(any_contains((task_plan.c.name, sync_link.c.name), request.search.strip()))
    if request.state is not None:
        statement = statement.where(_IN_STATE[request.state])
    return Listing(PLANS, statement, [task_plan.c.name, task_plan.c.id], lambda row: record(row, texts))


_FOLLOWS = task_plan.c.after_id.is_not(None)
_IN_STATE = {
    "active": ~task_plan.c.paused & (task_plan.c.next_at.is_not(None) | _FOLLOWS),
    "paused": task_plan.c.paused,
    "over": ~task_plan.c.paused & task_plan.c.next_at.is_(None) & ~_FOLLOWS,
}


def next_due(call: Call, limit: int) -> Sequence[Row[Any, Any, Any]]:
    """`id`, `name` and `next_at` of the plans that are due first; none for callers who may not see plans."""
    if not call.principal.may(MENU_KEY, Operation.VIEW):
        return ()
    return repository.next_due(call.connection, call.principal, limit)


def find(call: Call, plan_id: str) -> Row[Any]:
    """Raises RecordNotFoundError."""
    row = repository.find_plan(call.connection, call.principal, plan_id)
    if row is None:
        raise RecordNotFoundError(kind="task-plan", id=plan_id)
    return row


def add(call: Call, given: PlanInput) -> str:
    """Returns the new plan's id. Raises what `_check` raises, and PlanNameTakenError."""
    tenant_id, now = call.principal.tenant_id, call.services.clock.now()
    _check(call, given, tenant_id, None)
    return repository.insert_plan(
        call.connection,
        tenant_id=tenant_id,
        paused=False,
        next_at=_first_due(given, now),
        created_at=now,
        **_values(call, given, now),
    )


def edit(call: Call, row: Row[Any], given: PlanChange) -> None:
    """Change a plan. The user who changes it becomes its owner, so that no user acts with another's rights. Raises as
    `add`."""
    now = call.services.clock.now()
    _check(call, given, row.tenant_id, row.id)
    next_at = None if row.paused else _first_due(given, now)
    repository.change_plan(call.connection, row.id, next_at=next_at, **_values(call, given, now))


def pause(call: Call, row: Row[Any]) -> None:
    """Suspend a plan; an open run continues."""
    repository.change_plan(call.connection, row.id, paused=True, next_at=None)


def resume(call: Call, row: Row[Any]) -> None:
    """Resume a plan; due times meanwhile are skipped. Raises PlanOverError."""
    next_at = first_due(row.trigger, row.cron, row.time_zone, row.once_at, call.services.clock.now())
    if next_at is None and row.after_id is None:
        raise PlanOverError(name=row.name)
    repository.change_plan(call.connection, row.id, paused=False, next_at=next_at)


def run(call: Call, row: Row[Any]) -> str:
    """Have it run at once, in its owner's name. Returns the run's id. Raises PlanBusyError, PlanOwnerGoneError."""
    plan = repository.lock_plan(call.connection, row.id)
    repository.require_owner(call.connection, plan)
    return run_now(call.connection, plan, call.principal.user_name, call.services.clock.now())


def delete(call: Call, row: Row[Any]) -> None:
    """Move a plan into the recycle bin, and delete its history. Orders of its open run stay in effect. Raises
    PlanFollowedError."""
    following = [plan.name for plan in repository.plans_after(call.connection, row.id)]
    if following:
        raise PlanFollowedError(name=row.name, plans=", ".join(following[:_NAMED]))
    keep(call.connection, call.services, call.principal, "task-plan", row.id)
    repository.remove_plan(call.connection, row.id)


def preview(call: Call, given: ScheduleInput) -> Preview:
    """The next due time of a plan; that of a plan that follows another is unknown."""
    now = call.services.clock.now()
    if given.once_at is not None:
        return Preview(times=[given.once_at] if given.once_at > now else [])
    if given.cron is None:
        return Preview(times=[])
    return Preview(times=list(islice(due_times(given.cron, given.time_zone, now), PREVIEWED)))


def plain(row: Row[Any], texts: ReasonTexts) -> dict[str, Any]:
    """For the operation log."""
    return record(row, texts).model_dump(
        mode="json", by_alias=True, exclude={"id", "last_run", "backfill", "updated_at"}
    )


def record(row: Row[Any], texts: ReasonTexts) -> PlanRecord:
    """A plan as a record."""
    shown = {name: getattr(row, name) for name in _SHOWN}
    return PlanRecord(
        job=job_record(row),
        cron=row.cron or None,
        after=row.after_id,
        state=_state(row),
        last_run=_last_run(row, texts),
        backfill=_backfill(row),
        **shown,
    )


def job_record(row: Row[Any]) -> JobRecord:
    """The job of a stored plan or run as a record."""
    job = JobInput.model_validate(row.job)
    names = {"link_name": row.link_name, "sql_name": row.sql_name, "policy_name": row.policy_name}
    return JobRecord(**job.model_dump(by_alias=False), **names)


def _state(row: Row[Any]) -> PlanState:
    if row.paused:
        return "paused"
    return "over" if row.next_at is None and row.after_id is None else "active"


def _last_run(row: Row[Any], texts: ReasonTexts) -> RunSummary | None:
    if row.last_id is None:
        return None
    return RunSummary(
        id=row.last_id,
        state=row.last_state,
        due_at=row.last_due_at,
        started_at=row.last_started_at,
        ended_at=row.last_ended_at,
        reason=texts.record(row.last_reason),
    )


def _backfill(row: Row[Any]) -> BackfillRecord | None:
    if row.backfill_id is None:
        return None
    return BackfillRecord(**{name: getattr(row, f"backfill_{name}") for name in BackfillRecord.model_fields})


def _check(call: Call, given: PlanInput, tenant_id: str, besides: str | None) -> None:
    """Check that the caller may do the plan's job, and that it can be done. Raises ForbiddenError, PlanNameTakenError,
    PlanCircleError, and what the job's `admit` raises."""
    job = JOBS[given.job.type]
    for access in job.checks(given.job):
        access.check(call.principal)
    job.admit(call, given.job)
    if repository.name_is_taken(call.connection, tenant_id, given.name, besides):
        raise PlanNameTakenError(name=given.name)
    _check_order(call, given.after, tenant_id, besides)


def _check_order(call: Call, after: str | None, tenant_id: str, own_id: str | None) -> None:
    """Whether a plan can follow another of its tenant: nothing follows itself by way of others."""
    followed, names = after, list[str]()
    while followed is not None:
        row = find(call, followed)
        if row.tenant_id != tenant_id:
            raise RecordNotFoundError(kind="task-plan", id=followed)
        names.append(row.name)
        if row.id == own_id:
            raise PlanCircleError(name=names[0])
        followed = row.after_id


def _first_due(given: PlanInput, now: datetime) -> datetime | None:
    """Raises PlanNeverDueError."""
    due = first_due(given.trigger, given.cron, given.time_zone, given.once_at, now)
    if due is None and given.after is None:
        raise PlanNeverDueError
    return due


def _values(call: Call, given: PlanInput, now: datetime) -> dict[str, Any]:
    return {
        **{name: getattr(given, name) for name in _STORED},
        "cron": given.cron or "",
        "after_id": given.after,
        "job": given.job.model_dump(mode="json", by_alias=True),
        "link_id": given.job.link,
        "owner_id": call.principal.user_id,
        "updated_at": now,
    }
