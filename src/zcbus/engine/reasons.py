"""Reason codes of the engine, with the facts of their messages.

Reports also carry the codes of errors: zcbus.connectors.errors and zcbus.bus.contract
(`code` of each class; facts as their docstrings say).
"""

from zcbus.connectors.errors import RowRefused
from zcbus.kit.errors import TerminalError, ZcbusError
from zcbus.model import row_errors
from zcbus.protocol.base import Reason

TABLE_WITHOUT_KEY = "table-without-key"
"""The published table has neither primary key nor unique index over NOT NULL columns. Facts: table."""
SOURCE_TABLE_MISSING = "table-missing"
"""Code of TableMissing. Facts: table, side."""
FULL_TOPIC_EXPIRED = "full-topic-expired"
"""Snapshot records were removed by retention; new full loads need a new snapshot. Facts: table, generation."""
CAPTURE_INTERRUPTED = "capture-interrupted"
"""The table was left out of the capture for a while; changes are missing, it needs a new snapshot. Facts: table."""
PUBLICATION_STOPPED = "publication-stopped"
"""Publishing of the table was stopped: its later changes are not captured. Facts: table."""
FULL_LOAD_EXPIRED = "full-load-expired"
"""The bus no longer has the snapshot that the subscriber needs. Facts: table, generation."""
CHANGES_EXPIRED = "changes-expired"
"""Changes that were not applied yet were removed from the bus by retention. Facts: table, wanted, first."""
TOPIC_REPLACED = "topic-replaced"
"""The real topic was recreated: it is not the one of the stored offset. Facts: table, offset."""
SCHEMA_CHANGED = "schema-changed"
"""The source table's schema changed, and the table may not follow it.

Facts: table, added, removed, changed, before, after.
"""
SCHEMA_NOT_FOLLOWED = "schema-not-followed"
"""The source table's schema changed so that only a new load gives the same rows.

Facts: table, column, why (renamed-or-replaced, type-changed, values-rewritten, values-unknown, chosen-column-dropped,
renamed-in-transaction), before, after.
"""
KEY_CHANGED = "key-changed"
"""The columns that identify a row changed. Facts: table, before, after."""
COLUMN_NOT_IN_TARGET = "column-not-in-target"
"""The target table lacks columns and may not be altered. Facts: table, columns."""
KEY_NOT_MAPPED = "key-not-mapped"
"""A key column is not mapped. Facts: table, columns."""
SNAPSHOT_NOT_CONVERGENT = "snapshot-not-convergent"
"""A row moved across the resume point of an interrupted snapshot, without its large values. Facts: table."""
EXPRESSION_INVALID = "expression-invalid"
"""A condition or expression cannot be used on this table.

Facts: table, column (or `where`, `targetWhere`), expression, detail (what and where, in English).
"""
EXPRESSION_FAILED = "expression-failed"
"""Code of ExpressionFailed, and of an expression that fails for every row. Facts: table, detail."""
MASK_NOT_POSSIBLE = "mask-not-possible"
"""Only texts can be masked in part. Facts: table, column, method, type."""
TRANSFORM_CHANGES_KEY = "transform-changes-key"
"""An expression or mask would make different keys equal. Facts: table, column."""
VALUES_NOT_SENT = "values-not-sent"
"""An update left large values out of the source's log that a condition or expression needs. Facts: table, columns."""
ROW_ERRORS_OVER_LIMIT = "row-errors-over-limit"
"""The target refused a change, and the limit of skipped changes is reached: the table stops before it.

Facts: table, limit, key, detail.
"""
START_TOO_EARLY = "start-too-early"
"""The bus no longer has the requested position. Facts: wanted, first (times in UTC, or record numbers)."""
START_TOO_LATE = "start-too-late"
"""The requested record does not exist yet. Facts: wanted, next."""
LEFTOVER_ALIVE = "leftover-alive"
"""Another worker process of the same service is still alive. Facts: service."""
APPEND_ONLY = "append-only"
"""Code of NotAppended. Facts: table, detail."""
APPEND_ONLY_NOT_COMPARED = "append-only-not-compared"
"""The table is published append-only: without a key no row of one side is known to be a row of the other. Facts: table.
"""
KEY_COMPUTED = "key-computed"
"""A key column is masked or computed, so rows cannot be compared in its order. Facts: table, column."""
TABLE_NOT_LOADED = "table-not-loaded"
"""The target does not have the table's rows yet: the table was never loaded, or is loading. Facts: table."""
LINK_BEHIND = "link-behind"
"""Changes up to the time of the comparison did not arrive: differences may be lag. Facts: table."""
STREAM_QUERY_INVALID = "computation-invalid"
"""The SELECT cannot be used over these inputs. Facts: detail (what and where, in English)."""
STREAM_QUERY_FAILED = "computation-failed"
"""The result could not be computed. Facts: detail."""
STREAM_QUERY_TOO_SLOW = "computation-too-slow"
"""The computation exceeded its time limit. Facts: seconds."""
RESULT_KEY_UNKNOWN = "result-key-unknown"
"""The result has no such column. Facts: column."""
RESULT_KEY_BROKEN = "result-key-broken"
"""Several rows of the result have one key, or a key has no value. Facts: key, values."""
RESULT_TOO_LARGE = "result-too-large"
"""The result exceeds its limit of rows. Facts: limit."""
STATE_TOO_LARGE = "state-too-large"
"""Inputs and result exceed their limit on disk. Facts: mb, limit."""
INPUT_VALUE_REFUSED = "input-value-refused"
"""A value of an input cannot be computed with. Facts: table, detail."""
INPUT_NOT_CAPTURED = "input-not-captured"
"""The input's schema is not captured yet. Facts: table."""
STATE_BUSY = "state-busy"
"""Another process has the computation's data open. Facts: path."""
STOPPED_UNEXPECTEDLY = "internal-error"
"""A defect of the platform. Facts: detail."""
TASK_INVALID = "task-invalid"
"""The worker received no task, or an invalid one. Facts: detail."""

# Pre-check findings. Those of map_columns keep their own keys (zcbus.connectors.roles.MappingNote).
CHECK_FAILED = "check-failed"
"""A check of the connection test failed. Facts: side, item, detail."""
NOTHING_SELECTED = "nothing-selected"
"""The link has no tables. No facts."""
NAME_TOO_LONG = "name-too-long"
"""A target name has more characters than allowed. Facts: name, length, limit."""
TARGET_DUPLICATE = "target-duplicate"
"""Two tables go to the same target table. Facts: target, tables."""
SAME_TABLE = "same-table"
"""Source and target are the same table. Facts: table."""
TARGET_EXISTS = "target-exists"
"""The target table exists and is not cleaned: rows are merged by key. Facts: target."""
TARGET_WILL_BE_CLEANED = "target-will-be-cleaned"
"""The target table exists and will be emptied or rebuilt. Facts: target, clean."""
TARGET_COLUMN_MISSING = "target-column-missing"
"""The existing target table lacks a column. Facts: target, column."""
TARGET_KEY_DIFFERS = "target-key-differs"
"""The existing target table has another key. Facts: target, expected, found."""
TARGET_KEY_INEXACT = "target-key-inexact"
"""The target treats key values as equal that differ in the source: rows would be merged.

Facts: table, target, column, collation, statement.
"""
TARGET_NEEDS_KEY = "target-needs-key"
"""The target takes only tables with a key, and this one is published append-only. Facts: table."""
TARGET_COLUMN_REQUIRED = "target-column-required"
"""The existing target table requires a value in an unmapped column. Facts: target, column."""
APPEND_ONLY_WARNED = "append-only-warned"
"""The table is published append-only: duplicates stay, updates and deletes become row errors. Facts: table."""
APPEND_ONLY_TABLE_HAS_KEY = "append-only-table-has-key"
"""The table is to be published append-only, and has a key by which it can be replicated exactly.

Facts: table, columns.
"""
APPEND_ONLY_TARGET_EXISTS = "append-only-target-exists"
"""The target table exists and is not cleaned: each load adds all rows once more. Facts: target."""
APPEND_ONLY_TARGET_KEY = "append-only-target-key"
"""The existing target table has a key: it refuses rows that are equal in it. Facts: target, columns."""
COLUMN_UNKNOWN = "column-unknown"
"""A mapping names a column that the source table does not have. Facts: table, column."""
KEY_UNKNOWN = "key-unknown"
"""A chosen key column does not exist. Facts: table, column."""
KEY_NULLABLE = "key-nullable"
"""A chosen key column may be NULL; such rows cannot be identified. Facts: table, column."""
COLUMN_UNSUPPORTED = "column-unsupported"
"""A column cannot be replicated. Facts: table, column, type, reason."""
CASCADES_NOT_LOGGED = "cascades-not-logged"
"""MySQL does not log what foreign-key cascades change. Facts: table."""
DELIVERY_REPEATS = "delivery-repeats"
"""Messages of a topic may be delivered again, as rows of their own, and are not kept. Facts: table."""
MESSAGES_NOT_KEPT = "messages-not-kept"
"""A broker keeps no message that was read. Facts: table."""
SENDERS_REPEAT = "senders-repeat"
"""Senders may repeat requests, as rows of their own, and they alone keep them. Facts: table."""
REQUESTS_NOT_KEPT = "requests-not-kept"
"""Senders alone keep requests, and give up repeating them. Facts: table."""
TABLE_SELECTED_REFUSED = "table-refused"
"""Code of TableRefused. Facts: table, column, reason."""
TABLE_LEFT_OUT = "table-left-out"
"""A pattern of the link file matches a table that cannot be replicated. Facts: table, reason (as of TableRefused)."""
PATTERN_MATCHES_NOTHING = "pattern-matches-nothing"
"""A pattern of the link file selects no table. Facts: pattern."""


def reason_of(error: BaseException) -> Reason:
    """A reason from an error: deliberate errors keep code and facts, others count as defects."""
    if isinstance(error, TableStopped):
        return error.reason
    if isinstance(error, ZcbusError):
        return Reason(code=error.code, facts={name: str(value) for name, value in error.facts.items()})
    return Reason(code=STOPPED_UNEXPECTEDLY, facts={"detail": f"{type(error).__name__}: {error}"})


class TableStopped(TerminalError):
    """A table of a service must stop. `reason`: one of the codes above; `facts`: its facts."""

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(**facts)
        self.reason = Reason(code=reason, facts={name: str(value) for name, value in facts.items()})


class ExpressionFailed(RowRefused):
    """A condition or an expression fails for a row, which is handled like a row that the target refuses.

    Facts: table, detail (the library's message).
    """

    code = EXPRESSION_FAILED


class NotAppended(RowRefused):
    """An update or a delete of a table that is published append-only: no row of the target is known to be its row.

    Facts: table, detail.
    """

    code = APPEND_ONLY

    def __init__(self, table: object) -> None:
        super().__init__(table=str(table), detail=row_errors.NOT_APPENDED)
