"""Questions that the control plane puts to an agent; `zcbus.protocol.answers` has what it answers. The agent may know
the databases; the control plane may not."""

from typing import Annotated, Literal

from pydantic import Field

from zcbus.model.row_errors import Decision, RowErrorStatus, RowOperation
from zcbus.model.schema import TableSchema
from zcbus.model.services import LogLevel
from zcbus.model.states import CleanMode, LoadMode
from zcbus.protocol.base import Connection, Message, TableRef
from zcbus.protocol.bus_requests import ListTopics, ListVersions
from zcbus.protocol.comparison_requests import ListDifferences
from zcbus.protocol.computation_requests import CheckComputation, DropComputation
from zcbus.protocol.data_service import TryQuery
from zcbus.protocol.statements import RunStatement
from zcbus.protocol.tasks import SubscribedTable
from zcbus.protocol.transforms import Transform


class TestConnection(Message):
    """Answer: ConnectionTest."""

    type: Literal["test-connection"] = "test-connection"
    connection: Connection
    side: Literal["source", "target"]


class ListSchemas(Message):
    """Answer: Schemas."""

    type: Literal["list-schemas"] = "list-schemas"
    connection: Connection


class ListTables(Message):
    """Answer: Tables. All of them: the control plane pages, sorts and searches what it got."""

    type: Literal["list-tables"] = "list-tables"
    connection: Connection
    schema_name: str | None = None


class DescribeTables(Message):
    """Answer: Descriptions, with what each column becomes on the target kind."""

    type: Literal["describe-tables"] = "describe-tables"
    connection: Connection
    tables: tuple[TableRef, ...]
    target_kind: str | None = None


class PlannedTable(Message):
    """A table of a link that is about to be made."""

    source: TableRef
    target: TableRef | None = None
    """None: the same table name in the target's default schema."""
    columns: tuple[tuple[str, str], ...] = ()
    key: tuple[str, ...] = ()
    append_only: bool = False
    """As PublishedTable.append_only."""
    transform: Transform = Transform()

    def row_key(self, schema: TableSchema) -> tuple[str, ...]:
        """As PublishedTable.row_key."""
        return () if self.append_only else schema.key(self.key)


class ResolveTables(Message):
    """Which tables the patterns of a link file mean (contract: `tables: ["public.*", "!public.audit_*"]`).
    Answer: Resolved."""

    type: Literal["resolve-tables"] = "resolve-tables"
    source: Connection
    target: Connection
    patterns: tuple[str, ...]
    lenient: bool = False
    """A pattern that selects no table is no error."""


class Precheck(Message):
    """Everything that can be known to fail beforehand. Answer: Findings."""

    type: Literal["precheck"] = "precheck"
    source: Connection
    target: Connection
    tables: tuple[PlannedTable, ...]
    load: LoadMode = LoadMode.BOTH
    clean: CleanMode = CleanMode.NONE
    json_topic: str = ""


class ResolveStart(Message):
    """From which record of a node's changes to begin, by time or by number; what lies behind it. Answer: StartPlace."""

    type: Literal["resolve-start"] = "resolve-start"
    node: str
    tables: tuple[TableRef, ...]
    at_ms: int | None = None
    """Milliseconds since 1970 UTC: everything committed then or later is wanted."""
    offset: int | None = None
    """Number of a record. One inside a transaction means its first."""


class DropSource(Message):
    """Remove what a deleted publish node left at its source and on the bus. Answer: Done."""

    type: Literal["drop-source"] = "drop-source"
    source: Connection
    node: str
    json_topic: str = ""


class WatchHeldLog(Message):
    """How much log a source keeps for a publish node whose service stands still; where that is more than `limit_bytes`,
    the source is let forget it. Answer: HeldLog."""

    type: Literal["held-log"] = "held-log"
    source: Connection
    node: str
    limit_bytes: int | None = Field(default=None, ge=1)


class DropTarget(Message):
    """Remove a deleted subscription's lanes from its target; the data stays. Answer: Done."""

    type: Literal["drop-target"] = "drop-target"
    target: Connection
    subscription: str
    tables: tuple[SubscribedTable, ...] = ()


class ListRowErrors(Message):
    """A part of the changes that a subscription's target refused; an empty field means all. Answer: RowErrorLines."""

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
    """Why a subscription's target refused changes, the most frequent cause first; an empty field means all. Answer:
    RowErrorCauses."""

    type: Literal["list-row-error-causes"] = "list-row-error-causes"
    target: Connection
    subscription: str
    tables: tuple[str, ...] = ()
    statuses: tuple[RowErrorStatus, ...] = ()


class DecideRowErrors(Message):
    """What is to be done with open row errors; the worker does it. Answer: Decided."""

    type: Literal["decide-row-errors"] = "decide-row-errors"
    target: Connection
    subscription: str
    decision: Decision
    ids: tuple[str, ...] = ()
    """(): all open ones of `tables` about which nobody has decided yet."""
    tables: tuple[str, ...] = ()
    after: dict[str, str | None] | None = None
    """Values to try instead, by source column."""


AGENT_LOG = "agent"
"""No service is called so: their ids are longer."""


class ReadLog(Message):
    """A part of a service's own log, or of the agent's (`service` AGENT_LOG). Answer: LogPart."""

    type: Literal["read-log"] = "read-log"
    service: str
    from_byte: int | None = None
    """None: the last `lines` lines."""
    lines: int = 200


class SearchLog(Message):
    """Lines of a service's own log, or of the agent's (`service` AGENT_LOG), rotated files included, the newest of
    which match. Answer: LogLines."""

    type: Literal["search-log"] = "search-log"
    service: str
    text: str = ""
    """A part of the line, whatever its case."""
    level: LogLevel = "debug"
    """Of at least this level; lines that tell none, such as those of a crash, always match."""
    lines: int = Field(default=1000, ge=1, le=5000)


DataRequest = (
    TestConnection
    | ListSchemas
    | ListTables
    | DescribeTables
    | ResolveTables
    | Precheck
    | ResolveStart
    | WatchHeldLog
    | ListTopics
    | ListVersions
    | DropSource
    | DropTarget
    | CheckComputation
    | DropComputation
    | ListRowErrors
    | ListRowErrorCauses
    | DecideRowErrors
    | ListDifferences
    | TryQuery
    | RunStatement
)
"""What concerns databases and the bus."""

Request = Annotated[DataRequest | ReadLog | SearchLog, Field(discriminator="type")]
