"""The subscribe service: one channel, from a node's topics to a target."""

import threading
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from zcbus.bus.contract import Bus, OffsetExpired
from zcbus.bus.topics import real_topic
from zcbus.connectors.errors import Fenced
from zcbus.connectors.registry import KINDS
from zcbus.connectors.roles import TargetSession
from zcbus.engine.backoff import Backoff
from zcbus.engine.capture_history import CaptureHistory
from zcbus.engine.connections import Connectors, options_of, registered
from zcbus.engine.fencing import Fencing
from zcbus.engine.rates import Rate
from zcbus.engine.status import ServiceStatus
from zcbus.engine.subscribe.appliers.channel import CatchUp, ChannelApplier
from zcbus.engine.subscribe.appliers.parallel import ParallelAppliers, begin
from zcbus.engine.subscribe.checkpoints.positions import Backlog, Countdown, needed, verify
from zcbus.engine.subscribe.checkpoints.records import (
    MAIN,
    ApplierCheckpoint,
    ChannelCheckpoint,
    CheckpointWriter,
    Phase,
    TableCheckpoint,
    applier_checkpoint,
    channel_checkpoint,
    checkpoint_apart,
    number_of_applier,
    schema_checkpoint,
    table_checkpoint,
    table_of_structure,
    with_parallel_appliers,
)
from zcbus.engine.subscribe.checkpoints.takeover import Takeover
from zcbus.engine.subscribe.failures import Expired, TableFailed
from zcbus.engine.subscribe.load.direct_load import DirectLoad
from zcbus.engine.subscribe.load.full_load import FullLoad
from zcbus.engine.subscribe.row_errors.images import QuarantinedRows
from zcbus.engine.subscribe.row_errors.store import Decisions, load_quarantined
from zcbus.engine.subscribe.scheduler import Jobs, TableScheduler, expire_members
from zcbus.engine.subscribe.sessions import SessionFactory, SessionIds
from zcbus.engine.subscribe.table import SyncRun, UnsteadyTables
from zcbus.engine.subscribe.table_jobs import Steps
from zcbus.engine.task_box import TaskBox
from zcbus.engine.transform.shapes import Shapes
from zcbus.kit.clock import Clock, SystemClock
from zcbus.kit.errors import TransientError
from zcbus.kit.logging import get_logger
from zcbus.model.states import SyncState
from zcbus.protocol.reports import Report
from zcbus.protocol.tasks import SubscribedTable, SubscribeTask

_READ_SECONDS = 0.1
_STEPS = Steps(FullLoad, CatchUp)
_NEAR_SECONDS = 0.02


class _StoredState(NamedTuple):
    """Stored state of a subscription besides the checkpoints of its tables."""

    boundary: ChannelCheckpoint
    keys: dict[int, ApplierCheckpoint]
    strays: dict[str, TableCheckpoint]
    """Former members of the channel applier."""

    def ahead(self, table: str, checkpoint: TableCheckpoint) -> TableCheckpoint:
        """The checkpoint of a member, with what parallel appliers have ahead of it."""
        return with_parallel_appliers(table, checkpoint, self.boundary, self.keys)


class SubscribeService:
    """Runs one SubscribeTask until `stop` is set. `run` in one thread, `reports` in any."""

    def __init__(
        self,
        box: TaskBox[SubscribeTask],
        bus: Bus,
        stop: threading.Event,
        connectors: Connectors = registered,
        clock: Clock | None = None,
    ) -> None:
        self._box, self._bus, self._stop, self._connectors = box, bus, stop, connectors
        self._clock = clock or SystemClock()
        self._version, self._task = box.read()
        self._runs = {table.id: self._new_run(table) for table in self._task.tables}
        self._has_pending_task = False
        """Whether a job does not have its table's changed task yet."""
        self._jobs: Jobs = {}
        self._session_ids = SessionIds()
        """Ids of sessions; those of jobs outlive the channel applier's."""
        self._unsteady = UnsteadyTables()
        self._topic = real_topic(self._task.node)
        self._fencing = Fencing()
        self._main_offset: int | None = None
        self._countdown = Countdown(bus, self._topic, self._clock)
        self._backlog = Backlog(bus, self._topic)
        self.status = ServiceStatus(self._clock)
        self._log = get_logger("subscribe").bind(service=self._task.service)

    def _new_run(self, table: SubscribedTable) -> SyncRun:
        return SyncRun(table, Rate(self._clock.monotonic), Shapes(self._task.mask_key.get_secret_value()))

    def reports(self) -> list[Report]:
        """Current reports."""
        tables: list[Report] = [run.report(self._clock) for run in list(self._runs.values())]
        self.status.needs = self._needs()
        return [*tables, self.status.report()]

    def _needs(self) -> dict[str, int]:
        first = self._first_needed()
        return {self._task.node: first} if first is not None else {}

    def _first_needed(self) -> int | None:
        """Offset of the first record that any table still needs; None: not known yet."""
        main = self._main_offset
        if main is None:
            return None
        tables = (needed(run, main) for run in list(self._runs.values()))
        return min([main, *(offset for offset in tables if offset is not None)])

    def runs(self) -> dict[str, SyncRun]:
        """Runs of the service's tables by id, for readers outside the main loop."""
        return dict(self._runs)

    def run(self) -> None:
        """Work until `stop`. Raises TerminalError if only a person can fix the cause."""
        backoff = Backoff(self._stop.wait)
        try:
            while not self._stop.is_set():
                try:
                    self._work(backoff)
                except TransientError as error:
                    self._wait(error, backoff)
                except Fenced as error:
                    self._fencing.note(error)
                    self._wait(error, backoff)
        finally:
            self.status.stopping()
            self._stop_jobs()

    def _wait(self, error: TransientError | Fenced, backoff: Backoff) -> None:
        facts = {name: str(value) for name, value in error.facts.items()}
        self._log.warning("waiting", reason=error.code, facts=facts)
        self.status.wait_for(error)
        self._count_down()
        backoff.pause()

    def _wait_for_changes(self, seconds: float) -> None:
        """Wait for the time, or until there is other work: a stop, another task."""
        version, _ = self._box.read()
        deadline = self._clock.monotonic() + seconds
        self._log.debug("waiting for more changes", seconds=round(seconds, 1))
        while (left := deadline - self._clock.monotonic()) > 0 and self._box.read()[0] == version:
            if self._stop.wait(min(left, _NEAR_SECONDS)):
                return

    def _count_down(self) -> None:
        hours = self._task.retention_hours
        retention = timedelta(hours=hours) if hours is not None else None
        self._countdown.update_when_due(list(self._runs.values()), self._main_offset, retention)
        self.status.backlog_bytes = self._backlog.measured(self._first_needed())

    def _work(self, backoff: Backoff) -> None:
        """Work with one connection to the target; returns after a change of the target."""
        self._take_task(None)
        self._unsteady.refresh_soon()
        task = self._task
        target = self._connectors(task.target.kind).target(options_of(task.target))
        session_factory = SessionFactory(target, task.subscription, self._session_ids, self._wait_for_changes)
        with session_factory.first() as session:
            session.prepare_store()
            checkpoints, stored = self._load_checkpoints(session)
            keys = ParallelAppliers(session_factory, checkpoints, task.apply_lanes)
            main = self._open_main(session, checkpoints, stored, keys)
            scheduler = TableScheduler(
                self._bus, task, session_factory, main, checkpoints, self._jobs, _STEPS, self._direct_load
            )
            decisions, takeover = Decisions(session, checkpoints), Takeover(session, checkpoints)
            try:
                backoff.succeeded()
                while not self._stop.is_set() and self._task.target == task.target:
                    self._turn(main, scheduler, decisions, takeover)
                if not main.in_transaction:
                    main.store()
            finally:
                scheduler.close()
                main.close()
        if not self._stop.is_set():
            self._forget_target()

    def _direct_load(self, task: SubscribeTask) -> DirectLoad | None:
        """Access to the source, if possible here."""
        if task.source is None:
            return None
        connector, options = self._connectors(task.source.kind), options_of(task.source)
        # Positions of an image are compared with those of the capture, so they must be of the same log.
        return DirectLoad(
            lambda: connector.source(options, CaptureHistory(self._bus, task.node).log),
            lambda: connector.discoverer(options),
        )

    def _load_checkpoints(self, session: TargetSession) -> tuple[CheckpointWriter, _StoredState]:
        """Load stored checkpoints of all tables without a job.

        Also finds members that are not carried any more.
        """
        versions: dict[str, int] = {}
        boundary, keys, strays = ChannelCheckpoint(), dict[int, ApplierCheckpoint](), dict[str, TableCheckpoint]()
        for checkpoint in session.checkpoints(self._task.subscription):
            if checkpoint.name == MAIN:
                boundary = channel_checkpoint(checkpoint.data)
            elif (number := number_of_applier(checkpoint.name)) is not None:
                keys[number] = applier_checkpoint(checkpoint.data)
            elif checkpoint.name in self._jobs:
                continue
            elif checkpoint.name in self._runs:
                table = self._runs[checkpoint.name]
                table.checkpoint = stored = table_checkpoint(checkpoint.data)
                if stored.phase is Phase.MEMBER and not table.is_here:
                    strays[checkpoint.name] = stored
            elif (
                run := self._runs.get(table_of_structure(checkpoint.name))
            ) is not None and run.task.id not in self._jobs:
                run.structure = run.seen = schema_checkpoint(checkpoint.data)
            elif (
                not table_of_structure(checkpoint.name)
                and (stored := table_checkpoint(checkpoint.data)).phase is Phase.MEMBER
            ):
                strays[checkpoint.name] = stored
            versions[checkpoint.name] = checkpoint.version
        self._load_quarantined(session)
        session.rollback()
        return CheckpointWriter(self._task.subscription, session, versions), _StoredState(boundary, keys, strays)

    def _load_quarantined(self, session: TargetSession) -> None:
        counts = session.row_errors.open_counts(self._task.subscription)
        for run in self._runs.values():
            if run.task.id not in self._jobs:
                run.quarantined = QuarantinedRows()
                if run.task.id in counts:
                    load_quarantined(session, self._task.subscription, run)

    def _open_main(
        self, session: TargetSession, checkpoints: CheckpointWriter, stored: _StoredState, keys: ParallelAppliers
    ) -> ChannelApplier:
        """Open the channel applier at its stored position.

        Writing its checkpoint and those of its parallel appliers fences out leftovers of an earlier process. Former
        members get checkpoints of their own.
        """
        boundary = stored.boundary
        borders = {
            name: checkpoint_apart(stored.ahead(name, checkpoint), boundary)
            for name, checkpoint in stored.strays.items()
        }
        members = [run for run in self._runs.values() if run.phase is Phase.MEMBER and run.task.id not in self._jobs]
        try:
            verify(self._bus, self._topic, boundary.offset, boundary.record_time, "")
            borders |= self._load_partial_rounds(members, stored)
        except Expired as error:
            boundary = expire_members(self._bus, self._topic, checkpoints, members, error)
            members = []
        checkpoints.write(MAIN, boundary)
        begin(checkpoints, boundary, keys.count)
        for name, checkpoint in borders.items():
            checkpoints.write(name, checkpoint)
        checkpoints.commit()
        self._main_offset = boundary.offset
        return ChannelApplier(self._bus, self._topic, session, checkpoints, boundary, members, keys)

    def _load_partial_rounds(self, members: Sequence[SyncRun], stored: _StoredState) -> dict[str, TableCheckpoint]:
        """Add partial rounds of parallel appliers to the tables; returns the changed checkpoints."""
        changed = {}
        for run in members:
            assert run.checkpoint is not None
            checkpoint, run.checkpoint = run.checkpoint, stored.ahead(run.task.id, run.checkpoint)
            if run.checkpoint is not checkpoint:
                changed[run.task.id] = run.checkpoint
        if changed:
            self._log.info("parallel appliers are ahead", tables=sorted(changed), offset=stored.boundary.offset)
        return changed

    def _turn(self, main: ChannelApplier, scheduler: TableScheduler, decisions: Decisions, takeover: Takeover) -> None:
        if not main.in_transaction:
            self._take_task(scheduler)
            main.divide(self._task.apply_lanes)
            scheduler.collect_jobs()
            free = self._free()
            takeover.poll(free.values())
            decisions.poll(free)
            scheduler.direct(free.values())
        try:
            self._read(main, scheduler)
        except TableFailed as failure:
            scheduler.exclude_failed(failure)
            self._unsteady.refresh_soon()
        except OffsetExpired as error:
            scheduler.start_over(error)
            self._unsteady.refresh_soon()
        self.status.running()
        self._show(main)

    def _free(self) -> dict[str, SyncRun]:
        """Tables with work to do and without a job."""
        return {run.task.id: run for run in self._unsteady.among(self._runs) if run.task.id not in self._jobs}

    def _read(self, main: ChannelApplier, scheduler: TableScheduler) -> None:
        """Apply available changes, or wait for them.

        Waits are short while jobs run or tables wait for loads, and end when a job ends.
        """
        waiting = any(run.state is SyncState.FULL_ALLOWED for run in self._unsteady.among(self._runs))
        if not self._jobs or not waiting:
            main.turn(_NEAR_SECONDS if self._jobs or waiting else _READ_SECONDS)
        elif not main.turn(0.0):
            scheduler.wait_for_job(_NEAR_SECONDS)

    def _show(self, main: ChannelApplier) -> None:
        lag = main.lag_ms()
        self._main_offset = main.offset
        self.status.passed_bus(main.take_bytes_read())
        self._count_down()
        self.status.lag_ms = lag
        self.status.position = KINDS[self._task.source_kind].place(main.position)
        self.status.came, self.status.went = main.came or self.status.came, main.went or self.status.went
        for run in main.members():
            run.lag_ms = lag
            if lag == 0:
                run.failed_attempts = 0

    def _forget_target(self) -> None:
        """Drop the state of the previous target."""
        self._stop_jobs()
        self._jobs.clear()
        self._unsteady.refresh_soon()
        for run in self._runs.values():
            run.checkpoint = None
            run.enter(SyncState.UNINITIALIZED)

    def _stop_jobs(self) -> None:
        for job in self._jobs.values():
            job.cancelled.set()
        for job in self._jobs.values():
            job.join()

    def _take_task(self, scheduler: TableScheduler | None) -> None:
        """Apply the newest task. Tables with a running job change when it has stopped."""
        version, task = self._box.read()
        if version == self._version and not self._has_pending_task:
            return
        self._unsteady.refresh_soon()
        if version != self._version:
            self._version, self._task = version, task
            for run in self._runs.values():
                run.changed = True
        if scheduler is not None:
            scheduler.task = self._task
        desired = {table.id: table for table in self._task.tables}
        for identifier, run in list(self._runs.items()):
            table = desired.get(identifier)
            if table is None or (run.changed and table != run.task):
                self._change(run, table, scheduler)
            run.changed = run.changed and identifier in self._jobs and table != run.task
        fresh = {name: self._new_run(table) for name, table in desired.items() if name not in self._runs}
        self._runs |= fresh
        self._has_pending_task = any(run.changed for run in self._runs.values())
        if scheduler is not None:
            scheduler.store_new_checkpoints()
            if fresh:
                scheduler.recall(fresh)

    def _change(self, run: SyncRun, table: SubscribedTable | None, scheduler: TableScheduler | None) -> None:
        job = self._jobs.get(run.task.id)
        if job is not None:
            job.cancelled.set()
            return
        if table is None:
            if scheduler is not None:
                scheduler.leave(run)
            del self._runs[run.task.id]
            return
        if scheduler is not None and table.moves != run.task.moves:
            scheduler.leave(run)
        elif scheduler is not None and table.generation != run.task.generation:
            scheduler.forget(run)
        run.task = table
        run.retry_at, run.failed_attempts = None, 0
        if run.phase is not Phase.EXPIRED:
            run.enter(SyncState.UNINITIALIZED)
