"""Tasks of services: the complete desired state.

A worker receives changes of the state, and derives the necessary work itself. There are no commands for single steps.
"""

from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, SecretStr

from zcbus.model.comparison import ComparisonMethod
from zcbus.model.schema import TableSchema
from zcbus.model.services import ApplyingType, LogLevel
from zcbus.model.states import CleanMode, DdlMode, LoadMode
from zcbus.protocol.base import Connection, Message, TableRef
from zcbus.protocol.transforms import Transform

MaskKey = Annotated[SecretStr, PlainSerializer(SecretStr.get_secret_value, when_used="json")]
"""Key for hashes of masked values; the same in the whole installation."""


class Task(Message):
    """Task of a service; each kind derives its own (protocol.service_kinds)."""

    type: str
    service: str
    log_level: LogLevel = "info"


class TaskTable(Message):
    """A table of a task."""

    id: str


class TableTask(Task):
    """A task with many tables, which is sent as changes (protocol.changes)."""

    tables: tuple[TaskTable, ...]


class PublishedTable(TaskTable):
    """A table of a publish node."""

    source: TableRef
    key: tuple[str, ...] = ()
    """Chosen key columns; (): the table's own key."""
    append_only: bool = False
    """For a table without a key: subscribers only insert its rows."""
    generation: int = 0
    """Number of the desired snapshot on the full topic; 0: none. An increased number requests a new one."""
    gap: int = 0
    """Number of accepted gaps.

    An increased number lets the capture resume although changes since the snapshot are missing.
    """
    direct: bool = False
    """The only reader of the snapshot can read its rows from the source: they are offered, not written."""
    stopped: bool = False
    """Capture of its changes is off. A further snapshot or accepted gap starts the capture again."""

    def row_key(self, schema: TableSchema) -> tuple[str, ...]:
        """Columns that identify a row; (): none."""
        return () if self.append_only else schema.key(self.key)


class PublishTask(TableTask):
    """Capture the changes of a source's tables to the real topic, and snapshots to full topics."""

    type: Literal["publish"] = "publish"
    node: str
    """Publish node's id; part of the names of slot, publication and topics."""
    source: Connection
    tables: tuple[PublishedTable, ...]
    retention_hours: int = 72
    retention_bytes: int | None = None
    json_topic: str = ""
    """Name of the JSON export for other programs; empty: none."""
    held_log_bytes: int | None = Field(default=None, ge=1)
    """Limit of the log that the source retains for this node: more is released. None: no limit."""


class ColumnMapping(Message):
    """A replicated column, and its name in the target."""

    source: str
    target: str


class Begin(Message):
    """How a generation of a table begins, if it was chosen explicitly."""

    mode: Literal["full", "incremental"]
    beside: bool = False
    """full: load into a shadow table, then replace the rows of the target table in one transaction.

    Readers of the target never see missing rows. False: clean first, as `clean` says.
    """
    offset: int = 0
    """incremental: offset of the first record of the real topic to apply."""
    record_time: int | None = None
    """incremental: append time of the previous record, which identifies the topic."""
    gap: int | None = None
    """incremental, instead of `offset`: start after an accepted gap (PublishedTable.gap).

    The start is the oldest change of the capture after the gap, once that capture has begun.
    """


class SubscribedTable(TaskTable):
    """A table of a subscription."""

    published: str
    """Id of the published table."""
    source: TableRef
    target: TableRef
    columns: tuple[ColumnMapping, ...] = ()
    """Columns; (): all, with their own names."""
    key: tuple[str, ...] = ()
    """Chosen key columns (names in the source)."""
    append_only: bool = False
    """As PublishedTable.append_only."""
    transform: Transform = Transform()
    load: LoadMode = LoadMode.BOTH
    clean: CleanMode = CleanMode.NONE
    ddl: DdlMode = DdlMode.STOP
    indexes: bool = False
    """Whether new target tables also get the source's indexes that are not keys."""
    generation: int = 1
    """Number of the desired full load; an increased number requests a reload."""
    direct: bool = False
    """Rows that the full topic only offers are read from the source."""
    begin: Begin | None = None
    """How this generation begins; None: as `load` says."""
    suspended: bool = False
    retry: int = 0
    """An increased number requests an immediate retry of a failed table."""
    error_limit: int = Field(default=100, ge=0, le=100_000)
    """Limit of open row errors with which the table continues; 0: it stops at the first."""
    dml_skip: int = Field(default=0, ge=0, le=1_000_000)
    """Number of further failing row changes to skip; each is recorded."""
    ddl_skip: int = Field(default=0, ge=0, le=100)
    """The same for schema changes."""
    skip_revision: int = 0
    """An increased number restarts both counts."""
    moves: int = 0
    """Number of moves to another channel. A channel ignores tables that have moved away."""
    came_from: tuple[str, ...] = ()
    """Previous channels of the table (SubscribeTask.subscription), one of which has its checkpoint."""

    def row_key(self, schema: TableSchema) -> tuple[str, ...]:
        """As PublishedTable.row_key."""
        return () if self.append_only else schema.key(self.key)

    @property
    def begins_with_load(self) -> bool:
        """Whether this generation begins with a full load."""
        return self.begin.mode == "full" if self.begin is not None else self.load is not LoadMode.INCREMENTAL


MAX_APPLY_LANES = 16


class VerificationRequest(Message):
    """A user's request to verify a table."""

    table: str
    """SubscribedTable.id."""
    number: int = 0
    """An increased number requests verification before all other tables."""
    repair: int = 0
    """An increased number requests repair of the known differences."""


class VerificationOrder(Message):
    """Verification of applied tables, in the background."""

    source: Connection
    percent: float = Field(gt=0, le=100)
    """Share of a core, and of a session's time on each of the two servers, that verification may use."""
    requests: tuple[VerificationRequest, ...] = ()


class SubscribeTask(TableTask):
    """Apply a node's topics to a target: one channel of a subscriber or process."""

    type: ApplyingType = "subscribe"
    subscription: str
    """Channel's id; part of the names of its checkpoints in the target."""
    node: str
    source_kind: str
    source: Connection | None = None
    """The node's source, if this host knows it."""
    target: Connection
    tables: tuple[SubscribedTable, ...]
    load_threads: int = Field(default=2, ge=1, le=100)
    apply_lanes: int = Field(default=1, ge=1, le=MAX_APPLY_LANES)
    """Number of parallel appliers, which divide the changes of a table by key; 1: no division."""
    retention_hours: int | None = None
    """Retention of the node's topics; None: unknown."""
    verification: VerificationOrder | None = None
    """None: no verification."""
    mask_key: MaskKey = SecretStr("")


class WantedComparison(Message):
    """A subscribed table to compare with its source, once per `number`."""

    id: str
    """Id of the comparison, constant for the table."""
    subscription: str
    """SubscribeTask.subscription of the table's channel."""
    table: SubscribedTable
    number: int = Field(ge=1)
    method: ComparisonMethod = "content"
    columns: tuple[str, ...] = ()
    """Columns to compare besides the key (names in the source); (): all replicated ones."""
    rounds: int = Field(default=3, ge=1, le=100)
    """Number of checks of rows that differ."""
    stopped: bool = False
    """Whether the comparison is stopped."""
    repair: int = 0
    """An increased number requests repair of what comparison `number` found."""


class ComparisonTask(Task):
    """Compare tables of a node's subscriptions with their source, and repair them."""

    type: Literal["contrast"] = "contrast"
    node: str
    source: Connection
    target: Connection
    comparisons: tuple[WantedComparison, ...]
    mask_key: MaskKey = SecretStr("")


class StreamQueryInput(Message):
    """A published table that a stream query reads."""

    name: str
    """Its name in the SELECT."""
    node: str
    published: str
    """Id of the published table."""
    source: TableRef
    key: tuple[str, ...] = ()
    """See PublishedTable.key."""
    generation: int = Field(ge=1)
    """Number of the desired snapshot on the full topic."""


class StreamTask(Task):
    """Maintain the result of a SELECT over published tables in a target table."""

    type: Literal["stream"] = "stream"
    computation: str
    """Its id; part of the names of its checkpoint in the target and of the worker's own data."""
    generation: int = Field(default=1, ge=1)
    """An increased number requests a complete recomputation."""
    retry: int = 0
    """An increased number requests a retry of a stopped stream query."""
    inputs: tuple[StreamQueryInput, ...] = Field(min_length=1)
    sql: str
    key: tuple[str, ...]
    """Columns of the result that identify a row."""
    interval_ms: int = Field(default=1_000, ge=0)
    """Minimum interval between stream queries."""
    target: Connection
    table: TableRef
    most_rows: int = Field(default=1_000_000, ge=1)
    """Limit of rows of the result."""
    most_state_mb: int = Field(default=10_240, ge=1)
    """Limit of stored inputs and result."""
