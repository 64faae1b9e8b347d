"""Requests and answers about the history of full loads."""

from datetime import datetime
from enum import StrEnum

from pydantic import AwareDatetime, Field

from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.model.reduction.loads import LoadState


class LoadCheck(StrEnum):
    """What verification says of the rows that a load wrote, as long as no newer load replaces them."""

    CHECKING = "checking"
    """It compares the table with its source, and has not come to the end since the load finished."""
    COMPLETE = "complete"
    """All rows were found as they are in the source."""
    DIFFERENCES = "differences"
    """Rows differ."""


class LoadFilter(Schema):
    """`search`: a part of the link's, the channel's or a table's name; several table names separated by commas.
    `check`: only finished loads that verification says this of. `since`, `until`: when the load was ordered."""

    search: str = Field("", max_length=500)
    state: LoadState | None = None
    check: LoadCheck | None = None
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None


class LoadPageRequest(PageRequest, LoadFilter):
    """Loads by page, the newest first."""


class LoadRecord(Schema):
    """A full load of a table. `linkName`: the subscriber's name where there is no link. `source` and `target`: schema
    and table. `stateSince`: since when it is in its state. `check`: null where its rows are not verified. `waitingMs`,
    `loadingMs`, `catchUpMs`: from the order to the first row, from there to the last row, and from there until no
    change waited; null while that is not over.
    `pausedMs`: the part of the loading time in which it did not run. `rowsPerSecond`: of the time in which it ran;
    while it runs, of the last seconds. `failures`: attempts that ended in an error."""

    id: str
    table_id: str
    link_id: str | None
    task_id: str | None
    link_name: str
    client_type: str
    customer_id: str
    channel_name: str
    source_kind: str
    source: str
    target_kind: str
    target: str
    state: LoadState
    state_since: datetime
    check: LoadCheck | None
    reason: ReasonRecord | None
    queued_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    rows_total: int | None
    rows_loaded: int
    bytes_loaded: int
    rows_per_second: float | None
    waiting_ms: int | None
    loading_ms: int | None
    paused_ms: int
    catch_up_ms: int | None
    failures: int
    interruptions: int


class LoadSummary(Schema):
    """Of all loads that a filter leaves: their number by state, what they loaded, and the mean rate of the finished
    ones, rows per second of running; null where none has finished."""

    loads: int
    waiting: int
    running: int
    interrupted: int
    failed: int
    finished: int
    superseded: int
    cancelled: int
    rows_loaded: int
    bytes_loaded: int
    rows_per_second: float | None


LOADS = ListDefinition[LoadRecord](
    LoadRecord,
    {
        "linkName": "link_name",
        "channelName": "channel_name",
        "source": "source_table",
        "target": "target_table",
        "state": "state",
        "stateSince": "state_since",
        "check": "shown_check",
        "queuedAt": "queued_at",
        "startedAt": "started_at",
        "finishedAt": "finished_at",
        "rowsLoaded": "shown_rows",
        "bytesLoaded": "shown_bytes",
        "rowsPerSecond": "shown_rate",
        "waitingMs": "waiting_ms",
        "loadingMs": "loading_ms",
        "pausedMs": "paused_ms",
        "catchUpMs": "catch_up_ms",
        "failures": "failures",
        "interruptions": "interruptions",
    },
)
