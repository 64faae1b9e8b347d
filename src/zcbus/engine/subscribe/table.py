"""Runtime state of a subscribed table: checkpoint, schema, counters and skips."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from zcbus.connectors.errors import TargetLocked
from zcbus.connectors.roles import TargetSession
from zcbus.connectors.roles.sink import lock_holders
from zcbus.engine.rates import Rate
from zcbus.engine.reasons import reason_of
from zcbus.engine.report_cache import ReportCache
from zcbus.engine.subscribe.checkpoints.records import (
    CheckpointWriter,
    Phase,
    SchemaCheckpoint,
    TableCheckpoint,
    structure_name,
)
from zcbus.engine.subscribe.row_errors.images import QuarantinedRows
from zcbus.kit.clock import Clock, moment
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.serial import schema_to_json
from zcbus.model.states import SyncState
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import SyncTableReport, Verification
from zcbus.protocol.tasks import SubscribedTable

if TYPE_CHECKING:
    from zcbus.engine.transform.shapes import Shapes

_POLL_SECONDS = 0.1


@dataclass
class Skips:
    """Remaining skips of failing changes; used ones are stored in the table's checkpoint."""

    revision: int
    dml_left: int
    ddl_left: int
    dml_used: int = 0
    ddl_used: int = 0

    @classmethod
    def of(cls, task: SubscribedTable, checkpoint: TableCheckpoint) -> "Skips":
        """Remaining skips. A new revision in the task restarts the counts."""
        same = checkpoint.skip_revision == task.skip_revision
        dml, ddl = (checkpoint.dml_skipped, checkpoint.ddl_skipped) if same else (0, 0)
        return cls(task.skip_revision, max(0, task.dml_skip - dml), max(0, task.ddl_skip - ddl), dml, ddl)

    def take_dml(self) -> bool:
        """Skip a row change, if allowed."""
        if self.dml_left <= 0:
            return False
        self.dml_left, self.dml_used = self.dml_left - 1, self.dml_used + 1
        return True

    def take_ddl(self) -> bool:
        """Skip a schema change, if allowed."""
        if self.ddl_left <= 0:
            return False
        self.ddl_left, self.ddl_used = self.ddl_left - 1, self.ddl_used + 1
        return True

    @classmethod
    def carried(
        cls, task: SubscribedTable, before: TableCheckpoint | None, checkpoint: TableCheckpoint
    ) -> TableCheckpoint:
        """A new checkpoint with the used skips: they belong to the table, not to a load."""
        return checkpoint if before is None else cls.of(task, before).noted(checkpoint)

    def noted(self, checkpoint: TableCheckpoint) -> TableCheckpoint:
        """The checkpoint with the used skips."""
        if (checkpoint.skip_revision, checkpoint.dml_skipped, checkpoint.ddl_skipped) == (
            self.revision,
            self.dml_used,
            self.ddl_used,
        ):
            return checkpoint
        return replace(checkpoint, skip_revision=self.revision, dml_skipped=self.dml_used, ddl_skipped=self.ddl_used)


_LOCK_PAUSE_SECONDS = 2.0
_MAX_RETRY_SECONDS = 300.0


@dataclass(eq=False)
class SyncRun:
    """Runtime state of one subscribed table.

    Owned by the main loop or by the table's job, never by both; read by the reporting thread.
    """

    task: SubscribedTable
    rate: Rate
    shapes: "Shapes" = field(repr=False)
    checkpoint: TableCheckpoint | None = None
    """The stored checkpoint."""
    state: SyncState = SyncState.UNINITIALIZED
    reason: Reason | None = None
    errors: int = 0
    quarantined: QuarantinedRows = field(default_factory=QuarantinedRows)
    """Row errors; owned like the table."""
    structure: TableSchema | None = None
    """Source schema of the target's rows, as stored."""
    seen: TableSchema | None = None
    """Source schema of the open transaction's rows."""
    structure_waits: bool = False
    """Whether the table is stopped at a schema change."""
    lag_ms: int | None = None
    changed: bool = False
    """Whether the service's task changed and was not applied to this table yet."""
    failed_attempts: int = 0
    expires_at: datetime | None = None
    """See SyncTableReport."""
    verification: Verification | None = None
    """See SyncTableReport; written by the verification only."""
    retry_at: float | None = None
    """Monotonic time of the next attempt after an error; None: none is due."""
    _last_report: ReportCache[SyncTableReport] = field(default_factory=ReportCache, repr=False)

    @property
    def source(self) -> TableName:
        return TableName(self.task.source.schema_name, self.task.source.table)

    @property
    def target(self) -> TableName:
        return TableName(self.task.target.schema_name, self.task.target.table)

    @property
    def phase(self) -> Phase | None:
        """The checkpoint of the desired generation; None: nothing is in the target, or another channel has it."""
        if self.checkpoint is None or self.checkpoint.generation != self.task.generation or not self.is_here:
            return None
        return self.checkpoint.phase

    @property
    def is_here(self) -> bool:
        """Whether no other channel has the table."""
        return self.moves == self.task.moves

    @property
    def moves(self) -> int:
        """Number of the last move to or from this channel that the target has stored."""
        return self.checkpoint.moves if self.checkpoint is not None else 0

    @property
    def is_steady(self) -> bool:
        """Whether the table only needs its changes applied, or is on hold.

        It must be fast: it is called for thousands of tables, many times a second.
        """
        checkpoint, task = self.checkpoint, self.task
        if self.retry_at is not None or len(self.quarantined):
            return False
        if task.suspended:
            return self.state is SyncState.SUSPENDED and self.is_here and self.phase is not Phase.MEMBER
        return (
            self.state is SyncState.INCREMENTAL_RUNNING
            and checkpoint is not None
            and checkpoint.phase is Phase.MEMBER
            and checkpoint.generation == task.generation
            and checkpoint.moves == task.moves
        )

    @property
    def equals_source(self) -> bool:
        """Whether the target has exactly the source's rows before the changes, so that inserts are new.

        Not after an interrupted load, without a load, or with quarantined rows.
        """
        checkpoint = self.checkpoint
        complete = checkpoint is not None and bool(checkpoint.since) and checkpoint.since == checkpoint.until
        return complete and not len(self.quarantined)

    def enter(self, state: SyncState) -> None:
        """Enter a state without problems."""
        self.state, self.reason = state, None

    def stop_with(self, error: BaseException, now: float) -> None:
        """Record a problem; retries follow after growing pauses."""
        if isinstance(error, TargetLocked):
            self.lock(error)
            self.retry_at = now + _LOCK_PAUSE_SECONDS
            return
        self.errors += 1
        self.failed_attempts += 1
        loading = self.phase in (None, Phase.LOADING)
        self.state = SyncState.FULL_ERROR if loading else SyncState.INCREMENTAL_ERROR
        self.reason = reason_of(error)
        self.retry_at = now + min(4.0 ** min(self.failed_attempts - 1, 10), _MAX_RETRY_SECONDS)

    def lock(self, error: TargetLocked) -> None:
        """Record that another session has locked the target table."""
        self.state, self.reason, self.lag_ms = SyncState.TABLE_LOCKED, reason_of(error), None

    def expire(self, reason: Reason) -> None:
        """Record that needed data is gone; only a new load helps."""
        self.state, self.reason, self.retry_at = SyncState.FULL_INFO_EXPIRED, reason, None

    @property
    def _is_blocked_by_schema_change(self) -> bool:
        return self.structure_waits and self.state is SyncState.INCREMENTAL_ERROR

    def report(self, clock: Clock) -> SyncTableReport:
        """Current report of the table."""
        made_from = (
            *(self.task, self.checkpoint, self.state, self.reason, self.errors, len(self.quarantined), self.lag_ms),
            *(self.structure_waits, self.expires_at, self.rate.per_second(), self.verification),
        )
        return self._last_report.report(made_from, lambda: self._report(clock))

    def _report(self, clock: Clock) -> SyncTableReport:
        checkpoint = self.checkpoint if self.phase is not None else None
        figures = checkpoint or TableCheckpoint(self.task.generation, Phase.LOADING)
        skips = Skips.of(self.task, self.checkpoint or figures)
        return SyncTableReport(
            table=self.task.id,
            state=self.state,
            reason=self.reason,
            generation=self.task.generation,
            rows_total=figures.rows_total,
            rows_loaded=figures.rows_loaded,
            bytes_loaded=figures.bytes_loaded,
            rows_per_second=round(self.rate.per_second(), 1),
            inserts=figures.inserts,
            updates=figures.updates,
            deletes=figures.deletes,
            counts=figures.counts.report() if figures.counts is not None else None,
            ddl_seen=figures.structures_followed + figures.structures_skipped + self._is_blocked_by_schema_change,
            ddl_followed=figures.structures_followed,
            ddl_skipped=figures.structures_skipped,
            last_ddl_at=moment(figures.structure_ms),
            skip_revision=skips.revision,
            dml_skip_left=skips.dml_left,
            ddl_skip_left=skips.ddl_left,
            errors=self.errors,
            row_errors=len(self.quarantined),
            lag_ms=self.lag_ms,
            load_started_at=moment(figures.load_started_ms),
            load_finished_at=moment(figures.load_finished_ms),
            last_change_at=moment(figures.last_change_ms),
            expires_at=self.expires_at,
            verification=self.verification,
            moves=self.moves,
            at=clock.now(),
        )


class UnsteadyTables:
    """Tables of a channel that are not steady. Not thread-safe.

    All are checked ten times a second. Between the checks only those that were not steady are returned, because a
    channel has many turns a second and may have thousands of tables.
    """

    def __init__(self) -> None:
        self._names: list[str] = []
        self._next_poll = 0.0

    def refresh_soon(self) -> None:
        """Check all at the next call, after a change that affects them."""
        self._next_poll = 0.0

    def among(self, runs: Mapping[str, SyncRun]) -> Iterator[SyncRun]:
        """Tables that are not steady now."""
        now = time.monotonic()
        if now >= self._next_poll:
            self._next_poll = now + _POLL_SECONDS
            self._names = [name for name, run in runs.items() if not run.is_steady]
        return (run for name in self._names if (run := runs.get(name)) is not None and not run.is_steady)


def write_schema(checkpoints: CheckpointWriter, run: SyncRun) -> None:
    """Write a table's schema in the open transaction if the stored one differs."""
    if run.seen is not None and run.seen is not run.structure and run.seen != run.structure:
        checkpoints.write(structure_name(run.task.id), SchemaCheckpoint(schema_to_json(run.seen)))


def named(error: TargetLocked, session: TargetSession, run: SyncRun) -> TargetLocked:
    """The error with the table's name and the lock's holders; nothing may be open. Raises TransientError."""
    facts = {"table": error.facts.get("table") or run.target, "holder": lock_holders(session, run.target) or "-"}
    return TargetLocked(**{**error.facts, **facts})


def drop_shadow_table(session: TargetSession, checkpoints: CheckpointWriter, run: SyncRun) -> None:
    """Drop the shadow table of a finished load, and store that it is gone."""
    checkpoint = run.checkpoint
    if checkpoint is None or not checkpoint.beside:
        return
    session.drop_table(TableName(run.task.target.schema_name, checkpoint.beside))
    checkpoint = replace(checkpoint, beside="")
    checkpoints.write(run.task.id, checkpoint)
    checkpoints.commit()
    run.checkpoint = checkpoint
