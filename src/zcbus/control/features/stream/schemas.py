"""Requests and answers about stream queries."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.features.datasource.schemas import ConnectionRecord
from zcbus.control.features.subscribe.schemas import Id, Name
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.reasons import ReasonRecord
from zcbus.control.platform.schema import Schema
from zcbus.model.states import PublishState, ServiceState, SyncState

MAX_INPUTS = 16


class StreamQueryAction(StrEnum):
    """The actions that a stream query's present state allows."""

    START = "start"
    STOP = "stop"
    RESET = "reset"
    EDIT = "edit"
    DELETE = "delete"


class InputChoice(Schema):
    """A published table and its name in the SELECT."""

    table: Id
    name: str = Field(min_length=1, max_length=128)


class StreamQueryDefinition(Schema):
    """`key`: columns of the result that identify a row. `intervalMs`: shortest time between two evaluations. `mostRows`
    and `mostStateMb`: the stream query stops where the result has more rows, or inputs and result need more room on the
    worker's disk."""

    database_id: Id
    inputs: list[InputChoice] = Field(min_length=1, max_length=MAX_INPUTS)
    sql: str = Field(min_length=1, max_length=20_000)
    key: list[str] = Field(max_length=32)
    target_schema: str = Field(min_length=1, max_length=128)
    target_table: str = Field(min_length=1, max_length=128)


class StreamQueryInputForm(StreamQueryDefinition):
    """A new stream query. `start`: it is to run at once."""

    name: Name
    key: list[str] = Field(min_length=1, max_length=32)
    interval_ms: int = Field(1_000, ge=100, le=86_400_000)
    most_rows: int = Field(1_000_000, ge=1, le=100_000_000)
    most_state_mb: int = Field(10_240, ge=64, le=1_000_000)
    start: bool = True


class StreamQueryChange(StreamQueryInputForm):
    """The stream query with its new settings. Another SELECT, key, input or table computes everything from scratch."""

    id: Id


class StreamQueryChoice(Schema):
    """One stream query."""

    id: Id


class StreamQueryDeletion(DeletionProof):
    """A stream query to delete, with proof that a person requests it where that is required."""

    id: Id


class StreamQueryPageRequest(PageRequest):
    """Narrowed by a text in name, customer, SELECT or target, and by state."""

    search: str = Field("", max_length=255)
    state: list[SyncState] = Field(default_factory=list, max_length=20)


class StreamQueryInputRecord(Schema):
    """`rows`: held by the stream query; None: not known."""

    table: str
    name: str
    node_id: str
    node_name: str
    source: str
    rows: int | None


class StreamQueryRecord(Schema):
    """A stream query's present state. `state`: its own; `serviceState`: of the service that runs it. `rows`:
    of the result. Inserts, updates and deletes are those written to the target since it was last computed from scratch;
    `computedMs`: duration of the last evaluation; `lagMs`: age of the oldest change that is not in the target; None:
    not known."""

    id: str
    name: str
    customer_id: str
    customer_name: str
    database_id: str
    database_name: str
    target: ConnectionRecord
    target_schema: str
    target_table: str
    inputs: list[StreamQueryInputRecord]
    sql: str
    key: list[str]
    interval_ms: int
    most_rows: int
    most_state_mb: int
    service_id: str
    container_name: str
    service_state: ServiceState
    state: SyncState
    reason: ReasonRecord | None
    rows: int | None
    inserts: int
    updates: int
    deletes: int
    state_bytes: int | None
    computed_ms: int | None
    computed_at: datetime | None
    lag_ms: int | None
    last_change_at: datetime | None
    created_at: datetime
    actions: list[StreamQueryAction]


class StreamQueryColumn(Schema):
    """A column of the result, with its type in the target."""

    name: str
    type: str


class StreamQueryCheckRecord(Schema):
    """`reason`: why it cannot be computed; None: it can. `exists`: the target table is there, and its rows will be
    replaced."""

    columns: list[StreamQueryColumn]
    reason: ReasonRecord | None
    exists: bool


class InputPageRequest(PageRequest):
    """Narrowed by a text in the table's or its node's name."""

    search: str = Field("", max_length=255)


class InputRecord(Schema):
    """A published table that a stream query may read."""

    id: str
    table: str
    node_id: str
    node_name: str
    container_name: str
    state: PublishState


STREAM_QUERIES = ListDefinition[StreamQueryRecord](
    StreamQueryRecord,
    {
        "name": "name",
        "customerName": "customer_name",
        "targetTable": "target_table",
        "state": "current_state",
        "rows": "rows",
        "lagMs": "lag_ms",
        "computedMs": "computed_ms",
        "computedAt": "computed_at",
        "stateBytes": "state_bytes",
        "inserts": "inserts",
        "updates": "updates",
        "deletes": "deletes",
        "lastChangeAt": "last_change_at",
        "createdAt": "created_at",
    },
)


INPUTS = ListDefinition[InputRecord](
    InputRecord,
    {
        "table": "table_name",
        "nodeName": "node_name",
    },
)
