"""Comparison of a link's tables with their source, and repair of the differences."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.contrast.schemas import ComparisonWay
from zcbus.control.features.subscribe import comparison_state
from zcbus.control.features.subscribe.endpoints import OPERATE
from zcbus.control.features.table_command.command import Chosen, order
from zcbus.control.features.table_command.parameters import Comparison
from zcbus.control.features.task_plan.job_input import JobInput
from zcbus.control.features.task_plan.jobs.base import (
    DONE,
    OPERATE_LINKS,
    WAITING,
    JobCall,
    LinkJob,
    RunProgress,
    TableProgress,
    Verdict,
    chosen,
    give_order,
    judged,
    pending_rows,
    progress_of,
)
from zcbus.control.platform.authorisation import Access
from zcbus.model.comparison import RUNNING, ComparisonState, RepairState
from zcbus.model.table_verbs import TableVerb

_ROUNDS = 3
"""Default number of rechecks of rows that differ."""


class _Comparison(LinkJob):
    """Done when each table was proved equal, or was repaired."""

    def checks(self, given: JobInput) -> Sequence[Access]:
        return (OPERATE_LINKS, OPERATE)

    def begin(self, job: JobCall, undone: Sequence[TableProgress]) -> RunProgress:
        _forget_findings(job, undone)
        asked = ComparisonWay(method=job.job.method, rounds=_ROUNDS)
        tables = give_order(job, undone, TableVerb.COMPARE, Comparison(asked))
        rows = pending_rows(job, tables)
        return progress_of(
            [{**one, "mark": rows[one["id"]].comparison_number if one["id"] in rows else 0} for one in tables]
        )

    def check(self, job: JobCall, tables: Sequence[TableProgress]) -> RunProgress:
        rows = pending_rows(job, tables)
        if job.job.repair:
            _repair(job, [row for row in rows.values() if _is_to_repair(row)])
            rows = pending_rows(job, tables)
        return progress_of(
            [one if one["done"] is not None else judged(one, _verdict(job, one, rows.get(one["id"]))) for one in tables]
        )

    def give_up(self, job: JobCall, tables: Sequence[TableProgress]) -> None:
        rows = list(pending_rows(job, tables).values())
        under_way = [row for row in rows if comparison_state.state_of(row) in RUNNING]
        if under_way:
            order(job.call, job.store, TableVerb.STOP_COMPARING, Chosen(under_way), subject=job.link.name)


def _forget_findings(job: JobCall, undone: Sequence[TableProgress]) -> None:
    """Results of an earlier comparison would block a new one; the new one finds what still differs."""
    found = [row for row in chosen(job, undone).rows if comparison_state.repair_state_of(row) is RepairState.ALLOWED]
    if found:
        order(job.call, job.store, TableVerb.DISCARD, Chosen(found), subject=job.link.name)


def _repair(job: JobCall, rows: Sequence[Row[Any]]) -> None:
    if rows:
        order(job.call, job.store, TableVerb.REPAIR, Chosen(rows), subject=job.link.name)


def _is_to_repair(row: Row[Any]) -> bool:
    is_found = comparison_state.state_of(row) is ComparisonState.DONE
    return is_found and comparison_state.repair_state_of(row) is RepairState.ALLOWED and not row.comparison_repair


def _verdict(job: JobCall, table: TableProgress, row: Row[Any] | None) -> Verdict:
    if row is None:
        return Verdict(False, "sheet-unknown", again=False)
    if row.comparison_number != table["mark"]:
        return Verdict(False, "plan-comparison-replaced", again=False)
    state = comparison_state.state_of(row)
    if state in RUNNING:
        return WAITING
    if state is ComparisonState.NOT_NEEDED:
        return DONE
    if state is ComparisonState.DONE:
        return _of_findings(job, row)
    if state is ComparisonState.STOPPED:
        return Verdict(False, "plan-comparison-stopped", again=False)
    return _of_reason(row.comparison_reason, "plan-comparison-failed")


def _of_findings(job: JobCall, row: Row[Any]) -> Verdict:
    rows = str(comparison_state.differences(row))
    repair = comparison_state.repair_state_of(row)
    if comparison_state.differs(row):
        if not job.job.repair or row.comparison_method == "count":
            return Verdict(False, "plan-differences", {"rows": rows}, again=False)
        if repair is RepairState.REPAIRING or repair is RepairState.ALLOWED:
            return WAITING
        if repair is not RepairState.DONE:
            return _of_reason(row.comparison_repair_reason, "plan-repair-failed", rows=rows)
    # Rows that changed at each check, and those beyond the limit, are unproved.
    unproved = row.comparison_unsettled + row.comparison_not_checked
    return Verdict(False, "plan-rows-unproved", {"rows": str(unproved)}) if unproved else DONE


def _of_reason(reason: Mapping[str, Any] | None, otherwise: str, **facts: str) -> Verdict:
    return Verdict(False, otherwise, facts) if reason is None else Verdict(False, reason["code"], reason["facts"])


COMPARISON = _Comparison()
