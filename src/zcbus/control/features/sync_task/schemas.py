"""Sync tasks on the wire."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from zcbus.control.features.container.schemas import ReasonRecord
from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.features.sync_link.schemas import LinkAction, TableCounts
from zcbus.control.platform.paging import PageRequest
from zcbus.control.platform.schema import Schema
from zcbus.model.states import DesiredState, LinkState, SyncState
from zcbus.model.table_states import TableAction


class TaskChoice(Schema):
    id: str = Field(max_length=32)


class TaskPageRequest(PageRequest):
    """`search`: part of the link's name, a host or a database."""

    search: str | None = Field(None, max_length=255)
    state: list[LinkState] | None = None


class TaskRecord(Schema):
    """A sync task; fields as in LinkRecord. `rowsTotal`: estimates where a full load still runs."""

    id: str
    link_id: str
    name: str
    tenant_id: str
    source: ConnectionRecord
    target: ConnectionRecord
    container_name: str
    desired: DesiredState
    state: LinkState
    stale: bool
    as_of: datetime | None
    reason: ReasonRecord | None
    tables: TableCounts
    rows_loaded: int
    rows_total: int
    rows_per_second: float
    lag_ms: int | None
    actions: list[LinkAction]
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


class TaskDetail(TaskRecord):
    """A sync task with its milestones and sums over its tables."""

    milestones: list[Milestone]
    inserts: int
    updates: int
    deletes: int
    time_left_ms: int | None


class TaskTablePageRequest(PageRequest):
    """`id`: the task. `search`: part of a source's or target's schema or table name."""

    id: str = Field(max_length=32)
    search: str | None = Field(None, max_length=255)
    state: list[SyncState] | None = None


class TaskTableRecord(Schema):
    """A table of a task. `percent`: of the full load; None: not known. `since`: when the state began. `rowErrors`:
    changes that the target refused and that are open; the limits are those of the call `sync/link/error/limit`.
    `expiresAt`: from then on retention takes changes that still wait for the table; `fullExpiresAt`: from then on it
    takes the published full data, and new full loads need it published again. None: no such time is near or known."""

    id: str
    source: str
    target: str
    state: SyncState
    since: datetime | None
    percent: float | None
    rows_total: int | None
    rows_loaded: int
    rows_per_second: float
    time_left_ms: int | None
    inserts: int
    updates: int
    deletes: int
    lag_ms: int | None
    expires_at: datetime | None
    full_expires_at: datetime | None
    errors: int
    row_errors: int
    error_limit: int
    dml_skip: int
    ddl_skip: int
    reason: ReasonRecord | None
    actions: list[TableAction]
