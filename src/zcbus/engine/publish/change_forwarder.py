"""Forwarding of a source's change stream to the real topic: durably and with figures."""

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from zcbus.bus.contract import Bus, BusFull
from zcbus.connectors.roles import Source
from zcbus.connectors.roles.source import backlog_bytes
from zcbus.engine.backoff import Backoff
from zcbus.engine.publish import retained_log
from zcbus.engine.publish.real_topic import RealTopic
from zcbus.engine.publish.schema_versions import SchemaVersions
from zcbus.engine.publish.table import PublishedRun
from zcbus.engine.status import ServiceStatus, beat
from zcbus.engine.tracing import CaptureTraces, capture_traces
from zcbus.kit.clock import now_ms
from zcbus.model.changes import ChangeFrame, HeartbeatFrame, Streamed
from zcbus.model.schema import TableName
from zcbus.protocol.tasks import PublishTask

_HEARTBEAT_SECONDS = 0.9
_BACKLOG_SECONDS = 5.0


class ChangeForwarder:
    """Forwards the changes of a publish service, over all its connections to the source.

    All calls belong to the service's thread.
    """

    def __init__(self, bus: Bus, status: ServiceStatus, stop: threading.Event) -> None:
        self._bus, self._status, self._stop = bus, status, stop
        self._versions: SchemaVersions | None = None
        self._touched: dict[TableName, PublishedRun] = {}
        """Tables with changes since the last end of a transaction."""
        self._traces: CaptureTraces | None = None
        self._last_heartbeat = 0.0
        self._next_backlog = 0.0

    def connect(self, task: PublishTask, source: Source, topic: RealTopic, database: str) -> None:
        """Set the source and the topic. `database`: identity of the source."""
        self._task, self._source, self._topic, self._database = task, source, topic, database
        self._traces = capture_traces(topic.name)

    def begin_versions(self, runs: Sequence[PublishedRun], position: str) -> None:
        """Record schemas of tables that are captured for the first time, before their first change."""
        if self._versions is None:
            self._versions = SchemaVersions(self._bus, self._task.node)
        captured = ((run.task.id, run.schema) for run in runs if run.captured and run.schema is not None)
        self._versions.begin(captured, position)
        self._versions.write()

    def forward(self, frames: Sequence[Streamed], by_name: Mapping[TableName, PublishedRun]) -> None:
        """Write frames durably; returns when they are, or when the service stops."""
        if frames:
            self._status.came = beat(_transit_ms(frames[-1]), self._status.came)
        selected = [
            self._with_source(frame)
            for frame in frames
            if not isinstance(frame, HeartbeatFrame) or self._heartbeat_is_due()
        ]
        if not selected:
            return
        began = time.monotonic()
        read, first = time.time_ns(), self._topic.durable_offset
        self._observe_schemas(selected, by_name)
        self._topic.queue(selected)
        if not self._write():
            return
        self._status.went = beat((time.monotonic() - began) * 1000)
        if self._traces is not None:
            self._traces.written(first, selected, read)
        self._count(selected, by_name)
        if self._topic.queue_due_totals():
            self._write()

    def _write(self) -> bool:
        """Write what is queued durably; false: the service stops."""
        backoff = Backoff(self._stop.wait, limit=2.0)
        while not self._drained():
            self.measure()
            if backoff.pause():
                return False
        return True

    def _with_source(self, frame: Streamed) -> Streamed:
        return replace(frame, source=self._database) if isinstance(frame, ChangeFrame) else frame

    def _observe_schemas(self, frames: Sequence[Streamed], by_name: Mapping[TableName, PublishedRun]) -> None:
        assert self._versions is not None
        for frame in frames:
            if isinstance(frame, ChangeFrame):
                for changes in frame.tables:
                    if (run := by_name.get(changes.schema.name)) is not None:
                        self._versions.observe(run.task.id, changes, frame, self._source.describe_position)

    def _drained(self) -> bool:
        before = self._topic.bytes_written
        try:
            if self._versions is not None:
                self._versions.write()
            self._topic.drain()
        except BusFull as error:
            self._status.wait_for(error)
            return False
        finally:
            self._status.passed_bus(self._topic.bytes_written - before)
        return True

    def _heartbeat_is_due(self) -> bool:
        now = time.monotonic()
        if now - self._last_heartbeat < _HEARTBEAT_SECONDS:
            return False
        self._last_heartbeat = now
        return True

    def _count(self, frames: Sequence[Streamed], by_name: Mapping[TableName, PublishedRun]) -> None:
        for frame in frames:
            if isinstance(frame, HeartbeatFrame):
                self._status.lag_ms = 0
            if not isinstance(frame, ChangeFrame):
                continue
            self._status.lag_ms = max(0, now_ms() - frame.last_commit_time)
            for changes in frame.tables:
                run = by_name.get(changes.schema.name)
                if run is not None:
                    run.count(changes, frame)
                    self._touched[run.name] = run
        if not self._topic.in_transaction:
            self.show_totals(self._touched.values())
            self._touched.clear()

    def show_totals(self, runs: Iterable[PublishedRun]) -> None:
        """Report how many changes of tables the topic has got."""
        totals = self._topic.totals
        for run in runs:
            run.counted = (totals.epoch, totals.total(run.name))

    def measure(self) -> None:
        """Update position and backlog. Raises SlotDropped beyond the source's limit."""
        now = time.monotonic()
        if now < self._next_backlog or self._topic.position is None:
            return
        self._next_backlog = now + _BACKLOG_SECONDS
        self._status.position = self._source.describe_position(self._topic.position)
        self._status.backlog_bytes = retained = backlog_bytes(self._source, self._task.node, self._topic.position)
        error = retained_log.exceeded(self._task.source.kind, retained, self._task.held_log_bytes)
        if error is not None:
            error.facts["wanted"] = self._status.position
            raise error


def _transit_ms(frame: Streamed) -> int | None:
    """Latency from the source: of a change since its commit, of a heartbeat the source's response time."""
    if isinstance(frame, HeartbeatFrame):
        return frame.answered_ms
    return now_ms() - frame.last_commit_time if isinstance(frame, ChangeFrame) else None
