"""What a service is to do: the desired state, complete. A worker hears what changed of its tables whenever the task
changes and works out what is to be done; nothing is commanded step by step."""

from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, SecretStr

from zcbus.model.comparison import ComparisonMethod
from zcbus.model.schema import TableSchema
from zcbus.model.services import ApplyingType, LogLevel
from zcbus.model.states import CleanMode, DdlMode, LoadMode
from zcbus.protocol.base import Connection, Message, TableRef
from zcbus.protocol.transforms import Transform

MaskKey = Annotated[SecretStr, PlainSerializer(SecretStr.get_secret_value, when_used="json")]
"""What hashes of masked values are made with; the same in the whole installation."""


class Task(Message):
    """What a service is to do; a kind's own task derives from it (protocol.service_kinds)."""

    type: str
    service: str
    log_level: LogLevel = "info"


class TaskTable(Message):
    """A table of a task."""

    id: str


class TableTask(Task):
    """A task of thousands of tables, which is handed on as what changed of them (protocol.changes)."""

    tables: tuple[TaskTable, ...]


class PublishedTable(TaskTable):
    """A table of a publish node."""

    source: TableRef
    key: tuple[str, ...] = ()
    """Chosen key columns; (): the table's own key."""
    append_only: bool = False
    """Without a key: only the rows that come are applied anywhere."""
    generation: int = 0
    """Number of the snapshot that is wanted on the full topic; 0: none. A higher number asks for a new snapshot."""
    gap: int = 0
    """How many gaps of this table somebody accepted: a higher number than before lets it be captured again though
    changes since its snapshot are missing."""
    direct: bool = False
    """The only reader of the snapshot can take its rows from the source itself: they are offered, not written."""
    stopped: bool = False
    """Its changes are not wanted. A further snapshot, or an accepted gap, begins its capture anew."""

    def row_key(self, schema: TableSchema) -> tuple[str, ...]:
        """The columns that identify a row; (): none do."""
        return () if self.append_only else schema.key(self.key)


class PublishTask(TableTask):
    """Capture the changes of a source's tables to the real topic, and snapshots to full topics."""

    type: Literal["publish"] = "publish"
    node: str
    """Publish node's id; names slot, publication and topics."""
    source: Connection
    tables: tuple[PublishedTable, ...]
    retention_hours: int = 72
    retention_bytes: int | None = None
    json_topic: str = ""
    """Name of the feed that tells other programs the changes as JSON; empty: none."""
    held_log_bytes: int | None = Field(default=None, ge=1)
    """The source is let forget the log that it keeps for this node where that is more; None: it keeps what it must."""


class ColumnMapping(Message):
    """A column that is taken along, and its name in the target."""

    source: str
    target: str


class Begin(Message):
    """How a generation of a table begins, where somebody chose it."""

    mode: Literal["full", "incremental"]
    beside: bool = False
    """full: load into a table beside the target table and exchange the rows at the end in one transaction, so that
    readers of the target never see fewer rows than there are. Else clean first, as `clean` says."""
    offset: int = 0
    """incremental: the first record of the real topic to apply."""
    record_time: int | None = None
    """incremental: append time of the record before it, which proves that it is still the same topic."""
    gap: int | None = None
    """incremental, instead of `offset`: begin with the oldest changes that the bus has of the capture that follows this
    accepted gap (PublishedTable.gap), once that capture has begun."""


class SubscribedTable(TaskTable):
    """A table of a subscription."""

    published: str
    """Id of the published table."""
    source: TableRef
    target: TableRef
    columns: tuple[ColumnMapping, ...] = ()
    """(): all, under their own names."""
    key: tuple[str, ...] = ()
    """Chosen key columns (names in the source)."""
    append_only: bool = False
    """As PublishedTable.append_only."""
    transform: Transform = Transform()
    load: LoadMode = LoadMode.BOTH
    clean: CleanMode = CleanMode.NONE
    ddl: DdlMode = DdlMode.STOP
    indexes: bool = False
    """Whether target tables that are made for this link get the source's indexes that are no keys too."""
    generation: int = 1
    """Number of the full load that is wanted; a higher number than the one in the target asks for a reload."""
    direct: bool = False
    """Rows that are only offered on the full topic are taken from the source."""
    begin: Begin | None = None
    """How this generation begins; None: as `load` says."""
    suspended: bool = False
    retry: int = 0
    """A higher number asks to try a table that failed again at once."""
    error_limit: int = Field(default=100, ge=0, le=100_000)
    """So many changes that the target refuses may be open while the table goes on without them; 0: it stands still at
    the first."""
    dml_skip: int = Field(default=0, ge=0, le=1_000_000)
    """So many further failing changes of rows are skipped for good; each is kept on record."""
    ddl_skip: int = Field(default=0, ge=0, le=100)
    """The same for changes of the table's structure."""
    skip_revision: int = 0
    """A higher number begins to count both anew."""
    moves: int = 0
    """How often the table was given to another channel. A channel leaves alone what was given away since."""
    came_from: tuple[str, ...] = ()
    """The other channels (SubscribeTask.subscription) that had the table before: one of them knows where it stands."""

    def row_key(self, schema: TableSchema) -> tuple[str, ...]:
        """As PublishedTable.row_key."""
        return () if self.append_only else schema.key(self.key)

    @property
    def begins_with_load(self) -> bool:
        """Whether this generation begins with a full load."""
        return self.begin.mode == "full" if self.begin is not None else self.load is not LoadMode.INCREMENTAL


MOST_APPLY_LANES = 16


class VerificationRequest(Message):
    """What somebody asked of the verification of a table."""

    table: str
    """SubscribedTable.id."""
    number: int = 0
    """A higher number asks to verify the table before all others."""
    repair: int = 0
    """A higher number asks to repair the rows that are known to differ."""


class VerificationOrder(Message):
    """Verify the tables whose changes are applied, in the background."""

    source: Connection
    percent: float = Field(gt=0, le=100)
    """So much of a core, and of one session's time on each of the two servers, may be spent on it."""
    requests: tuple[VerificationRequest, ...] = ()


class SubscribeTask(TableTask):
    """Apply a node's topics to a target: one channel, of a subscriber or of a process."""

    type: ApplyingType = "subscribe"
    subscription: str
    """Channel's id; names the lanes in the target."""
    node: str
    source_kind: str
    source: Connection | None = None
    """Where the node captures, if that is known on this host."""
    target: Connection
    tables: tuple[SubscribedTable, ...]
    load_threads: int = Field(default=2, ge=1, le=100)
    apply_lanes: int = Field(default=1, ge=1, le=MOST_APPLY_LANES)
    """Sessions among which the changes of a table are divided by their keys; 1: they are not."""
    retention_hours: int | None = None
    """Of the node's topics; None: not known."""
    verification: VerificationOrder | None = None
    """None: tables are not verified."""
    mask_key: MaskKey = SecretStr("")


class WantedComparison(Message):
    """A subscribed table that is to be compared with its source, once for each `number`."""

    id: str
    """Of the comparison; the same each time that the table is compared."""
    subscription: str
    """SubscribeTask.subscription of the channel that carries the table."""
    table: SubscribedTable
    number: int = Field(ge=1)
    method: ComparisonMethod = "content"
    columns: tuple[str, ...] = ()
    """Only these (names in the source), and the key; (): all that are taken along."""
    rounds: int = Field(default=3, ge=1, le=100)
    """How often rows that were found are looked at again."""
    stopped: bool = False
    """It is not to go on."""
    repair: int = 0
    """A higher number than before asks to repair what comparison `number` found."""


class ContrastTask(Task):
    """Compare tables of a node's subscriptions with their source, and repair them."""

    type: Literal["contrast"] = "contrast"
    node: str
    source: Connection
    target: Connection
    comparisons: tuple[WantedComparison, ...]
    mask_key: MaskKey = SecretStr("")


class ComputationInput(Message):
    """A published table that a computation reads."""

    name: str
    """What the SELECT calls it."""
    node: str
    published: str
    """Id of the published table."""
    source: TableRef
    key: tuple[str, ...] = ()
    """As PublishedTable.key."""
    generation: int = Field(ge=1)
    """Number of the newest snapshot that is wanted on the full topic."""


class StreamTask(Task):
    """Keep the result of one SELECT over published tables up to date in a target table."""

    type: Literal["stream"] = "stream"
    computation: str
    """Its id; names the lane in the target and the worker's own data."""
    generation: int = Field(default=1, ge=1)
    """A higher number than the one that is known asks for everything to be computed anew."""
    retry: int = 0
    """A higher number asks for one that stands still to be tried again."""
    inputs: tuple[ComputationInput, ...] = Field(min_length=1)
    sql: str
    key: tuple[str, ...]
    """Columns of the result that identify a row."""
    interval_ms: int = Field(default=1_000, ge=0)
    """The result is not computed more often than that."""
    target: Connection
    table: TableRef
    most_rows: int = Field(default=1_000_000, ge=1)
    """The result may have so many rows."""
    most_state_mb: int = Field(default=10_240, ge=1)
    """So much may be kept of the inputs and the result."""
