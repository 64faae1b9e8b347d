"""Execution of runs: start, completion check, retry, end.

Each step is one transaction that locks the run first, so that one of several control planes makes it. A run has no
state in the process: when a control plane ends, another one, or itself after a restart, continues.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Row
from sqlalchemy.exc import SQLAlchemyError

from zcbus.control.features.sync_link.schemas import LinkChoice
from zcbus.control.features.sync_link.service import find_link
from zcbus.control.features.task_plan import backfill_repository, repository
from zcbus.control.features.task_plan.backfill import advance
from zcbus.control.features.task_plan.backfill_repository import BACKFILL
from zcbus.control.features.task_plan.due import follow, make_due_runs
from zcbus.control.features.task_plan.errors import PlanOwnerGoneError, PlanSqlChangedError
from zcbus.control.features.task_plan.job_input import JobInput
from zcbus.control.features.task_plan.jobs import JOBS
from zcbus.control.features.task_plan.jobs.base import Job, JobCall, RunProgress, TableProgress
from zcbus.control.features.task_plan.states import RunState
from zcbus.control.platform import audit
from zcbus.control.platform.call import unattended
from zcbus.control.platform.errors import ForbiddenError, RecordNotFoundError
from zcbus.control.platform.principal import Principal
from zcbus.control.platform.services import Services
from zcbus.control.platform.sessions import find_account
from zcbus.kit.errors import ZcbusError
from zcbus.kit.logging import get_logger

_log = get_logger("control.task-plan")

ACTION = "task-plan_run"
_CHECK_EVERY = timedelta(seconds=2)
_CHECK_MANY_EVERY = timedelta(seconds=10)
_MANY = 200
_UNWATCHED = timedelta(seconds=30)
_MAX_LOG_LINES = 200
_RETENTION = timedelta(days=90)
_REMOVED_AT_ONCE = 1_000
# Errors that another attempt does not fix.
_FINAL = (ForbiddenError, RecordNotFoundError, PlanOwnerGoneError, PlanSqlChangedError)


def tick(services: Services) -> None:
    """Create due runs, and advance each open run by a step. Several control planes may do it at once."""
    make_due_runs(services)
    advance(services)
    now = services.clock.now()
    with services.database.read() as store:
        ready = repository.ready_runs(store, now, now - _CHECK_EVERY)
    for run_id in ready:
        step(services, run_id)


def step(services: Services, run_id: str) -> None:
    """Take one run a step further."""
    try:
        with services.database.write() as store:
            run = repository.lock_run(store, run_id)
            if run is not None:
                _Step(services, store, run).take()
    except ZcbusError as error:
        facts = {name: str(value) for name, value in error.facts.items()}
        _end_failed(services, run_id, error.code, facts, again=not isinstance(error, _FINAL))
    except SQLAlchemyError as error:
        # The store is busy or away: the next check finds the run unchanged.
        _log.warning("step of a run failed", run=run_id, exc_info=error)
    except Exception as error:  # noqa: BLE001  a defect must not be met again each second
        _log.error("step of a run failed", run=run_id, exc_info=error)
        _end_failed(services, run_id, "server-error", {}, again=True)


def remove_old(services: Services) -> None:
    """Forget runs and backfills that ended ninety days ago, except the newest run of each plan."""
    limit = services.clock.now() - _RETENTION
    removed = _REMOVED_AT_ONCE
    while removed == _REMOVED_AT_ONCE:
        with services.database.write() as store:
            removed = repository.remove_runs_before(store, limit, _REMOVED_AT_ONCE)
    with services.database.write() as store:
        backfill_repository.remove_before(store, limit)


def _end_failed(services: Services, run_id: str, code: str, facts: dict[str, str], *, again: bool) -> None:
    """The attempt ended with an error; its writes were rolled back."""
    with services.database.write() as store:
        run = repository.lock_run(store, run_id)
        if run is not None:
            _Step(services, store, run).fail(code, facts, again=again)


class _Step:
    """One step of a run, in a transaction that has locked the run."""

    def __init__(self, services: Services, store: Connection, run: Row[Any]) -> None:
        self._services = services
        self._store = store
        self._run = run
        self._plan = repository.lock_plan(store, run.plan_id)
        self._now = services.clock.now()
        self._lines: list[dict[str, Any]] = list(run.log)

    def take(self) -> None:
        """Begin the run, or check it, if that is due. Raises what the job raises."""
        if self._run.state == RunState.RUNNING:
            every = _CHECK_MANY_EVERY if self._run.tables_total > _MANY else _CHECK_EVERY
            if self._now - self._run.looked_at >= every:
                self._check()
        elif self._run.available_at <= self._now and not self._is_behind_another():
            self._begin()

    def fail(self, code: str, facts: dict[str, str], *, again: bool) -> None:
        """End the attempt with an error."""
        begins = self._run.state == RunState.QUEUED
        changes = self._beginning() if begins else {}
        if begins:
            owner = find_account(self._store, self._plan.owner_id) or _former_owner(self._plan)
            self._record(owner, audit.AuditNote(subject=self._plan.name, after=self._run.job), code)
        progress = RunProgress(self._run.tables, RunState.FAILED, {"code": code, "facts": facts}, again)
        self._save(progress, **changes)

    def _is_behind_another(self) -> bool:
        others = repository.open_runs(self._store, self._plan.id)
        return any(one.state == RunState.RUNNING or _order(one) < _order(self._run) for one in others)

    def _begin(self) -> None:
        job_call, job = self._job_call(self._now)
        progress = job.begin(job_call, [one for one in self._run.tables if not one["done"]])
        note = job_call.call.audit
        self._record(job_call.call.principal, replace(note, subject=f"{self._plan.name}: {note.subject}"))
        kept = [one for one in self._run.tables if one["done"]]
        changes = self._beginning()
        self._add_line("plan-begun", attempt=str(changes["attempt"]), owner=job_call.call.principal.user_name)
        self._save(_with(progress, kept), **changes)

    def _beginning(self) -> dict[str, Any]:
        return {
            "state": RunState.RUNNING,
            "attempt": self._run.attempt + 1,
            "started_at": self._run.started_at or self._now,
            "attempt_started_at": self._now,
        }

    def _check(self) -> None:
        if self._now - self._run.looked_at > _UNWATCHED:
            self._add_line("plan-unwatched", since=_spelled(self._run.looked_at), until=_spelled(self._now))
        job_call, job = self._job_call(self._run.attempt_started_at)
        progress = job.check(job_call, self._run.tables)
        if progress.state is None and self._is_over_time():
            job.give_up(job_call, self._run.tables)
            progress = self._timed_out(progress)
        if progress.state is not None and progress.outcome is not None:
            self._record_outcome(job_call.call.principal, progress)
        self._save(progress)

    def _record_outcome(self, owner: Principal, progress: RunProgress) -> None:
        code = None if progress.reason is None else progress.reason["code"]
        after = {"job": self._run.job, "outcome": progress.outcome}
        self._record(owner, audit.AuditNote(subject=self._plan.name, after=after), code)

    def _is_over_time(self) -> bool:
        duration = self._now - self._run.attempt_started_at
        return bool(duration.total_seconds() >= self._plan.timeout_seconds)

    def _timed_out(self, progress: RunProgress) -> RunProgress:
        code, facts = "plan-timed-out", {"seconds": str(self._plan.timeout_seconds)}
        tables: list[TableProgress] = [
            one if one["done"] is not None else {**one, "done": False, "code": code, "facts": facts, "again": True}
            for one in progress.tables
        ]
        reason = {"code": code, "facts": facts}
        return replace(progress, tables=tables, state=RunState.TIMED_OUT, reason=reason, again=True)

    def _job_call(self, begun_at: datetime) -> tuple[JobCall, Job]:
        """The step in the owner's name, whose rights are those of now. Raises PlanOwnerGoneError, ForbiddenError,
        RecordNotFoundError."""
        owner = find_account(self._store, self._plan.owner_id)
        if owner is None:
            raise PlanOwnerGoneError
        asked = JobInput.model_validate(self._run.job)
        job = JOBS[asked.type]
        for access in job.checks(asked):
            owner = access.admit(owner)
        link = find_link(self._store, owner, LinkChoice(id=asked.link, name=None)) if asked.link else None
        call = unattended(self._services, self._store, owner, ACTION, self._run.id)
        due_at = self._run.due_at.astimezone(ZoneInfo(self._plan.time_zone))
        return JobCall(call, asked, link, begun_at, due_at, self._plan.updated_at), job

    def _record(self, owner: Principal, note: audit.AuditNote, error_code: str | None = None) -> None:
        call = unattended(self._services, self._store, owner, ACTION, self._run.id)
        audit.record(self._store, self._services, owner, call.where, note, error_code)

    def _add_line(self, code: str, **facts: str) -> None:
        self._lines.append({"at": self._now.isoformat(), "code": code, "facts": facts})

    def _save(self, progress: RunProgress, **changes: Any) -> None:
        attempt = changes.get("attempt", self._run.attempt)
        values = {**changes, "looked_at": self._now, **_counted(progress.tables)}
        if progress.state is not None:
            values |= self._ended(progress, attempt)
        values["log"] = self._lines[-_MAX_LOG_LINES:]
        repository.change_run(self._store, self._run.id, values)
        if values.get("ended_at") is not None:
            follow(self._store, self._run, RunState(values["state"]), self._now)

    def _ended(self, progress: RunProgress, attempt: int) -> dict[str, Any]:
        self._lines += [
            {"at": self._now.isoformat(), **said} for said in (progress.outcome, progress.reason) if said is not None
        ]
        if progress.reason is not None and progress.again and attempt <= self._plan.retries:
            available = self._now + timedelta(seconds=self._plan.retry_seconds)
            self._add_line("plan-retry", attempt=str(attempt + 1), at=_spelled(available))
            return {"state": RunState.QUEUED, "available_at": available, "reason": progress.reason}
        self._add_line("plan-ended", attempt=str(attempt))
        return {"state": progress.state, "ended_at": self._now, "reason": progress.reason or progress.outcome}


def _order(run: Row[Any]) -> tuple[bool, datetime, str]:
    """Runs of a backfill let the plan's others go first."""
    return run.origin == BACKFILL, run.due_at, run.id


def _with(progress: RunProgress, kept: Sequence[TableProgress]) -> RunProgress:
    """A further attempt's progress, with the tables that earlier attempts completed."""
    if not kept:
        return progress
    state = RunState.PARTIAL if progress.state is RunState.FAILED else progress.state
    return replace(progress, tables=[*kept, *progress.tables], state=state)


def _counted(tables: Sequence[TableProgress]) -> dict[str, Any]:
    done = sum(1 for one in tables if one["done"])
    return {"tables": list(tables), "tables_done": done, "tables_total": len(tables)}


def _former_owner(plan: Row[Any]) -> Principal:
    """The plan's former owner, for the operation log."""
    return Principal("scheduled", plan.owner_id, "", plan.tenant_id, (), frozenset(), spans_tenants=False)


def _spelled(moment: datetime) -> str:
    return moment.isoformat(sep=" ", timespec="seconds")
