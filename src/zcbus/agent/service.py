"""Keeps one service at its desired state.

A process that ends without a request is started again after a growing pause: at most half a second if it had worked,
so that data flows again soon, else at most fifteen seconds. Three cases differ:

- crashed: it had worked, or was killed; it is restarted.
- cannot start: it ended by itself several times in a row before its first sign of work. The state is abnormal, and it
  is tried again once a minute.
- cannot continue: it ended with exit code 3. The state is abnormal until the order changes.

A process without progress is killed and counts as crashed.
"""

import asyncio
import contextlib
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from zcbus.agent.lease import Lease
from zcbus.agent.logs import log_path
from zcbus.agent.process import Start, WorkerProcess, WorkerRules
from zcbus.agent.timeouts import Pauses, Timeouts
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.clock import Clock
from zcbus.kit.log_file import RotatingLog
from zcbus.kit.logging import get_logger
from zcbus.kit.network import NetworkRules
from zcbus.model.properties import LOG_FILES, LOG_SIZE, Values, value_of
from zcbus.model.states import DesiredState, ServiceState
from zcbus.protocol.agent import Order
from zcbus.protocol.base import Reason
from zcbus.protocol.changes import changes_between
from zcbus.protocol.reports import Attempt, Report, ServiceReport, ServiceStatus
from zcbus.protocol.tasks import Task
from zcbus.protocol.worker_input import WorkerLease

_log = get_logger("agent")

_CLOCK_WAS_SET = timedelta(seconds=5)
EXIT_CANNOT_CONTINUE = 3
"""Exit code of a worker that cannot continue until a person changes something."""


@dataclass(slots=True)
class _Run:
    process: WorkerProcess
    started_at: datetime
    began: float
    """Start by the monotonic clock."""
    task: Task | None = None
    """The task of the process; None: not sent yet."""
    worked: bool = False
    progress: int = -1
    progress_at: float = 0.0
    reason: Reason | None = None
    stuck: bool = False
    leaving: bool = False
    """It was requested to end."""


@dataclass
class Service:
    """One supervised service. All methods belong to the agent's event loop."""

    order: Order
    data_dir: Path
    bus: BusSettings
    clock: Clock
    on_report: Callable[[str, Report], None]
    on_attempt: Callable[[Attempt], None]
    lease: Lease
    start: Start
    timeouts: Timeouts = field(default_factory=Timeouts)
    properties: Values = field(default_factory=dict)
    """The container's properties that concern processes."""
    network: NetworkRules = field(default_factory=NetworkRules)

    state: ServiceState = field(default=ServiceState.STOPPED, init=False)
    restarts: int = field(default=0, init=False)
    last_exit: str = field(default="", init=False)
    reason: Reason | None = field(default=None, init=False)
    next_attempt_at: datetime | None = field(default=None, init=False)
    _run: _Run | None = field(default=None, init=False)
    _changed: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _without_lease: bool = field(default=False, init=False)
    """It is stopped only because the lease is over."""
    _closing: bool = field(default=False, init=False)
    _main: asyncio.Task[None] | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        return self.order.service

    def begin(self) -> None:
        """Start supervising."""
        self._main = asyncio.create_task(self._supervise(), name=f"service {self.name}")

    async def give_order(self, order: Order) -> None:
        """Take a new order. A changed task reaches the running worker at once."""
        old, self.order = self.order, order
        if order == old:
            return
        restart = order.restart != old.restart
        if self._run is not None and (order.forced or restart) and not self._should_run():
            self._run.process.kill()
        elif self._run is not None and restart:
            self._begin_restart(self._run)
        elif self._run is not None and self._should_run() and self._run.task is not None:
            await self._hand_task(self._run)
        if self._run is not None and order.leased != old.leased:
            await self._give_lease(self._run.process)
        self._changed.set()

    async def lease_renewed(self) -> None:
        """Pass the lease on to the worker of a leased order, or start it again."""
        if self.order.leased and self._run is not None:
            await self._give_lease(self._run.process)
        elif self._without_lease and self._should_run():
            self._changed.set()

    async def _give_lease(self, process: WorkerProcess) -> None:
        await process.give(WorkerLease(until=self.lease.until if self.order.leased else None))

    def _begin_restart(self, run: _Run) -> None:
        run.leaving, self.state = True, ServiceState.RESTARTING
        if self.order.forced:
            run.process.kill()
        else:
            run.process.ask_to_stop()

    async def close(self) -> None:
        """Stop the worker cleanly and end the supervision."""
        self._closing = True
        self._changed.set()
        if self._main is not None:
            await self._main

    def status(self) -> ServiceStatus:
        """The current status."""
        run = self._run
        if run is not None:
            self._follow_clock(run)
        return ServiceStatus(
            service=self.name,
            state=self.state,
            pid=run.process.pid if run else None,
            started_at=run.started_at if run else None,
            restarts=self.restarts,
            next_attempt_at=self.next_attempt_at,
            last_exit=self.last_exit,
            reason=self.reason,
            at=self.clock.now(),
        )

    def _follow_clock(self, run: _Run) -> None:
        """Adjust the start time after the host's clock was set: it must not be later than the reports."""
        started_at = self.clock.now() - timedelta(seconds=self.clock.monotonic() - run.began)
        if abs(started_at - run.started_at) > _CLOCK_WAS_SET:
            run.started_at = started_at

    def _should_run(self) -> bool:
        return self._is_ordered() and (self.lease.holds() or not self.order.leased)

    def _is_ordered(self) -> bool:
        return self.order.desired == DesiredState.RUNNING and not self._closing

    async def _supervise(self) -> None:
        while not self._closing:
            if self._should_run():
                await self._keep_running()
            else:
                self._without_lease = self._is_ordered()
                self.reason = Reason(code="lease-over") if self._without_lease else self.reason
                await self._stay(ServiceState.STOPPED, None)
        self.state = ServiceState.STOPPED

    async def _stay(self, state: ServiceState, pause: float | None) -> None:
        """Stay in a state until the order changes or the pause is over."""
        self.state = state
        self.next_attempt_at = self.clock.now() + timedelta(seconds=pause) if pause is not None else None
        self._changed.clear()
        if self._closing:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause):
                await self._changed.wait()
        self.next_attempt_at = None

    async def _keep_running(self) -> None:
        """Run the worker repeatedly while the order requests it."""
        pauses = Pauses()
        self.restarts, self.reason = 0, None
        self.state = ServiceState.STARTING
        order = self.order
        while self._should_run():
            began = self.clock.monotonic()
            code, worked = await self._run_once()
            if not self._should_run():
                return
            if self.order.restart != order.restart:
                order, pauses = self.order, Pauses()
                self.state = ServiceState.RESTARTING
                continue
            self.restarts += 1
            if self.clock.monotonic() - began > self.timeouts.healthy:
                pauses = Pauses()
            order = await self._pause(code, pauses, worked)

    async def _pause(self, code: int, pauses: Pauses, worked: bool) -> Order:
        """Wait depending on how the process ended; returns the order in force afterwards."""
        # A start that a signal ended does not show whether the worker can start.
        pause = pauses.after(worked or code < 0)
        if code == EXIT_CANNOT_CONTINUE:
            await self._stay(ServiceState.ABNORMAL, None)
        elif pauses.failed_starts >= self.timeouts.failed_starts:
            facts = {"exit": self.last_exit, "attempts": str(pauses.failed_starts)}
            self.reason = Reason(code="cannot-start", facts=facts)
            await self._stay(ServiceState.ABNORMAL, self.timeouts.cannot_start_pause)
        else:
            await self._stay(ServiceState.RESTARTING, pause)
        return self.order

    async def _run_once(self) -> tuple[int, bool]:
        """Run once; returns the exit code and whether the process had worked."""
        if self.state is not ServiceState.STARTING:
            self.state = ServiceState.RESTARTING
        try:
            rules = WorkerRules(self.properties, self.network)
            process = await WorkerProcess.start(
                self.start, self.order.task, self.data_dir, self.bus, self._log_file(), rules
            )
        except OSError as error:
            self.last_exit = f"not started: {error.strerror}"
            return -1, False
        now = self.clock.monotonic()
        run = self._run = _Run(process, self.clock.now(), now, progress_at=now)
        # The lease goes first: a worker must never run without it.
        if self.order.leased:
            await self._give_lease(process)
        await self._hand_task(run)
        code = await self._wait_for_exit(run)
        self._run = None
        self._note_end(run, code)
        return code, run.worked

    async def _hand_task(self, run: _Run) -> None:
        """Send the complete task to a process that has none, else its changes."""
        task, before = self.order.task, run.task
        if task == before:
            return
        run.task = task
        await run.process.give(task if before is None else changes_between(before, task))

    def _log_file(self) -> RotatingLog:
        size, files = value_of(self.properties, LOG_SIZE), value_of(self.properties, LOG_FILES)
        return RotatingLog(log_path(self.data_dir, self.name), size << 20, files)

    async def _wait_for_exit(self, run: _Run) -> int:
        reading = asyncio.create_task(self._read(run))
        watching = asyncio.create_task(self._watch(run))
        code = await run.process.wait()
        watching.cancel()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5):
                await reading
        return code

    async def _read(self, run: _Run) -> None:
        async for report in run.process.reports():
            if isinstance(report, ServiceReport):
                self._note_progress(run, report)
            self.on_report(self.name, report)

    def _note_progress(self, run: _Run, report: ServiceReport) -> None:
        run.reason = report.reason
        if report.progress > run.progress:
            run.progress, run.progress_at = report.progress, self.clock.monotonic()
        if report.state in ("running", "waiting"):
            run.worked = True
            if self.state in (ServiceState.STARTING, ServiceState.RESTARTING) and not run.leaving:
                self.state = ServiceState.STARTED
            self.reason = report.reason

    async def _watch(self, run: _Run) -> None:
        """End the run when it is no longer desired or is stuck."""
        while True:
            if not self._should_run():
                return await self._stop(run)
            if self.clock.monotonic() - run.progress_at > self.timeouts.progress:
                run.stuck = True
                _log.warning("worker-stuck", service=self.name, pid=run.process.pid)
                run.process.kill()
                return None
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._changed.wait()

    async def _stop(self, run: _Run) -> None:
        run.leaving, self.state = True, ServiceState.STOPPING
        if self.order.forced:
            run.process.kill()
            return
        run.process.ask_to_stop()
        await asyncio.sleep(self.timeouts.stop)
        _log.warning("worker-killed", service=self.name, pid=run.process.pid, waited_s=self.timeouts.stop)
        run.process.kill()

    def _note_end(self, run: _Run, code: int) -> None:
        self.last_exit = f"signal {-code}" if code < 0 else f"exit {code}"
        if run.stuck:
            self.reason = Reason(code="stuck", facts={"seconds": str(int(self.timeouts.progress))})
        elif code == -signal.SIGALRM:
            self.reason = Reason(code="lease-over")
        elif code == EXIT_CANNOT_CONTINUE:
            self.reason = run.reason or Reason(code="cannot-go-on")
        elif run.leaving:
            self.reason = None
        elif code != 0:
            self.reason = Reason(code="crashed", facts={"exit": self.last_exit})
        self.on_attempt(
            Attempt(
                service=self.name,
                started_at=run.started_at,
                ended_at=self.clock.now(),
                result="stuck" if run.stuck else self.last_exit,
                reason=self.reason,
            )
        )
        _log.info("worker-ended", service=self.name, pid=run.process.pid, result=self.last_exit)
