"""What a worker tells: one JSON object a line on its report pipe. The agent passes it on to the control plane."""

from datetime import datetime
from typing import Literal

from zcbus.model.comparison import ComparisonState, RepairState
from zcbus.model.states import PublishState, ServiceState, SyncState
from zcbus.protocol.base import Message, Reason


class Report(Message):
    """What a service tells; a kind's own report derives from it (protocol.service_kinds)."""

    type: str


class StateReport(Report):
    """What replaces an older one of the same thing."""

    state: str
    reason: Reason | None = None
    at: datetime

    @property
    def subject(self) -> str:
        """Of the service's things the one that it is about; empty: the service itself."""
        return ""


class TableReport(StateReport):
    """A state of one of the service's tables, or of what counts as one."""

    table: str

    @property
    def subject(self) -> str:
        return self.table


class PublishTableReport(TableReport):
    """A published table, as measured now. Sent on every change and about once a second while something moves."""

    type: Literal["publish-table"] = "publish-table"
    table: str
    state: PublishState
    reason: Reason | None = None
    generation: int = 0
    rows_total: int | None = None
    """Estimate while the snapshot runs, exact at its end."""
    rows_read: int = 0
    inserts: int = 0
    updates: int = 0
    deletes: int = 0
    """Changes captured since the service's process started."""
    expires_at: datetime | None = None
    """From then on retention takes the complete snapshot; None: there is none, or it has begun to."""
    delay_ms: int | None = None
    """From the newest change's commit until it was durable on the bus; None: none was captured since then."""
    last_change_at: datetime | None = None
    """When that change was committed in the source."""
    at: datetime


class Verification(Message):
    """How far a subscribed table is verified: proved to be what its source is, range by range in the background."""

    verified_until: datetime | None = None
    """Every row was the same on both sides at that moment or later; None: not known yet."""
    pass_rows: int = 0
    """Rows of the source that the pass under way has proved so far."""
    rows_total: int | None = None
    """Of the last whole pass; None: there was none."""
    missing: int = 0
    extra: int = 0
    different: int = 0
    """Rows that differ, as they were last looked at."""
    capped: bool = False
    """There are so many that no more are looked for."""
    unsettled: int = 0
    """Rows that were changed each time that the last pass looked at them: nothing is known of them."""
    asked: int = 0
    """Number of the verification that somebody asked for (VerificationRequest.number) and that is done."""
    repair: int = 0
    """Number of the repair that is done (VerificationRequest.repair)."""
    repaired: int = 0
    """Rows that it wrote or deleted."""
    reason: Reason | None = None
    """Why the table is not verified now; None: nothing is in the way."""


class SyncTableReport(TableReport):
    """A subscribed table, as measured now."""

    type: Literal["sync-table"] = "sync-table"
    table: str
    state: SyncState
    reason: Reason | None = None
    generation: int = 0
    rows_total: int | None = None
    rows_loaded: int = 0
    bytes_loaded: int = 0
    """Of the values as they were handed to the target."""
    rows_per_second: float = 0.0
    """Of the full load while it runs, of applied changes afterwards; over the last seconds."""
    inserts: int = 0
    updates: int = 0
    deletes: int = 0
    """Changes applied since the full load of this generation; kept in the target, so exact over restarts."""
    ddl_seen: int = 0
    ddl_followed: int = 0
    ddl_skipped: int = 0
    """Changes of the source's structure since then: all with that before which the table stands still, those that the
    target table followed, and those that it did not though the table went on."""
    last_ddl_at: datetime | None = None
    """When the last one was followed or passed over."""
    skip_revision: int = 0
    dml_skip_left: int = 0
    ddl_skip_left: int = 0
    """How many further failing changes of rows and of the structure are skipped, of what the task of that
    SubscribedTable.skip_revision allows."""
    errors: int = 0
    row_errors: int = 0
    """Changes that the target refused and that the table went on without; open ones."""
    lag_ms: int | None = None
    """Age of the oldest change that is not applied yet; 0: nothing waits; None: not known."""
    load_started_at: datetime | None = None
    load_finished_at: datetime | None = None
    last_change_at: datetime | None = None
    """Commit time in the source of the newest applied change."""
    moves: int = 0
    """Number of the move between channels (SubscribedTable.moves) that is done."""
    expires_at: datetime | None = None
    """From then on retention takes the oldest change that waits for this table; None: nothing waits for long."""
    verification: Verification | None = None
    """None: not verified, because nobody wants it."""
    at: datetime


class ComparisonReport(TableReport):
    """A comparison, as far as it is now. What it found lies with the service (requests.ListDifferences)."""

    type: Literal["comparison"] = "comparison"
    table: str
    """Id of the comparison."""
    number: int
    state: ComparisonState
    reason: Reason | None = None
    """Why it ended in error; where it is done: what its result is subject to."""
    rows_total: int | None = None
    """Estimate while it runs."""
    rows_compared: int = 0
    missing: int = 0
    extra: int = 0
    different: int = 0
    unsettled: int = 0
    """Rows that were changed each time they were looked at; they count as equal."""
    not_checked: int = 0
    """Rows beyond those that are looked at again: differences or changes on their way."""
    repair: int = 0
    repair_state: RepairState = RepairState.NONE
    repair_reason: Reason | None = None
    repaired: int = 0
    """Rows that the repair wrote or deleted."""
    started_at: datetime | None = None
    finished_at: datetime | None = None
    at: datetime


class InputReport(Message):
    """What a computation holds of an input."""

    name: str
    rows: int = 0
    loaded: bool = False


class ComputationReport(TableReport):
    """A computation, as measured now."""

    type: Literal["computation"] = "computation"
    table: str
    """Id of the computation."""
    state: SyncState
    reason: Reason | None = None
    generation: int
    inputs: tuple[InputReport, ...] = ()
    rows: int | None = None
    """Of the result; None: not computed yet."""
    inserts: int = 0
    updates: int = 0
    deletes: int = 0
    """Of the target's rows, since this generation's first result; kept in the target."""
    state_bytes: int | None = None
    """What the inputs and the result take on the worker's disk."""
    computed_ms: int | None = None
    """How long the last computation took."""
    computed_at: datetime | None = None
    lag_ms: int | None = None
    """Age of the oldest change of an input that is not in the target yet; 0: nothing waits; None: not known."""
    last_change_at: datetime | None = None
    """Commit time in its source of the newest change of an input that is in the result."""
    at: datetime


class FeedReport(Message):
    """A JSON topic, as measured now."""

    name: str
    reason: Reason | None = None
    """Why nothing is written; None: nothing is wrong."""
    waiting_seconds: float | None = None
    """How long it has been so; None: nothing is wrong."""
    gap_at: datetime | None = None
    """When it was last found that retention had taken changes before they were written; None: not since the service's
    process started."""
    next_offset: int = 0
    """Of the first record of the real topic that is not in it."""
    messages: int = 0
    """Written since the service's process started."""
    newest_change_at: datetime | None = None
    """Commit time in the source of the newest change that was written since then."""


class Beat(Message):
    """What a service passed on last, a heartbeat of the source's log or changes: both prove that the way is open."""

    at: datetime
    """When it got there."""
    took_ms: int | None = None
    """From the stage before to here, of the newest that tells; None: none has told."""


class ServiceReport(StateReport):
    """The service as a whole, at least every 5 seconds: `progress` proves that its loop turns."""

    type: Literal["service"] = "service"
    state: Literal["starting", "running", "waiting", "stopping", "failed"]
    """waiting: something outside is away (source, target, bus full) and is tried again. failed: cannot go on until
    somebody changes something; the process ends with exit code 3."""
    reason: Reason | None = None
    progress: int = 0
    """Grows with every turn of the main loop."""
    position: str = ""
    """Publish: the source's log position reached, in the database's own words."""
    lag_ms: int | None = None
    backlog_bytes: int | None = None
    """Publish: log that the source holds back for us. Subscribe: bytes on the topic still to be read."""
    memory_bytes: int | None = None
    feed: FeedReport | None = None
    """Publish: the JSON topic, where one is wanted."""
    came: Beat | None = None
    """Publish: from the source. Subscribe: from the bus."""
    went: Beat | None = None
    """Publish: durable on the bus. Subscribe: committed in the target, with the place that was reached."""
    at: datetime


class ServiceStatus(Message):
    """What the agent itself sees of a service's process."""

    service: str
    state: ServiceState
    pid: int | None = None
    started_at: datetime | None = None
    restarts: int = 0
    """Since the service was last asked to run."""
    next_attempt_at: datetime | None = None
    last_exit: str = ""
    """`exit 1`, `signal 9`; empty: never ended."""
    reason: Reason | None = None
    at: datetime


class Attempt(Message):
    """One run of a service's process that ended."""

    service: str
    started_at: datetime
    ended_at: datetime
    result: str
    reason: Reason | None = None
