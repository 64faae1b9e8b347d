"""The subscribe service: one channel, from a node's topics to a target."""

import threading
import time
from dataclasses import replace

from zcbus.bus.contract import Bus, OffsetExpired
from zcbus.bus.topics import full_topic, real_topic
from zcbus.connectors.errors import Fenced
from zcbus.connectors.roles import Target, TargetSession
from zcbus.engine.backoff import Backoff
from zcbus.engine.connections import Connectors, options_of, registered
from zcbus.engine.rates import Rate
from zcbus.engine.reasons import CHANGES_EXPIRED, FULL_LOAD_EXPIRED, TableStopped
from zcbus.engine.status import ServiceStatus
from zcbus.engine.subscribe.jobs import Outcome, TableJob
from zcbus.engine.subscribe.lanes import MAIN, LaneWriter, MainLane, Phase, TableLane, main_lane, table_lane
from zcbus.engine.subscribe.load import apart
from zcbus.engine.subscribe.main_lane import MainLaneReplay
from zcbus.engine.subscribe.places import Expired, verify
from zcbus.engine.subscribe.replay import TableFailed
from zcbus.engine.subscribe.table import SyncRun
from zcbus.engine.task_box import TaskBox
from zcbus.kit.clock import Clock, SystemClock
from zcbus.kit.errors import TransientError
from zcbus.kit.logging import get_logger
from zcbus.model.states import LoadMode, SyncState
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import Report
from zcbus.protocol.tasks import SubscribedTable, SubscribeTask

_NEAR_RECORDS = 64
"""A table that is no further behind than this joins the main lane without a job of its own."""
_MOST_FENCED = 5
_LOOK_SECONDS = 0.5


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
        self._jobs: dict[str, TableJob] = {}
        self._topic = real_topic(self._task.node)
        self._main: MainLaneReplay | None = None
        self._main_offset = 0
        self._fenced = 0
        self._next_look: dict[str, float] = {}
        self.status = ServiceStatus(self._clock)
        self._log = get_logger("subscribe").bind(service=self._task.service)

    def _new_run(self, table: SubscribedTable) -> SyncRun:
        return SyncRun(table, Rate(self._clock.monotonic))

    def reports(self) -> list[Report]:
        """Everything as measured now."""
        tables: list[Report] = [run.report(self._clock) for run in list(self._runs.values())]
        return [*tables, self.status.report()]

    def run(self) -> None:
        """Work until `stop`. Raises TerminalError where nothing can go on until somebody changes something."""
        backoff = Backoff(self._stop.wait)
        try:
            while not self._stop.is_set():
                try:
                    self._work(backoff)
                except TransientError as error:
                    self._wait(error, backoff)
                except Fenced as error:
                    self._fenced += 1
                    if self._fenced > _MOST_FENCED:
                        raise
                    self._wait(error, backoff)
        finally:
            self.status.stopping()
            self._stop_jobs()

    def _wait(self, error: TransientError | Fenced, backoff: Backoff) -> None:
        self._log.warning("waiting", reason=error.code, facts={name: str(value) for name, value in error.facts.items()})
        self.status.wait_for(error)
        backoff.pause()

    def _target(self) -> Target:
        connection = self._task.target
        return self._connectors(connection.kind).target(options_of(connection))

    def _work(self, backoff: Backoff) -> None:
        """One life of the connection to the target; returns to be called again after the target was changed."""
        self._take_task()
        target = self._target()
        connection = self._task.target
        with target.open() as session:
            session.prepare_store()
            lanes = self._recall(session)
            main = self._open_main(session, lanes)
            try:
                backoff.succeeded()
                while not self._stop.is_set() and self._task.target == connection:
                    self._turn(main, target)
            finally:
                self._main = None
                main.close()
            if not main.inside:
                main.store()
            if self._task.target != connection:
                self._stop_jobs()

    def _recall(self, session: TargetSession) -> LaneWriter:
        """Take over what the target remembers of every table that no job of ours is working on."""
        versions: dict[str, int] = {}
        self._place = MainLane()
        for lane in session.lanes(self._task.subscription):
            if lane.lane == MAIN:
                self._place = main_lane(lane.data)
            elif lane.lane in self._jobs:
                continue
            elif lane.lane in self._runs:
                self._runs[lane.lane].lane = table_lane(lane.data)
            versions[lane.lane] = lane.version
        session.rollback()
        return LaneWriter(self._task.subscription, session, versions)

    def _open_main(self, session: TargetSession, lanes: LaneWriter) -> MainLaneReplay:
        """The main lane where it stopped. Writing its lane at once fences leftovers of an earlier process out."""
        members = [run for run in self._runs.values() if run.phase is Phase.MEMBER and run.task.id not in self._jobs]
        place = self._place
        try:
            verify(self._bus, self._topic, place.offset, place.record_time, "")
        except Expired as error:
            place = self._start_over(lanes, members, error)
            members = []
        lanes.write(MAIN, place)
        lanes.commit()
        main = MainLaneReplay(self._bus, self._topic, session, lanes, place, members)
        self._main, self._main_offset, self._lanes = main, main.offset, lanes
        return main

    def _start_over(self, lanes: LaneWriter, members: list[SyncRun], error: TableStopped | OffsetExpired) -> MainLane:
        """The main lane's next changes are gone from the bus: its tables need a new load, the lane goes on without."""
        for run in members:
            self._expire(lanes, run, {name: str(value) for name, value in error.facts.items()}, error)
        info = self._bus.info(self._topic)
        return MainLane(info.first_offset if info is not None else 0)

    def _expire(
        self, lanes: LaneWriter, run: SyncRun, facts: dict[str, str], error: TableStopped | OffsetExpired
    ) -> None:
        assert run.lane is not None
        code = error.reason.code if isinstance(error, TableStopped) else CHANGES_EXPIRED
        expired = replace(run.lane, phase=Phase.EXPIRED)
        lanes.write(run.task.id, expired)
        run.lane = expired
        run.expire(Reason(code=code, facts={**facts, "table": str(run.source)}))

    def _turn(self, main: MainLaneReplay, target: Target) -> None:
        if not main.inside:
            self._take_task()
            self._collect_jobs(main)
            for run in list(self._runs.values()):
                if run.task.id not in self._jobs:
                    self._direct(run, main, target)
        try:
            main.turn(0.1)
        except TableFailed as failure:
            self._set_apart(main, failure)
        except OffsetExpired as error:
            self._lose_main(main, error)
        self._main_offset = main.offset
        self._fenced = 0
        self.status.running()
        self._show(main)

    def _lose_main(self, main: MainLaneReplay, error: OffsetExpired) -> None:
        place = self._start_over(self._lanes, main.members(), error)
        for run in main.members():
            main.forget(run)
        main.go_to(place)

    def _set_apart(self, main: MainLaneReplay, failure: TableFailed) -> None:
        """Go on without the table that failed. Where several may be the cause each goes on alone and shows itself."""
        for run in failure.runs:
            main.leave(run)
            if len(failure.runs) == 1:
                self._log.error("table failed", table=str(run.source), exc_info=failure.error)
                run.stop_with(failure.error, time.monotonic())
            else:
                run.retry_at = time.monotonic()  # at once, but by a job: not in the main lane

    def _show(self, main: MainLaneReplay) -> None:
        lag = main.lag_ms()
        self.status.lag_ms = lag
        self.status.position = str(main.position)
        for run in main.members():
            run.lag_ms = lag
            if lag == 0:
                run.failed_attempts = 0

    # Tables: what each of them needs next.

    def _direct(self, run: SyncRun, main: MainLaneReplay, target: Target) -> None:
        """Bring one table that no job works on a step nearer to what is wanted."""
        phase = run.phase
        if run.task.suspended:
            self._suspend(run, main)
        elif run.retry_at is not None and time.monotonic() < run.retry_at:
            return
        elif phase is Phase.MEMBER:
            run.enter(SyncState.INCREMENTAL_RUNNING)
        elif phase is Phase.EXPIRED:
            if run.state is not SyncState.FULL_INFO_EXPIRED:
                run.expire(Reason(code=CHANGES_EXPIRED, facts={"table": str(run.source), "wanted": "", "first": ""}))
        elif phase is Phase.FINISHED:
            self._go_on_after_load(run)
        elif phase is Phase.APART:
            self._rejoin(run, main, target)
        elif phase is None and run.task.load is LoadMode.INCREMENTAL:
            self._begin_incremental(run, main)
        else:
            self._load(run, main, target)

    def _suspend(self, run: SyncRun, main: MainLaneReplay) -> None:
        if run.phase is Phase.MEMBER:
            main.leave(run)
        run.enter(SyncState.SUSPENDED)
        run.lag_ms, run.retry_at = None, None

    def _go_on_after_load(self, run: SyncRun) -> None:
        if run.task.load is not LoadMode.BOTH:
            run.enter(SyncState.FULL_FINISHED)
            return
        assert run.lane is not None
        try:
            lane = apart(self._bus, self._task.node, run, run.lane)
            self._keep(run, lane)
        except Expired as error:
            self._expire(self._lanes, run, {}, error)
            self._lanes.commit()

    def _keep(self, run: SyncRun, lane: TableLane) -> None:
        self._lanes.write(run.task.id, lane)
        self._lanes.commit()
        run.lane = lane

    def _begin_incremental(self, run: SyncRun, main: MainLaneReplay) -> None:
        """Without a load a table begins with what comes from now on."""
        info = self._bus.info(self._topic)
        offset = info.next_offset if info is not None else 0
        self._keep(run, TableLane(run.task.generation, Phase.APART, offset=offset))

    def _rejoin(self, run: SyncRun, main: MainLaneReplay, target: Target) -> None:
        assert run.lane is not None
        if main.offset - run.lane.offset > _NEAR_RECORDS or run.retry_at is not None:
            self._start(run, target)
            return
        try:
            main.join(run)
            run.enter(SyncState.INCREMENTAL_RUNNING)
        except TableFailed as failure:
            run.stop_with(failure.error, time.monotonic())
        except Expired as error:
            self._expire(self._lanes, run, {}, error)
            self._lanes.commit()

    def _load(self, run: SyncRun, main: MainLaneReplay, target: Target) -> None:
        main.forget(run)
        if run.state is SyncState.FULL_INFO_EXPIRED:
            return
        run.enter(SyncState.FULL_ALLOWED)
        now = time.monotonic()
        if now < self._next_look.get(run.task.id, 0.0) or len(self._jobs) >= self._task.load_threads:
            return
        self._next_look[run.task.id] = now + _LOOK_SECONDS
        if self._bus.info(full_topic(self._task.node, run.task.published, run.task.generation)) is not None:
            self._start(run, target)
        elif self._is_superseded(run):
            facts = {"table": str(run.source), "generation": str(run.task.generation)}
            run.expire(Reason(code=FULL_LOAD_EXPIRED, facts=facts))

    def _is_superseded(self, run: SyncRun) -> bool:
        prefix = full_topic(self._task.node, run.task.published, 0).removesuffix("0")
        numbers = [info.name.removeprefix(prefix) for info in self._bus.topics(prefix)]
        return any(number.isdigit() and int(number) > run.task.generation for number in numbers)

    # Jobs: tables on their own.

    def _start(self, run: SyncRun, target: Target) -> None:
        if len(self._jobs) >= self._task.load_threads:
            return
        run.retry_at = None
        subscription, node = self._task.subscription, self._task.node
        job = TableJob(self._bus, node, subscription, target, run, lambda: self._main_offset)
        self._jobs[run.task.id] = job
        job.start()

    def _collect_jobs(self, main: MainLaneReplay) -> None:
        for identifier, job in list(self._jobs.items()):
            if job.is_alive():
                continue
            job.join()
            del self._jobs[identifier]
            self._lanes.versions.update(job.versions)
            run = job.table
            if job.outcome is Outcome.CAUGHT_UP:
                self._rejoin_after(run, main)
            elif job.outcome is Outcome.FAILED:
                assert job.error is not None
                self._log.error("table failed", table=str(run.source), exc_info=job.error)
                run.stop_with(job.error, time.monotonic())
            elif job.outcome is Outcome.EXPIRED:
                assert isinstance(job.error, TableStopped)
                run.expire(job.error.reason)

    def _rejoin_after(self, run: SyncRun, main: MainLaneReplay) -> None:
        """The job read as far as there was anything: what came since is little."""
        if run.task.suspended or run.task.id not in self._runs:
            return
        try:
            main.join(run)
            run.enter(SyncState.INCREMENTAL_RUNNING)
        except TableFailed as failure:
            run.stop_with(failure.error, time.monotonic())
        except Expired as error:
            self._expire(self._lanes, run, {}, error)
            self._lanes.commit()

    def _stop_jobs(self) -> None:
        for job in self._jobs.values():
            job.cancelled.set()
        for job in self._jobs.values():
            job.join()

    # The task: desired state, complete.

    def _take_task(self) -> None:
        """Work out what the newest task changes. A table whose job still runs changes when the job has stopped."""
        version, task = self._box.read()
        if version != self._version:
            self._version, self._task = version, task
            for run in self._runs.values():
                run.changed = True
        wanted = {table.id: table for table in self._task.tables}
        for identifier, run in list(self._runs.items()):
            table = wanted.get(identifier)
            if table is None or (run.changed and table != run.task):
                self._change(run, table)
            run.changed = run.changed and identifier in self._jobs
        for identifier, table in wanted.items():
            if identifier not in self._runs:
                self._runs[identifier] = self._new_run(table)

    def _change(self, run: SyncRun, table: SubscribedTable | None) -> None:
        job = self._jobs.get(run.task.id)
        if job is not None:
            job.cancelled.set()
            return
        if table is None:
            if self._main is not None and run.phase is Phase.MEMBER:
                self._main.leave(run)
            del self._runs[run.task.id]
            return
        if self._main is not None and table.generation != run.task.generation:
            self._main.forget(run)
        run.task = table
        run.retry_at, run.failed_attempts = None, 0
        if run.phase is not Phase.EXPIRED:
            run.enter(SyncState.UNINITIALIZED)
