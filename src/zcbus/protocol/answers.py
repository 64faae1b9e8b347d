"""Answers to the requests in `zcbus.protocol.requests`."""

from typing import Any, Literal

from zcbus.model.row_errors import RowError
from zcbus.protocol.base import Message, Reason, TableRef


class LogLines(Message):
    """Log lines, the oldest first. `more`: older lines match as well."""

    lines: tuple[str, ...]
    more: bool


class RetainedLog(Message):
    """Size of the log that a source retains; None: none, or unknown. `let_go`: why it was released."""

    size_bytes: int | None
    let_go: Reason | None = None


class Check(Message):
    """A check of a connection test; see zcbus.connectors.roles.CheckResult."""

    item: str
    statement: str
    ok: bool
    blocking: bool
    detail: str
    remedy: str = ""
    advice: str = ""


class ConnectionTest(Message):
    """Result of a connection test. `ok`: no blocking check failed."""

    ok: bool
    checks: tuple[Check, ...]


class RouteTest(Message):
    """Result of trying a route: its steps up to the first that failed."""

    ok: bool
    checks: tuple[Check, ...]
    shown_key: str = ""
    """Fingerprint that a bastion showed; empty: it was not reached, or the route has none."""


class Schemas(Message):
    schemas: tuple[str, ...]


class TableLine(Message):
    """A line of a table list; see zcbus.model.schema.TableSummary."""

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
    """A column and its type in the target."""

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


class Finding(Message):
    """A finding of the pre-check. `error` blocks the start, `warning` does not."""

    level: Literal["error", "warning", "info"]
    table: str = ""
    column: str = ""
    reason: Reason
    remedy: str = ""
    advice: str = ""


class Resolved(Message):
    tables: tuple[ResolvedTable, ...]
    left_out: tuple[Finding, ...] = ()
    """About tables that a pattern with wildcards matches and that cannot be replicated."""


class Findings(Message):
    findings: tuple[Finding, ...]


class TableStart(Message):
    """Changes of one table after a position, counted up to `StartPosition.counted_to`."""

    table: TableRef
    changes: int
    first_change_ms: int | None
    """Commit time of the first change; None: no changes."""


class StartPosition(Message):
    """The first record for a start. Offsets are those of the node's real topic."""

    offset: int
    record_time: int | None
    """Append time of the previous record."""
    first_offset: int
    next_offset: int
    counted_to: int
    """End of the count (exclusive); less than `next_offset` if there are very many records."""
    tables: tuple[TableStart, ...]


class Done(Message):
    pass


class RowErrorLines(Message):
    """One page; `total`: over all pages."""

    lines: tuple[RowError, ...]
    total: int


class RowErrorCause(Message):
    """A cause of row errors; see zcbus.model.row_errors.cause_of."""

    cause: str
    count: int


class RowErrorCauses(Message):
    causes: tuple[RowErrorCause, ...]


class Decided(Message):
    """Number of open row errors that are now in progress."""

    count: int


class LogPart(Message):
    """A part of a log as text; bytes that are not UTF-8 are replaced.

    If the log is shorter than the requested offset, it was rotated, and the part starts at its beginning.
    """

    text: str
    next: int
    """Offset of the next byte."""
    more: bool
    """Whether more can be read at once."""


class Answer(Message):
    """Result of a request: `result` holds the answer's JSON object, or `error` the reason."""

    request: str
    result: dict[str, Any] | None = None
    error: Reason | None = None
