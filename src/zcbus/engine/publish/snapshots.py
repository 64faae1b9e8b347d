"""Snapshots during capture: threads that fill full topics, several tables from one consistent image."""

import itertools
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import islice

from zcbus.bus.contract import Bus, Retention, TopicInfo
from zcbus.bus.topics import full_topic
from zcbus.connectors.errors import TableRefused
from zcbus.connectors.roles import Discoverer, Source
from zcbus.engine.backoff import Backoff
from zcbus.engine.publish.full_topic import ends
from zcbus.engine.publish.snapshot import offer_snapshot, take_snapshot
from zcbus.engine.publish.table import PublishedRun
from zcbus.engine.reasons import FULL_TOPIC_EXPIRED, reason_of
from zcbus.kit.errors import TransientError
from zcbus.kit.logging import get_logger
from zcbus.model.states import PublishState
from zcbus.protocol.base import Reason

_IMAGE_SECONDS = 300.0
"""Age limit of an image for new tables, because it delays the source's clean-up."""

_PREPARED_TOGETHER = 200
"""So many topics are created before their turn."""


class Snapshots:
    """Takes the requested snapshots, in a few threads. Methods are called by the capturing thread."""

    def __init__(
        self,
        bus: Bus,
        node: str,
        source: Callable[[], Source],
        discover: Callable[[], Discoverer],
        stop: threading.Event,
        threads: int = 2,
    ) -> None:
        self._bus, self._node, self._source, self._discover, self._stop = bus, node, source, discover, stop
        self._queue: deque[tuple[int, PublishedRun]] = deque()
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._most = threads
        self._threads: list[threading.Thread] = []
        self._requested: set[tuple[str, int]] = set()
        self._prepared: set[str] = set()
        """Topics that were announced to the bus."""

    def begun(self, runs: Sequence[PublishedRun]) -> set[str]:
        """Ids of the tables whose snapshot has begun."""
        topics = {self._topic(run): run.task.id for run in runs}
        return {topics[name] for name, info in self._bus.infos(topics).items() if info.next_offset > 0}

    def request(self, runs: Sequence[PublishedRun], retention: Retention) -> None:
        """Queue snapshots of captured tables, unless they are complete or queued.

        The tables are already in the publication, so every later image is at or behind the real topic's first change
        of them.
        """
        new = [run for run in runs if _job(run) not in self._requested]
        topics = {self._topic(run): run for run in new if run.task.generation > 0}
        complete = ends(self._bus, topics)
        infos = self._bus.enforce_all(complete, retention)
        # From here on there are no calls of the bus, so that everything happens or nothing.
        self._requested.update(map(_job, new))
        for run in new:
            topic = self._topic(run)
            if run.task.generation == 0:
                run.snapshot = PublishState.INCREMENTAL_RELEASE
            elif topic in complete:
                run.rows_read = run.rows_total = complete[topic].rows
                _note_expiry(run, infos.get(topic), retention)
            else:
                run.snapshot = PublishState.ALLOWED_TO_PUBLISH
                self._start(run)

    def forget(self, run: PublishedRun) -> None:
        """Cancel the snapshot of a table that left the publication."""
        run.cancelled = True
        self._requested.discard(_job(run))
        with self._lock:
            self._queue = deque(entry for entry in self._queue if entry[1] is not run)

    def enforce(self, runs: Sequence[PublishedRun], retention: Retention) -> None:
        """Apply retention to complete snapshots and update their expiry."""
        complete = {self._topic(run): run for run in runs if _is_complete(run)}
        infos = self._bus.enforce_all(complete, retention)
        for topic, run in complete.items():
            _note_expiry(run, infos.get(topic), retention)

    def _topic(self, run: PublishedRun) -> str:
        return full_topic(self._node, run.task.id, run.task.generation)

    def join(self) -> None:
        """Wait for the threads, after the stop event."""
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
        """The next table that was queued before the request of image number `image`."""
        with self._lock:
            if self._queue and self._queue[0][0] < image and not self._stop.is_set():
                return self._queue.popleft()[1]
            if image == math.inf:
                self._threads.remove(threading.current_thread())
            return None

    def _prepare(self, run: PublishedRun) -> None:
        """Create the topics of this table and the next ones."""
        with self._lock:
            if self._topic(run) in self._prepared:
                return
            following = [one for _, one in islice(self._queue, _PREPARED_TOGETHER)]
            topics = {self._topic(one) for one in (run, *following)} - self._prepared
            self._prepared |= topics
        self._bus.prepare(topics)

    def _take_from(self, first: PublishedRun) -> None:
        """Snapshot a table, with retries, and then others from the same image."""
        run: PublishedRun | None = first
        backoff = Backoff(self._stop.wait)
        while run is not None and not self._stop.is_set():
            try:
                self._prepare(run)
                source = self._source()
                if offer_snapshot(self._bus, self._node, run, source.estimate):
                    return
                number, until = next(self._numbers), time.monotonic() + _IMAGE_SECONDS
                with source.open_snapshot() as image, self._discover() as discoverer:
                    while run is not None and _is_as_described(run, discoverer):
                        if not offer_snapshot(self._bus, self._node, run, image.estimate):
                            take_snapshot(self._bus, self._node, run, image, self._stop)
                        backoff.succeeded()
                        run = self._next(number) if time.monotonic() < until else None
            except TransientError as error:
                assert run is not None
                run.snapshot_reason = reason_of(error)
                backoff.pause()
            except Exception as error:  # noqa: BLE001  one table's error must not stop the others
                assert run is not None
                _note_failed(run, error)
                return


def _is_as_described(run: PublishedRun, discoverer: Discoverer) -> bool:
    """Whether the table has the same schema in a new image; otherwise set the newer schema.

    Then another image is needed, because changes up to an image are not captured again. Raises TableRefused if its
    key has changed.
    """
    schema = discoverer.describe([run.name])[0]
    if schema == run.schema:
        return True
    if run.task.row_key(schema) != run.key:
        raise TableRefused(table=str(run.name), column=", ".join(run.key), reason="schema-changed")
    run.schema = schema
    return False


def _job(run: PublishedRun) -> tuple[str, int]:
    return run.task.id, run.task.generation


def _is_complete(run: PublishedRun) -> bool:
    return run.snapshot is PublishState.INCREMENTAL_RELEASE and run.task.generation > 0 and not run.offered


def _note_expiry(run: PublishedRun, info: TopicInfo | None, retention: Retention) -> None:
    # An operator may have deleted the topic.
    _note_complete(run, expired=info is None or info.first_offset > 0)
    run.expires_at = None
    if info is not None and info.first_offset == 0 and info.oldest_time is not None and retention.time is not None:
        run.expires_at = datetime.fromtimestamp(info.oldest_time / 1000, UTC) + retention.time


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
