"""Scheduler of a channel's tables: decides each table's next step at the channel applier's boundaries."""

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from zcbus.bus.contract import Bus, OffsetExpired, TopicInfo
from zcbus.bus.topics import full_topic, full_topics, real_topic
from zcbus.connectors.errors import RowRefused, TargetLocked
from zcbus.engine.capture_history import CaptureHistory, TopicPosition
from zcbus.engine.reasons import CHANGES_EXPIRED, FULL_LOAD_EXPIRED, TableStopped, reason_of
from zcbus.engine.subscribe.checkpoints.positions import apart, verify
from zcbus.engine.subscribe.checkpoints.records import (
    ChannelCheckpoint,
    CheckpointWriter,
    Phase,
    TableCheckpoint,
    schema_checkpoint,
    structure_name,
    table_checkpoint,
    table_of_structure,
)
from zcbus.engine.subscribe.failures import Expired, RowBlocks, TableFailed
from zcbus.engine.subscribe.row_errors.store import load_quarantined
from zcbus.engine.subscribe.sessions import SessionFactory, Sessions
from zcbus.engine.subscribe.table import Skips, SyncRun, named
from zcbus.engine.subscribe.table_jobs import Outcome, PollThrottle, Steps, TableJob
from zcbus.kit.logging import get_logger
from zcbus.model.states import LoadMode, SyncState
from zcbus.protocol.base import Reason
from zcbus.protocol.tasks import SubscribeTask

if TYPE_CHECKING:
    from zcbus.engine.subscribe.appliers.channel import ChannelApplier
    from zcbus.engine.subscribe.load.direct_load import DirectLoad

_ALLOWED = (SyncState.FULL_ALLOWED, SyncState.INCREMENTAL_ALLOWED)

Jobs = dict[str, TableJob]
"""Running jobs by table id; they outlive the channel applier's session."""


class TableScheduler:
    """Moves tables between the channel applier and jobs of their own, during one session of the applier."""

    def __init__(
        self,
        bus: Bus,
        task: SubscribeTask,
        session_factory: SessionFactory,
        main: "ChannelApplier",
        checkpoints: CheckpointWriter,
        jobs: Jobs,
        steps: Steps,
        direct_load: Callable[[SubscribeTask], "DirectLoad | None"],
    ) -> None:
        """`direct_load`: access to the source, if possible here."""
        self._bus, self._main, self._checkpoints, self._jobs = bus, main, checkpoints, jobs
        self._sessions = Sessions(session_factory)
        self._ended = threading.Event()
        """Set when a job has ended since the last wait."""
        self.task, self._steps, self._direct_load = task, steps, direct_load
        self._topic = real_topic(task.node)
        self._throttle = PollThrottle()
        self._history: CaptureHistory | None = None
        self._real: TopicInfo | None = None
        self._proven: set[TopicPosition] = set()
        """Facts of the bus read in this round, for all tables: the snapshot record, the real topic, valid positions."""
        self._to_load: list[SyncRun] = []
        """Tables that wait for their load in this round."""
        self._new_checkpoints: dict[SyncRun, TableCheckpoint] = {}
        """New checkpoints of tables, stored at the end of the round."""
        self._log = get_logger("subscribe").bind(service=task.service)

    def direct(self, runs: Collection[SyncRun]) -> None:
        """Advance tables without a job towards their desired state. Nothing may be open."""
        self._throttle.waiting = sum(run.state in _ALLOWED for run in runs)
        self._history = self._real = None
        self._proven.clear()
        self._to_load.clear()
        for run in runs:
            if run.is_here and run not in self._new_checkpoints:
                self._direct(run)
        self._begin_loads()
        self.store_new_checkpoints()

    def store_new_checkpoints(self) -> None:
        """Store the new checkpoints of possibly thousands of tables in one transaction."""
        if not self._new_checkpoints:
            return
        noted, self._new_checkpoints = self._new_checkpoints, {}
        # The same order as elsewhere, which prevents deadlocks.
        ordered = sorted(noted.items(), key=lambda one: one[0].task.id)
        self._checkpoints.write_all({run.task.id: checkpoint for run, checkpoint in ordered})
        self._checkpoints.commit()
        for run, checkpoint in noted.items():
            run.checkpoint = checkpoint
            if checkpoint.phase is Phase.MEMBER:
                self._main.carry(run)
            else:
                self._main.forget(run)

    def _direct(self, run: SyncRun) -> None:
        phase = run.phase
        if run.task.suspended:
            self._suspend(run)
        elif run.retry_at is not None and time.monotonic() < run.retry_at:
            return
        elif phase is Phase.MEMBER:
            run.enter(SyncState.INCREMENTAL_RUNNING)
        elif phase is Phase.EXPIRED:
            _show_expired(run)
        elif phase is Phase.FINISHED:
            self._resume_after_load(run)
        elif phase is Phase.APART:
            self._rejoin(run)
        elif phase is None and not run.task.begins_with_load:
            self._begin_incremental(run)
        else:
            self._wait_for_load(run)

    def collect_jobs(self) -> None:
        """Take back the tables of ended jobs."""
        for identifier, job in list(self._jobs.items()):
            if job.has_ended:
                job.join()
                del self._jobs[identifier]
                self._checkpoints.versions.update(job.versions)
                self._take_over(job)
        if not self._jobs:
            self._sessions.close_idle()

    def wait_for_job(self, timeout: float) -> None:
        """Wait until a job ends, at most so many seconds."""
        self._ended.wait(timeout)
        self._ended.clear()

    def close(self) -> None:
        """End with the channel applier's session. Running jobs close theirs themselves."""
        self._sessions.close()

    def exclude_failed(self, failure: TableFailed) -> None:
        """Continue without the failed table. If several may be the cause, each continues alone."""
        for run in failure.runs:
            self._leave(run)
            if isinstance(failure.error, Expired):
                self._expire(run, self._new_checkpoints[run], Expired(failure.error.reason.code, table=run.source))
            elif len(failure.runs) == 1 and not isinstance(failure.error, RowRefused | RowBlocks):
                self._fail(run, failure.error)
            else:
                # Retry at once in a job, which isolates the change that is the cause.
                run.retry_at = time.monotonic()
        self.store_new_checkpoints()

    def start_over(self, error: OffsetExpired) -> None:
        """Handle missing changes: all members need a new load, the channel applier continues without them."""
        position = expire_members(self._bus, self._topic, self._checkpoints, self._main.members(), error)
        for run in self._main.members():
            self._main.forget(run)
        self._main.move_to(position)

    def recall(self, runs: Mapping[str, SyncRun]) -> None:
        """Load existing checkpoints of new tables, which may have been here before. Only at a boundary."""
        session, subscription = self._checkpoints.session, self.task.subscription
        for checkpoint in session.checkpoints(subscription):
            if (run := runs.get(checkpoint.name)) is not None:
                run.checkpoint = table_checkpoint(checkpoint.data)
            elif (run := runs.get(table_of_structure(checkpoint.name))) is not None:
                run.structure = run.seen = schema_checkpoint(checkpoint.data)
        counts = session.row_errors.open_counts(subscription)
        for identifier in runs.keys() & counts.keys():
            load_quarantined(session, subscription, runs[identifier])
        self._checkpoints.commit()

    def leave(self, run: SyncRun) -> None:
        """Remove a table; its position is stored once it has left."""
        if run.phase is Phase.MEMBER:
            self._leave(run)

    def forget(self, run: SyncRun) -> None:
        """Start the table again."""
        self._main.forget(run)

    def _leave(self, run: SyncRun) -> None:
        assert run.checkpoint is not None
        if run.checkpoint.phase is Phase.MEMBER:
            self._new_checkpoints[run] = self._main.checkpoint_for_leaving(run, run.checkpoint)
        else:
            self._main.forget(run)

    def _fail(self, run: SyncRun, error: Exception) -> None:
        if isinstance(error, TargetLocked):
            error = named(error, self._checkpoints.session, run)
            self._log.warning("table locked", table=str(run.target), holder=error.facts["holder"])
        else:
            self._log.error("table failed", table=str(run.source), reason=reason_of(error).code, exc_info=error)
        run.stop_with(error, time.monotonic())

    def _suspend(self, run: SyncRun) -> None:
        self.leave(run)
        run.enter(SyncState.SUSPENDED)
        run.lag_ms, run.retry_at = None, None

    def _resume_after_load(self, run: SyncRun) -> None:
        if run.task.load is LoadMode.FULL:
            run.enter(SyncState.FULL_FINISHED)
            return
        assert run.checkpoint is not None
        try:
            self._new_checkpoints[run] = apart(self._bus, self.task.node, run, run.checkpoint)
        except Expired as error:
            self._expire(run, run.checkpoint, error)

    def _begin_incremental(self, run: SyncRun) -> None:
        """Start a table without a load: at its chosen position, or with the next changes."""
        begin, before = self._start_position(run), run.checkpoint
        if begin is None:
            return
        checkpoint = TableCheckpoint(
            run.task.generation,
            Phase.APART,
            offset=begin.offset,
            record_time=begin.record_time,
            beside=before.beside if before is not None else "",
            created=before is not None and before.created,
            moves=run.task.moves,
        )
        checkpoint = Skips.carried(run.task, before, checkpoint)
        try:
            self._verify(checkpoint, run)
            self._new_checkpoints[run] = checkpoint
        except Expired as error:
            self._expire(run, checkpoint, error)

    def _verify(self, checkpoint: TableCheckpoint, run: SyncRun) -> None:
        """See verify; cached because many tables start at the same position."""
        position = TopicPosition(checkpoint.offset, checkpoint.record_time)
        if position not in self._proven:
            verify(self._bus, self._topic, *position, run.source)
            self._proven.add(position)

    def _start_position(self, run: SyncRun) -> TopicPosition | None:
        """Start position of a table without a load; None while it is not captured."""
        begin = run.task.begin
        if begin is not None and begin.gap is None:
            return TopicPosition(begin.offset, begin.record_time)
        run.enter(SyncState.INCREMENTAL_ALLOWED)
        if not self._throttle.may(run.task.id):
            return None
        gap = begin.gap or 0 if begin is not None else 0
        self._history = self._history or CaptureHistory(self._bus, self.task.node)
        since = self._history.since(run.task.published, gap)
        info = self._real = self._real or self._bus.info(self._topic)
        if since is None or info is None:
            return None
        if begin is None and run.checkpoint is not None:
            return TopicPosition(info.next_offset)
        return since if since.offset >= info.first_offset else TopicPosition(info.first_offset)

    def _rejoin(self, run: SyncRun) -> None:
        assert run.checkpoint is not None
        if self._main.is_near(run.checkpoint) and run.retry_at is None and not run.checkpoint.beside:
            self._join(run)
        else:
            self._start(run)

    def _join(self, run: SyncRun) -> None:
        assert run.checkpoint is not None
        try:
            self._new_checkpoints[run] = self._main.checkpoint_for_joining(run)
            run.enter(SyncState.INCREMENTAL_RUNNING)
        except TableFailed as failure:
            self._fail(run, failure.error)
        except Expired as error:
            self._expire(run, run.checkpoint, error)

    def _wait_for_load(self, run: SyncRun) -> None:
        self._main.forget(run)
        if run.state is not SyncState.FULL_INFO_EXPIRED:
            run.enter(SyncState.FULL_ALLOWED)
            self._to_load.append(run)

    def _begin_loads(self) -> None:
        """Start loads while threads are free.

        The bus is queried for as many tables as can start, and for more at once if their snapshots are missing.
        """
        waiting, count = iter(self._to_load), self.task.load_threads - len(self._jobs)
        while len(self._jobs) < self.task.load_threads and (some := list(islice(waiting, count))):
            self._load([run for run in some if self._throttle.may(run.task.id)])
            count *= 2

    def _load(self, runs: Sequence[SyncRun]) -> None:
        infos = self._bus.infos({self._snapshot_of(run) for run in runs})
        # An empty topic does not count: topics of many snapshots are created in advance.
        existing = {topic for topic, info in infos.items() if info.next_offset > 0}
        for run in runs:
            if self._snapshot_of(run) in existing:
                self._throttle.soon(run.task.id)
                self._start(run)
        self._expire_superseded([run for run in runs if self._snapshot_of(run) not in existing])

    def _snapshot_of(self, run: SyncRun) -> str:
        return full_topic(self.task.node, run.task.published, run.task.generation)

    def _expire_superseded(self, runs: Sequence[SyncRun]) -> None:
        """Expire tables of which only later snapshots exist."""
        newest = newest_snapshots(self._bus, self.task.node) if runs else {}
        for run in runs:
            if newest.get(run.task.published, 0) > run.task.generation:
                facts = {"table": str(run.source), "generation": str(run.task.generation)}
                run.expire(Reason(code=FULL_LOAD_EXPIRED, facts=facts))

    def _start(self, run: SyncRun) -> None:
        if len(self._jobs) >= self.task.load_threads:
            return
        run.retry_at = None
        self._throttle.begun(run.task.id)
        names = (run.task.id, structure_name(run.task.id))
        versions = {name: self._checkpoints.versions[name] for name in names if name in self._checkpoints.versions}
        job = TableJob(
            self._bus,
            self.task.node,
            self.task.subscription,
            self._sessions,
            run,
            versions,
            lambda: self._main.offset,
            self._direct_load(self.task),
            self._ended,
            self._steps,
        )
        self._jobs[run.task.id] = job
        job.start()

    def _take_over(self, job: TableJob) -> None:
        run = job.table
        if job.outcome is Outcome.CAUGHT_UP and not job.cancelled.is_set():
            self._join(run)  # the job read as far as existing was anything: what came since is little
        elif job.outcome is Outcome.FAILED:
            assert job.error is not None
            self._fail(run, job.error)
        elif job.outcome is Outcome.EXPIRED:
            assert isinstance(job.error, TableStopped)
            run.expire(job.error.reason)

    def _expire(self, run: SyncRun, checkpoint: TableCheckpoint, error: Expired) -> None:
        self._new_checkpoints[run] = replace(checkpoint, phase=Phase.EXPIRED)
        run.expire(error.reason)


def expire_members(
    bus: Bus, topic: str, checkpoints: CheckpointWriter, members: list[SyncRun], error: Expired | OffsetExpired
) -> ChannelCheckpoint:
    """Record in the open transaction that these tables need a new load; returns the applier's next position."""
    for run in members:
        assert run.checkpoint is not None
        facts = {name: str(value) for name, value in error.facts.items()} | {"table": str(run.source)}
        code = error.reason.code if isinstance(error, Expired) else CHANGES_EXPIRED
        expired = replace(run.checkpoint, phase=Phase.EXPIRED)
        checkpoints.write(run.task.id, expired)
        run.checkpoint = expired
        run.expire(Reason(code=code, facts=facts))
    info = bus.info(topic)
    return ChannelCheckpoint(info.first_offset if info is not None else 0)


def newest_snapshots(bus: Bus, node: str) -> dict[str, int]:
    """Published table id → number of its newest existing snapshot."""
    parts = (name.removeprefix(full_topics(node)).rpartition("/") for name in bus.names(full_topics(node)))
    numbers = sorted((int(number), table) for table, _, number in parts if number.isdigit())
    return {table: number for number, table in numbers}


def _show_expired(run: SyncRun) -> None:
    """After a restart the details of the expiry are unknown."""
    if run.state is not SyncState.FULL_INFO_EXPIRED:
        run.expire(Reason(code=CHANGES_EXPIRED, facts={"table": str(run.source), "wanted": "", "first": ""}))
