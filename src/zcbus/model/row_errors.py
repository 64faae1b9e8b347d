"""Changes that a target did not take: kept until somebody decides, or until they are overtaken."""

import re
from dataclasses import dataclass
from enum import StrEnum


class RowErrorStatus(StrEnum):
    """The operator's way is not processed → processing → processed, the engine's auto recovery → success."""

    NOT_PROCESSED = "not-processed"
    PROCESSING = "processing"
    """Somebody asked for something; the worker has not done it yet."""
    PROCESSED = "processed"
    AUTO_RECOVERY = "auto-recovery"
    """The engine tries it again by itself."""
    SUCCESS = "success"
    """Done without anybody's help: tried again, or overtaken by a later change of the same row or a new load."""


OPEN = (RowErrorStatus.NOT_PROCESSED, RowErrorStatus.PROCESSING, RowErrorStatus.AUTO_RECOVERY)
"""The target differs from the source in these rows."""


NOT_APPENDED = "the table is published append-only: updates and deletes are not applied"
"""`detail` of a change that only a key would tell the row of."""


class RowOperation(StrEnum):
    """What was to be done."""

    INSERT = "insert"
    UPDATE = "update"
    DELETE = "delete"
    LOAD = "load"
    """A row of the full load."""
    DDL = "ddl"
    """A change of the table's structure."""


class Decision(StrEnum):
    """What somebody wants done with a row error."""

    RETRY = "retry"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class RowError:
    """One change that the target refused, or that an expression has no value for.

    Values of rows are canonical text by column name, binary ones in hexadecimal behind `\\x`; a column that is missing
    in `after` was not sent by the source, or has no value under its expression.
    """

    id: str
    """The same whenever the same change is met again."""
    table: str
    """Id of the subscribed table."""
    target: str
    """Name of the target table."""
    operation: RowOperation
    status: RowErrorStatus
    key: dict[str, str | None]
    before: dict[str, str | None]
    after: dict[str, str | None]
    code: str
    detail: str
    """The target's own words, or those of what evaluates expressions."""
    statement: str
    """What was to be run, for people; long values are cut."""
    position: str
    """Of the transaction in the source's log."""
    commit_ms: int | None
    found_ms: int
    changed_ms: int
    """When the status changed last."""
    attempts: int = 1
    blocking: bool = False
    """The table stands still in front of this change; otherwise it went on without it."""
    wanted: Decision | None = None
    edited: bool = False
    """`after` is what somebody made of it."""
    lacks: tuple[str, ...] = ()
    """Columns that an expression had no value for; somebody may give them one in `after`."""
    note: str = ""
    """Why it is over: retried, skipped, skip-count, overtaken, reloaded, dropped-column."""

    @property
    def is_open(self) -> bool:
        return self.status in OPEN


ANYTHING = "…"
"""Stands in a cause for what differs from row to row."""

_VALUES = (
    # The value in front of or behind the words that name the rule: MySQL quotes it singly, PostgreSQL doubly.
    (re.compile(r"(\bentry |\bvalue:? |\bstring |: )('(?:[^']|'')*'|\"[^\"]*\")"), r"\1" + ANYTHING),
    (re.compile(r"\brow \d+"), f"row {ANYTHING}"),
    # Numbers as the library that evaluates expressions tells them.
    (re.compile(r"(\bvalue |\bdecimal )-?\d[\d.]*"), r"\1" + ANYTHING),
    (re.compile(r"\(-?\d[\d.]* [-+*/] -?\d[\d.]*\)"), f"({ANYTHING})"),
    # PostgreSQL's second and third part speak of the row.
    (re.compile(r";.*", re.DOTALL), ANYTHING),
)


def cause_of(detail: str) -> str:
    """What the target's words of several rows have in common: values give way to ANYTHING."""
    for pattern, instead in _VALUES:
        detail = pattern.sub(instead, detail)
    return detail
