"""Errors of all connectors."""

from zcbus.kit.errors import TerminalError, TransientError
from zcbus.model.schema import TableName


class SourceUnavailable(TransientError):
    """The source cannot be reached or dropped the connection. Facts: kind, address, detail."""

    code = "source-unavailable"


class FolderMissing(SourceUnavailable):
    """The folder of files is not there; it is looked for again. Facts: as above."""


class SourceFull(SourceUnavailable):
    """The source has no room on its disk, as for a sort. Facts: as above."""

    code = "source-full"


class SnapshotOutdated(TransientError):
    """The source changed or rebuilt a table after a snapshot began, which cannot read it any more: another one can.
    Facts: table, detail."""

    code = "snapshot-outdated"


class TargetUnavailable(TransientError):
    """The target cannot be reached, dropped the connection, or requests a retry (deadlock, time-out).

    Facts: kind, address, detail.
    """

    code = "target-unavailable"


class TargetFull(TargetUnavailable):
    """The target has no room on its disk, or a limit of its own for a table. Facts: as above."""

    code = "target-full"


class TargetLocked(TargetUnavailable):
    """Another session held a lock for longer than `ConnectionOptions.lock_wait`.

    Further facts: table (empty: unknown), holder (for people; empty: not reported by the server).
    """

    code = "table-locked"


class TargetDeadlocked(TargetUnavailable):
    """The server rolled back the platform's transaction to resolve a deadlock. Facts: as above."""


class AccessDenied(TerminalError):
    """Login or right refused. Facts: kind, address, user, detail."""

    code = "access-denied"


class RouteMissing(TerminalError):
    """The network configuration has no route of the name that a connection asks for. Facts: route."""

    code = "route-missing"


class SourceNotReady(TerminalError):
    """A setting of the source prevents the operation. Facts: kind, setting, value, expected."""

    code = "source-not-ready"


class LogPositionLost(TerminalError):
    """The source no longer has its log from the requested position on (lost slot, purged binlog, another server).

    Facts: kind, wanted, oldest, gap (the most that is missing, in the database's own unit), detail; the publish service
    adds `since` (time of the last captured change). Unknown facts are left out.
    """

    code = "log-position-lost"

    def __init__(self, **facts: object) -> None:
        super().__init__(**{name: fact for name, fact in facts.items() if fact != ""})


class SlotDropped(LogPositionLost):
    """The source retained more log than its limit for this node, so the slot was dropped.

    Further facts: held and limit (GiB).
    """

    code = "log-let-go"


class JavaMissing(TerminalError):
    """The host has no Java that a driver could run in. Facts: detail."""

    code = "java-missing"


class TableMissing(TerminalError):
    """A table does not exist, or no longer. Facts: table, side."""

    code = "table-missing"


class TableRefused(TerminalError):
    """A table or one of its columns cannot be replicated. Facts: table, column (may be empty), reason."""

    code = "table-refused"

    @classmethod
    def renamed(cls, name: TableName, today: TableName, *, replaced: bool) -> "TableRefused":
        """The table has another name now. `replaced`: another table has its old name. Further facts: new_schema,
        new_table."""
        reason = "table-replaced" if replaced else "table-renamed"
        new = {"new_schema": today.schema, "new_table": today.table}
        return cls(table=str(name), column="", reason=reason, detail=str(today), **new)


class RowRefused(TerminalError):
    """The target rejects a batch of rows. Facts: table, detail (the target's own message)."""

    code = "row-refused"


class DatabaseFailed(TerminalError):
    """A database rejected a statement, and a retry cannot succeed. Facts: kind, detail, often sqlstate."""

    code = "database-failed"


class RoleMissing(TerminalError):
    """A role is requested that the kind's capabilities exclude. Facts: kind, role."""

    code = "kind-role-missing"


class Fenced(TerminalError):
    """Another process has moved this checkpoint: this process is stale and stops. Facts: checkpoint."""

    code = "fenced"
