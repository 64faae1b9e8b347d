"""Sync tasks on the wire."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.features.subscribe.schemas import TableCounts, TableFigures
from zcbus.control.features.sync_link.schemas import LinkAction, LinkWarning
from zcbus.control.platform.paging import Page, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.model.reduction.pace import Pace
from zcbus.model.states import DesiredState, LinkState, SyncState


class TaskChoice(Schema):
    id: str = Field(max_length=32)


class TaskPageRequest(PageRequest):
    """`search`: part of the link's name, a host or a database."""

    search: str | None = Field(None, max_length=255)
    state: list[LinkState] | None = None


class TaskMoment(Schema):
    """What a task's link does now; fields as in LinkRecord. `rowsTotal`: estimates where a full load still runs."""

    desired: DesiredState
    state: LinkState
    stale: bool
    as_of: datetime | None
    reason: ReasonRecord | None
    held_up: bool
    rows_loaded: int
    rows_total: int
    rows_per_second: float
    lag_ms: int | None
    pace: Pace | None
    verified_until: datetime | None
    unverified: int
    warnings: list[LinkWarning]
    actions: list[LinkAction]


class TaskRecord(TaskMoment):
    """A sync task; fields as in LinkRecord."""

    id: str
    link_id: str
    name: str
    tenant_id: str
    source: ConnectionRecord
    target: ConnectionRecord
    container_name: str
    tables: TableCounts
    version: int
    created_at: datetime
    updated_at: datetime


class MilestoneKey(StrEnum):
    STRUCTURE = "structure"
    FULL = "full"
    INCREMENTAL = "incremental"


class MilestoneState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    ERROR = "error"


class Milestone(Schema):
    """A stage that every table passes: how many tables of `total` have."""

    key: MilestoneKey
    state: MilestoneState
    done: int
    total: int


class TaskProgress(Schema):
    """All tables of a task: numbers by state, milestones, sums. `timeLeftMs`: of the longest full load."""

    tables: TableCounts
    milestones: list[Milestone]
    inserts: int
    updates: int
    deletes: int
    time_left_ms: int | None


class TaskDetail(TaskRecord, TaskProgress):
    """A sync task with its milestones and sums over its tables."""


class TaskTotals(TaskMoment, TaskProgress):
    """What a task's link does, with sums over all its tables."""


class TaskTablePageRequest(PageRequest):
    """`id`: the task. `search`: part of a source's or target's schema or table name."""

    id: str = Field(max_length=32)
    search: str | None = Field(None, max_length=255)
    state: list[SyncState] | None = None


class TaskTableRecord(TableFigures):
    """A table of a task."""


class TaskTablePage(Page[TaskTableRecord]):
    """Tables of a task. `totals`: of its link and all its tables, from the same reading as the records, whatever is
    searched; null where all records are requested at once."""

    totals: TaskTotals | None = None
