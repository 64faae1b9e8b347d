"""Errors that connectors raise, whatever the database."""

from zcbus.kit.errors import TerminalError, TransientError
from zcbus.model.schema import TableName


class SourceUnavailable(TransientError):
    """The source cannot be reached or dropped the connection. Facts: kind, address, detail."""

    code = "source-unavailable"


class TargetUnavailable(TransientError):
    """The target cannot be reached, dropped the connection, or asks to try again (deadlock, time-out, disk full).

    Facts: kind, address, detail.
    """

    code = "target-unavailable"


class TargetLocked(TargetUnavailable):
    """Somebody held what was to be written for longer than we wait (`ConnectionOptions.lock_wait`).

    Facts besides: table (empty: not known), holder (for people; empty: the server does not tell).
    """

    code = "table-locked"


class TargetDeadlocked(TargetUnavailable):
    """Our transaction and another one waited for each other, and the server gave ours up. Facts: as above."""


class AccessDenied(TerminalError):
    """Login or right refused. Facts: kind, address, user, detail."""

    code = "access-denied"


class SourceNotReady(TerminalError):
    """A setting of the source forbids what is asked. Facts: kind, setting, value, expected."""

    code = "source-not-ready"


class LogPositionLost(TerminalError):
    """The source no longer has its log from the wanted position on (lost slot, purged binlog, another server).

    Facts: kind, wanted, oldest, gap (how much is missing at most, in the database's own measure), detail; the publish
    service adds `since` (up to when changes were captured). What is not known is left out.
    """

    code = "log-position-lost"

    def __init__(self, **facts: object) -> None:
        super().__init__(**{name: fact for name, fact in facts.items() if fact != ""})


class SlotDropped(LogPositionLost):
    """The source kept more log than it may for this node, so the slot was dropped.

    Facts besides: held and limit (GiB).
    """

    code = "log-let-go"


class TableMissing(TerminalError):
    """A table is not there (any more). Facts: table, side."""

    code = "table-missing"


class TableRefused(TerminalError):
    """A table or one of its columns cannot be replicated. Facts: table, column (may be empty), reason."""

    code = "table-refused"

    @classmethod
    def renamed(cls, name: TableName, today: TableName, *, replaced: bool) -> "TableRefused":
        """The table has another name now; `replaced`: and another table has its own. Facts besides: new_schema,
        new_table."""
        reason = "table-replaced" if replaced else "table-renamed"
        new = {"new_schema": today.schema, "new_table": today.table}
        return cls(table=str(name), column="", reason=reason, detail=str(today), **new)


class RowRefused(TerminalError):
    """The target does not take a batch of rows. Facts: table, detail (the target's own words)."""

    code = "row-refused"


class DatabaseFailed(TerminalError):
    """A database refused a statement in a way that trying again can't mend. Facts: kind, detail, often sqlstate."""

    code = "database-failed"


class RoleMissing(TerminalError):
    """A kind is asked for what its capabilities say that it cannot do. Facts: kind, role."""

    code = "kind-role-missing"


class Fenced(TerminalError):
    """Somebody else has moved this checkpoint's position: this process is a leftover and stops. Facts: checkpoint."""

    code = "fenced"
