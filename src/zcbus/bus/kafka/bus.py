"""The bus over hosts: topics on a Kafka cluster."""

import threading
import weakref
from collections.abc import Callable
from typing import TypeVar

from zcbus.bus.contract import Retention, TopicBusy, TopicInfo
from zcbus.bus.kafka.clients import Clients
from zcbus.bus.kafka.errors import BusAway
from zcbus.bus.kafka.feed import KafkaFeed
from zcbus.bus.kafka.log import Log, LogMoved
from zcbus.bus.kafka.names import feed_name, kafka_name, topic_name
from zcbus.bus.kafka.properties import kafka_properties
from zcbus.bus.kafka.reader import KafkaReader
from zcbus.bus.kafka.topic import Figures, measure, remove_old
from zcbus.bus.kafka.writer import KafkaWriter
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.clock import now_ms

T = TypeVar("T")
SEGMENT_BYTES = 64 << 20
_SMALLEST_SEGMENT_BYTES = 64 << 10
_LOOKS = 5


class KafkaBus:
    """Topics of one installation, told from others' by the prefix in the address. Methods may be used by any thread."""

    def __init__(
        self, settings: BusSettings, segment_bytes: int = SEGMENT_BYTES, now: Callable[[], int] = now_ms
    ) -> None:
        """`now` gives the milliseconds since 1970-01-01 UTC. Raises SettingsError."""
        self._clients = Clients(kafka_properties(settings))
        self._prefix = self._clients.properties.prefix
        self._segment_bytes, self._now = segment_bytes, now
        self._known: dict[str, Figures] = {}
        self._lock = threading.Lock()
        self._opened: weakref.WeakSet[KafkaWriter | KafkaReader | KafkaFeed] = weakref.WeakSet()

    def writer(self, topic: str, retention: Retention) -> KafkaWriter:
        writer = KafkaWriter(
            self._clients,
            topic,
            kafka_name(self._prefix, topic),
            self._now,
            lambda: self.enforce(topic, retention),
            _segment_size(self._segment_bytes, retention),
        )
        self._opened.add(writer)
        return writer

    def reader(self, topic: str, offset: int) -> KafkaReader:
        reader = KafkaReader(self._clients, topic, kafka_name(self._prefix, topic), offset)
        self._opened.add(reader)
        return reader

    def topics(self, prefix: str = "") -> list[TopicInfo]:
        names = (topic_name(self._prefix, name) for name in self._clients.names())
        found = (self.info(name) for name in sorted(name for name in names if name and name.startswith(prefix)))
        return [info for info in found if info is not None]

    def info(self, topic: str) -> TopicInfo | None:
        figures = self._figures(topic)
        return figures.info(topic) if figures is not None else None

    def enforce(self, topic: str, retention: Retention) -> int:
        name = kafka_name(self._prefix, topic)
        if retention == Retention():
            return 0
        segment = _segment_size(self._segment_bytes, retention)
        freed = self._look(topic, lambda log: remove_old(self._clients, name, log, retention, self._now(), segment))
        return freed or 0

    def delete(self, topic: str) -> None:
        figures = self._figures(topic)
        if figures is None:
            return
        if figures.held:
            raise TopicBusy(topic=topic)
        self._clients.delete(kafka_name(self._prefix, topic))

    def feed(self, name: str, topic: str, retention: Retention) -> KafkaFeed:
        feed = KafkaFeed(self._clients, feed_name(self._prefix, name), kafka_name(self._prefix, topic), retention)
        self._opened.add(feed)
        return feed

    def delete_feed(self, name: str) -> None:
        kafka = feed_name(self._prefix, name)
        if self._clients.topic_id(kafka) is not None:
            self._clients.delete(kafka)
            self._clients.forget_group(kafka)

    def close(self) -> None:
        for opened in list(self._opened):
            opened.close()
        self._clients.close()

    def _figures(self, topic: str) -> Figures | None:
        name = kafka_name(self._prefix, topic)
        with self._lock:
            known = self._known.get(name)
        figures = self._look(topic, lambda log: measure(log, known))
        with self._lock:
            if figures is None:
                self._known.pop(name, None)
            else:
                self._known[name] = figures
        return figures

    def _look(self, topic: str, work: Callable[[Log], T]) -> T | None:
        """Look into a topic's log; None where there is no such topic."""
        name = kafka_name(self._prefix, topic)
        for _ in range(_LOOKS):
            topic_id = self._clients.topic_id(name)
            if topic_id is None:
                return None
            try:
                with Log(self._clients, topic, name, topic_id) as log:
                    return work(log)
            except LogMoved:
                continue  # Retention or a deletion came in between.
        raise BusAway(servers=self._clients.servers, detail=f"{name} does not stay the same")


def _segment_size(segment_bytes: int, retention: Retention) -> int:
    """Small enough that a limit on the size can be kept by removing whole segments."""
    if retention.size_bytes is None:
        return segment_bytes
    return min(segment_bytes, max(retention.size_bytes // 4, _SMALLEST_SEGMENT_BYTES))
