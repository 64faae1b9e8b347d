"""Snapshots beside capture: threads that fill full topics, several tables from one consistent image."""

import itertools
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from zcbus.bus.contract import Bus, Retention
from zcbus.bus.topics import full_topic
from zcbus.connectors.roles import Source
from zcbus.engine.backoff import Backoff
from zcbus.engine.publish.full_topic import inspect
from zcbus.engine.publish.snapshot import offer_snapshot, take_snapshot
from zcbus.engine.publish.table import PublishedRun
from zcbus.engine.reasons import FULL_TOPIC_EXPIRED, reason_of
from zcbus.kit.errors import TransientError
from zcbus.kit.logging import get_logger
from zcbus.model.states import PublishState
from zcbus.protocol.base import Reason

_IMAGE_SECONDS = 300.0
"""An image holds back the source's clean-up; no new table is begun on an older one."""


class Snapshots:
    """Takes the snapshots that are wanted, in a few threads. Methods are called by the capturing thread."""

    def __init__(
        self, bus: Bus, node: str, source: Callable[[], Source], stop: threading.Event, threads: int = 2
    ) -> None:
        self._bus, self._node, self._source, self._stop = bus, node, source, stop
        self._queue: deque[tuple[int, PublishedRun]] = deque()
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._most = threads
        self._threads: list[threading.Thread] = []
        self._known: set[tuple[str, int]] = set()

    def want(self, run: PublishedRun, retention: Retention) -> None:
        """Queue a captured table's snapshot unless it is done or on its way. The table is in the publication already,
        so every image made from now on is at or behind the real topic's first change of it."""
        job = (run.task.id, run.task.generation)
        if job in self._known:
            return
        self._known.add(job)
        if run.task.generation == 0:
            run.snapshot = PublishState.INCREMENTAL_RELEASE
            return
        topic = full_topic(self._node, run.task.id, run.task.generation)
        written = inspect(self._bus, topic)
        run.rows_read, run.rows_total = written.rows, written.estimated_rows
        if written.complete:
            self._let_expire(run, topic, retention)
        else:
            run.snapshot = PublishState.ALLOWED_TO_PUBLISH
            self._start(run)

    def forget(self, run: PublishedRun) -> None:
        """The table left the publication: its snapshot is not wanted any more."""
        run.cancelled = True
        self._known.discard((run.task.id, run.task.generation))
        with self._lock:
            self._queue = deque(entry for entry in self._queue if entry[1] is not run)

    def enforce(self, runs: Sequence[PublishedRun], retention: Retention) -> None:
        """Let retention work on complete snapshots, and notice those that it has taken something from."""
        for run in runs:
            if run.snapshot is PublishState.INCREMENTAL_RELEASE and run.task.generation > 0 and not run.offered:
                topic = full_topic(self._node, run.task.id, run.task.generation)
                self._let_expire(run, topic, retention)

    def _let_expire(self, run: PublishedRun, topic: str, retention: Retention) -> None:
        """Apply retention to a complete snapshot; notice what it took, also by another hand, and when it will."""
        self._bus.enforce(topic, retention)
        info = self._bus.info(topic)
        _note_complete(run, expired=info is not None and info.first_offset > 0)
        run.expires_at = None
        if info is not None and info.first_offset == 0 and info.oldest_time is not None and retention.time is not None:
            run.expires_at = datetime.fromtimestamp(info.oldest_time / 1000, UTC) + retention.time

    def join(self) -> None:
        """Wait for the threads; the stop event was set before."""
        for thread in list(self._threads):
            thread.join()

    def _start(self, run: PublishedRun) -> None:
        with self._lock:
            self._queue.append((next(self._numbers), run))
            if len(self._threads) < self._most:
                thread = threading.Thread(target=self._work, name="snapshot", daemon=True)
                self._threads.append(thread)
                thread.start()

    def _work(self) -> None:
        while (run := self._next(math.inf)) is not None:
            self._take_from(run)

    def _next(self, image: float) -> PublishedRun | None:
        """The next table that was queued before image number `image` was asked for."""
        with self._lock:
            if self._queue and self._queue[0][0] < image and not self._stop.is_set():
                return self._queue.popleft()[1]
            if image == math.inf:
                self._threads.remove(threading.current_thread())
            return None

    def _take_from(self, first: PublishedRun) -> None:
        """Snapshot a table, trying again while the source or the bus is away, and others from the same image."""
        run: PublishedRun | None = first
        backoff = Backoff(self._stop.wait)
        while run is not None and not self._stop.is_set():
            try:
                source = self._source()
                if offer_snapshot(self._bus, self._node, run, source.estimate):
                    return
                number, until = next(self._numbers), time.monotonic() + _IMAGE_SECONDS
                with source.open_snapshot() as image:
                    while run is not None:
                        if not offer_snapshot(self._bus, self._node, run, image.estimate):
                            take_snapshot(self._bus, self._node, run, image, self._stop)
                        backoff.succeeded()
                        run = self._next(number) if time.monotonic() < until else None
            except TransientError as error:
                assert run is not None
                run.snapshot_reason = reason_of(error)
                backoff.pause()
            except Exception as error:  # noqa: BLE001  whatever stops one table must not stop the others
                assert run is not None
                _note_failed(run, error)
                return


def _note_complete(run: PublishedRun, expired: bool) -> None:
    run.snapshot, run.snapshot_reason = PublishState.INCREMENTAL_RELEASE, None
    if expired:
        facts = {"table": str(run.name), "generation": str(run.task.generation)}
        run.snapshot, run.snapshot_reason = (
            PublishState.FULL_TOPIC_EXPIRED,
            Reason(code=FULL_TOPIC_EXPIRED, facts=facts),
        )


def _note_failed(run: PublishedRun, error: Exception) -> None:
    get_logger("snapshot").error("snapshot failed", table=str(run.name), exc_info=error)
    run.snapshot, run.snapshot_reason = PublishState.PUBLISH_FAILED, reason_of(error)
