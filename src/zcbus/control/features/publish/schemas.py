"""Requests and answers about publish nodes and their tables; `nodeMaster` is a node's id."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.container.schemas import ServiceRecord
from zcbus.control.features.datasource.schemas import (
    ConnectionInput,
    ConnectionRecord,
    TableAddress,
    TableFilterRequest,
    TableRecord,
)
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.names import plain_name
from zcbus.control.platform.paging import ListDefinition, Page, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.model.states import PublishState, ServiceState
from zcbus.model.table_verbs import TableVerb

MAX_TABLES = 10_000
MAX_RETENTION_HOURS = 8760
MAX_RETAINED_LOG_GB = 1_000_000

NodeId = Annotated[str, Field(max_length=ID_LENGTH)]


NodeName = Annotated[str, Field(max_length=100), AfterValidator(plain_name)]
RetentionHours = Annotated[int, Field(ge=1, le=MAX_RETENTION_HOURS)]
RetainedLogGb = Annotated[int, Field(ge=1, le=MAX_RETAINED_LOG_GB)]
ColumnNames = Annotated[list[Annotated[str, Field(min_length=1, max_length=255)]], Field(max_length=64)]


class NodeAction(StrEnum):
    """The actions of a publish node in its state."""

    START = "start"
    STOP = "stop"
    EDIT = "edit"
    DELETE = "delete"


class NodeChoice(Schema):
    """A publish node."""

    node_master: NodeId


class NodeDeletion(NodeChoice, DeletionProof):
    """A publish node to delete."""


class NodePageRequest(PageRequest):
    """Publish nodes whose name, host or database holds `search`, in any of these states."""

    search: str = Field("", max_length=255)
    state: list[ServiceState] = Field(default_factory=list, max_length=20)


class NodeInput(Schema):
    """A new publish node. `container`: by name; omitted: the oldest the caller may use. `heldLogGb`: the most GiB of
    log that the source retains for it before it may drop them; omitted: without a limit. Without a connection nothing
    is created (code 61100)."""

    name: NodeName
    connection: ConnectionInput | None = None
    container: str | None = Field(None, max_length=100)
    retention_hours: RetentionHours = 72
    held_log_gb: RetainedLogGb | None = None
    start: bool = True


class NodeChange(NodeChoice):
    """A publish node's settings. A connection without password keeps the stored one; without a connection nothing is
    changed (code 61100)."""

    name: NodeName
    connection: ConnectionInput | None = None
    retention_hours: RetentionHours
    held_log_gb: RetainedLogGb | None = None


class PublishCounts(Schema):
    """Number of a node's tables by state."""

    total: int
    releasing: int
    publishing: int
    waiting: int
    failed: int


class NodeMoment(Schema):
    """What a publish node does now. `stale`: its agent has been silent for more than ten seconds, everything seen is
    from `asOf`. `heldUp`: it is to work, but `reason` prevents it."""

    state: ServiceState
    state_since: datetime | None
    reason: ReasonRecord | None
    held_up: bool
    stale: bool
    as_of: datetime | None
    lag_ms: int | None
    backlog_bytes: int | None
    tables: PublishCounts
    subscribers: int
    actions: list[NodeAction]


class NodeRecord(NodeMoment):
    """A publish node. `linkId`: the sync link that steers it; null: it is steered by itself."""

    id: str
    name: str
    source: ConnectionRecord
    container_name: str
    link_id: str | None
    link_name: str | None
    retention_hours: int
    held_log_gb: int | None
    created_at: datetime


class NodeInfo(NodeRecord):
    """A publish node with its service, as the sync graph has it: `bcpId` is the service, `parentId` the container that
    the service is in."""

    bcp_id: str
    parent_id: str | None
    service: ServiceRecord


class PublishedPageRequest(PageRequest):
    """A node's tables whose `schema.table` holds `search`, in any of these states."""

    node_master: NodeId
    search: str = Field("", max_length=255)
    state: list[PublishState] = Field(default_factory=list, max_length=20)


class PublishedRecord(Schema):
    """A published table. `generation` 0: only its changes are published. `key`: chosen columns; []: its own key, or
    with `appendOnly` none. `realTopic`, `fullTopic`: topics of its changes and its rows on the bus; empty: it has no
    rows there. Changes are counted since the service's process started. `expiresAt`: when retention removes its full
    data. `delayMs`: from the commit of its newest change (`lastChangeAt`) until it was on the bus; null: none was
    captured since then, or it is not measured now."""

    id: str
    schema_name: str = Field(alias="schema")
    table: str
    key: list[str]
    append_only: bool
    state: PublishState
    state_since: datetime
    reason: ReasonRecord | None
    generation: int
    real_topic: str
    full_topic: str
    rows_total: int | None
    rows_read: int
    inserts: int
    updates: int
    deletes: int
    delay_ms: int | None
    last_change_at: datetime | None
    expires_at: datetime | None
    reported_at: datetime | None
    subscribers: int
    actions: list[TableVerb]


class PublishedPage(Page[PublishedRecord]):
    """A node's tables. `totals`: of all its tables, from the same reading as the records, whatever is searched; null
    where all records are requested at once."""

    totals: NodeMoment | None = None


class CandidatePageRequest(TableFilterRequest):
    """Tables of a node's database. `published`: only those that are, or are not, published by this node."""

    node_master: NodeId
    published: bool | None = None


class CandidateRecord(TableRecord):
    """A table of a node's database."""

    published: bool


class KeyInput(Schema):
    """A table's key: columns or append-only, not both."""

    key: ColumnNames = Field(default_factory=list)
    append_only: bool = False

    @model_validator(mode="after")
    def _check_key(self) -> Self:
        if self.key and self.append_only:
            raise field_fault("append-only-with-key")
        return self


class TableToAdd(KeyInput, TableAddress):
    """A table to publish. `key` (ApplyByKey): columns that identify a row of a table without a key. `appendOnly`:
    without any identity, so that only inserted rows are applied, and duplicates stay; only for tables without any
    key."""


class TablesAddition(NodeChoice):
    """Tables to publish; `full`: with their rows, not only with changes from now on."""

    tables: list[TableToAdd] = Field(min_length=1, max_length=MAX_TABLES)
    full: bool = True


class PublishedChoice(NodeChoice):
    """Published tables of a node, by id."""

    tables: list[NodeId] = Field(min_length=1, max_length=MAX_TABLES)


class KeyChange(KeyInput, NodeChoice):
    """Key columns of a published table (ApplyByKey): a list, or `key1,key2`; none: its own key, or with `appendOnly`
    (see TableToAdd) none at all."""

    table: NodeId


class PublishedTableChoice(NodeChoice):
    """One published table of a node."""

    table: NodeId


class TopicRequest(NodeChoice):
    """A node's topics, or those of one of its tables."""

    table: NodeId | None = None


class TopicRecord(Schema):
    """A topic on the bus. `real` carries a node's changes, `full` the rows of one table (`topics` of them where no
    table was chosen). `expiresAt`: when retention removes its oldest record."""

    role: Literal["real", "full"]
    name: str
    generation: int | None
    topics: int
    records: int
    size_bytes: int
    oldest_at: datetime | None
    newest_at: datetime | None
    expires_at: datetime | None


class VersionColumnRecord(Schema):
    """A column of a structure; `type` in the source's spelling."""

    name: str
    type: str
    nullable: bool
    key: bool


class VersionRecord(Schema):
    """A structure of a published table, from `position` in the source's log on (empty: not known), which was committed
    at `since`. `changes`: against the structure before it, as clauses of ALTER TABLE; none: it is the first."""

    number: int
    position: str
    since: datetime | None
    changes: list[str]
    columns: list[VersionColumnRecord]


NODES = ListDefinition[NodeRecord](
    NodeRecord,
    {
        "name": "name",
        "state": "current_state",
        "containerName": "container_name",
        "tables": "total",
        "lagMs": "lag_ms",
        "backlogBytes": "backlog_bytes",
        "createdAt": "created_at",
    },
)


PUBLISHED_TABLES = ListDefinition[PublishedRecord](
    PublishedRecord,
    {
        "table": "table_name",
        "state": "current_state",
        "rowsRead": "rows_read",
        "inserts": "inserts",
        "updates": "updates",
        "deletes": "deletes",
        "delayMs": "current_delay_ms",
        "lastChangeAt": "last_change_at",
        "expiresAt": "expires_at",
        "stateSince": "current_since",
    },
)
