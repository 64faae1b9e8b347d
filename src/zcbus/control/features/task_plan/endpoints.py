"""Calls of task plans and their runs."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.task_plan import backfill, history, plans
from zcbus.control.features.task_plan.plans import MENU_KEY
from zcbus.control.features.task_plan.schemas import (
    PLANS,
    RUN_TABLES,
    RUNS,
    BackfillInput,
    BackfillPreview,
    PlanChange,
    PlanChoice,
    PlanDeletion,
    PlanInput,
    PlanPageRequest,
    PlanRecord,
    Preview,
    RunChoice,
    RunDetail,
    RunPageRequest,
    RunRecord,
    RunTableRecord,
    RunTableRequest,
    ScheduleInput,
)
from zcbus.control.platform.authorisation import authorise, authorise_any
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.platform.routing import Api

api = Api("task-plan")

_VIEW = authorise(MENU_KEY, Operation.VIEW)
_OPERATE = authorise(MENU_KEY, Operation.OPERATE)
_PLANNING = authorise_any((MENU_KEY, Operation.CREATE), (MENU_KEY, Operation.EDIT))
_BASE = "/api/zcbus/task/plan"


@api.read(f"{_BASE}/page", _VIEW, lists=PLANS)
def page_plans(call: Call, body: PlanPageRequest) -> Page[PlanRecord]:
    """Task plans with their next due time and their newest run."""
    return answer_page(call, body, plans.listing(call, body))


@api.read(f"{_BASE}/get", _VIEW)
def get_plan(call: Call, body: PlanChoice) -> PlanRecord:
    """One plan."""
    return plans.record(plans.find(call, body.id), ReasonTexts.of(call))


@api.read(f"{_BASE}/preview", _PLANNING)
def preview(call: Call, body: ScheduleInput) -> Preview:
    """The next due times of a schedule, five at most; none: its time is over."""
    return plans.preview(call, body)


@api.change(f"{_BASE}/add", authorise(MENU_KEY, Operation.CREATE))
def add_plan(call: Call, body: PlanInput) -> PlanRecord:
    """Create a plan that runs in the caller's name. The caller needs the right to do its job."""
    call.audit.subject = body.name
    return _record(call, plans.add(call, body))


@api.change(f"{_BASE}/edit", authorise(MENU_KEY, Operation.EDIT))
def edit_plan(call: Call, body: PlanChange) -> PlanRecord:
    """Change a plan; from now on it runs in the caller's name, with the same condition as for a new one."""
    row = plans.find(call, body.id)
    call.audit.subject, call.audit.before = row.name, plans.plain(row, ReasonTexts.of(call))
    plans.edit(call, row, body)
    return _record(call, row.id)


@api.change(f"{_BASE}/pause", _OPERATE)
def pause_plan(call: Call, body: PlanChoice) -> PlanRecord:
    """Suspend a plan until it is resumed. An open run continues."""
    row = plans.find(call, body.id)
    call.audit.subject = row.name
    plans.pause(call, row)
    return _record(call, row.id)


@api.change(f"{_BASE}/resume", _OPERATE)
def resume_plan(call: Call, body: PlanChoice) -> PlanRecord:
    """Let a paused plan be due again, from now on."""
    row = plans.find(call, body.id)
    call.audit.subject = row.name
    plans.resume(call, row)
    return _record(call, row.id)


@api.change(f"{_BASE}/run", _OPERATE)
def run_plan(call: Call, body: PlanChoice) -> RunChoice:
    """Run a plan at once, in its owner's name; its schedule stays. Answers the run."""
    row = plans.find(call, body.id)
    call.audit.subject = row.name
    return RunChoice(id=plans.run(call, row))


@api.read(f"{_BASE}/backfill/preview", _OPERATE)
def preview_backfill(call: Call, body: BackfillInput) -> BackfillPreview:
    """Due times of a past range that nothing was run for."""
    return backfill.preview(call, plans.find(call, body.id), body)


@api.change(f"{_BASE}/backfill/start", _OPERATE)
def start_backfill(call: Call, body: BackfillInput) -> PlanRecord:
    """Run the due times of a past range that nothing was run for: the oldest first, one after another, in the plan
    owner's name, 400 at most. Runs that are due meanwhile go first."""
    row = plans.find(call, body.id)
    call.audit.subject = row.name
    total = backfill.start(call, row.id, body)
    call.audit.after = {**body.model_dump(mode="json", by_alias=True, exclude={"id"}), "total": total}
    return _record(call, row.id)


@api.change(f"{_BASE}/backfill/cancel", _OPERATE)
def cancel_backfill(call: Call, body: PlanChoice) -> PlanRecord:
    """End the backfill of a plan. A run of it that began continues."""
    row = plans.find(call, body.id)
    call.audit.subject = row.name
    backfill.cancel(call, row)
    return _record(call, row.id)


@api.change(f"{_BASE}/delete", authorise(MENU_KEY, Operation.DELETE))
def delete_plan(call: Call, body: PlanDeletion) -> None:
    """Remove a plan with its history. Codes 40104 and 40105 speak of the captcha."""
    confirm_deletion(call, body)
    row = plans.find(call, body.id)
    call.audit.subject, call.audit.before = row.name, plans.plain(row, ReasonTexts.of(call))
    call.audit.after = None
    plans.delete(call, row)


@api.read("/api/zcbus/task/run/page", _VIEW, lists=RUNS)
def page_runs(call: Call, body: RunPageRequest) -> Page[RunRecord]:
    """Runs of plans, the newest first: also due times that nothing was run for."""
    return answer_page(call, body, history.listing(call, body))


@api.read("/api/zcbus/task/run/get", _VIEW)
def get_run(call: Call, body: RunChoice) -> RunDetail:
    """One run with its log."""
    return history.detail(call, body.id)


@api.read("/api/zcbus/task/run/table/page", _VIEW, lists=RUN_TABLES)
def page_run_tables(call: Call, body: RunTableRequest) -> Page[RunTableRecord]:
    """Page a run's results per table; failed tables first."""
    return history.page_tables(call, body)


def _record(call: Call, plan_id: str) -> PlanRecord:
    return plans.record(plans.find(call, plan_id), ReasonTexts.of(call))
