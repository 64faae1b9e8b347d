"""Requests and answers of a timeline."""

from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import AwareDatetime, Field

from zcbus.control.features.metric.schemas import MetricSubject
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.control.store.tables.container import AGENT_ID_LENGTH


class EntryKind(StrEnum):
    """Kinds of entries."""

    ACT = "act"
    """A user's act, from the operation log."""
    ALERT = "alert"
    RECOVERY = "recovery"
    """An alert's condition is over."""
    PROCESS = "process"
    """A service's process started or ended."""
    LOAD = "load"
    SCHEMA = "schema"
    """A table's structure changed at the source."""
    PLAN = "plan"
    """A task plan ran on the link."""
    DEPLOYMENT = "deployment"
    """An agent of the container, or a control plane, started with another version."""


Look = Literal["good", "bad", "warning", "quiet"]


class TimelinePageRequest(PageRequest):
    """`kinds`: only entries of these kinds; []: of all. `search`: a part of what happened, of what it happened to, or
    of who did it. `since`, `until`: when it happened."""

    kind: MetricSubject
    id: str = Field(min_length=1, max_length=AGENT_ID_LENGTH)
    kinds: list[EntryKind] = Field(default_factory=list, max_length=len(EntryKind))
    search: str = Field("", max_length=100)
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None


class TimelineEntry(Schema):
    """`id`: of the record of the operation log, the alert, the load, the run or the process; an alert and its recovery
    have the same. `subject`: what it happened to. `who`: null where no user did it. `result`: as a code; `outcome`: as
    text, `look`: what it means. `reason`: why it failed, if that is known. `until`: when it ended, if it lasted.
    `place`: the id of what the entry leads to: the task plan, else null."""

    id: str
    at: datetime
    kind: EntryKind
    title: str
    subject: str
    who: str | None
    result: str
    outcome: str
    look: Look
    reason: ReasonRecord | None
    until: datetime | None
    place: str | None


ENTRIES = ListDefinition[TimelineEntry](TimelineEntry, {"at": "at"})
