"""Creation of one run per due time, whichever replica comes first.

Claiming is one transaction that finds the plan's next due time reached, adds the run, and advances the due time. One
control plane writes at a time (`store.one_writer`), so the next one finds it advanced.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.task_plan import backfill_repository, repository
from zcbus.control.features.task_plan.backfill import queue_run
from zcbus.control.features.task_plan.backfill_repository import BACKFILL
from zcbus.control.features.task_plan.errors import PlanBusyError
from zcbus.control.features.task_plan.schedule import MAX_MISSED, next_due, passed
from zcbus.control.features.task_plan.states import NOT_RUN, RunState
from zcbus.control.platform.services import Services


def make_due_runs(services: Services) -> None:
    """Check every plan that is due."""
    now = services.clock.now()
    with services.database.read() as store:
        due = repository.due_plans(store, now)
    for plan_id in due:
        with services.database.write() as store:
            plan = repository.claim_plan(store, plan_id, now)
            if plan is not None:
                _claim(store, plan, now)


def first_due(trigger: str, cron: str | None, zone: str, once_at: datetime | None, now: datetime) -> datetime | None:
    """The first due time of a plan from now on; None: its time is over, or it follows another plan."""
    if trigger == "cron":
        return next_due(cron or "", zone, now)
    return once_at if once_at is not None and once_at > now else None


def follow(store: Connection, run: Row[Any], state: RunState, now: datetime) -> None:
    """A run of a plan ended: those that follow the plan are due now. What follows a run of a backfill belongs to the
    backfill, and stands for the same time."""
    for plan in repository.plans_after(store, run.plan_id):
        if plan.paused or (plan.after_when != "end" and state is not RunState.SUCCEEDED):
            continue
        if run.origin != BACKFILL:
            _add(store, plan, "after", now, now)
        elif not backfill_repository.has_run(store, plan.id, run.due_at):
            queue_run(store, plan, run.backfill_id, run.asked_by, run.due_at, now)


def run_now(store: Connection, plan: Row[Any], asked_by: str, now: datetime) -> str:
    """Add a manual run. Raises PlanBusyError."""
    if _skip_reason(store, plan) is not None:
        raise PlanBusyError(name=plan.name)
    return _insert(store, plan, "manual", now, RunState.QUEUED, now, asked_by=asked_by)


def _claim(store: Connection, plan: Row[Any], now: datetime) -> None:
    dues = [plan.next_at] if plan.trigger == "once" else passed(plan.cron, plan.time_zone, plan.next_at, now)
    following = None if plan.trigger == "once" else next_due(plan.cron, plan.time_zone, now)
    repository.change_plan(store, plan.id, next_at=following)
    newest, is_late = dues[-1], (now - dues[-1]).total_seconds() > plan.late_seconds
    if plan.misfire == "skip":
        missed = dues if is_late else dues[:-1]
        if missed:
            _insert(store, plan, "schedule", missed[-1], RunState.MISSED, now, _missed(missed))
        if is_late:
            return
    # Else one run makes up for all of them.
    made_up = plan.misfire == "once" and (is_late or len(dues) > 1)
    log = [{"at": now.isoformat(), **_missed(dues)}] if made_up else []
    _add(store, plan, "schedule", newest, now, log)


def _add(
    store: Connection,
    plan: Row[Any],
    origin: str,
    due_at: datetime,
    now: datetime,
    log: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Queue a run, or note that it is skipped because another one is open."""
    hindrance = _skip_reason(store, plan)
    state = RunState.QUEUED if hindrance is None else RunState.SKIPPED
    reason = None if hindrance is None else {"code": hindrance, "facts": {}}
    _insert(store, plan, origin, due_at, state, now, reason, log=log)


def _skip_reason(store: Connection, plan: Row[Any]) -> str | None:
    """Why no run can be added: the code of the reason. None: one can. A run of a backfill hinders none: what is due
    waits for its end."""
    open_now = [run for run in repository.open_runs(store, plan.id) if run.origin != BACKFILL]
    if not open_now:
        return None
    if plan.overlap == "skip":
        return "plan-run-open"
    return "plan-run-queued" if any(run.attempt == 0 for run in open_now) else None


def _missed(dues: list[datetime]) -> dict[str, Any]:
    count = str(len(dues)) if len(dues) <= MAX_MISSED else f"{MAX_MISSED}+"
    facts = {"count": count, "first": _spelled(dues[0]), "last": _spelled(dues[-1])}
    return {"code": "plan-due-times-missed", "facts": facts}


def _spelled(moment: datetime) -> str:
    return moment.isoformat(sep=" ", timespec="minutes")


def _insert(
    store: Connection,
    plan: Row[Any],
    origin: str,
    due_at: datetime,
    state: RunState,
    now: datetime,
    reason: Mapping[str, Any] | None = None,
    *,
    asked_by: str | None = None,
    log: Sequence[Mapping[str, Any]] = (),
) -> str:
    return repository.insert_run(
        store,
        plan_id=plan.id,
        tenant_id=plan.tenant_id,
        origin=origin,
        asked_by=asked_by,
        due_at=due_at,
        job=plan.job,
        link_id=plan.link_id,
        state=state,
        available_at=now,
        ended_at=now if state in NOT_RUN else None,
        reason=reason,
        log=list(log),
    )
