"""Requests and answers about task plans."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, AwareDatetime, Field, model_validator

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.task_plan.job_input import Id, JobInput
from zcbus.control.features.task_plan.schedule import known_zone, plain_cron
from zcbus.control.features.task_plan.states import BackfillState, RunState
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.names import plain_name
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema

TimeZone = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(known_zone)]
Trigger = Literal["cron", "once", "after"]
Cron = Annotated[str, Field(min_length=9, max_length=100), AfterValidator(plain_cron)]

_DAY = 86_400
PREVIEWED = 5


class ScheduleInput(Schema):
    """When a plan is due. `trigger` cron: `cron`, five fields, read in `timeZone`; once: `onceAt`; after: when a run of
    the plan `after` succeeded, or ended in whatever way (`afterWhen`)."""

    trigger: Trigger
    cron: Cron | None = None
    time_zone: TimeZone
    once_at: AwareDatetime | None = None
    after: Id | None = None
    after_when: Literal["success", "end"] = "success"

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = {"cron": self.cron, "once": self.once_at, "after": self.after}
        if [name for name, value in given.items() if value is not None] != [self.trigger]:
            raise field_fault("cron-or-once")
        return self


class PlanInput(ScheduleInput):
    """A plan; the user who saves it last is its owner, in whose name it runs.

    `misfire`: due times that no control plane was running for are made up for once, or skipped. `overlap`: what is due
    while a run is open is skipped, or one is queued. `lateSeconds`: a run that has not begun by then is late.
    `overdueSeconds`: a run that began and has not ended by then is overdue; null: none is. Both count from the due
    time.
    """

    name: Annotated[str, Field(max_length=100), AfterValidator(plain_name)]
    job: JobInput
    misfire: Literal["once", "skip"] = "once"
    overlap: Literal["skip", "queue"] = "skip"
    retries: int = Field(0, ge=0, le=10)
    retry_seconds: int = Field(300, ge=10, le=_DAY)
    timeout_seconds: int = Field(4 * 3_600, ge=60, le=7 * _DAY)
    late_seconds: int = Field(600, ge=60, le=_DAY)
    overdue_seconds: int | None = Field(None, ge=60, le=30 * _DAY)
    alerts: bool = True
    remark: str = Field("", max_length=200)


class PlanChoice(Schema):
    id: Id


class PlanChange(PlanInput, PlanChoice):
    """A plan with its new settings."""


class PlanDeletion(PlanChoice, DeletionProof):
    """The plan to delete, with its history."""


class BackfillInput(PlanChoice):
    """Past due times to run: those from `firstAt` to `lastAt` that nothing was run for."""

    first_at: AwareDatetime
    last_at: AwareDatetime

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.first_at > self.last_at:
            raise field_fault("backfill-range")
        return self


class BackfillPreview(Schema):
    """Due times that would be run: how many, the first five at most, and the last."""

    total: int
    times: list[datetime]
    last: datetime | None


class BackfillRecord(Schema):
    """A backfill of a plan. `total`: its due times; `succeeded`, `broken`: runs that ended so. Its runs have the origin
    backfill."""

    id: str
    state: BackfillState
    asked_by: str
    first_at: datetime
    last_at: datetime
    total: int
    succeeded: int
    broken: int
    created_at: datetime
    ended_at: datetime | None


PlanState = Literal["active", "paused", "over"]


class PlanPageRequest(PageRequest):
    """`search`: part of a plan's or its link's name."""

    search: str = Field("", max_length=255)
    state: PlanState | None = None


class JobRecord(JobInput):
    """`linkName`, `sqlName`, `policyName`: null where the job has none, or it is gone."""

    link_name: str | None
    sql_name: str | None
    policy_name: str | None


class RunSummary(Schema):
    """How a run is, or ended. `reason`: why it did not succeed, or how much it did."""

    id: str
    state: RunState
    due_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    reason: ReasonRecord | None


class PlanRecord(Schema):
    """A plan. `ownerName`: null where the account is gone. `nextAt`: the next due time. `lastRun`: the newest.
    `afterName`: of the plan that it follows. `backfill`: the newest."""

    id: str
    name: str
    job: JobRecord
    trigger: Trigger
    cron: str | None
    time_zone: str
    once_at: datetime | None
    after: str | None
    after_name: str | None
    after_when: Literal["success", "end"]
    misfire: Literal["once", "skip"]
    overlap: Literal["skip", "queue"]
    retries: int
    retry_seconds: int
    timeout_seconds: int
    late_seconds: int
    overdue_seconds: int | None
    alerts: bool
    remark: str
    owner_name: str | None
    state: PlanState
    next_at: datetime | None
    last_run: RunSummary | None
    backfill: BackfillRecord | None
    created_at: datetime
    updated_at: datetime


class Preview(Schema):
    """The next due times, five at most."""

    times: list[datetime]


RunOrigin = Literal["schedule", "manual", "after", "backfill"]


class RunPageRequest(PageRequest):
    """Runs of one plan, or of all that the caller may see. `search`: part of the plan's name."""

    plan: Id | None = None
    search: str = Field("", max_length=255)
    state: list[RunState] = Field(default_factory=list, max_length=len(RunState))
    origin: RunOrigin | None = None


class RunChoice(Schema):
    id: Id


class RunRecord(RunSummary):
    """A run. `origin`: by its time, after a run of another plan, manual, or of a backfill (both by `askedBy`), which
    stands for the past due time `dueAt`. `attempt`: 0 before the first."""

    plan_id: str
    plan_name: str
    job: JobRecord
    origin: RunOrigin
    asked_by: str | None
    attempt: int
    duration_ms: int | None
    tables_done: int
    tables_total: int


class RunLine(Schema):
    """A line of a run's log."""

    at: datetime
    code: str
    text: str


class RunDetail(RunRecord):
    """A run with its log."""

    log: list[RunLine]


class RunTableRequest(PageRequest):
    """Tables of a run, or the other objects of its job. `search`: part of the name. `done`: only those that are as
    ordered, or that are not."""

    run: Id
    search: str = Field("", max_length=255)
    done: bool | None = None


class RunTableRecord(Schema):
    """Result of a table, or of another object of the job. `done`: null while not known."""

    id: str
    table: str
    done: bool | None
    code: str
    reason: str


PLANS = ListDefinition[PlanRecord](
    PlanRecord, columns={"name": "name", "nextAt": "next_at", "updatedAt": "updated_at", "createdAt": "created_at"}
)
RUNS = ListDefinition[RunRecord](
    RunRecord, columns={"dueAt": "due_at", "startedAt": "started_at", "endedAt": "ended_at", "state": "state"}
)


RUN_TABLES = ListDefinition[RunTableRecord](RunTableRecord, sort_keys={"table": lambda table: table.table})
