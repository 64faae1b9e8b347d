"""Requests of the control plane to an agent; answers are in `zcbus.protocol.answers`.

Agents have access to the databases, the control plane has not.
"""

from typing import Annotated, Literal

from pydantic import Field

from zcbus.model.row_errors import Decision, RowErrorStatus, RowOperation
from zcbus.model.schema import TableSchema
from zcbus.model.services import LogLevel
from zcbus.model.states import CleanMode, LoadMode
from zcbus.protocol.base import Connection, Message, NetworkRoute, TableRef
from zcbus.protocol.bus_inspection import BusInspection
from zcbus.protocol.bus_requests import ListTopics, ListVersions
from zcbus.protocol.comparison_requests import ListDifferences, PreviewRepair
from zcbus.protocol.data_service import TryQuery
from zcbus.protocol.document_import import ImportDocument
from zcbus.protocol.log_search import FindLogLines
from zcbus.protocol.preview import PreviewTable
from zcbus.protocol.statements import RunStatement
from zcbus.protocol.stream_query_requests import CheckStreamQuery, DropStreamQuery
from zcbus.protocol.table_import import ImportTable
from zcbus.protocol.tasks import SubscribedTable
from zcbus.protocol.transforms import Transform


class TestConnection(Message):
    """Test a connection. Answer: ConnectionTest."""

    type: Literal["test-connection"] = "test-connection"
    connection: Connection
    side: Literal["source", "target"]


class TestRoute(Message):
    """Try a route step by step. Answer: RouteTest."""

    type: Literal["test-route"] = "test-route"
    route: NetworkRoute
    host: str = ""
    """A server to reach by it; empty: none."""
    port: int = 0
    tenant: str = ""
    """Whose route it is: references to secrets are resolved for this tenant."""


class ListSchemas(Message):
    """List schemas. Answer: Schemas."""

    type: Literal["list-schemas"] = "list-schemas"
    connection: Connection


class ListTables(Message):
    """List all tables; the control plane pages, sorts and searches them. Answer: Tables."""

    type: Literal["list-tables"] = "list-tables"
    connection: Connection
    schema_name: str | None = None


class DescribeTables(Message):
    """Describe tables, with each column's type in the target. Answer: Descriptions."""

    type: Literal["describe-tables"] = "describe-tables"
    connection: Connection
    tables: tuple[TableRef, ...]
    target_kind: str | None = None


class PlannedTable(Message):
    """A table of a future link."""

    source: TableRef
    target: TableRef | None = None
    """None: the same name in the target's default schema."""
    columns: tuple[tuple[str, str], ...] = ()
    key: tuple[str, ...] = ()
    append_only: bool = False
    """See PublishedTable.append_only."""
    transform: Transform = Transform()

    def row_key(self, schema: TableSchema) -> tuple[str, ...]:
        """See PublishedTable.row_key."""
        return () if self.append_only else schema.key(self.key)


class ResolveTables(Message):
    """Resolve the table patterns of a link file. Answer: Resolved.

    Contract: `tables: ["public.*", "!public.audit_*"]`.
    """

    type: Literal["resolve-tables"] = "resolve-tables"
    source: Connection
    target: Connection
    patterns: tuple[str, ...]
    lenient: bool = False
    """Whether a pattern that matches no table is allowed."""


class Precheck(Message):
    """Check everything that would make a link fail. Answer: Findings."""

    type: Literal["precheck"] = "precheck"
    source: Connection
    target: Connection
    tables: tuple[PlannedTable, ...]
    load: LoadMode = LoadMode.BOTH
    clean: CleanMode = CleanMode.NONE
    json_topic: str = ""


class ResolveStart(Message):
    """Find the record of a node's changes to start with, by time or offset. Answer: StartPosition."""

    type: Literal["resolve-start"] = "resolve-start"
    node: str
    tables: tuple[TableRef, ...]
    at_ms: int | None = None
    """Milliseconds since 1970 UTC: the start includes everything committed at or after this time."""
    offset: int | None = None
    """Offset of a record. Inside a transaction it means the transaction's first record."""


class DropSource(Message):
    """Remove a deleted publish node's objects in its source and on the bus. Answer: Done."""

    type: Literal["drop-source"] = "drop-source"
    source: Connection
    node: str
    json_topic: str = ""


class WatchHeldLog(Message):
    """Measure the log that a source retains for a stopped publish node. Answer: RetainedLog.

    If it exceeds `limit_bytes`, the source releases it.
    """

    type: Literal["held-log"] = "held-log"
    source: Connection
    node: str
    limit_bytes: int | None = Field(default=None, ge=1)


class DropTarget(Message):
    """Remove a deleted subscription's checkpoints from its target; the data stays. Answer: Done."""

    type: Literal["drop-target"] = "drop-target"
    target: Connection
    subscription: str
    tables: tuple[SubscribedTable, ...] = ()


class ListRowErrors(Message):
    """List changes that a subscription's target rejected; an empty filter matches all. Answer: RowErrorLines."""

    type: Literal["list-row-errors"] = "list-row-errors"
    target: Connection
    subscription: str
    tables: tuple[str, ...] = ()
    statuses: tuple[RowErrorStatus, ...] = ()
    operations: tuple[RowOperation, ...] = ()
    ids: tuple[str, ...] = ()
    search: str = ""
    cause: str = ""
    sort: str = "found"
    descending: bool = True
    offset: int = 0
    limit: int = 20


class ListRowErrorCauses(Message):
    """Count row errors by cause, the most frequent first; an empty filter matches all. Answer: RowErrorCauses."""

    type: Literal["list-row-error-causes"] = "list-row-error-causes"
    target: Connection
    subscription: str
    tables: tuple[str, ...] = ()
    statuses: tuple[RowErrorStatus, ...] = ()


class DecideRowErrors(Message):
    """Decide on open row errors; the worker executes it. Answer: Decided."""

    type: Literal["decide-row-errors"] = "decide-row-errors"
    target: Connection
    subscription: str
    decision: Decision
    ids: tuple[str, ...] = ()
    """(): all open ones of `tables` without a decision."""
    tables: tuple[str, ...] = ()
    after: dict[str, str | None] | None = None
    """Replacement values by source column."""


AGENT_LOG = "agent"
"""Not the id of any service: ids are longer."""


class ReadLog(Message):
    """Read a part of the log of a service, or of the agent (`service` AGENT_LOG). Answer: LogPart."""

    type: Literal["read-log"] = "read-log"
    service: str
    from_byte: int | None = None
    """None: the last `lines` lines."""
    lines: int = 200


class SearchLog(Message):
    """Search the newest lines of the log of a service, or of the agent (`service` AGENT_LOG). Answer: LogLines.

    Rotated files are included.
    """

    type: Literal["search-log"] = "search-log"
    service: str
    text: str = ""
    """Substring of the line, ignoring case."""
    level: LogLevel = "debug"
    """Minimum level; lines without a level, such as those of a crash, always match."""
    lines: int = Field(default=1000, ge=1, le=5000)


DataRequest = (
    TestConnection
    | TestRoute
    | ListSchemas
    | ListTables
    | DescribeTables
    | ResolveTables
    | Precheck
    | ResolveStart
    | WatchHeldLog
    | ListTopics
    | ListVersions
    | BusInspection
    | DropSource
    | DropTarget
    | CheckStreamQuery
    | DropStreamQuery
    | ListRowErrors
    | ListRowErrorCauses
    | DecideRowErrors
    | ListDifferences
    | PreviewRepair
    | TryQuery
    | RunStatement
    | PreviewTable
    | ImportDocument
)
"""Requests about databases and the bus."""

Request = Annotated[DataRequest | ImportTable | ReadLog | SearchLog | FindLogLines, Field(discriminator="type")]
