"""Runs of plans as they are shown."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row

from zcbus.control.features.task_plan import repository
from zcbus.control.features.task_plan.jobs.base import TableProgress
from zcbus.control.features.task_plan.plans import job_record
from zcbus.control.features.task_plan.schemas import (
    RUN_TABLES,
    RUNS,
    RunDetail,
    RunLine,
    RunPageRequest,
    RunRecord,
    RunTableRecord,
    RunTableRequest,
)
from zcbus.control.platform.call import Call
from zcbus.control.platform.errors import RecordNotFoundError
from zcbus.control.platform.paging import Listing, Page, page_of
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.control.store.search import any_contains
from zcbus.control.store.tables.task_plan import task_plan, task_run

_SHOWN = (
    *("id", "plan_id", "plan_name", "origin", "asked_by", "state", "attempt"),
    *("due_at", "started_at", "ended_at", "tables_done", "tables_total"),
)


def listing(call: Call, request: RunPageRequest) -> Listing[RunRecord]:
    """The newest first."""
    texts = ReasonTexts.of(call)
    statement = repository.runs(call.principal)
    if request.plan is not None:
        statement = statement.where(task_run.c.plan_id == request.plan)
    if request.search.strip():
        statement = statement.where(any_contains((task_plan.c.name,), request.search.strip()))
    if request.state:
        statement = statement.where(task_run.c.state.in_(request.state))
    if request.origin is not None:
        statement = statement.where(task_run.c.origin == request.origin)
    usual = [task_run.c.due_at.desc(), task_run.c.id.desc()]
    return Listing(RUNS, statement, usual, lambda row: RunRecord(**_fields(row, texts)))


def detail(call: Call, run_id: str) -> RunDetail:
    """One run with its log. Raises RecordNotFoundError."""
    row, texts = _find(call, run_id), ReasonTexts.of(call)
    log = [RunLine(at=line["at"], code=line["code"], text=texts.text(line["code"], line["facts"])) for line in row.log]
    return RunDetail(log=log, **_fields(row, texts))


def page_tables(call: Call, request: RunTableRequest) -> Page[RunTableRecord]:
    """Results per table; failed tables first. Raises RecordNotFoundError."""
    texts = ReasonTexts.of(call)
    tables: Sequence[TableProgress] = _find(call, request.run).tables
    text = request.search.strip().lower()
    records = (_table_record(one, texts) for one in tables)
    found = [one for one in records if text in one.table.lower() and (request.done is None or one.done is request.done)]
    ordered = sorted(found, key=lambda one: (one.done is not False, one.done is not None, one.table))
    return page_of(ordered, request, RUN_TABLES)


def _table_record(one: TableProgress, texts: ReasonTexts) -> RunTableRecord:
    return RunTableRecord(
        id=one["id"],
        # What a job cleans has a name in both languages; tables have one name.
        table=texts.named(f"plan-history.{one['table']}", one["table"]),
        done=one["done"],
        code=one["code"],
        reason=texts.text(one["code"], one["facts"]) if one["code"] else "",
    )


def alerting(connection: Connection) -> Sequence[Row[Any]]:
    """Plans of all tenants that raise alerts, with the results of their runs; see `repository.alerting`."""
    return repository.alerting(connection)


def _find(call: Call, run_id: str) -> Row[Any]:
    row = repository.find_run(call.connection, call.principal, run_id)
    if row is None:
        raise RecordNotFoundError(kind="task-run", id=run_id)
    return row


def _fields(row: Row[Any], texts: ReasonTexts) -> dict[str, Any]:
    end = row.ended_at
    duration = None if row.started_at is None or end is None else end - row.started_at
    return {
        **{name: getattr(row, name) for name in _SHOWN},
        "job": job_record(row),
        "reason": texts.record(row.reason),
        "duration_ms": None if duration is None else round(duration.total_seconds() * 1000),
    }
