"""Answers to the questions of `zcbus.protocol.requests`."""

from typing import Any, Literal

from zcbus.model.row_errors import RowError
from zcbus.protocol.base import Message, Reason, TableRef


class LogLines(Message):
    """The oldest first. `more`: older lines match as well."""

    lines: tuple[str, ...]
    more: bool


class HeldLog(Message):
    """None: the source keeps none for us, or does not tell. `let_go`: why it keeps none any more."""

    size_bytes: int | None
    let_go: Reason | None = None


class Check(Message):
    """See zcbus.connectors.roles.CheckResult."""

    item: str
    statement: str
    ok: bool
    blocking: bool
    detail: str
    remedy: str = ""
    advice: str = ""


class ConnectionTest(Message):
    """`ok`: no blocking check failed."""

    ok: bool
    checks: tuple[Check, ...]


class Schemas(Message):
    schemas: tuple[str, ...]


class TableLine(Message):
    """See zcbus.model.schema.TableSummary."""

    schema_name: str
    table: str
    estimated_rows: int | None
    size_bytes: int | None
    has_primary_key: bool
    has_unique_key: bool
    comment: str = ""
    refused: str = ""


class Tables(Message):
    tables: tuple[TableLine, ...]


class ColumnLine(Message):
    """A column and what it becomes."""

    name: str
    native_type: str
    nullable: bool
    key: bool
    comment: str = ""
    target_type: str = ""
    note: Reason | None = None
    blocking: bool = False


class Description(Message):
    schema_name: str
    table: str
    columns: tuple[ColumnLine, ...]
    primary_key: tuple[str, ...]
    unique_keys: tuple[tuple[str, ...], ...]


class Descriptions(Message):
    tables: tuple[Description, ...]


class ResolvedTable(Message):
    source: TableRef
    target: TableRef


class Resolved(Message):
    tables: tuple[ResolvedTable, ...]


class Finding(Message):
    """`error` blocks the start, `warning` does not."""

    level: Literal["error", "warning", "info"]
    table: str = ""
    column: str = ""
    reason: Reason
    remedy: str = ""
    advice: str = ""


class Findings(Message):
    findings: tuple[Finding, ...]


class TableStart(Message):
    """What waits for one table behind a place. Counted as far as `StartPlace.counted_to`."""

    table: TableRef
    changes: int
    first_change_ms: int | None
    """Commit time of the first change; None: there is none."""


class StartPlace(Message):
    """A record to begin with. Numbers are those of the node's real topic."""

    offset: int
    record_time: int | None
    """Append time of the record before it."""
    first_offset: int
    next_offset: int
    counted_to: int
    """Changes were counted in the records before this one; less than `next_offset` where there are very many."""
    tables: tuple[TableStart, ...]


class Done(Message):
    pass


class RowErrorLines(Message):
    """`total`: over all parts."""

    lines: tuple[RowError, ...]
    total: int


class RowErrorCause(Message):
    """See zcbus.model.row_errors.cause_of."""

    cause: str
    count: int


class RowErrorCauses(Message):
    causes: tuple[RowErrorCause, ...]


class Decided(Message):
    """How many row errors were open and are now worked on."""

    count: int


class LogPart(Message):
    """A part of a log as text; bytes that are no UTF-8 are replaced. A log that became shorter than where the reading
    stood was begun anew, and so is the reading."""

    text: str
    next: int
    """The byte behind it."""
    more: bool
    """Whether there is more to read at once."""


class Answer(Message):
    """How a request ended: `result` holds the answer's JSON object, or `error` says why there is none."""

    request: str
    result: dict[str, Any] | None = None
    error: Reason | None = None
