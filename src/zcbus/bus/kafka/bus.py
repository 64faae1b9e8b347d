"""The bus on a Kafka cluster."""

import weakref
from collections.abc import Callable, Collection

from zcbus.bus.contract import Disk, Extent, Placement, Record, Retention, TopicBusy, TopicInfo
from zcbus.bus.kafka.clients import Clients
from zcbus.bus.kafka.export import KafkaExportWriter
from zcbus.bus.kafka.extent import extent_since, extents_at
from zcbus.bus.kafka.measures import Measures
from zcbus.bus.kafka.names import export_name, kafka_name, topic_name
from zcbus.bus.kafka.properties import kafka_properties
from zcbus.bus.kafka.reader import KafkaReader
from zcbus.bus.kafka.topic import may_have_old, remove_old, segment_size
from zcbus.bus.kafka.writer import KafkaWriter
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.clock import now_ms

SEGMENT_BYTES = 64 << 20


class KafkaBus:
    """Topics of one installation, identified by the prefix in the address. Thread-safe."""

    def __init__(
        self, settings: BusSettings, segment_bytes: int = SEGMENT_BYTES, now: Callable[[], int] = now_ms
    ) -> None:
        """`now`: milliseconds since 1970-01-01 UTC. Raises SettingsError."""
        self._clients = Clients(kafka_properties(settings))
        self._prefix = self._clients.properties.prefix
        self._segment_bytes, self._now = segment_bytes, now
        self._measures = Measures(self._clients, self._prefix)
        self._opened: weakref.WeakSet[KafkaWriter | KafkaReader | KafkaExportWriter] = weakref.WeakSet()

    def writer(self, topic: str, retention: Retention) -> KafkaWriter:
        writer = KafkaWriter(
            self._clients,
            topic,
            kafka_name(self._prefix, topic),
            self._now,
            self.enforce,
            self._segment_bytes,
            retention,
        )
        self._opened.add(writer)
        return writer

    def prepare(self, topics: Collection[str]) -> None:
        self._clients.create([kafka_name(self._prefix, topic) for topic in topics])

    def reader(self, topic: str, offset: int) -> KafkaReader:
        reader = KafkaReader(self._clients, topic, kafka_name(self._prefix, topic), offset)
        self._opened.add(reader)
        return reader

    def names(self, prefix: str = "") -> list[str]:
        names = (topic_name(self._prefix, name) for name in self._clients.names())
        return sorted(name for name in names if name and name.startswith(prefix))

    def topics(self, prefix: str = "") -> list[TopicInfo]:
        return list(self.infos(self.names(prefix)).values())

    def info(self, topic: str) -> TopicInfo | None:
        figures = self._measures.of(topic)
        return figures.info(topic) if figures is not None else None

    def infos(self, topics: Collection[str]) -> dict[str, TopicInfo]:
        return {topic: figures.info(topic) for topic, figures in self._measures.of_all(topics).items()}

    def newest(self, topics: Collection[str]) -> dict[str, Record]:
        return self._measures.newest(topics)

    def enforce(self, topic: str, retention: Retention) -> int:
        name = kafka_name(self._prefix, topic)
        if retention == Retention():
            return 0
        segment = segment_size(self._segment_bytes, retention)
        freed = self._measures.with_log(
            topic, lambda log: remove_old(self._clients, name, log, retention, self._now(), segment)
        )
        return freed or 0

    def enforce_all(self, topics: Collection[str], retention: Retention) -> dict[str, TopicInfo]:
        figures, now = self._measures.of_all(topics), self._now()
        old = [topic for topic, one in figures.items() if may_have_old(one, retention, now)]
        for topic in old:
            self.enforce(topic, retention)
        after = figures | self._measures.of_all(old) if old else figures
        return {topic: one.info(topic) for topic, one in after.items()}

    def delete(self, topic: str) -> None:
        figures = self._measures.of(topic)
        if figures is None:
            return
        if figures.is_held:
            raise TopicBusy(topic=topic)
        self._clients.delete(kafka_name(self._prefix, topic))

    def behind(self, topic: str, offsets: Collection[int]) -> dict[int, Extent]:
        return self._measures.with_log(topic, lambda log: extents_at(log, frozenset(offsets))) or {}

    def since(self, topic: str, time_ms: int) -> Extent | None:
        return self._measures.with_log(topic, lambda log: extent_since(log, time_ms))

    def placement(self, topic: str) -> Placement | None:
        return self._clients.placement(kafka_name(self._prefix, topic))

    def disk(self) -> Disk | None:
        """The client library cannot ask the brokers for it."""
        return None

    def export_writer(self, name: str, topic: str, retention: Retention) -> KafkaExportWriter:
        kafka, source = export_name(self._prefix, name), kafka_name(self._prefix, topic)
        export = KafkaExportWriter(self._clients, kafka, source, retention)
        self._opened.add(export)
        return export

    def delete_export(self, name: str) -> None:
        kafka = export_name(self._prefix, name)
        if self._clients.topic_id(kafka) is not None:
            self._clients.delete(kafka)
            self._clients.forget_group(kafka)

    def close(self) -> None:
        for opened in list(self._opened):
            opened.close()
        self._clients.close()
