"""Requests and answers of the search in logs."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.period import RecentPeriod
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.control.store.tables.container import AGENT_ID_LENGTH
from zcbus.model.services import LogLevel

_Id = Annotated[str, StringConstraints(min_length=1, max_length=AGENT_ID_LENGTH)]


class LogKind(StrEnum):
    """Whose log."""

    SERVICE = "service"
    AGENT = "agent"


class LogScope(Schema):
    """Logs of services and agents that the caller may see: of a link, of a container, of one service or agent; all
    where nothing is given. A link has no agents. Agents' logs are for callers who may operate hosts."""

    link_id: str = Field("", max_length=ID_LENGTH)
    container_id: str = Field("", max_length=ID_LENGTH)
    source: str = Field("", max_length=AGENT_ID_LENGTH)


class LogFind(LogScope, RecentPeriod):
    """`last`: the seconds up to now; else `from` (inclusive) and `to` (exclusive). `level`: the least; entries without
    one always match. `text`: a part of the entry, whatever its case. `table`: a table's name, with its schema or
    without. `code`: of an error."""

    last: int | None = Field(default=None, ge=1, le=int(RecentPeriod.longest.total_seconds()))
    level: LogLevel = "debug"
    text: str = Field("", max_length=200)
    table: str = Field("", max_length=300)
    code: str = Field("", max_length=100)
    limit: int = Field(200, ge=1, le=5000)

    def moments(self, now: datetime) -> tuple[datetime, datetime]:
        """The range; one that follows the clock includes what hosts whose clock is ahead wrote by a minute."""
        start, end = super().moments(now)
        return start, end if self.until() is None else end + timedelta(minutes=1)


class LogAround(Schema):
    """The entries of one log, whatever they say, around a moment: `atUs` as in the entry, in microseconds since 1970
    UTC; `hostId`: the agent that has it."""

    kind: LogKind
    source: _Id
    host_id: _Id
    at_us: int = Field(ge=0, le=1 << 52)
    before: int = Field(50, ge=1, le=500)
    after: int = Field(50, ge=1, le=500)


class LogEntryRecord(Schema):
    """An entry of a log: a line, with the lines without a time behind it. `source`: the service or the agent, `hostId`
    the agent that has it. `atUs`: microseconds since 1970 UTC. `level`: null where the line has none."""

    kind: LogKind
    source: str
    source_name: str
    host_id: str
    host: str
    container_name: str
    at_us: int
    level: LogLevel | None
    text: str


class LogCounts(Schema):
    """How many entries match from `at` (milliseconds since 1970) on until the next; `unknown`: without a level."""

    at: int
    error: int = 0
    warning: int = 0
    info: int = 0
    debug: int = 0
    unknown: int = 0


class SilentHost(Schema):
    """A host whose logs are missing, and why."""

    host: str
    container_name: str
    reason: str


class LogFound(Schema):
    """The newest entries that match, the oldest first. `more`: older ones match as well. `start`, `end`: the range that
    was searched, and `step` the width of a count, in milliseconds. `unreadUntil`: the search reached its limits, and
    what was written before then was not all read. `silent`: hosts that did not answer."""

    entries: list[LogEntryRecord]
    more: bool
    start: int
    end: int
    step: int
    counts: list[LogCounts]
    unread_until: datetime | None
    silent: list[SilentHost]


class LogContext(Schema):
    """Entries around a moment, the oldest first. `older`, `newer`: there are further ones."""

    entries: list[LogEntryRecord]
    older: bool
    newer: bool


class LogSourcePageRequest(PageRequest, LogScope):
    """`search`: a part of the service's or the host's name."""

    search: str = Field("", max_length=200)


class LogSourceRecord(Schema):
    """A service or an agent whose log may be searched."""

    id: str
    kind: LogKind
    name: str
    container_id: str
    container_name: str


LOG_SOURCES = ListDefinition[LogSourceRecord](
    LogSourceRecord,
    sort_keys={
        "name": lambda record: record.name.casefold(),
        "kind": lambda record: record.kind,
        "containerName": lambda record: record.container_name.casefold(),
    },
)
