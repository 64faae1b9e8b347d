"""Questions that the control plane puts to an agent, and their answers. The agent may know the databases; the control
plane may not."""

from typing import Annotated, Any, Literal

from pydantic import Field

from zcbus.model.row_errors import Decision, RowError, RowErrorStatus, RowOperation
from zcbus.model.services import LogLevel
from zcbus.model.states import CleanMode, LoadMode
from zcbus.protocol.base import Connection, Message, Reason, TableRef
from zcbus.protocol.bus_requests import ListTopics, ListVersions
from zcbus.protocol.comparison_requests import ListDifferences
from zcbus.protocol.computation_requests import CheckComputation, DropComputation
from zcbus.protocol.data_service import TryQuery
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
    transform: Transform = Transform()


class ResolveTables(Message):
    """Which tables the patterns of a link file mean (contract: `tables: ["public.*", "!public.audit_*"]`).
    Answer: Resolved."""

    type: Literal["resolve-tables"] = "resolve-tables"
    source: Connection
    target_kind: str
    target_database: str
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


class LogLines(Message):
    """The oldest first. `more`: older lines match as well."""

    lines: tuple[str, ...]
    more: bool


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
)
"""What concerns databases and the bus."""

Request = Annotated[DataRequest | ReadLog | SearchLog, Field(discriminator="type")]


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
