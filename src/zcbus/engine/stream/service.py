"""The stream service: one stream query, from the topics of its inputs to its target table."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from zcbus.bus.contract import Bus, OffsetExpired
from zcbus.connectors.errors import Fenced
from zcbus.engine.backoff import Backoff
from zcbus.engine.connections import Connectors, options_of, registered
from zcbus.engine.fencing import Fencing
from zcbus.engine.reasons import CHANGES_EXPIRED, STREAM_QUERY_FAILED, TableStopped, reason_of
from zcbus.engine.status import ServiceStatus, beat
from zcbus.engine.stream.database import Database, Stopped
from zcbus.engine.stream.output import Output
from zcbus.engine.stream.stream_query import StreamQuery
from zcbus.engine.stream.trial import checked_statement
from zcbus.engine.subscribe.failures import Expired
from zcbus.engine.subscribe.sessions import SessionFactory
from zcbus.engine.task_box import TaskBox
from zcbus.engine.transform.expressions import first_line
from zcbus.engine.worker_bus import worker_bus
from zcbus.kit.clock import Clock, SystemClock
from zcbus.kit.errors import TerminalError, TransientError
from zcbus.kit.logging import get_logger
from zcbus.kit.settings import Settings
from zcbus.model.states import SyncState
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import InputReport, Report, StreamQueryReport
from zcbus.protocol.tasks import StreamTask, Task

_READ_SECONDS = 0.1
_POLL_SECONDS = 0.5


class StreamService:
    """Runs one StreamTask until `stop` is set. `run` in one thread, `reports` in any. Resumes from its data on disk;
    without it, loads and computes from scratch."""

    def __init__(
        self,
        box: TaskBox[StreamTask],
        bus: Bus,
        stop: threading.Event,
        data_dir: Path,
        memory_mb: int,
        connectors: Connectors = registered,
        clock: Clock | None = None,
    ) -> None:
        self._box, self._bus, self._stop, self._connectors = box, bus, stop, connectors
        self._clock = clock or SystemClock()
        self._version, self._task = box.read()
        self._path = data_dir / "stream" / self._task.service / "state.duckdb"
        self._memory_mb = memory_mb // 2
        self._fencing = Fencing()
        self._state = SyncState.UNINITIALIZED
        self._reason: Reason | None = None
        self._figures = StreamQueryReport(
            table=self._task.computation,
            state=self._state,
            generation=self._task.generation,
            inputs=tuple(InputReport(name=one.name) for one in self._task.inputs),
            at=self._clock.now(),
        )
        self.status = ServiceStatus(self._clock)
        self._log = get_logger("stream").bind(service=self._task.service)

    def reports(self) -> list[Report]:
        """All reports, as measured now."""
        now = {"state": self._state, "reason": self._reason, "at": self._clock.now()}
        return [self._figures.model_copy(update=now), self.status.report()]

    def run(self) -> None:
        """Work until `stop`."""
        backoff = Backoff(self._stop.wait)
        try:
            while not self._stop.is_set():
                self._attempt(backoff)
        finally:
            self.status.stopping()

    def _attempt(self, backoff: Backoff) -> None:
        self._version, self._task = self._box.read()
        try:
            self._run_connected(backoff)
        except Stopped:
            return
        except TransientError as error:
            self._wait(error, backoff)
        except Fenced as error:
            self._fencing.note(error)
            self._wait(error, backoff)
        except TerminalError as error:
            self._stop_with(error)
        except duckdb.Error as error:
            self._stop_with(TableStopped(STREAM_QUERY_FAILED, detail=first_line(error)))

    def _wait(self, error: TransientError | Fenced, backoff: Backoff) -> None:
        self._log.warning("waiting", reason=error.code, facts={name: str(fact) for name, fact in error.facts.items()})
        self.status.wait_for(error)
        backoff.pause()

    def _stop_with(self, error: TerminalError) -> None:
        """Report the error, and wait until the task changes."""
        self._log.error("the computation stopped", reason=reason_of(error).code, exc_info=error)
        loaded = all(one.loaded for one in self._figures.inputs)
        self._enter(SyncState.INCREMENTAL_ERROR if loaded else SyncState.FULL_ERROR, reason_of(error))
        if isinstance(error, Expired):
            self._enter(SyncState.FULL_INFO_EXPIRED, reason_of(error))
        while not self._changed():
            self.status.running()
            self._stop.wait(_POLL_SECONDS)

    def _changed(self) -> bool:
        return self._stop.is_set() or self._box.read()[0] != self._version

    def _enter(self, state: SyncState, reason: Reason | None = None) -> None:
        self._state, self._reason = state, reason

    def _run_connected(self, backoff: Backoff) -> None:
        """Work over one connection to the target, until the task changes."""
        task = self._task
        statement = checked_statement(task.sql, [one.name for one in task.inputs])
        database = Database(self._path, self._memory_mb, task.most_state_mb)
        try:
            computation = StreamQuery(self._bus, database, statement, task)
            self._load(computation)
            target = self._connectors(task.target.kind).target(options_of(task.target))
            with SessionFactory(target, task.computation, wait=self._stop.wait).first() as session:
                output = Output(session, task.computation, task.generation)
                output.prepare(computation.result.schema)
                backoff.succeeded()
                self._work(computation, output)
        finally:
            database.close()

    def _load(self, computation: StreamQuery) -> None:
        """Load all inputs and open their topics. Inputs whose offsets expired are loaded again."""
        self._enter(SyncState.FULL_ALLOWED)
        computation.load(self._should_continue)
        try:
            computation.open_topics()
        except Expired:
            self._log.warning("offsets expired, loading the inputs again")
            computation.forget()
            computation.load(self._should_continue)
            computation.open_topics()

    def _should_continue(self, rows: bool) -> bool:
        self._enter(SyncState.FULL_RUNNING if rows else SyncState.FULL_ALLOWED)
        self.status.running()
        return not self._changed()

    def _work(self, computation: StreamQuery, output: Output) -> None:
        self._enter(SyncState.INCREMENTAL_ALLOWED)
        self._measure(computation, output, recount=True)
        last = 0.0
        try:
            while not self._changed():
                try:
                    moved = computation.read(_READ_SECONDS, self._changed)
                except OffsetExpired as error:
                    raise Expired(CHANGES_EXPIRED, table="-", wanted="-", first=error.facts.get("first")) from error
                due = time.monotonic() - last >= self._task.interval_ms / 1000
                if due and computation.is_due:
                    last = time.monotonic()
                    computation.compute(self._stop)
                if computation.state.number and not output.has(computation.state):
                    began = time.monotonic()
                    output.write(computation.state, computation.result)
                    self.status.went = beat((time.monotonic() - began) * 1000)
                if computation.state.number:
                    self._enter(SyncState.INCREMENTAL_RUNNING)
                self.status.running()
                self._measure(computation, output, recount=bool(moved))
        finally:
            computation.close()

    def _measure(self, computation: StreamQuery, output: Output, *, recount: bool) -> None:
        lag = computation.lag_ms()
        self.status.lag_ms, self.status.needs = lag, computation.next_offsets()
        figures: dict[str, object] = {"lag_ms": lag}
        checkpoint = output.checkpoint
        if recount or self._figures.rows is None or checkpoint.inserts != self._figures.inserts:
            figures["inputs"] = tuple(
                InputReport(name=name, rows=rows, loaded=True) for name, rows in computation.input_rows().items()
            )
        newest = computation.newest_ms
        figures |= {
            "generation": self._task.generation,
            "rows": computation.result.rows if computation.state.number else None,
            "inserts": checkpoint.inserts,
            "updates": checkpoint.updates,
            "deletes": checkpoint.deletes,
            "state_bytes": computation.database.size_bytes,
            "computed_ms": computation.computed_ms,
            "computed_at": computation.computed_at,
            "last_change_at": None if newest is None else datetime.fromtimestamp(newest / 1000, UTC),
        }
        self._figures = self._figures.model_copy(update=figures)


def start(task: StreamTask, settings: Settings, stop: threading.Event) -> tuple[StreamService, Callable[[Task], None]]:
    """The service as a worker runs it, and the function that receives changed tasks."""
    box = TaskBox(task)
    service = StreamService(box, worker_bus(settings), stop, settings.data_dir, settings.worker_memory_mb)
    return service, box.receive
