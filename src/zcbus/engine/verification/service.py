"""Verification of a subscribe service's tables, in turns, while their changes are applied."""

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
from zcbus.engine.verification.progress import CheckedRows, advanced, begun, finished, is_full
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
"""A table further behind is not verified: waiting for its backlog costs too much."""
_TURN_SECONDS = 0.25
"""Budget of a turn: at one percent, a turn lasts 25 seconds."""
_SETTLE_SECONDS = 5.0
"""A difference that is new must last so long. In a two-way link a row that was changed in the target differs until the
link back has brought the change to the source, whose progress this service does not know."""


class Verification:
    """Verifies tables in its own thread until `stop` is set, within its budget. Errors never reach apply: they are
    reported with the table, which is tried again later."""

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
            self._stop.wait(max(self._run_turn(), self._budget.pause()))
        self._close_connections()

    def interrupt(self) -> None:
        """End running queries, once `stop` is set. From any thread."""
        connections = self._connections
        if connections is not None:
            connections.interrupt()

    def _run_turn(self) -> float:
        """Run one turn, if one is due; returns the minimal pause after it."""
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
            self._close_connections()
        self._order, self._ends = order, ends
        self._requests = {} if order is None else {one.table: one for one in order.requests}
        self._known.forget({table.id for table in task.tables})
        for run in self._runs().values():
            if order is None:
                run.verification = None
            else:
                self._known.update_report(run)

    def _can_be_verified(self, run: SyncRun) -> bool:
        if run.state is not SyncState.INCREMENTAL_RUNNING or run.phase is None or run.task.suspended:
            return False
        behind = run.lag_ms is None or run.lag_ms > _BEHIND_MS
        return not behind and self._clock.monotonic() >= self._known.of(run).again_at

    def _request(self, table: str) -> VerificationRequest:
        return self._requests.get(table) or VerificationRequest(table=table)

    def _guarded(self, run: SyncRun, order: VerificationOrder) -> float:
        """Run a turn; report its error with the table. Returns the minimal pause after it."""
        try:
            reason, after = self._turn(run, order), 0.0
        except Cancelled:
            return 0.0
        except TransientError as error:
            self._log.warning("waiting", table=run.task.id, reason=error.code)
            reason, after = reason_of(error), _TRANSIENT_SECONDS
            self._close_connections()
        except TerminalError as error:
            reason, after = reason_of(error), _STOPPED_SECONDS
            self._close_connections()
        except Exception as error:  # noqa: BLE001 - apply continues without
            reason, after = reason_of(error), _CRASHED_SECONDS
            self._log.error("verification failed", table=run.task.id, reason=reason.code, exc_info=error)
            self._close_connections()
        if reason is not None and not after:
            after = _TRANSIENT_SECONDS
        elif reason is None and self._known.of(run).settling is not None:
            after = _SETTLE_SECONDS
        self._known.stop(run, reason, self._clock.monotonic() + after, self._clock.now())
        # A server that is down is down for all tables.
        return min(after, _TRANSIENT_SECONDS) if self._connections is None else 0.0

    def _turn(self, run: SyncRun, order: VerificationOrder) -> Reason | None:
        """Verify some ranges of one table, or all; returns why it cannot continue."""
        table = self._opened(order).table(run.task)
        request, key = self._request(run.task.id), table.plan.source_key
        self._known.begin(run, begun(self._known.of(run).progress, key, request.number, self._clock.now()))
        if not (self._recheck(run, table) and self._repair(run, table, request)):
            return _behind(run)
        settling = self._known.of(run).settling
        if settling is not None:
            # The turn ends with it: the table was taken out of order.
            return None if self._settle(run, table, settling) else _behind(run)
        began = self._budget.total
        while self._budget.total - began < _TURN_SECONDS and not self._is_over(run):
            if is_full(self._known.of(run).record):
                self._finish(run)
                return None
            if not self._next_range(run, table):
                return _behind(run)
            if self._known.of(run).settling is not None or self._known.of(run).progress.finished_at is not None:
                return None
            self._stop.wait(self._budget.pause())
        return None

    def _is_over(self, run: SyncRun) -> bool:
        """Whether the table or the task changed since the turn began."""
        return self._stop.is_set() or self._box.read()[0] != self._version or not self._can_be_verified(run)

    def _recheck(self, run: SyncRun, table: TableVerification) -> bool:
        """Recheck the rows known to differ; false: the link has not caught up."""
        before = self._known.of(run).record.keys
        checked = table.recheck(before) if before else None
        if checked is not None:
            self._known.find(run, checked.differences, table.plan.source_key)
        return checked is not None or not before

    def _repair(self, run: SyncRun, table: TableVerification, request: VerificationRequest) -> bool:
        """Repair the rows that differ, if requested, and recheck them; false: the link has not caught up."""
        keys = self._known.of(run).record.keys
        if request.repair <= self._known.of(run).progress.repair:
            return True
        repaired = table.repair(keys) if keys else 0
        # Reported as done only together with the rows that still differ.
        if not self._recheck(run, table):
            return False
        progress = replace(self._known.of(run).progress, repair=request.repair, repaired=repaired)
        self._known.move(run, progress, self._now(), keep=True)
        return True

    def _next_range(self, run: SyncRun, table: TableVerification) -> bool:
        """Verify the next rows; false: the link has not caught up. A range with new differences awaits `_settle`."""
        checked = table.next_range(self._known.of(run).progress.behind or None)
        if checked is None:
            return False
        if checked.differences.items() <= self._known.differences(run).items():
            self._take(run, table, checked)
        else:
            self._known.of(run).settling = checked
        return True

    def _settle(self, run: SyncRun, table: TableVerification, checked: CheckedRows) -> bool:
        """Read the rows once more that differed when the turn before ended; false: the link has not caught up."""
        again = table.recheck(list(checked.differences))
        if again is None:
            return False
        self._known.of(run).settling = None
        unsettled = checked.unsettled + again.unsettled
        self._take(run, table, replace(checked, differences=again.differences, unsettled=unsettled))
        return True

    def _take(self, run: SyncRun, table: TableVerification, checked: CheckedRows) -> None:
        """Record the range behind the progress as verified."""
        if checked.differences:
            found = {**self._known.differences(run), **checked.differences}
            self._known.find(run, found, table.plan.source_key)
            self._log.warning("rows differ", table=run.task.id, count=len(checked.differences))
        self._known.move(run, advanced(self._known.of(run).progress, checked), self._now())
        if checked.end is None:
            self._finish(run)

    def _finish(self, run: SyncRun) -> None:
        known = self._known.of(run)
        self._known.move(
            run, finished(known.progress, not known.record.keys, self._clock.now()), self._now(), keep=True
        )

    def _now(self) -> float:
        return self._clock.monotonic()

    def _opened(self, order: VerificationOrder) -> VerificationConnections:
        if self._connections is None:
            task = self._box.read()[1]
            self._connections = VerificationConnections(
                task, order, self._bus, self._connectors, self._budget, self._stop
            )
        return self._connections

    def _close_connections(self) -> None:
        connections, self._connections = self._connections, None
        if connections is not None:
            connections.close()


def _behind(run: SyncRun) -> Reason:
    return Reason(code=LINK_BEHIND, facts={"table": str(run.source)})
