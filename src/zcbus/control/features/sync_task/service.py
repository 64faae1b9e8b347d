"""Sync tasks as they are shown. A task's link is found by the link's rules, so a tenant sees only its own."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.sync_link import listing as links
from zcbus.control.features.sync_link.schemas import LinkPageRequest, LinkRecord
from zcbus.control.features.sync_link.states import table_counts
from zcbus.control.features.sync_task import repository
from zcbus.control.features.sync_task.errors import TaskUnknownError
from zcbus.control.features.sync_task.milestones import milestones
from zcbus.control.features.sync_task.schemas import (
    TaskDetail,
    TaskPageRequest,
    TaskProgress,
    TaskRecord,
    TaskTablePageRequest,
    TaskTotals,
)
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page
from zcbus.control.platform.reasons import ReasonTexts
from zcbus.model.states import SyncState


def page_tasks(call: Call, request: TaskPageRequest) -> Page[TaskRecord]:
    """A part of the caller's tasks: one a link, found, filtered and ordered as links are."""
    as_links = LinkPageRequest.model_validate(request.model_dump())
    page = links.page_links(call.connection, call.principal, as_links, ReasonTexts.of(call), call.services.clock.now())
    figures = links.figures_of(call.connection, [link.id for link in page.records])
    records = [_record(link, figures.get(link.id, links.Figures())) for link in page.records]
    return Page(records=records, total=page.total)


def find_task(call: Call, task_id: str) -> Row[Any]:
    """The row of the task's link, as `sync_link.views.links` has it. Raises TaskUnknownError."""
    row = repository.find_link_of_task(call.connection, call.principal, task_id)
    if row is None:
        raise TaskUnknownError(id=task_id)
    return row


def task_detail(call: Call, link: Row[Any]) -> TaskDetail:
    """A task with its milestones and sums."""
    progress = task_progress(repository.select_progress(call.connection, link.task_id))
    return TaskDetail(**dict(_task_record(call, link)) | dict(progress))


def task_totals(call: Call, link: Row[Any], groups: Sequence[Row[Any]]) -> TaskTotals:
    """What the head of a task's page shows of this moment; `groups`: of `repository.select_progress`."""
    return TaskTotals(**dict(_task_record(call, link)) | dict(task_progress(groups)))


def task_progress(groups: Sequence[Row[Any]]) -> TaskProgress:
    """All tables of a task, from the groups of `repository.select_progress`."""
    times = [group.time_left_ms for group in groups if group.time_left_ms is not None]
    return TaskProgress(
        tables=table_counts(tables_by_state(groups), _sum(groups, "row_errors"), _sum(groups, "differing")),
        milestones=milestones(groups),
        inserts=_sum(groups, "inserts"),
        updates=_sum(groups, "updates"),
        deletes=_sum(groups, "deletes"),
        time_left_ms=max(0, int(max(times))) if times else None,
    )


def listed_total(groups: Sequence[Row[Any]], request: TaskTablePageRequest) -> int | None:
    """How many tables a list has by the same groups; None: they do not show it."""
    if request.search:
        return None
    counts = tables_by_state(groups)
    return sum(counts[state] for state in set(request.state or counts))


def tables_by_state(groups: Sequence[Row[Any]]) -> Counter[SyncState]:
    """Number of tables in each state."""
    counts = Counter[SyncState]()
    for group in groups:
        counts[SyncState(group.state)] += int(group.tables)
    return counts


def _sum(groups: Sequence[Row[Any]], figure: str) -> int:
    return sum(int(getattr(group, figure)) for group in groups)


def _task_record(call: Call, link: Row[Any]) -> TaskRecord:
    record = links.link_records(call.connection, [link], ReasonTexts.of(call), call.services.clock.now())[0]
    return _record(record, links.figures_of(call.connection, [link.id]).get(link.id, links.Figures()))


def _record(link: LinkRecord, figures: links.Figures) -> TaskRecord:
    fields = {name: value for name, value in dict(link).items() if name not in ("id", "task_id")}
    return TaskRecord(
        id=link.task_id,
        link_id=link.id,
        rows_loaded=figures.rows_loaded,
        rows_total=figures.rows_total,
        **fields,
    )
