"""Requests and answers about customers, their databases, masters and channels. `customerId` and the like are ids."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.datasource.schemas import ConnectionInput, ConnectionRecord
from zcbus.control.platform.names import plain_name
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.control.store.columns import ID_LENGTH
from zcbus.model.reduction.pace import Pace
from zcbus.model.services import ClientType
from zcbus.model.states import ChannelState, CleanMode, DdlMode, LoadType, ServiceState, SyncState
from zcbus.model.table_verbs import TableVerb
from zcbus.protocol.tasks import MAX_APPLY_LANES
from zcbus.protocol.transforms import NameCase

MAX_CHANNELS = 64
"""The most channels that are created with a master."""
MAX_TARGET_NAME_LENGTH = 128
"""Characters of a target's schema or table name."""
MAX_THREADS = 100

Id = Annotated[str, Field(max_length=ID_LENGTH)]
AnyClientType = ClientType | Literal[""]
"""Empty: of every type that the caller may see."""


Name = Annotated[str, Field(max_length=100), AfterValidator(plain_name)]
Affix = Annotated[str, Field(max_length=64)]
Threads = Annotated[int, Field(ge=1, le=MAX_THREADS)]
ApplierCount = Annotated[int, Field(ge=1, le=MAX_APPLY_LANES)]
"""Sessions among which a channel's changes are divided by their keys; 1: they are not."""


class SubscribeAction(StrEnum):
    """The actions of a customer, a database, a master or a channel in its present state."""

    ADD_MASTER = "add-master"
    ADD_CHANNEL = "add-channel"
    ADD_TABLES = "add-tables"
    REBALANCE = "rebalance"
    START = "start"
    STOP = "stop"
    EDIT = "edit"
    DELETE = "delete"


class TableCounts(Schema):
    """Number of subscribed tables: all, loading, applying changes, finished, suspended, in error, not begun.
    `rowErrors`: number of their open row errors; `differing`: number of tables with rows that verification found to
    differ."""

    total: int
    loading: int
    running: int
    finished: int
    suspended: int
    error: int
    waiting: int
    row_errors: int
    differing: int


class VerificationFigures(Schema):
    """How far a table is proved equal to its source, range by range in the background. `verifiedUntil`: every row was
    the same on both sides then or later; null: not known yet. `percent`: of the present pass, null: not known.
    `differences`: rows that differed at their last check, and how; `capped`: the limit of differences is reached.
    `unsettled`: rows that changed at each check. `asked`, `repairing`: requested and not done yet. `repaired`: rows
    that the last repair wrote or deleted. `reason`: why the table is not verified now."""

    verified_until: datetime | None
    percent: float | None
    differences: int
    missing: int
    extra: int
    different: int
    differences_since: datetime | None
    capped: bool
    unsettled: int
    asked: bool
    repairing: bool
    repaired: int
    reason: ReasonRecord | None


class TableFigures(Schema):
    """A subscribed table's present state. `percent`: of the full load; None: not known. `since`: when the state began.
    `rowErrors`: changes that the target refused and that are open; `errorLimit`: how many may be open; `dmlSkip`,
    `ddlSkip`: how many more are skipped, counted down by each. `expiresAt`: from then on retention removes changes that
    still wait for the table; `fullExpiresAt`: from then on it removes the published full data, and new full loads need
    it published again. None: no such time is near or known. `appendOnly`: it has no key, so only inserted rows are
    applied; with `doubles` a reload adds all rows once more, because the target table is not cleaned. `verification`:
    null before its first report. `pace`: by what waits for this table; null: not known, or no changes are applied.
    `actions`: the allowed verbs."""

    id: str
    source: str
    target: str
    append_only: bool
    doubles: bool
    state: SyncState
    since: datetime | None
    percent: float | None
    rows_total: int | None
    rows_loaded: int
    rows_per_second: float
    time_left_ms: int | None
    inserts: int
    updates: int
    deletes: int
    lag_ms: int | None
    pace: Pace | None
    expires_at: datetime | None
    full_expires_at: datetime | None
    errors: int
    row_errors: int
    error_limit: int
    dml_skip: int
    ddl_skip: int
    reason: ReasonRecord | None
    verification: VerificationFigures | None
    actions: list[TableVerb]


class SubscriberInput(Schema):
    """A new customer with its first database. `clientType`: `client` is a subscriber, `databus` a process, which takes
    only tables with ETL rules. `databaseName`: if omitted, as the customer. `loadType`: default of the masters that
    write to it; see MasterInput."""

    name: Name
    client_type: ClientType = "client"
    connection: ConnectionInput
    database_name: Name | None = None
    load_type: LoadType = LoadType.BULK


class SubscriberChoice(Schema):
    customer_id: Id


class SubscriberChange(SubscriberChoice):
    name: Name


class SubscriberDeletion(SubscriberChoice, DeletionProof):
    """A customer to delete, with its databases."""


class SubscriberPageRequest(PageRequest):
    """`search`: part of the name, or of a database's host or name."""

    search: str = Field("", max_length=255)
    client_type: AnyClientType = "client"


class SubscriberRecord(Schema):
    """A customer. `linkId`: the sync link that created and controls it; null: none."""

    id: str
    name: str
    client_type: ClientType
    databases: int
    masters: int
    channels: int
    tables: TableCounts
    link_id: str | None
    link_name: str | None
    created_at: datetime
    actions: list[SubscribeAction]


class DatabaseInput(SubscriberChoice):
    """A further database of a customer. `loadType` as in SubscriberInput."""

    name: Name
    connection: ConnectionInput
    load_type: LoadType = LoadType.BULK


class DatabaseChoice(Schema):
    database_id: Id


class DatabaseChange(DatabaseChoice):
    """A connection without password keeps the stored one. `loadType`: default of further masters; null: unchanged."""

    name: Name
    connection: ConnectionInput
    load_type: LoadType | None = None


class DatabaseDeletion(DatabaseChoice, DeletionProof):
    """A database to forget; nothing in it is touched."""


class DatabasePageRequest(PageRequest):
    """Databases of customers. `search`: part of a name, a host or a database. `databaseId`: only this one."""

    client_type: AnyClientType = ""
    customer_id: Id | None = None
    database_id: Id | None = None
    search: str = Field("", max_length=255)


class DatabaseRecord(Schema):
    """A customer's database. `masters`: how many write to it."""

    id: str
    name: str
    customer_id: str
    customer_name: str
    target: ConnectionRecord
    load_type: LoadType
    masters: int
    link_id: str | None
    created_at: datetime
    actions: list[SubscribeAction]


class MasterSettings(Schema):
    """Defaults of a master's tables. `startFull`: with their rows, not only with changes. `schema`: the target schema
    of all; empty: the one of their source's schema. `nameCase` is of schema, table and column names; `prefix` and
    `suffix` of table names. `columnCase` 0 finds columns of an existing target table ignoring case, 1 by exact names.
    Schema and table names have at most 128 characters."""

    start_full: bool = True
    clean: CleanMode = CleanMode.NONE
    ddl: DdlMode = DdlMode.STOP
    schema_name: str = Field("", alias="schema", max_length=1000)
    prefix: Affix = ""
    suffix: Affix = ""
    name_case: NameCase = "default"
    column_case: Literal[0, 1] = 0


class MasterInput(MasterSettings):
    """A new master: applies a publish node's tables to a customer's database, over `channelCount` channels. `loadType`
    C: rows come by the database's bulk path (COPY, LOAD DATA). J: by batches of ordinary statements, for targets
    without that path; slower. null: as its database says."""

    name: Name
    customer_id: Id
    node_master: Id
    database_id: Id
    load_type: LoadType | None = None
    channel_count: int = Field(1, ge=1, le=MAX_CHANNELS)
    threads: Threads = 2
    lanes: ApplierCount = 1
    start: bool = True


class MasterChoice(Schema):
    control_id: Id


class MasterChange(MasterChoice, MasterSettings):
    """How rows are written from now on, and settings for tables that are added from now on."""

    name: Name
    load_type: LoadType | None = Field(None, description="null: as before")


class MasterDeletion(MasterChoice, DeletionProof):
    """A master to delete with its channels and subscribed tables; the target's data stays."""


class MasterPageRequest(PageRequest):
    client_type: AnyClientType = ""
    customer_id: Id | None = None
    node_master: Id | None = None
    search: str = Field("", max_length=255)


class MasterRecord(Schema):
    """A master. `settings`: null where a sync link has the defaults of its tables."""

    id: str
    name: str
    customer_id: str
    customer_name: str
    node_master: str
    node_name: str
    source_kind: str
    database_id: str | None
    target: ConnectionRecord
    load_type: LoadType
    settings: MasterSettings | None
    channels: int
    tables: TableCounts
    link_id: str | None
    created_at: datetime
    actions: list[SubscribeAction]


class ChannelInput(MasterChoice):
    """A further channel of a master."""

    name: Name
    threads: Threads = 2
    lanes: ApplierCount = 1
    start: bool = True


class ChannelChoice(Schema):
    channel_id: Id


class ChannelChange(ChannelChoice):
    """`threads`: number of tables loaded at a time. `lanes`: parallel appliers; omitted: unchanged."""

    name: Name
    threads: Threads
    lanes: ApplierCount | None = None


class ChannelDeletion(ChannelChoice, DeletionProof):
    """A channel without tables."""


class ChannelPageRequest(PageRequest):
    client_type: AnyClientType = ""
    customer_id: Id | None = None
    control_id: Id | None = None
    search: str = Field("", max_length=255)


class ChannelRecord(Schema):
    """A channel with its apply service. `stale`: its agent has been silent since `asOf`.
    `heldUp`: it is to work, but `reason` prevents it."""

    id: str
    name: str
    control_id: str
    control_name: str
    customer_id: str
    customer_name: str
    service_id: str
    container_name: str
    state: ServiceState | ChannelState
    state_since: datetime | None
    reason: ReasonRecord | None
    held_up: bool
    stale: bool
    as_of: datetime | None
    threads: int
    lanes: int
    tables: TableCounts
    lag_ms: int | None
    link_id: str | None
    created_at: datetime
    actions: list[SubscribeAction]


CUSTOMERS = ListDefinition[SubscriberRecord](
    SubscriberRecord,
    {
        "name": "name",
        "masters": "masters",
        "channels": "channels",
        "tables": "tables_total",
        "createdAt": "created_at",
    },
)


DATABASES = ListDefinition[DatabaseRecord](
    DatabaseRecord,
    {
        "name": "name",
        "customerName": "customer_name",
        "createdAt": "created_at",
    },
)


MASTERS = ListDefinition[MasterRecord](
    MasterRecord,
    {
        "name": "name",
        "customerName": "customer_name",
        "nodeName": "node_name",
        "channels": "channels",
        "tables": "tables_total",
        "createdAt": "created_at",
    },
)


CHANNELS = ListDefinition[ChannelRecord](
    ChannelRecord,
    {
        "name": "name",
        "controlName": "master_name",
        "customerName": "customer_name",
        "state": "current_state",
        "tables": "tables_total",
        "lagMs": "lag_ms",
        "createdAt": "created_at",
    },
)


SUBSCRIBED_TABLES = ListDefinition[TableFigures](
    TableFigures,
    {
        "source": "source_table",
        "target": "target_table",
        "state": "current_state",
        "rowsTotal": "rows_total",
        "rowsLoaded": "rows_loaded",
        "rowsPerSecond": "rows_per_second",
        "inserts": "inserts",
        "updates": "updates",
        "deletes": "deletes",
        "lagMs": "current_lag_ms",
        "errors": "errors",
        "since": "current_since",
    },
)
