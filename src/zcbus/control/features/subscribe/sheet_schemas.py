"""Requests and answers about subscribed tables: the data sheet."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from zcbus.control.features.subscribe.etl_schemas import EtlRules
from zcbus.control.features.subscribe.schemas import AnyClientType, Id, TableFigures
from zcbus.control.features.subscribe.settings_change import Consequence
from zcbus.control.features.subscribe.start_position import StartChoice
from zcbus.control.features.subscribe.transform_input import ColumnName, ColumnNames, ExpressionText
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.model.comparison import ComparisonMethod, ComparisonState, RepairState
from zcbus.model.states import CleanMode, DdlMode, LoadMode, LoadType, PublishState, SyncState

MAX_TABLES = 10_000


class SheetPageRequest(PageRequest):
    """Subscribed tables of a customer, a master, a channel, a publish node or all customers of a type; all of them left
    out: all the caller may see. `search`: part of a source's or target's schema or table name. `tables`: only these."""

    client_type: AnyClientType = ""
    customer_id: Id | None = None
    control_id: Id | None = None
    channel_id: Id | None = None
    node_master: Id | None = None
    search: str = Field("", max_length=255)
    state: list[SyncState] = Field(default_factory=list, max_length=20)
    tables: list[Id] = Field(default_factory=list, max_length=1_000)


class ComparisonAction(StrEnum):
    """Actions of a table's comparison."""

    COMPARE = "compare"
    STOP = "stop"
    REPAIR = "repair"
    DISCARD = "discard"


class ComparisonFigures(Schema):
    """A table's last comparison with its source. `differences`: rows that are missing in the target, extra in it, or
    different. `unsettled`: rows that changed at each check; `notChecked`: rows beyond the limit of rechecks, which may
    be differences or changes under way. `repaired`: rows that the repair wrote or deleted. `columns`: those that were
    compared; none: all. `rounds`: convergence compare times. `refusals`: why the other actions are not possible now."""

    state: ComparisonState
    repair_state: RepairState
    method: ComparisonMethod
    columns: list[str]
    rounds: int
    finished_at: datetime | None
    reason: ReasonRecord | None
    repair_reason: ReasonRecord | None
    rows_total: int | None
    rows_compared: int
    differences: int
    missing: int
    extra: int
    different: int
    unsettled: int
    not_checked: int
    repaired: int
    actions: list[ComparisonAction]
    refusals: dict[ComparisonAction, str]


class SheetRecord(TableFigures):
    """A line of the data sheet. `loadType`: its master's. `queueName`, `fullTopic`: topics of its changes and its rows
    on the bus. `offsetTime`: commit time of the last applied change; `updateTime`: of its last report. `totalTimeMs`:
    duration of the full load so far. `loadSizeBytes`: loaded bytes, as handed to the target; `loadSizeTotalBytes`: the
    whole table at the size of the rows so far; null: not measured. `ddlSeen`: changes of the source's structure since
    the load, including the one that the table stopped before; `ddlFollowed`, `ddlSkipped`: those applied to the target
    table, and those that were skipped; `lastDdlAt`: the last of both. `errorRate`: errors in a thousand of the changes.
    `applyByKey`, `columns`: as configured; none: its own key, all columns. `etlRules`: number of its columns that are
    computed or masked. `policyNames`: the strategies assigned to its customer. `comparison`: null where the table was
    never compared with its source."""

    customer_id: str
    customer_name: str
    control_id: str
    control_name: str
    channel_id: str
    channel_name: str
    node_master: str
    node_name: str
    link_id: str | None
    policy_names: list[str]
    queue_name: str
    full_topic: str
    version: int
    load_type: LoadType
    load_threads: int
    load: LoadMode
    clean: CleanMode
    ddl: DdlMode
    load_started_at: datetime | None
    load_finished_at: datetime | None
    total_time_ms: int | None
    load_size_bytes: int | None
    load_size_total_bytes: int | None
    ddl_seen: int
    ddl_followed: int
    ddl_skipped: int
    last_ddl_at: datetime | None
    offset_time: datetime | None
    update_time: datetime | None
    error_rate: float | None
    apply_by_key: list[str]
    columns: list[tuple[str, str]]
    where: str
    target_where: str
    etl_rules: int
    suspended: bool
    comparison: ComparisonFigures | None


class CandidateRequest(PageRequest):
    """Tables that a master's node publishes and that none of its channels has."""

    control_id: Id
    search: str = Field("", max_length=255)


class PublishedCandidate(Schema):
    """A published table to subscribe. `unboundAt`: when the master unsubscribed it, while its position is still
    kept."""

    id: str
    schema_name: str = Field(alias="schema")
    table: str
    state: PublishState
    reason: ReasonRecord | None
    full: bool
    rows_total: int | None
    unbound_at: datetime | None


class SheetAddition(Schema):
    """Published tables (ids) to subscribe. `channelId`: omitted, each goes to the channel with the fewest. `rules` and
    `where` (SQL over the source's columns) hold for all of them; a process takes no table without. `goOn`: tables that
    the master unsubscribed within the last week resume at their positions, with their former settings; of a named
    channel, only those that it had."""

    control_id: Id
    channel_id: Id | None = None
    tables: list[Id] = Field(min_length=1, max_length=MAX_TABLES)
    rules: EtlRules = Field(default_factory=list)
    where: ExpressionText | None = None
    go_on: bool = True


TableIds = Annotated[list[Id], Field(min_length=1, max_length=MAX_TABLES)]


class SheetChoice(Schema):
    """Subscribed tables, by id."""

    tables: TableIds


class SheetReload(SheetChoice):
    """`beside`: load into a shadow table and exchange the rows at the end; see `sync/link`."""

    beside: bool | None = None


class SheetPosition(StartChoice, SheetChoice):
    """Where incremental subscription of tables of one node is to begin."""


class SheetStart(SheetPosition):
    """`hold`: only set the position; the tables start there when they are resumed."""

    hold: bool = False


class SheetLimits(SheetChoice):
    """The most open row errors of the tables (0: they stop at the first), and how many failing row changes and schema
    changes they skip from now on."""

    error_limit: int = Field(100, ge=0, le=100_000)
    dml_skip: int = Field(0, ge=0, le=1_000_000)
    ddl_skip: int = Field(0, ge=0, le=100)


class SheetClean(SheetChoice):
    """How target tables are cleaned before a full load, and how DDL is handled; null: unchanged."""

    clean: CleanMode | None = None
    ddl: DdlMode | None = None


class SheetEdit(Schema):
    """One table's settings. `targetSchema`, `targetTable`: empty: unchanged. `columns`: source name → target name, or a
    selection (a list, or `a,b`); empty: all. See `EditPlan` for what follows."""

    table: Id
    target_schema: str = Field(max_length=1000)
    target_table: str = Field(max_length=1000)
    columns: dict[ColumnName, ColumnName] | ColumnNames
    where: ExpressionText | None = None
    target_where: ExpressionText | None = None
    load: LoadMode
    clean: CleanMode
    ddl: DdlMode


class EditPlan(Schema):
    """Consequence of changed settings. `reload`: other rows, columns or targets, so a new full load begins, or begins
    when the suspended table resumes; `continue`: the table is never loaded, so they hold for later changes and its rows
    stay; `none`: its rows stay right. `shadowTable`: readers see the present rows until the load has ended."""

    consequence: Consequence
    shadow_table: bool


CANDIDATES = ListDefinition[PublishedCandidate](
    PublishedCandidate,
    {
        "table": "table_name",
        "state": "current_state",
    },
)
