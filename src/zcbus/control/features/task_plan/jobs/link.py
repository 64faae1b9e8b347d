"""Starting, pausing and stopping a link."""

from collections.abc import Mapping, Sequence

from zcbus.control.features.sync_link import service
from zcbus.control.features.sync_link.schemas import LinkAction
from zcbus.control.features.sync_link.states import DESIRED_BY_ACTION
from zcbus.control.features.task_plan.job_input import JobType
from zcbus.control.features.task_plan.jobs.base import SETTLING, JobCall, LinkJob, RunProgress, TableProgress
from zcbus.control.features.task_plan.states import RunState
from zcbus.model.reduction.services import is_stale
from zcbus.model.states import LinkState

_ACTIONS: Mapping[JobType, LinkAction] = {
    JobType.START: LinkAction.START,
    JobType.PAUSE: LinkAction.PAUSE,
    JobType.STOP: LinkAction.STOP,
}
_GOALS: Mapping[JobType, frozenset[LinkState]] = {
    JobType.START: frozenset({LinkState.FULL_RUNNING, LinkState.INCREMENTAL_RUNNING, LinkState.FULL_FINISHED}),
    JobType.PAUSE: frozenset({LinkState.SUSPENDED}),
    JobType.STOP: frozenset({LinkState.STOPPED}),
}


class _Link(LinkJob):
    """Done when its agent reports the link in the ordered state."""

    def begin(self, job: JobCall, undone: Sequence[TableProgress]) -> RunProgress:
        before = LinkState(job.link.current_state)
        service.act(job.store, job.call.services, job.link, before, _ACTIONS[job.job.type])
        job.call.audit.subject = job.link.name
        job.call.audit.before = {"desired": job.link.desired, "state": before}
        job.call.audit.after = {"action": job.job.type}
        return RunProgress()

    def check(self, job: JobCall, tables: Sequence[TableProgress]) -> RunProgress:
        state = LinkState(job.link.current_state)
        facts = {"name": job.link.name, "state": state.value}
        if job.link.desired != DESIRED_BY_ACTION[_ACTIONS[job.job.type]]:
            reason = {"code": "plan-link-steered", "facts": facts}
            return RunProgress(state=RunState.FAILED, reason=reason, again=False)
        # A silent agent's link has the state of its last report.
        is_fresh = not is_stale(job.link.agent_seen_at, job.now)
        if state in _GOALS[job.job.type] and (is_fresh or job.job.type is not JobType.START):
            return RunProgress(state=RunState.SUCCEEDED)
        if state is LinkState.ERROR and job.now - job.begun_at > SETTLING:
            return RunProgress(state=RunState.FAILED, reason={"code": "plan-link-error", "facts": facts})
        return RunProgress()

    def give_up(self, job: JobCall, tables: Sequence[TableProgress]) -> None:
        """Orders to the link stay in effect."""


LINK = _Link()
