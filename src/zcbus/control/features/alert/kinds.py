"""Kinds of alerts and their levels."""

from collections.abc import Mapping
from enum import IntEnum, StrEnum


class Level(IntEnum):
    """As the specification numbers them."""

    GENERAL = 0
    ATTENTION = 1
    IMPORTANT = 3


class Kind(StrEnum):
    """Kind of an alert. Its text is the message `alert.<kind>`."""

    # A service's process ended by itself.
    SERVICE_CRASHED = "service-crashed"
    # A service cannot run until an operator acts.
    SERVICE_ABNORMAL = "service-abnormal"
    # Something outside is away: source, target, room on the bus.
    SERVICE_WAITING = "service-waiting"
    TABLE_FAILED = "table-failed"
    # A stream query stopped: its result is not kept up to date.
    STREAM_QUERY_FAILED = "computation-failed"
    # Tables of a running link are suspended: their changes wait.
    TABLES_SUSPENDED = "tables-suspended"
    # The target refused rows, and they stay open.
    ROW_ERRORS = "row-errors"
    # Rows of the target differ from their source, by verification.
    DIFFERENCES = "differences"
    # Published changes did not reach a subscription, or came too often: counted on both sides.
    CHANGES_UNACCOUNTED = "changes-unaccounted"
    LAG = "lag"
    # Everything seems to run, but no heartbeat arrives.
    HEARTBEAT = "heartbeat"
    # A source keeps much log because a link has not read it.
    HELD_LOG = "held-log"
    # Nothing is written to a JSON topic.
    JSON_TOPIC_WAITING = "json-topic-waiting"
    # Retention took changes before they were on a JSON topic.
    JSON_TOPIC_GAP = "json-topic-gap"
    # Retention is about to take changes that a table still needs.
    CHANGES_EXPIRING = "changes-expiring"
    # Retention is about to take the full data of tables: new loads will need it published again.
    FULL_EXPIRING = "full-expiring"
    AGENT_AWAY = "agent-away"
    # The last run of a task plan failed.
    PLAN_FAILED = "plan-failed"
    # A run of a task plan was due and has not begun, or was left out.
    PLAN_LATE = "plan-late"
    # A run of a task plan began, and has not ended so long after its due time.
    PLAN_OVERDUE = "plan-overdue"
    REGISTRATION = "registration"
    # A figure by a tenant's own rule; it has none for so long. Their level is the rule's.
    RULE = "rule"
    RULE_MISSING = "rule-missing"
    # The token of a service account ends soon; it has ended, and programs used it.
    TOKEN_ENDING = "token-ending"  # noqa: S105  a kind's name
    TOKEN_ENDED = "token-ended"  # noqa: S105
    # A TLS certificate of a control plane, an agent or a data service ends soon, or has ended. Levels by stages.
    CERTIFICATE_ENDING = "certificate-ending"
    # The operation log is not as it was written.
    AUDIT_BROKEN = "audit-broken"
    # The operation log was not verified for too long.
    AUDIT_UNVERIFIED = "audit-unverified"
    # A receiver outside of the platform does not take the operation log.
    AUDIT_STREAM = "audit-stream"
    # The server that metrics are stored on fails or refuses them.
    METRIC_STORE = "metric-store"
    # A collector of OpenTelemetry does not take metrics of a control plane; traces of services.
    METRIC_EXPORT = "metric-export"
    TRACE_EXPORT = "trace-export"
    # A call that took long is over: it was done; so with each table; it failed.
    WORK_DONE = "work-done"
    WORK_DONE_WITH_TABLES = "work-done-with-tables"
    WORK_FAILED = "work-failed"
    # A user delivered it.
    MESSAGE = "message"


LEVELS: Mapping[Kind, Level] = {
    Kind.SERVICE_CRASHED: Level.ATTENTION,
    Kind.SERVICE_ABNORMAL: Level.IMPORTANT,
    Kind.SERVICE_WAITING: Level.ATTENTION,
    Kind.TABLE_FAILED: Level.IMPORTANT,
    Kind.STREAM_QUERY_FAILED: Level.IMPORTANT,
    Kind.TABLES_SUSPENDED: Level.ATTENTION,
    Kind.ROW_ERRORS: Level.IMPORTANT,
    Kind.DIFFERENCES: Level.IMPORTANT,
    Kind.CHANGES_UNACCOUNTED: Level.IMPORTANT,
    Kind.LAG: Level.ATTENTION,
    Kind.HEARTBEAT: Level.IMPORTANT,
    Kind.HELD_LOG: Level.IMPORTANT,
    Kind.JSON_TOPIC_WAITING: Level.ATTENTION,
    Kind.JSON_TOPIC_GAP: Level.IMPORTANT,
    Kind.CHANGES_EXPIRING: Level.IMPORTANT,
    Kind.FULL_EXPIRING: Level.GENERAL,
    Kind.AGENT_AWAY: Level.IMPORTANT,
    Kind.PLAN_FAILED: Level.IMPORTANT,
    Kind.PLAN_LATE: Level.ATTENTION,
    Kind.PLAN_OVERDUE: Level.ATTENTION,
    Kind.REGISTRATION: Level.ATTENTION,
    Kind.RULE: Level.ATTENTION,
    Kind.RULE_MISSING: Level.ATTENTION,
    Kind.TOKEN_ENDING: Level.ATTENTION,
    Kind.TOKEN_ENDED: Level.IMPORTANT,
    Kind.CERTIFICATE_ENDING: Level.GENERAL,
    Kind.AUDIT_BROKEN: Level.IMPORTANT,
    Kind.AUDIT_UNVERIFIED: Level.IMPORTANT,
    Kind.AUDIT_STREAM: Level.IMPORTANT,
    Kind.METRIC_STORE: Level.ATTENTION,
    Kind.METRIC_EXPORT: Level.ATTENTION,
    Kind.TRACE_EXPORT: Level.ATTENTION,
    Kind.WORK_DONE: Level.GENERAL,
    Kind.WORK_DONE_WITH_TABLES: Level.GENERAL,
    Kind.WORK_FAILED: Level.ATTENTION,
    Kind.MESSAGE: Level.GENERAL,
}

_OVER_AT_ONCE = frozenset({Kind.WORK_DONE, Kind.WORK_DONE_WITH_TABLES, Kind.WORK_FAILED, Kind.MESSAGE})


def is_lasting(kind: str) -> bool:
    """Whether the condition lasts until it recovers; other kinds are reported once."""
    return kind not in _OVER_AT_ONCE
