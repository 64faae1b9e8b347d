"""Row errors: rejected changes, stored until a decision or until a newer change supersedes them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class RowErrorStatus(StrEnum):
    """Status. By users: not processed → processing → processed; by the engine: auto recovery → success."""

    NOT_PROCESSED = "not-processed"
    PROCESSING = "processing"
    """A decision was made; the worker has not executed it yet."""
    PROCESSED = "processed"
    AUTO_RECOVERY = "auto-recovery"
    """The engine retries it by itself."""
    SUCCESS = "success"
    """Resolved by a retry, a later change of the same row or a new load."""


OPEN = (RowErrorStatus.NOT_PROCESSED, RowErrorStatus.PROCESSING, RowErrorStatus.AUTO_RECOVERY)
"""Statuses in which the target differs from the source."""


NOT_APPENDED = "the table is published append-only: updates and deletes are not applied"
"""`detail` of a change whose row only a key would identify."""


class RowOperation(StrEnum):
    """Operations of failed changes."""

    INSERT = "insert"
    UPDATE = "update"
    DELETE = "delete"
    LOAD = "load"
    """A row of the full load."""
    DDL = "ddl"
    """A schema change."""


class Decision(StrEnum):
    """A user's decision about a row error."""

    RETRY = "retry"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class RowError:
    """A change that the target rejected, or for which an expression has no value.

    Values of rows are canonical text by column name, binary ones in hexadecimal behind `\\x`. A column that is
    missing in `after` was not sent by the source, or has no value under its expression.
    """

    id: str
    """Identifies the change: equal at every attempt."""
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
    """Message of the target, or of the expression's evaluation."""
    statement: str
    """The statement, for display; long values are cut."""
    position: str
    """Position of the transaction in the source's log."""
    commit_ms: int | None
    found_ms: int
    changed_ms: int
    """Time of the last change of status."""
    attempts: int = 1
    blocking: bool = False
    """Whether the table is stopped at this change; otherwise it continued without it."""
    wanted: Decision | None = None
    edited: bool = False
    """Whether a user edited `after`."""
    lacks: tuple[str, ...] = ()
    """Columns whose expression failed; a user may set their values in `after`."""
    note: str = ""
    """Resolution: retried, skipped, skip-count, overtaken, reloaded, dropped-column."""

    @property
    def is_open(self) -> bool:
        return self.status in OPEN


ANYTHING = "…"
"""Placeholder in a cause for parts that differ from row to row."""

_EXPRESSION_VALUES = (
    re.compile(r"\bstring ('(?:[^']|'')*')"),
    re.compile(r"\b(?:value|decimal) (-?\d[\d.]*)"),
    re.compile(r"\((-?\d[\d.]* [-+*/] -?\d[\d.]*)\)"),
)
"""Values in messages of the library that evaluates expressions."""


def cause_of(detail: str, values: Sequence[re.Pattern[str]] = ()) -> str:
    """The common part of messages about several rows. `values`: patterns of the target's kind; what the group of one
    finds is of a single row, and replaced by ANYTHING."""
    for pattern in (*values, *_EXPRESSION_VALUES):
        detail = pattern.sub(_without_value, detail)
    return detail


def _without_value(found: re.Match[str]) -> str:
    begin, end = (place - found.start() for place in found.span(1))
    return found[0][:begin] + ANYTHING + found[0][end:]
