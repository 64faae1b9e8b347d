"""The comparison service: runs the requested comparisons and repairs, one at a time."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from zcbus.bus.contract import Bus
from zcbus.engine.backoff import Backoff
from zcbus.engine.comparison import record as records
from zcbus.engine.comparison.prefetch import Cancelled
from zcbus.engine.comparison.record import Record
from zcbus.engine.comparison.table import LinkStalled, TableComparison
from zcbus.engine.connections import Connectors, registered
from zcbus.engine.reasons import reason_of
from zcbus.engine.status import ServiceStatus
from zcbus.engine.task_box import TaskBox
from zcbus.engine.worker_bus import worker_bus
from zcbus.kit.clock import Clock, SystemClock
from zcbus.kit.errors import TerminalError, TransientError
from zcbus.kit.logging import get_logger
from zcbus.kit.settings import Settings
from zcbus.model.comparison import RUNNING, ComparisonState, RepairState
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import Report
from zcbus.protocol.tasks import ComparisonTask, Task, WantedComparison

_POLL_SECONDS = 0.2
_LEAVE_SECONDS = 2.0
"""Time for a cancelled comparison to end by itself, before its queries are interrupted."""


class ComparisonService:
    """Runs one ComparisonTask until `stop` is set. `run` in one thread, `reports` in any. A cancelled comparison starts
    from scratch; results outlive the process."""

    def __init__(
        self,
        box: TaskBox[ComparisonTask],
        bus: Bus,
        stop: threading.Event,
        data_dir: Path,
        connectors: Connectors = registered,
        clock: Clock | None = None,
    ) -> None:
        self._box, self._bus, self._stop, self._connectors = box, bus, stop, connectors
        self._clock = clock or SystemClock()
        self._folder = records.folder_of(data_dir, box.read()[1].service)
        self._records: dict[str, Record] = {}
        self._waiting: list[str] = []
        """Requests that something outside held up, the latest last: others go first."""
        self.status = ServiceStatus(self._clock)
        self._log = get_logger("contrast").bind(service=box.read()[1].service)

    def reports(self) -> list[Report]:
        """All reports, as measured now."""
        now = self._clock.now()
        comparisons: list[Report] = [one.report(name, now) for name, one in list(self._records.items())]
        return [*comparisons, self.status.report()]

    def run(self) -> None:
        """Work until `stop`."""
        backoff = Backoff(self._stop.wait)
        try:
            while not self._stop.is_set():
                self._take_task()
                due = self._next_due()
                if due is None:
                    self.status.running()
                    self._stop.wait(_POLL_SECONDS)
                else:
                    self._do(due, backoff)
        finally:
            self.status.stopping()

    def _take_task(self) -> None:
        requests = {one.id: one for one in self._box.read()[1].comparisons}
        for name in [name for name in self._records if name not in requests]:
            del self._records[name]
            self._waiting = [one for one in self._waiting if one != name]
        records.forget(self._folder, set(requests))
        for name, one in requests.items():
            known = self._records.get(name) or records.read(self._folder, name)
            if known is None or known.number < one.number:
                known = Record(one.number)
            if one.stopped and known.state in RUNNING:
                known = self._ended(known, ComparisonState.STOPPED)
                self._store(name, known)
            self._records[name] = known

    def _next_due(self) -> WantedComparison | None:
        return min(
            self._due(),
            key=lambda one: self._waiting.index(one.id) if one.id in self._waiting else -1,
            default=None,
        )

    def _due(self) -> list[WantedComparison]:
        due = []
        for one in self._box.read()[1].comparisons:
            known = self._records.get(one.id)
            if known is not None and (known.state in RUNNING or self._repairs(one, known)):
                due.append(one)
        return due

    def _others_wait(self, request: WantedComparison) -> bool:
        """Whether others have not had their turn; one that was held up does not give way again."""
        fresh = [one for one in self._due() if one.id not in self._waiting]
        return request in fresh and len(fresh) > 1

    @staticmethod
    def _repairs(request: WantedComparison, known: Record) -> bool:
        return known.state is ComparisonState.DONE and request.repair > known.repair and bool(known.keys)

    def _do(self, request: WantedComparison, backoff: Backoff) -> None:
        cancelled, finished = threading.Event(), threading.Event()
        comparison = self._comparison(request, cancelled)
        watch = threading.Thread(target=self._watch, args=(request, comparison, cancelled, finished), daemon=True)
        watch.start()
        try:
            self._store(request.id, self._run_requested(request, comparison))
            self._waiting = [one for one in self._waiting if one != request.id]
            backoff.succeeded()
        except Cancelled:
            self._restore_record(request)
        except LinkStalled:
            self._restore_record(request)
            self._waiting.append(request.id)
        except TransientError as error:
            if cancelled.is_set():
                self._restore_record(request)
                return
            self._waiting = [*(one for one in self._waiting if one != request.id), request.id]
            self._log.warning("waiting", reason=error.code)
            self.status.wait_for(error)
            backoff.pause()
        finally:
            finished.set()
            watch.join()

    def _restore_record(self, request: WantedComparison) -> None:
        """Go back to the stored record, or to a new one."""
        self._log.info("comparison taken back", comparison=request.id)
        self._records[request.id] = records.read(self._folder, request.id) or Record(request.number)

    def _comparison(self, request: WantedComparison, cancelled: threading.Event) -> TableComparison:
        return TableComparison(
            self._box.read()[1],
            request,
            self._bus,
            self._connectors,
            self._clock,
            cancelled,
            self._keeper(request.id),
            yields=self._others_wait(request),
        )

    def _run_requested(self, request: WantedComparison, comparison: TableComparison) -> Record:
        known = self._records[request.id]
        if known.state in RUNNING:
            return self._or_failed(comparison.compare, lambda reason: self._ended(known, ComparisonState.ERROR, reason))
        return self._or_failed(
            lambda: comparison.repair(known),
            lambda reason: replace(known, repair=request.repair, repair_state=RepairState.ERROR, repair_reason=reason),
        )

    def _or_failed(self, work: Callable[[], Record], failed: Callable[..., Record]) -> Record:
        try:
            return work()
        except TerminalError as error:
            self._log.error("comparison failed", reason=reason_of(error).code, exc_info=error)
            return failed(reason_of(error))

    def _ended(self, known: Record, state: ComparisonState, reason: Reason | None = None) -> Record:
        return replace(known, state=state, reason=reason, finished_at=self._clock.now())

    def _keeper(self, name: str) -> Callable[[Record], None]:
        def keep(record: Record) -> None:
            self._records[name] = record
            self.status.running()

        return keep

    def _store(self, name: str, record: Record) -> None:
        records.write(self._folder, name, record)
        self._records[name] = record

    def _watch(
        self,
        request: WantedComparison,
        comparison: TableComparison,
        cancelled: threading.Event,
        finished: threading.Event,
    ) -> None:
        """Cancel the comparison when the service stops or its request changes."""
        while not finished.wait(_LEAVE_SECONDS if cancelled.is_set() else _POLL_SECONDS):
            self.status.running()
            if cancelled.is_set():
                comparison.interrupt()
            elif self._stop.is_set() or not self._is_current(request):
                cancelled.set()

    def _is_current(self, request: WantedComparison) -> bool:
        current = {one.id: (one.number, one.stopped) for one in self._box.read()[1].comparisons}
        return current.get(request.id) == (request.number, request.stopped)


def start(
    task: ComparisonTask, settings: Settings, stop: threading.Event
) -> tuple[ComparisonService, Callable[[Task], None]]:
    """The service as a worker runs it, and the function that receives changed tasks."""
    box = TaskBox(task)
    return ComparisonService(box, worker_bus(settings), stop, settings.data_dir), box.receive
