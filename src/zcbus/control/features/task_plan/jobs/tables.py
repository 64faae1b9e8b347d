"""Loading tables of a link again, suspending and resuming them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.subscribe.tables import is_reloading, stored_reason
from zcbus.control.features.table_command.order import PLAIN
from zcbus.control.features.table_command.parameters import Load
from zcbus.control.features.task_plan.job_input import JobType
from zcbus.control.features.task_plan.jobs.base import (
    DONE,
    SETTLING,
    WAITING,
    JobCall,
    LinkJob,
    RunProgress,
    TableProgress,
    Verdict,
    give_order,
    judged,
    pending_rows,
    progress_of,
)
from zcbus.model.states import SyncState
from zcbus.model.table_states import FAILED
from zcbus.model.table_verbs import TableVerb

_AT_WORK = frozenset({SyncState.INCREMENTAL_RUNNING, SyncState.FULL_FINISHED})


class _Tables(LinkJob):
    """Done when their agent reports each table in the ordered state."""

    def begin(self, job: JobCall, undone: Sequence[TableProgress]) -> RunProgress:
        parameters = Load(job.job.beside) if job.job.type is JobType.RELOAD else PLAIN
        tables = give_order(job, undone, TableVerb(job.job.type), parameters)
        rows = pending_rows(job, tables)
        return progress_of([{**one, "mark": rows[one["id"]].generation if one["id"] in rows else 0} for one in tables])

    def check(self, job: JobCall, tables: Sequence[TableProgress]) -> RunProgress:
        rows = pending_rows(job, tables)
        return progress_of(
            [one if one["done"] is not None else judged(one, _verdict(job, one, rows.get(one["id"]))) for one in tables]
        )

    def give_up(self, job: JobCall, tables: Sequence[TableProgress]) -> None:
        """Orders to the tables stay in effect."""


def _verdict(job: JobCall, table: TableProgress, row: Row[Any] | None) -> Verdict:
    if row is None:
        return Verdict(False, "sheet-unknown", again=False)
    if row.generation != table["mark"]:
        return Verdict(False, "plan-table-steered", again=False)
    return _VERDICTS[job.job.type](job, row)


def _of_reload(job: JobCall, row: Row[Any]) -> Verdict:
    if is_reloading(row) and row.current_state not in FAILED:
        return WAITING
    if row.current_state in FAILED:
        return _failed(row)
    if row.current_state == SyncState.SUSPENDED:
        return Verdict(False, "plan-table-suspended", again=False)
    loaded = row.load_finished_at is not None and row.reported_generation >= row.generation
    return DONE if loaded and row.current_state in _AT_WORK else WAITING


def _of_suspension(job: JobCall, row: Row[Any]) -> Verdict:
    if not row.suspended:
        return Verdict(False, "plan-table-steered", again=False)
    return DONE if row.current_state == SyncState.SUSPENDED else WAITING


def _of_resumption(job: JobCall, row: Row[Any]) -> Verdict:
    if row.suspended:
        return Verdict(False, "plan-table-steered", again=False)
    if row.current_state in FAILED and job.now - job.begun_at > SETTLING:
        return _failed(row)
    return DONE if row.current_state in _AT_WORK else WAITING


def _failed(row: Row[Any]) -> Verdict:
    reason = stored_reason(row)
    if reason is None:
        return Verdict(False, "plan-table-error", {"state": row.current_state})
    return Verdict(False, reason["code"], reason["facts"])


_VERDICTS: Mapping[JobType, Callable[[JobCall, Row[Any]], Verdict]] = {
    JobType.RELOAD: _of_reload,
    JobType.SUSPEND: _of_suspension,
    JobType.RESUME: _of_resumption,
}

TABLES = _Tables()
