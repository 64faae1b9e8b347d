"""A job: orders that are given once, and a repeated check whether they are carried out.

Both happen in short transactions of the store without state in the process, so a run continues under any control plane.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol, TypedDict

from sqlalchemy import Connection, Row

from zcbus.control.features.subscribe.tables import current_tables
from zcbus.control.features.sync_link.service import known_tables
from zcbus.control.features.table_command.command import Chosen, order
from zcbus.control.features.table_command.order import PLAIN, Parameters
from zcbus.control.features.task_plan.schemas import JobInput
from zcbus.control.features.task_plan.states import ENDINGS, RunState
from zcbus.control.platform.authorisation import Access, authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.model.table_verbs import TableVerb

OPERATE_LINKS = authorise("sync-link", Operation.OPERATE)
SETTLING = timedelta(seconds=60)
"""So long an error may be that of before the order, which the agent has not carried out yet."""


class TableProgress(TypedDict):
    """A table of a run. `done`: None while not known; `code`, `facts`: why it is not. `mark`: what its order changed,
    as the job needs it. `again`: another attempt may help."""

    id: str
    table: str
    done: bool | None
    code: str
    facts: dict[str, str]
    mark: int
    again: bool


@dataclass(frozen=True, slots=True)
class JobCall:
    """One step of a run. `call`: in the owner's name, with the step's transaction. `begun_at`: of the attempt."""

    call: Call
    job: JobInput
    link: Row[Any]
    begun_at: datetime

    @property
    def store(self) -> Connection:
        return self.call.connection

    @property
    def now(self) -> datetime:
        return self.call.services.clock.now()


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Progress of a run. `state`: None while it runs. `reason`: {code, facts} against the job as a whole. `again`:
    another attempt may help."""

    tables: Sequence[TableProgress] = ()
    state: RunState | None = None
    reason: Mapping[str, Any] | None = None
    again: bool = True


class Job(Protocol):
    """Of one or several types. Every method may raise a ZcbusError, which ends the attempt."""

    @property
    def checks(self) -> Sequence[Access]:
        """Each of which the plan's owner must pass."""
        ...

    def begin(self, job: JobCall, only: Sequence[str] | None) -> RunProgress:
        """Give the orders. `only`: ids of the tables that earlier attempts did not complete."""
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


def chosen(job: JobCall, only: Sequence[str] | None) -> Chosen:
    """The tables of a job; `only`: no others."""
    names = job.job.tables if only is None else only
    if names is None:
        return Chosen(current_tables(job.store, job.link.id))
    return Chosen(*known_tables(job.store, job.link, names))


def give_order(
    job: JobCall, only: Sequence[str] | None, verb: TableVerb, parameters: Parameters = PLAIN
) -> list[TableProgress]:
    """Give an order to the tables of a job; refused ones are reported as not done."""
    meant = chosen(job, only)
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
        return RunProgress(state=RunState.FAILED, reason=_reason("plan-no-tables"), again=False)
    if any(one["done"] is None for one in tables):
        return RunProgress(tables)
    undone = [one for one in tables if not one["done"]]
    state = ENDINGS[len(undone) < len(tables), bool(undone)]
    if not undone:
        return RunProgress(tables, state)
    facts = {"undone": str(len(undone)), "total": str(len(tables)), "table": undone[0]["table"]}
    again = any(one["again"] for one in undone)
    return RunProgress(tables, state, _reason("plan-tables-undone", **facts), again)


def _reason(code: str, **facts: str) -> dict[str, Any]:
    return {"code": code, "facts": facts}
