"""Verifies the tables of a subscribe service by turns, as long as their changes are applied."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from zcbus.bus.contract import Bus
from zcbus.engine.comparison.prefetch import Cancelled
from zcbus.engine.connections import Connectors, registered
from zcbus.engine.reasons import LINK_BEHIND, reason_of
from zcbus.engine.subscribe.table import SyncRun
from zcbus.engine.task_box import TaskBox
from zcbus.engine.verification.budget import Budget
from zcbus.engine.verification.connections import VerificationConnections
from zcbus.engine.verification.progress import advanced, begun, finished, is_full
from zcbus.engine.verification.table import TableVerification
from zcbus.engine.verification.tables import KnownTables
from zcbus.engine.verification.turns import next_turn
from zcbus.kit.clock import Clock, SystemClock
from zcbus.kit.errors import TerminalError, TransientError
from zcbus.kit.logging import get_logger
from zcbus.model.states import SyncState
from zcbus.protocol.base import Reason
from zcbus.protocol.tasks import SubscribeTask, VerificationOrder, VerificationRequest

_IDLE_SECONDS = 2.0
_TRANSIENT_SECONDS, _STOPPED_SECONDS, _CRASHED_SECONDS = 30.0, 300.0, 600.0
_BEHIND_MS = 10_000
"""Where a table is further behind, waiting for it would cost what its backlog does."""
_TURN_SECONDS = 0.25
"""Of what the budget is made of: with one percent, a turn lasts 25 seconds."""


class Verification:
    """Works in one thread of its own until `stop` is set, never longer at a time than its budget pays for. Nothing that
    happens here reaches the apply: what goes wrong is told with the table, and tried again later."""

    def __init__(
        self,
        box: TaskBox[SubscribeTask],
        bus: Bus,
        stop: threading.Event,
        runs: Callable[[], Mapping[str, SyncRun]],
        data_dir: Path,
        connectors: Connectors = registered,
        clock: Clock | None = None,
    ) -> None:
        """`runs`: the tables as the service has them now."""
        self._box, self._bus, self._stop, self._runs = box, bus, stop, runs
        self._connectors, self._clock = connectors, clock or SystemClock()
        self._known = KnownTables(data_dir, box.read()[1].service)
        self._version = 0
        self._order: VerificationOrder | None = None
        self._ends: tuple[object, ...] = ()
        self._requests: dict[str, VerificationRequest] = {}
        self._connections: VerificationConnections | None = None
        self._log = get_logger("verification").bind(service=box.read()[1].service)

    def run(self) -> None:
        """Verify until `stop`."""
        self._budget = Budget(1.0)
        while not self._stop.is_set():
            self._stop.wait(max(self._look(), self._budget.pause()))
        self._leave()

    def interrupt(self) -> None:
        """End what it waits for, once `stop` is set. From any thread."""
        connections = self._connections
        if connections is not None:
            connections.interrupt()

    def _look(self) -> float:
        """One turn, where one is due; returns the least pause behind it."""
        self._take_task()
        order = self._order
        if order is None:
            return _IDLE_SECONDS
        self._budget.percent = order.percent
        runs = {name: run for name, run in self._runs().items() if self._can_be_verified(run)}
        turn = next_turn((self._known.turn(run, self._request(name)) for name, run in runs.items()), self._clock.now())
        if turn is None:
            return _IDLE_SECONDS
        return self._guarded(runs[turn.table], order)

    def _take_task(self) -> None:
        version, task = self._box.read()
        if version == self._version:
            return
        self._version, order = version, task.verification
        ends = () if order is None else (order.source, task.target)
        if ends != self._ends:
            self._leave()
        self._order, self._ends = order, ends
        self._requests = {} if order is None else {one.table: one for one in order.requests}
        self._known.forget({table.id for table in task.tables})
        for run in self._runs().values():
            if order is None:
                run.verification = None
            else:
                self._known.tell(run)

    def _can_be_verified(self, run: SyncRun) -> bool:
        if run.state is not SyncState.INCREMENTAL_RUNNING or run.phase is None or run.task.suspended:
            return False
        behind = run.lag_ms is None or run.lag_ms > _BEHIND_MS
        return not behind and self._clock.monotonic() >= self._known.of(run).again_at

    def _request(self, table: str) -> VerificationRequest:
        return self._requests.get(table) or VerificationRequest(table=table)

    def _guarded(self, run: SyncRun, order: VerificationOrder) -> float:
        """A turn; what stands in its way is told with the table."""
        try:
            reason, after = self._turn(run, order), 0.0
        except Cancelled:
            return 0.0
        except TransientError as error:
            self._log.warning("waiting", table=run.task.id, reason=error.code)
            reason, after = reason_of(error), _TRANSIENT_SECONDS
            self._leave()
        except TerminalError as error:
            reason, after = reason_of(error), _STOPPED_SECONDS
            self._leave()
        except Exception as error:  # noqa: BLE001 - the apply goes on without
            self._log.error("verification failed", table=run.task.id, exc_info=error)
            reason, after = reason_of(error), _CRASHED_SECONDS
            self._leave()
        if reason is not None and not after:
            after = _TRANSIENT_SECONDS
        self._known.stop(run, reason, self._clock.monotonic() + after, self._clock.now())
        # Where a server is away, it is so for all tables.
        return min(after, _TRANSIENT_SECONDS) if self._connections is None else 0.0

    def _turn(self, run: SyncRun, order: VerificationOrder) -> Reason | None:
        """Some ranges of one table, or all; returns why it cannot go on."""
        table = self._opened(order).table(run.task)
        request, key = self._request(run.task.id), table.plan.source_key
        self._known.begin(run, begun(self._known.of(run).place, key, request.number, self._clock.now()))
        if not (self._look_again(run, table) and self._repair(run, table, request)):
            return _behind(run)
        began = self._budget.total
        while self._budget.total - began < _TURN_SECONDS and not self._is_over(run):
            if is_full(self._known.of(run).record):
                self._finish(run)
                return None
            if not self._next_range(run, table):
                return _behind(run)
            if self._known.of(run).place.finished_at is not None:
                return None
            self._stop.wait(self._budget.pause())
        return None

    def _is_over(self, run: SyncRun) -> bool:
        """Whether the table or the task is another one than when the turn began."""
        return self._stop.is_set() or self._box.read()[0] != self._version or not self._can_be_verified(run)

    def _look_again(self, run: SyncRun, table: TableVerification) -> bool:
        """Whether rows that were different can be told to be so still."""
        before = self._known.of(run).record.keys
        looked = table.look_at(before) if before else None
        if looked is not None:
            self._known.find(run, looked.differences, table.plan.source_key)
        return looked is not None or not before

    def _repair(self, run: SyncRun, table: TableVerification, request: VerificationRequest) -> bool:
        """Repair what differs, where somebody asks for it, and look at it again."""
        keys = self._known.of(run).record.keys
        if request.repair <= self._known.of(run).place.repair:
            return True
        repaired = table.repair(keys) if keys else 0
        # Told as done only with what is left then.
        if not self._look_again(run, table):
            return False
        place = replace(self._known.of(run).place, repair=request.repair, repaired=repaired)
        self._known.move(run, place, self._now(), keep=True)
        return True

    def _next_range(self, run: SyncRun, table: TableVerification) -> bool:
        place = self._known.of(run).place
        looked = table.next_range(place.behind or None)
        if looked is None:
            return False
        if looked.differences:
            found = {**self._known.differences(run), **looked.differences}
            self._known.find(run, found, table.plan.source_key)
            self._log.warning("rows differ", table=run.task.id, count=len(looked.differences))
        self._known.move(run, advanced(place, looked), self._now())
        if looked.end is None:
            self._finish(run)
        return True

    def _finish(self, run: SyncRun) -> None:
        known = self._known.of(run)
        self._known.move(run, finished(known.place, not known.record.keys, self._clock.now()), self._now(), keep=True)

    def _now(self) -> float:
        return self._clock.monotonic()

    def _opened(self, order: VerificationOrder) -> VerificationConnections:
        if self._connections is None:
            task = self._box.read()[1]
            self._connections = VerificationConnections(
                task, order, self._bus, self._connectors, self._budget, self._stop
            )
        return self._connections

    def _leave(self) -> None:
        connections, self._connections = self._connections, None
        if connections is not None:
            connections.close()


def _behind(run: SyncRun) -> Reason:
    return Reason(code=LINK_BEHIND, facts={"table": str(run.source)})
