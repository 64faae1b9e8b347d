"""What each table of a channel needs next, decided at the channel applier's borders."""

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from zcbus.bus.contract import Bus, OffsetExpired, TopicInfo
from zcbus.bus.topics import full_topic, full_topics, real_topic
from zcbus.connectors.errors import RowRefused, TargetLocked
from zcbus.engine.capture_history import CaptureHistory, TopicPosition
from zcbus.engine.reasons import CHANGES_EXPIRED, FULL_LOAD_EXPIRED, TableStopped
from zcbus.engine.subscribe.appliers.channel import NEAR_RECORDS, ChannelApplier
from zcbus.engine.subscribe.appliers.replay import TableFailed
from zcbus.engine.subscribe.checkpoints.positions import Expired, verify
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
from zcbus.engine.subscribe.load.direct_load import DirectLoad
from zcbus.engine.subscribe.load.full_load import apart
from zcbus.engine.subscribe.row_errors.store import recall_held
from zcbus.engine.subscribe.sessions import SessionFactory, Sessions
from zcbus.engine.subscribe.table import RowBlocks, Skips, SyncRun, named
from zcbus.engine.subscribe.table_jobs import Outcome, PollThrottle, TableJob
from zcbus.kit.logging import get_logger
from zcbus.model.states import LoadMode, SyncState
from zcbus.protocol.base import Reason
from zcbus.protocol.tasks import SubscribeTask

_ALLOWED = (SyncState.FULL_ALLOWED, SyncState.INCREMENTAL_ALLOWED)

Jobs = dict[str, TableJob]
"""Running jobs by table id; they outlive the session of the channel applier."""


class TableScheduler:
    """Moves tables between the channel applier and jobs of their own, in one session of the channel applier."""

    def __init__(
        self,
        bus: Bus,
        task: SubscribeTask,
        openings: SessionFactory,
        main: ChannelApplier,
        checkpoints: CheckpointWriter,
        jobs: Jobs,
        near: Callable[[SubscribeTask], DirectLoad | None] = lambda _: None,
    ) -> None:
        """`near`: the source, as far as a task lets it be read from here."""
        self._bus, self._main, self._checkpoints, self._jobs = bus, main, checkpoints, jobs
        self._sessions = Sessions(openings)
        self._ended = threading.Event()
        """A job has ended since somebody waited for it."""
        self.task, self._near = task, near
        self._topic = real_topic(task.node)
        self._looks = PollThrottle()
        self._book: CaptureHistory | None = None
        self._real: TopicInfo | None = None
        self._proven: set[TopicPosition] = set()
        """What was asked of the bus in this round, for all tables: the book, the real topic, places that are good."""
        self._to_load: list[SyncRun] = []
        """Tables that wait for their load in this round."""
        self._noted: dict[SyncRun, TableCheckpoint] = {}
        """What tables are to remember, which is stored at the end of the round."""
        self._log = get_logger("subscribe").bind(service=task.service)

    def direct(self, runs: Collection[SyncRun]) -> None:
        """Bring tables that no job works on a step nearer to what is wanted. Nothing may be open."""
        self._looks.waiting = sum(run.state in _ALLOWED for run in runs)
        self._book = self._real = None
        self._proven.clear()
        self._to_load.clear()
        for run in runs:
            if run.is_here and run not in self._noted:
                self._direct(run)
        self._begin_loads()
        self.settle()

    def settle(self) -> None:
        """Store what tables are to remember, thousands of them in one transaction; from then on it holds."""
        if not self._noted:
            return
        noted, self._noted = self._noted, {}
        # In the order in which others hold several checkpoints, so that none waits for the other.
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
            self._go_on_after_load(run)
        elif phase is Phase.APART:
            self._rejoin(run)
        elif phase is None and not run.task.begins_with_load:
            self._begin_incremental(run)
        else:
            self._wait_for_load(run)

    def collect_jobs(self) -> None:
        """Take over the tables of jobs that have ended."""
        for identifier, job in list(self._jobs.items()):
            if job.has_ended:
                job.join()
                del self._jobs[identifier]
                self._checkpoints.versions.update(job.versions)
                self._take_over(job)
        if not self._jobs:
            self._sessions.close_idle()

    def wait_for_job(self, timeout: float) -> None:
        """Wait until a job ends, up to so many seconds."""
        self._ended.wait(timeout)
        self._ended.clear()

    def close(self) -> None:
        """The session of the channel applier ends. Jobs that are at work close theirs themselves."""
        self._sessions.close()

    def set_apart(self, failure: TableFailed) -> None:
        """Go on without the table that failed. Where several may be the cause each goes on alone and shows itself."""
        for run in failure.runs:
            self._leave(run)
            if isinstance(failure.error, Expired):
                self._expire(run, self._noted[run], Expired(failure.error.reason.code, table=run.source))
            elif len(failure.runs) == 1 and not isinstance(failure.error, RowRefused | RowBlocks):
                self._fail(run, failure.error)
            else:
                # At once, but by a job, which finds and keeps the table or the change that is the cause.
                run.retry_at = time.monotonic()
        self.settle()

    def start_over(self, error: OffsetExpired) -> None:
        """The channel applier's next changes are gone from the bus: its tables need a new load, the checkpoint goes on
        without."""
        place = expire_members(self._bus, self._topic, self._checkpoints, self._main.members(), error)
        for run in self._main.members():
            self._main.forget(run)
        self._main.go_to(place)

    def recall(self, runs: Mapping[str, SyncRun]) -> None:
        """Take over what the target remembers of tables that are new to this process: they may have been here before.
        Only at a border."""
        session, subscription = self._checkpoints.session, self.task.subscription
        for checkpoint in session.checkpoints(subscription):
            if (run := runs.get(checkpoint.name)) is not None:
                run.checkpoint = table_checkpoint(checkpoint.data)
            elif (run := runs.get(table_of_structure(checkpoint.name))) is not None:
                run.structure = run.seen = schema_checkpoint(checkpoint.data)
        counts = session.row_errors.open_counts(subscription)
        for identifier in runs.keys() & counts.keys():
            recall_held(session, subscription, runs[identifier])
        self._checkpoints.commit()

    def leave(self, run: SyncRun) -> None:
        """The table is not wanted any more; where it stood is remembered once it is settled."""
        if run.phase is Phase.MEMBER:
            self._leave(run)

    def forget(self, run: SyncRun) -> None:
        """The table begins anew."""
        self._main.forget(run)

    def _leave(self, run: SyncRun) -> None:
        assert run.checkpoint is not None
        if run.checkpoint.phase is Phase.MEMBER:
            self._noted[run] = self._main.lane_of_leaving(run.checkpoint)
        else:
            self._main.forget(run)

    def _fail(self, run: SyncRun, error: Exception) -> None:
        if isinstance(error, TargetLocked):
            error = named(error, self._checkpoints.session, run)
            self._log.warning("table locked", table=str(run.target), holder=error.facts["holder"])
        else:
            self._log.error("table failed", table=str(run.source), exc_info=error)
        run.stop_with(error, time.monotonic())

    def _suspend(self, run: SyncRun) -> None:
        self.leave(run)
        run.enter(SyncState.SUSPENDED)
        run.lag_ms, run.retry_at = None, None

    def _go_on_after_load(self, run: SyncRun) -> None:
        if run.task.load is LoadMode.FULL:
            run.enter(SyncState.FULL_FINISHED)
            return
        assert run.checkpoint is not None
        try:
            self._noted[run] = apart(self._bus, self.task.node, run, run.checkpoint)
        except Expired as error:
            self._expire(run, run.checkpoint, error)

    def _begin_incremental(self, run: SyncRun) -> None:
        """Without a load a table begins where somebody said, else with what comes from now on."""
        begin, before = self._beginning(run), run.checkpoint
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
            self._noted[run] = checkpoint
        except Expired as error:
            self._expire(run, checkpoint, error)

    def _verify(self, checkpoint: TableCheckpoint, run: SyncRun) -> None:
        """See verify; many tables begin at the same place."""
        place = TopicPosition(checkpoint.offset, checkpoint.record_time)
        if place not in self._proven:
            verify(self._bus, self._topic, *place, run.source)
            self._proven.add(place)

    def _beginning(self, run: SyncRun) -> TopicPosition | None:
        """Where a table begins that is not loaded; None while it is not captured, so that it cannot begin."""
        begin = run.task.begin
        if begin is not None and begin.gap is None:
            return TopicPosition(begin.offset, begin.record_time)
        run.enter(SyncState.INCREMENTAL_ALLOWED)
        if not self._looks.may(run.task.id):
            return None
        gap = begin.gap or 0 if begin is not None else 0
        self._book = self._book or CaptureHistory(self._bus, self.task.node)
        since = self._book.since(run.task.published, gap)
        info = self._real = self._real or self._bus.info(self._topic)
        if since is None or info is None:
            return None
        if begin is None and run.checkpoint is not None:
            return TopicPosition(info.next_offset)
        return since if since.offset >= info.first_offset else TopicPosition(info.first_offset)

    def _rejoin(self, run: SyncRun) -> None:
        assert run.checkpoint is not None
        near = self._main.offset - run.checkpoint.offset <= NEAR_RECORDS
        if near and run.retry_at is None and not run.checkpoint.beside:
            self._join(run)
        else:
            self._start(run)

    def _join(self, run: SyncRun) -> None:
        assert run.checkpoint is not None
        try:
            self._noted[run] = self._main.lane_of_joining(run)
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
        """Begin loads as far as there are threads. The bus is asked for as many tables as can begin, and, where their
        snapshots are not there, for more and more at once."""
        waiting, asked = iter(self._to_load), self.task.load_threads - len(self._jobs)
        while len(self._jobs) < self.task.load_threads and (some := list(islice(waiting, asked))):
            self._load([run for run in some if self._looks.may(run.task.id)])
            asked *= 2

    def _load(self, runs: Sequence[SyncRun]) -> None:
        infos = self._bus.infos({self._snapshot_of(run) for run in runs})
        # The topic alone says nothing: topics of many snapshots are made before the first of them is taken.
        there = {topic for topic, info in infos.items() if info.next_offset > 0}
        for run in runs:
            if self._snapshot_of(run) in there:
                self._looks.soon(run.task.id)
                self._start(run)
        self._expire_superseded([run for run in runs if self._snapshot_of(run) not in there])

    def _snapshot_of(self, run: SyncRun) -> str:
        return full_topic(self.task.node, run.task.published, run.task.generation)

    def _expire_superseded(self, runs: Sequence[SyncRun]) -> None:
        """Stop tables of whose snapshots only later ones are there."""
        newest = newest_snapshots(self._bus, self.task.node) if runs else {}
        for run in runs:
            if newest.get(run.task.published, 0) > run.task.generation:
                facts = {"table": str(run.source), "generation": str(run.task.generation)}
                run.expire(Reason(code=FULL_LOAD_EXPIRED, facts=facts))

    def _start(self, run: SyncRun) -> None:
        if len(self._jobs) >= self.task.load_threads:
            return
        run.retry_at = None
        self._looks.begun(run.task.id)
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
            self._near(self.task),
            self._ended,
        )
        self._jobs[run.task.id] = job
        job.start()

    def _take_over(self, job: TableJob) -> None:
        run = job.table
        if job.outcome is Outcome.CAUGHT_UP and not job.cancelled.is_set():
            self._join(run)  # the job read as far as there was anything: what came since is little
        elif job.outcome is Outcome.FAILED:
            assert job.error is not None
            self._fail(run, job.error)
        elif job.outcome is Outcome.EXPIRED:
            assert isinstance(job.error, TableStopped)
            run.expire(job.error.reason)

    def _expire(self, run: SyncRun, checkpoint: TableCheckpoint, error: Expired) -> None:
        self._noted[run] = replace(checkpoint, phase=Phase.EXPIRED)
        run.expire(error.reason)


def expire_members(
    bus: Bus, topic: str, checkpoints: CheckpointWriter, members: list[SyncRun], error: Expired | OffsetExpired
) -> ChannelCheckpoint:
    """Write in the open transaction that these tables need a new load; returns where the channel applier can go on."""
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
    """Numbers of the newest snapshots there are of a node's tables, by the published table's id."""
    parts = (name.removeprefix(full_topics(node)).rpartition("/") for name in bus.names(full_topics(node)))
    numbers = sorted((int(number), table) for table, _, number in parts if number.isdigit())
    return {table: number for number, table in numbers}


def _show_expired(run: SyncRun) -> None:
    """After a restart only the fact itself is known."""
    if run.state is not SyncState.FULL_INFO_EXPIRED:
        run.expire(Reason(code=CHANGES_EXPIRED, facts={"table": str(run.source), "wanted": "", "first": ""}))
