"""The search in logs of a host, and what it finds."""

from typing import Literal

from pydantic import Field

from zcbus.model.services import LogLevel
from zcbus.protocol.base import Message

MAX_LOGS = 2000


class FindLogLines(Message):
    """Find entries in logs of a host, and count them over time. Answer: FoundLogLines.

    An entry is a line with the lines without a time behind it, such as those of a crash. Times are microseconds since
    1970 UTC; `since_us` is inclusive, `until_us` exclusive.
    """

    type: Literal["find-log-lines"] = "find-log-lines"
    logs: tuple[str, ...] = Field(max_length=MAX_LOGS)
    """Ids of services, and AGENT_LOG. Those without a log on this host are left out."""
    since_us: int
    until_us: int
    text: str = ""
    """Substring of the entry, ignoring case."""
    level: LogLevel = "debug"
    """Minimum level; entries without one always match."""
    table: str = ""
    """Name of a table, with its schema or without; the entry has it as a whole word."""
    code: str = ""
    """Code of an error: the entry's `reason` or `code`."""
    limit: int = Field(default=200, ge=1, le=5000)
    is_oldest_first: bool = False
    """Which end of the range is answered if more entries match than `limit`."""
    bucket_us: int = Field(default=0, ge=0)
    """Width of the counts' buckets; 0: no counts; `more` may then say so of older entries that do not match."""


class LogEntry(Message):
    """An entry of a log; `log`: whose. `text` is as it was written, cut after 16,000 characters."""

    log: str
    at_us: int
    level: LogLevel | None
    text: str


class LogCount(Message):
    """Number of matching entries from `at_us` on, until the next bucket."""

    at_us: int
    level: LogLevel | None
    count: int


class FoundLogLines(Message):
    """Entries, the oldest first. `more`: others match as well."""

    entries: tuple[LogEntry, ...]
    more: bool
    counts: tuple[LogCount, ...] = ()
    unread_until_us: int | None = None
    """The search reached its limits: entries before this time were not all read. None: all were."""
