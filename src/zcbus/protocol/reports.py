"""Reports of a worker: one JSON object per line on its report pipe. The agent forwards them."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from zcbus.model.comparison import ComparisonState, RepairState
from zcbus.model.states import PublishState, ServiceState, SyncState
from zcbus.protocol.base import Message, Reason


class Report(Message):
    """A report of a service; the kinds derive their own from it (protocol.service_kinds)."""

    type: str


class StateReport(Report):
    """A report that replaces the previous one of the same subject."""

    state: str
    reason: Reason | None = None
    at: datetime

    @property
    def subject(self) -> str:
        """Id of the table or other subject; empty: the service itself."""
        return ""


class TableReport(StateReport):
    """A state of one of the service's tables or similar subjects."""

    table: str

    @property
    def subject(self) -> str:
        return self.table


class PublishTableReport(TableReport):
    """Current state of a published table. Sent on every change, and about once a second during work."""

    type: Literal["publish-table"] = "publish-table"
    table: str
    state: PublishState
    reason: Reason | None = None
    generation: int = 0
    rows_total: int | None = None
    """Rows of the snapshot: an estimate while it runs, exact at its end."""
    rows_read: int = 0
    inserts: int = 0
    updates: int = 0
    deletes: int = 0
    """Changes captured since the start of the service's process."""
    epoch: int | None = None
    changes: int | None = None
    """Changes of the table on the topic, of complete transactions, since counting began at that `epoch`; exact over
    restarts (model.changes.ControlTotals). None: not known."""
    expires_at: datetime | None = None
    """When retention deletes the complete snapshot; None: there is none, or deletion has begun."""
    delay_ms: int | None = None
    """Latency of the newest change, from its commit until it was durable on the bus; None: none captured."""
    last_change_at: datetime | None = None
    """Commit time of that change in the source."""
    at: datetime


class Verification(Message):
    """Progress of a subscribed table's verification against its source, which runs in the background."""

    verified_until: datetime | None = None
    """All rows were equal on both sides at this time or later; None: unknown."""
    pass_rows: int = 0
    """Rows of the source that the current pass has verified so far."""
    rows_total: int | None = None
    """Rows of the last complete pass; None: there was none."""
    missing: int = 0
    extra: int = 0
    different: int = 0
    """Rows that differed at the last check."""
    capped: bool = False
    """There are too many: the search for more has ended."""
    unsettled: int = 0
    """Rows that changed at every check of the last pass; their equality is unknown."""
    asked: int = 0
    """Number of the last requested verification (VerificationRequest.number) that is done."""
    repair: int = 0
    """Number of the last repair (VerificationRequest.repair) that is done."""
    repaired: int = 0
    """Rows that the repair wrote or deleted."""
    reason: Reason | None = None
    """Why the table cannot be verified now; None: it can."""


class ChangeCounts(Message):
    """What became of a table's changes on the topic, from the record on from which the subscription counts them.

    Stored in the target with its rows, so exact over restarts.
    """

    handled: int = 0
    """All that the subscription has read and settled, of these:"""
    skipped: int = 0
    """contained in the full load, or come through the target itself;"""
    filtered: int = 0
    """left out by a condition;"""
    refused: int = 0
    """kept as row errors. The others are applied."""
    epoch: int | None = None
    """Of the control totals that they were last compared with; None: with none yet."""
    base: int = 0
    """The publisher's count in that epoch where these counts are 0."""
    difference: int = 0
    """Changes that the publisher counts and the subscription never saw; negative: that it saw too often."""
    compared_at: datetime | None = None
    """When those control totals were written."""


class SyncTableReport(TableReport):
    """Current state of a subscribed table."""

    type: Literal["sync-table"] = "sync-table"
    table: str
    state: SyncState
    reason: Reason | None = None
    generation: int = 0
    rows_total: int | None = None
    rows_loaded: int = 0
    bytes_loaded: int = 0
    """Bytes of the values as sent to the target."""
    rows_per_second: float = 0.0
    """Rows per second of the last seconds: of the full load while it runs, of applied changes afterwards."""
    inserts: int = 0
    updates: int = 0
    deletes: int = 0
    """Changes applied since this generation's full load; stored in the target, so exact over restarts."""
    counts: ChangeCounts | None = None
    """None: changes are not replicated, or not yet."""
    ddl_seen: int = 0
    ddl_followed: int = 0
    ddl_skipped: int = 0
    """Schema changes of the source since then: all, those applied, and those skipped.

    All includes the one that stops the table.
    """
    last_ddl_at: datetime | None = None
    """When the last one was applied or skipped."""
    skip_revision: int = 0
    dml_skip_left: int = 0
    ddl_skip_left: int = 0
    """Failing row and schema changes that may still be skipped.

    They count from the limits in the task of this SubscribedTable.skip_revision.
    """
    errors: int = 0
    row_errors: int = 0
    """Open row errors: changes that the target rejected and the table continued without."""
    lag_ms: int | None = None
    """Age of the oldest change that is not applied; 0: none waits; None: unknown."""
    load_started_at: datetime | None = None
    load_finished_at: datetime | None = None
    last_change_at: datetime | None = None
    """Commit time in the source of the newest applied change."""
    moves: int = 0
    """Number of the last move between channels (SubscribedTable.moves) that is done."""
    expires_at: datetime | None = None
    """When retention deletes the oldest waiting change; None: no change waits for long."""
    verification: Verification | None = None
    """None: verification is not requested."""
    at: datetime


class ComparisonReport(TableReport):
    """Current state of a comparison. Its differences stay with the service (requests.ListDifferences)."""

    type: Literal["comparison"] = "comparison"
    table: str
    """Id of the comparison."""
    number: int
    state: ComparisonState
    reason: Reason | None = None
    """The reason of an error; when done, a limitation of the result."""
    rows_total: int | None = None
    """Rows to compare; an estimate while it runs."""
    rows_compared: int = 0
    missing: int = 0
    extra: int = 0
    different: int = 0
    unsettled: int = 0
    """Rows that changed at every check; they count as equal."""
    not_checked: int = 0
    """Rows that are not checked again because of a limit: differences or changes in progress."""
    repair: int = 0
    repair_state: RepairState = RepairState.NONE
    repair_reason: Reason | None = None
    repaired: int = 0
    """Rows that the repair wrote or deleted."""
    started_at: datetime | None = None
    finished_at: datetime | None = None
    at: datetime


class InputReport(Message):
    """Figures of a stream query's input."""

    name: str
    rows: int = 0
    loaded: bool = False


class StreamQueryReport(TableReport):
    """Current state of a stream query."""

    type: Literal["computation"] = "computation"
    table: str
    """Id of the stream query."""
    state: SyncState
    reason: Reason | None = None
    generation: int
    inputs: tuple[InputReport, ...] = ()
    rows: int | None = None
    """Rows of the result; None: not computed yet."""
    inserts: int = 0
    updates: int = 0
    deletes: int = 0
    """Changes of the target's rows since this generation's first result; stored in the target."""
    state_bytes: int | None = None
    """Disk space of the inputs and the result on the worker's host."""
    computed_ms: int | None = None
    """Duration of the last stream query."""
    computed_at: datetime | None = None
    lag_ms: int | None = None
    """Age of the oldest input change that is not in the target; 0: none waits; None: unknown."""
    last_change_at: datetime | None = None
    """Commit time in its source of the newest input change in the result."""
    at: datetime


class FeedReport(Message):
    """Current state of a JSON topic."""

    name: str
    reason: Reason | None = None
    """Why writing is blocked; None: it is not."""
    waiting_seconds: float | None = None
    """Duration of the blockage; None: there is none."""
    gap_at: datetime | None = None
    """When a loss of changes by retention was last detected; None: not since the start of the service's process."""
    next_offset: int = 0
    """Append time of the first record of the real topic that the JSON topic lacks."""
    messages: int = 0
    """Messages since the start of the service's process."""
    newest_change_at: datetime | None = None
    """Commit time in the source of the newest change written since then."""


class Beat(Message):
    """The last heartbeat or change that a service forwarded: proof that the path works."""

    at: datetime
    """When it arrived."""
    took_ms: int | None = None
    """Latency from the previous stage, of the newest one that reports it; None: unknown."""


class TracesFailure(Message):
    """A collector of OpenTelemetry that does not take a service's traces."""

    collector: str
    """Its address."""
    since: datetime
    detail: str
    """Why the last attempt failed, in the collector's or the library's words."""


class ServiceReport(StateReport):
    """State of the service, at least every 5 seconds. A growing `progress` proves that its loop runs."""

    type: Literal["service"] = "service"
    state: Literal["starting", "running", "waiting", "stopping", "failed"]
    """waiting: retries while the source, target or bus is unavailable. failed: ends with exit code 3.

    A failed service cannot continue until a person changes something.
    """
    reason: Reason | None = None
    progress: int = 0
    """Incremented by every iteration of the main loop."""
    position: str = ""
    """Publish: position in the source's log, in the database's notation."""
    lag_ms: int | None = None
    backlog_bytes: int | None = None
    """Publish: log that the source retains for the service. Subscribe: bytes on the topic still to be read."""
    memory_bytes: int | None = None
    cpu_percent: float | None = None
    """Processor time of the process by the time that passed, of one processor, since an earlier report; None: too soon
    to say."""
    retries: int = 0
    """Attempts since the start of the process that failed because something external was unavailable."""
    bus_bytes: int | None = None
    """Bytes of the real topic since then. Publish: written durably. Subscribe: read by the channel."""
    needs: dict[str, int] = Field(default_factory=dict)
    """Subscribe, stream: publish node → offset of the first record of its real topic that the service still needs, for
    any of its tables that are loaded. Without a node whose position is not known yet."""
    feed: FeedReport | None = None
    """Publish: the JSON topic, if there is one."""
    came: Beat | None = None
    """Publish: from the source. Subscribe: from the bus."""
    went: Beat | None = None
    """Publish: durable on the bus. Subscribe: committed in the target, with its position."""
    traces: TracesFailure | None = None
    """None: the collector takes them, or there are none."""
    at: datetime


class ServiceStatus(Message):
    """The agent's view of a service's process."""

    service: str
    state: ServiceState
    pid: int | None = None
    started_at: datetime | None = None
    restarts: int = 0
    """Restarts since the last order to run."""
    next_attempt_at: datetime | None = None
    last_exit: str = ""
    """`exit 1`, `signal 9`; empty: it has not ended yet."""
    reason: Reason | None = None
    at: datetime


class Attempt(Message):
    """A finished run of a service's process."""

    service: str
    started_at: datetime
    ended_at: datetime
    result: str
    reason: Reason | None = None
