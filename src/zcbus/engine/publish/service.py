"""The publish service: one source's changes to its real topic, and its snapshots in parallel."""

import threading
import time
from collections.abc import Callable, Sequence
from datetime import timedelta

from zcbus.bus.contract import Bus, Retention, TopicBusy
from zcbus.bus.topics import real_topic, structure_topic
from zcbus.connectors.errors import LogPositionLost, SlotDropped, TableMissing, TableRefused
from zcbus.connectors.roles import ChangeStream, Discoverer, Source
from zcbus.connectors.roles.source import drop, log_identity
from zcbus.connectors.source_log import FIRST_LOG, SourceLog
from zcbus.engine.backoff import Backoff
from zcbus.engine.capture_history import CaptureHistory
from zcbus.engine.connections import Connectors, options_of, registered
from zcbus.engine.publish import retained_log, selection
from zcbus.engine.publish.change_forwarder import ChangeForwarder
from zcbus.engine.publish.json_export_keeper import JsonExportKeeper
from zcbus.engine.publish.real_topic import RealTopic
from zcbus.engine.publish.schema_history import StoredSchemaHistory
from zcbus.engine.publish.snapshots import Snapshots
from zcbus.engine.publish.table import PublishedRun
from zcbus.engine.status import ServiceStatus
from zcbus.engine.task_box import TaskBox
from zcbus.engine.worker_bus import worker_bus
from zcbus.kit.clock import Clock, SystemClock, now_ms
from zcbus.kit.errors import TransientError
from zcbus.kit.logging import get_logger
from zcbus.kit.settings import Settings
from zcbus.model.changes import CaptureResumed, Gap, HeartbeatFrame
from zcbus.model.schema import TableName
from zcbus.protocol.reports import Report
from zcbus.protocol.tasks import PublishTask, Task

_READ_SECONDS = 0.05
"""Interval of checks for a changed task."""
_HOUSEKEEPING_SECONDS = 30.0


class PublishService:
    """Runs one PublishTask until `stop` is set. `run` in one thread, `reports` in any."""

    def __init__(
        self,
        box: TaskBox[PublishTask],
        bus: Bus,
        stop: threading.Event,
        connectors: Connectors = registered,
        clock: Clock | None = None,
    ) -> None:
        self._box, self._bus, self._stop, self._connectors = box, bus, stop, connectors
        self._clock = clock or SystemClock()
        self._version, self._task = box.read()
        self._runs = {table.id: PublishedRun(table) for table in self._task.tables}
        self.status = ServiceStatus(self._clock)
        self._snapshots = Snapshots(bus, self._task.node, self._source, self._discoverer, stop)
        self._export = JsonExportKeeper(bus, stop)
        self._forwarder = ChangeForwarder(bus, self.status, stop)
        self._next_housekeeping = 0.0
        self._database = ""
        """Identity of the source."""
        self._captured_log = FIRST_LOG
        self._log = get_logger("publish").bind(service=self._task.service)

    def reports(self) -> list[Report]:
        """Current reports."""
        tables: list[Report] = [run.report(self._clock) for run in list(self._runs.values())]
        return [*tables, self.status.report(self._export.report())]

    def run(self) -> None:
        """Work until `stop`. Raises TerminalError if only a person can fix the cause."""
        try:
            while (topic := self._open_topic()) is not None:
                try:
                    self._write_to(topic)
                finally:
                    topic.close()
        finally:
            self.status.stopping()
            self._stop.set()
            self._export.close()
            self._snapshots.join()

    def _write_to(self, topic: RealTopic) -> None:
        """Capture until `stop`, or until another writer has taken the topic over."""
        backoff = Backoff(self._stop.wait)
        while not self._stop.is_set():
            try:
                self._capture(topic, backoff)
            except LogPositionLost as error:
                self._after_loss(error, topic)
                return
            except TransientError as error:
                self._log.warning(
                    "waiting", reason=error.code, facts={name: str(value) for name, value in error.facts.items()}
                )
                self.status.wait_for(error)
                backoff.pause()
                if isinstance(error, TopicBusy):
                    return

    def _after_loss(self, error: LogPositionLost, topic: RealTopic) -> None:
        """Handle the loss of the source's next changes. Nothing is skipped.

        Capture restarts on an empty topic, only if there are tables that were not captured before or whose gap was
        accepted; all others wait for a snapshot or for acceptance. Without such tables it raises the error with the
        time of the gap's start.
        """
        node = self._task.node
        if since := retained_log.captured_until(self._bus, node):
            error.facts.setdefault("since", since)
        if isinstance(error, SlotDropped):
            retained_log.release(self._source(), self._bus, node, error)
        history = CaptureHistory(self._bus, node)
        captured = [run for run in self._runs.values() if run.captured]
        if not any(history.new_since_capture(run.task) for run in captured):
            for run in captured:
                selection.fail(run, error)
            raise error
        self._log.warning("capture starts again", facts={name: str(value) for name, value in error.facts.items()})
        exported = self._finish_export(topic)
        if self._stop.is_set():
            return
        # This order allows to repeat each step after a crash.
        history.abandon(topic.position if exported else None)
        topic.close()
        self._bus.delete(structure_topic(node))
        self._bus.delete(real_topic(node))
        drop(self._source(), node)

    def _finish_export(self, topic: RealTopic) -> bool:
        """Export the rest of the real topic before it is removed; false: impossible."""
        self._export.update(self._task, self._retention())
        topic.roll_back_open()
        return self._export.finish(topic.next_position().offset)

    def _open_topic(self) -> RealTopic | None:
        backoff = Backoff(self._stop.wait, limit=2.0)
        while not self._stop.is_set():
            try:
                return RealTopic(self._bus, real_topic(self._task.node), self._retention())
            except TransientError as error:
                self.status.wait_for(error)
                backoff.pause()
        return None

    def _source(self, log: SourceLog | None = None) -> Source:
        """The source; `log`: instead of the captured log."""
        connection = self._task.source
        return self._connectors(connection.kind).source(options_of(connection), log or self._captured_log)

    def _discoverer(self) -> Discoverer:
        connection = self._task.source
        return self._connectors(connection.kind).discoverer(options_of(connection))

    def _retention(self) -> Retention:
        return Retention(timedelta(hours=self._task.retention_hours), self._task.retention_bytes)

    def _capture(self, topic: RealTopic, backoff: Backoff) -> None:
        """Capture with one connection to the source; returns when a changed task needs a new one."""
        topic.roll_back_open()
        self._take_task()
        topic.keep(self._retention())
        runs = list(self._runs.values())
        with self._discoverer() as discoverer:
            selection.describe(discoverer, [run for run in runs if run.failure is None])
        history = CaptureHistory(self._bus, self._task.node)
        selection.refuse_interrupted(runs, history, self._snapshots.begun(runs))
        if topic.position is not None and history.released:
            raise SlotDropped(**history.released)
        log, source = self._source_behind(history, topic)
        self._database = source.identity()
        for run in runs:
            run.database = self._database
        start = selection.prepare(
            runs, history, topic.position, lambda tables: source.prepare(self._task.node, tables, topic.position)
        )
        if topic.position is None:
            # The start of a new topic must be durable before a snapshot depends on it.
            topic.queue([HeartbeatFrame(start, now_ms())])
            topic.drain()
        self._export.update(self._task, self._retention())
        try:
            stream = source.open_changes(
                self._task.node,
                selection.captured_tables(runs),
                topic.position,
                StoredSchemaHistory(self._bus, self._task.node),
                topic.gtid_set,
            )
        except (TableMissing, TableRefused) as error:
            self._exclude(runs, error)
            return
        with stream:
            self._forwarder.connect(self._task, source, topic, self._database)
            self._forwarder.begin_versions(runs, source.describe_position(topic.position or start))
            _write_gaps([run for run in runs if run.captured], history, topic, source)
            history.capturing([run.task for run in runs if run.captured], log, topic.next_position(), topic.position)
            self._captured_log = log
            self._snapshots.request([run for run in runs if run.captured], self._retention())
            backoff.succeeded()
            self._follow(stream, topic)

    def _source_behind(self, history: CaptureHistory, topic: RealTopic) -> tuple[SourceLog, Source]:
        """The source with its current log.

        Raises LogPositionLost if another server answers whose log cannot continue at the end of the topic.
        """
        log = history.log_of(log_identity(self._source()))
        source = self._source(log)
        if topic.position is not None and log.number != history.log.number and not topic.gtid_set:
            position = source.describe_position(topic.position)
            detail = f"{log.identity} answers instead of {history.log.identity}"
            raise LogPositionLost(kind=self._task.source.kind, wanted=position, detail=detail)
        return log, source

    def _take_task(self) -> None:
        """Apply the newest task."""
        self._version, self._task = self._box.read()
        runs: dict[str, PublishedRun] = {}
        for table in self._task.tables:
            run = self._runs.get(table.id)
            if run is None or run.task != table:
                if run is not None:
                    self._snapshots.forget(run)
                run = PublishedRun(table)
            runs[table.id] = run
        for identifier in self._runs.keys() - runs.keys():
            self._snapshots.forget(self._runs[identifier])
        self._runs = runs

    def _follow(self, stream: ChangeStream, topic: RealTopic) -> None:
        by_name = self._captured()
        self._forwarder.show_totals(by_name.values())
        while not self._stop.is_set():
            if self._box.read()[0] != self._version:
                if not self._begin_snapshots(topic):
                    return
                by_name = self._captured()
                self._forwarder.show_totals(by_name.values())
            self.status.running()
            try:
                frames = stream.read(_READ_SECONDS)
            except (TableMissing, TableRefused) as error:
                self._exclude(list(by_name.values()), error)
                return
            self._forwarder.forward(frames, by_name)
            if topic.position is not None:
                stream.acknowledge(topic.position)
            self._do_housekeeping()

    def _captured(self) -> dict[TableName, PublishedRun]:
        return {run.name: run for run in self._runs.values() if run.captured}

    def _begin_snapshots(self, topic: RealTopic) -> bool:
        """Apply a task that only requests other snapshots, while capture runs; false: capture must restart."""
        version, task = self._box.read()
        tables = selection.new_snapshots(self._task, task)
        if tables is None or topic.in_transaction or not all(self._runs[table.id].captured for table in tables):
            return False
        runs = [PublishedRun(table, self._database) for table in tables]
        history = CaptureHistory(self._bus, task.node)
        with self._discoverer() as discoverer:
            selection.describe(discoverer, runs)
        selection.refuse_interrupted(runs, history, self._snapshots.begun(runs))
        if any(run.failure is not None or run.key != self._runs[run.task.id].key for run in runs):
            return False
        self._version, self._task = version, task
        for run in runs:
            self._snapshots.forget(self._runs[run.task.id])
            self._runs[run.task.id] = run
        history.capturing(
            [run.task for run in self._captured().values()], history.log, topic.next_position(), topic.position
        )
        self._snapshots.request(runs, self._retention())
        return True

    def _exclude(self, runs: Sequence[PublishedRun], error: TableMissing | TableRefused) -> None:
        """Continue without a table that the source refuses. Raises the error if it is about another table."""
        refused = selection.find(runs, error)
        if refused is None:
            raise error
        self._log.error("table left out", table=str(refused.name), reason=error.code, exc_info=error)
        selection.fail(refused, error)
        self._snapshots.forget(refused)

    def _do_housekeeping(self) -> None:
        self._forwarder.measure()
        now = time.monotonic()
        if now >= self._next_housekeeping:
            self._next_housekeeping = now + _HOUSEKEEPING_SECONDS
            self._bus.enforce(real_topic(self._task.node), self._retention())
            self._snapshots.enforce(list(self._runs.values()), self._retention())


def _write_gaps(captured: Sequence[PublishedRun], history: CaptureHistory, topic: RealTopic, source: Source) -> None:
    """Record on the topic which tables resume after a gap, for readers that have applied them up to there.

    `source` has their changes from now on. Raises BusFull, SourceUnavailable.
    """
    tasks = [run.task for run in captured]
    resumed, since = history.resumed(tasks), history.gap_starts(tasks)
    if since:
        until = source.log_end()
        tables = tuple((run.name, resumed[run.task.id]) for run in captured if run.task.id in resumed)
        topic.queue([CaptureResumed(tables, tuple(Gap(name, at, until) for name, at in since.items()))])
        topic.drain()


def start(
    task: PublishTask, settings: Settings, stop: threading.Event
) -> tuple[PublishService, Callable[[Task], None]]:
    """The service for a worker, and the receiver of changed tasks."""
    box = TaskBox(task)
    return PublishService(box, worker_bus(settings), stop), box.receive
