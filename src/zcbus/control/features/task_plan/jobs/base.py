"""A job: orders that are given once, and a repeated check whether they are carried out.

Both happen in short transactions of the store without state in the process, so a run continues under any control plane.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NotRequired, Protocol, TypedDict

from sqlalchemy import Connection, Row

from zcbus.control.features.subscribe.tables import current_tables
from zcbus.control.features.sync_link.schemas import LinkChoice
from zcbus.control.features.sync_link.service import find_link, known_tables
from zcbus.control.features.table_command.command import Chosen, order
from zcbus.control.features.table_command.order import PLAIN, Parameters
from zcbus.control.features.task_plan.errors import PlanTablesUnknownError
from zcbus.control.features.task_plan.job_input import JobInput
from zcbus.control.features.task_plan.states import ENDINGS, RunState
from zcbus.control.platform.authorisation import Access, authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.model.table_verbs import TableVerb

OPERATE_LINKS = authorise("sync-link", Operation.OPERATE)
SETTLING = timedelta(seconds=60)
"""So long an error may be that of before the order, which the agent has not carried out yet."""
_NAMED = 5


class TableProgress(TypedDict):
    """A table of a run, or another object of its job. `done`: None while not known; `code`, `facts`: why it is not, or
    what was done. `mark`: what its order changed, as the job needs it. `again`: another attempt may help.
    `by`, `since`: process id of the control plane that works on it, and since when (`task_plan.claims`)."""

    id: str
    table: str
    done: bool | None
    code: str
    facts: dict[str, str]
    mark: int
    again: bool
    by: NotRequired[str]
    since: NotRequired[str]


@dataclass(frozen=True, slots=True)
class JobCall:
    """One step of a run. `call`: in the owner's name, with the step's transaction. `begun_at`: of the attempt.
    `due_at`: of the run, in the plan's time zone. `saved_at`: when its owner saved the plan. `found_link`: of jobs on a
    link."""

    call: Call
    job: JobInput
    found_link: Row[Any] | None
    begun_at: datetime
    due_at: datetime
    saved_at: datetime

    @property
    def link(self) -> Row[Any]:
        """Only of jobs on a link."""
        if self.found_link is None:
            raise RuntimeError(f"a job of type {self.job.type} has no link")
        return self.found_link

    @property
    def store(self) -> Connection:
        return self.call.connection

    @property
    def now(self) -> datetime:
        return self.call.services.clock.now()


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Progress of a run. `state`: None while it runs. `reason`: {code, facts} against the job as a whole. `again`:
    another attempt may help. `outcome`: {code, facts} of what was done so far, where that is a number."""

    tables: Sequence[TableProgress] = ()
    state: RunState | None = None
    reason: Mapping[str, Any] | None = None
    again: bool = True
    outcome: Mapping[str, Any] | None = None


class Job(Protocol):
    """Of one or several types. Every method may raise a ZcbusError, which ends the attempt."""

    def checks(self, given: JobInput) -> Sequence[Access]:
        """Each of which the plan's owner must pass."""
        ...

    def admit(self, call: Call, given: JobInput) -> None:
        """Whether a plan with this job can be saved: what it names is there, and its owner may see it."""
        ...

    def begin(self, job: JobCall, undone: Sequence[TableProgress]) -> RunProgress:
        """Give the orders. `undone`: the tables that earlier attempts did not complete; (): this is the first."""
        ...

    def check(self, job: JobCall, tables: Sequence[TableProgress]) -> RunProgress:
        """Whether they are carried out."""
        ...

    def give_up(self, job: JobCall, tables: Sequence[TableProgress]) -> None:
        """The time limit is reached: cancel orders that would continue to no purpose."""
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of one table; `done` None: not known yet."""

    done: bool | None
    code: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    again: bool = True


WAITING = Verdict(None)
DONE = Verdict(True)


class LinkJob:
    """What jobs on a link have in common."""

    def checks(self, given: JobInput) -> Sequence[Access]:
        return (OPERATE_LINKS,)

    def admit(self, call: Call, given: JobInput) -> None:
        """Raises RecordNotFoundError, PlanTablesUnknownError."""
        link = find_link(call.connection, call.principal, LinkChoice(id=given.link, name=None))
        _, unknown = known_tables(call.connection, link, given.tables or ())
        if unknown:
            raise PlanTablesUnknownError(tables=", ".join(unknown[:_NAMED]))


def chosen(job: JobCall, undone: Sequence[TableProgress]) -> Chosen:
    """The tables of a job; of a further attempt those that the earlier ones did not complete."""
    names = [one["id"] for one in undone] or job.job.tables
    if names is None:
        return Chosen(current_tables(job.store, job.link.id))
    return Chosen(*known_tables(job.store, job.link, names))


def give_order(
    job: JobCall, undone: Sequence[TableProgress], verb: TableVerb, parameters: Parameters = PLAIN
) -> list[TableProgress]:
    """Give an order to the tables of a job; refused ones are reported as not done."""
    meant = chosen(job, undone)
    results = order(job.call, job.store, verb, meant, parameters, subject=job.link.name)
    known = {row.id for row in meant.rows}
    return [
        TableProgress(
            id=one.id or one.table,
            table=one.table,
            done=None if one.done else False,
            code="" if one.done else one.code,
            facts={} if one.done else one.facts,
            mark=0,
            again=one.id in known,
        )
        for one in results
    ]


def pending_rows(job: JobCall, tables: Sequence[TableProgress]) -> Mapping[str, Row[Any]]:
    """Rows of `views.tables`, by id, of tables without a result."""
    ids = [one["id"] for one in tables if one["done"] is None]
    return {row.id: row for row in current_tables(job.store, job.link.id, ids)} if ids else {}


def judged(table: TableProgress, verdict: Verdict) -> TableProgress:
    """A table with its present result."""
    return {
        **table,
        "done": verdict.done,
        "code": verdict.code,
        "facts": dict(verdict.facts),
        "again": verdict.again,
    }


def progress_of(tables: Sequence[TableProgress]) -> RunProgress:
    """How far a run is, by its tables: over as soon as something is known of each."""
    if not tables:
        return RunProgress(state=RunState.FAILED, reason=said("plan-no-tables"), again=False)
    if any(one["done"] is None for one in tables):
        return RunProgress(tables)
    undone = [one for one in tables if not one["done"]]
    state = ENDINGS[len(undone) < len(tables), bool(undone)]
    if not undone:
        return RunProgress(tables, state)
    facts = {"undone": str(len(undone)), "total": str(len(tables)), "table": undone[0]["table"]}
    again = any(one["again"] for one in undone)
    return RunProgress(tables, state, said("plan-tables-undone", **facts), again)


def said(code: str, **facts: str) -> dict[str, Any]:
    """A reason, or an outcome."""
    return {"code": code, "facts": facts}
