"""Removal of old records of the platform's own store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, delete, exists, not_, select

from zcbus.control.features.recycle_bin.kinds import KINDS
from zcbus.control.features.task_plan.job_input import CleaningInput, HistoryKind, JobInput
from zcbus.control.features.task_plan.jobs.base import JobCall, RunProgress, TableProgress, progress_of, said
from zcbus.control.features.task_plan.repository import superseded
from zcbus.control.platform.authorisation import Access, authorise
from zcbus.control.platform.call import Call
from zcbus.control.platform.principal import Operation
from zcbus.control.store.tables.alert import alert
from zcbus.control.store.tables.data_service import api_log
from zcbus.control.store.tables.load import load_record
from zcbus.control.store.tables.notification import notice_alert, notice_delivery
from zcbus.control.store.tables.recycle_bin import recycled_object
from zcbus.control.store.tables.sql_management import sql_run
from zcbus.control.store.tables.task_plan import task_run

_AT_ONCE = 5_000
"""Records of a history removed in one step, whose transaction keeps other writers waiting."""


@dataclass(frozen=True, slots=True)
class History:
    """Records of a table with their tenant. `ended`: since when they are past; `also`: what else allows the removal.
    `access`: who may remove them."""

    table: Table
    ended: Column[Any]
    access: tuple[Access, ...]
    also: tuple[ColumnElement[bool], ...] = ()


def _delete(menu_key: str) -> Access:
    return authorise(menu_key, Operation.DELETE)


def _is_of_an_open_alert() -> ColumnElement[bool]:
    """Of notices: its end is still to be sent, to those who got the beginning."""
    is_open = alert.c.recovered_time.is_(None)
    named = select(notice_alert.c.alert_id).where(notice_alert.c.delivery_id == notice_delivery.c.id)
    return exists().where(alert.c.id == notice_delivery.c.alert_id, is_open) | exists().where(
        alert.c.id.in_(named.correlate(notice_delivery)), is_open
    )


_MESSAGES = "system/message-management"
HISTORIES: Mapping[HistoryKind, History] = {
    HistoryKind.RUNS: History(task_run, task_run.c.ended_at, (_delete("task"),), (superseded(),)),
    HistoryKind.LOADS: History(
        load_record, load_record.c.state_since, (_delete("sync-link"),), (not_(load_record.c.is_open),)
    ),
    HistoryKind.ALERTS: History(alert, alert.c.recovered_time, (_delete(_MESSAGES),)),
    HistoryKind.NOTICES: History(
        notice_delivery, notice_delivery.c.ended_at, (_delete(_MESSAGES),), (not_(_is_of_an_open_alert()),)
    ),
    HistoryKind.API_LOG: History(api_log, api_log.c.called_at, (_delete("data-service/api-group"),)),
    HistoryKind.SQL_RUNS: History(
        sql_run, sql_run.c.ran_at, (_delete("resource/sqlManagement"),), (sql_run.c.result != "running",)
    ),
    HistoryKind.RECYCLE_BIN: History(
        recycled_object,
        recycled_object.c.deleted_at,
        (_delete("resource/recycleBin"), *(kind.delete for kind in KINDS.values())),
    ),
}


class _Cleaning:
    """Done when nothing is left that is old enough. Each step removes some records and counts them, in one transaction:
    what is counted is removed, once."""

    def checks(self, given: JobInput) -> Sequence[Access]:
        return [access for kind in _asked(given).histories for access in HISTORIES[kind].access]

    def admit(self, call: Call, given: JobInput) -> None:
        """There is nothing that could be missing."""

    def begin(self, job: JobCall, undone: Sequence[TableProgress]) -> RunProgress:
        asked = _asked(job.job)
        job.call.audit.subject = ", ".join(asked.histories)
        job.call.audit.after = asked.model_dump(mode="json", by_alias=True)
        return _progress(
            [_unfinished(one, one["mark"]) for one in undone]
            or [_unfinished(_untouched(kind), 0) for kind in dict.fromkeys(asked.histories)]
        )

    def check(self, job: JobCall, tables: Sequence[TableProgress]) -> RunProgress:
        return _progress([one if one["done"] is not None else _cleaned(job, one) for one in tables])

    def give_up(self, job: JobCall, tables: Sequence[TableProgress]) -> None:
        """Nothing continues by itself."""


def _untouched(kind: HistoryKind) -> TableProgress:
    return TableProgress(id=kind, table=kind, done=None, code="", facts={}, mark=0, again=True)


def _asked(job: JobInput) -> CleaningInput:
    if job.clean is None:
        raise RuntimeError(f"a job of type {job.type} removes nothing")
    return job.clean


def _cleaned(job: JobCall, one: TableProgress) -> TableProgress:
    """A history after another step."""
    removed = _remove(job, HISTORIES[HistoryKind(one["id"])], _asked(job.job).older_than_days)
    total = one["mark"] + removed
    return _unfinished(one, total) if removed == _AT_ONCE else {**_unfinished(one, total), "done": True}


def _unfinished(one: TableProgress, removed: int) -> TableProgress:
    facts = {"removed": str(removed)}
    return {**one, "done": None, "code": "plan-removed", "facts": facts, "mark": removed}


def _remove(job: JobCall, history: History, days: int) -> int:
    table, limit = history.table, job.now - timedelta(days=days)
    old = (
        select(table.c.id)
        .where(history.ended < limit, job.call.principal.visible(table.c.tenant_id), *history.also)
        .limit(_AT_ONCE)
    )
    return job.store.execute(delete(table).where(table.c.id.in_(old))).rowcount


def _progress(tables: Sequence[TableProgress]) -> RunProgress:
    removed = sum(one["mark"] for one in tables)
    return replace(progress_of(tables), outcome=said("plan-removed-all", removed=str(removed)))


CLEANING = _Cleaning()
