"""Topics of tables that the platform writes, and their definitions."""

from collections.abc import Callable, Iterable

from confluent_kafka import KafkaError, KafkaException, Producer

from zcbus.connectors.consuming.consumer import Partition, Topic, TopicTrouble
from zcbus.connectors.errors import AccessDenied, TableRefused
from zcbus.connectors.kafka.cluster import Cluster
from zcbus.connectors.kafka.committed import CommittedReader
from zcbus.connectors.kafka.committer import BATCH_BYTES, PRODUCER
from zcbus.connectors.kafka.names import DEFINITIONS, STATE_PARTITIONS, state_topic, topic_of
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.kafka.state import Definition, definition_of, definition_record
from zcbus.model.schema import TableName, TableSchema

_FOREVER = {"retention.ms": "-1", "retention.bytes": "-1"}
_STATE_SETTINGS = {
    "cleanup.policy": "compact",
    # Small segments are compacted soon, so that the state is read fast.
    "segment.bytes": str(16 << 20),
    "segment.ms": str(6 * 3_600_000),
    "min.cleanable.dirty.ratio": "0.1",
    "max.message.bytes": str(64 << 20),
}
_DEFINER = {**PRODUCER, "enable.idempotence": False}
"""A definition that is written twice does no harm, and this producer can write at once."""
_FLUSH_SECONDS = 30.0
_DEFAULT_LIMIT = 1 << 20


class TopicTables:
    """One writer's. Not thread-safe. Errors: TargetUnavailable, AccessDenied."""

    def __init__(self, options: KafkaOptions, cluster: Callable[[], Cluster], reader: CommittedReader) -> None:
        self._options, self._cluster, self._reader = options, cluster, reader
        self._place: Partition = (state_topic(options), DEFINITIONS)
        self._positions: dict[Partition, int] = {}
        self._defined: dict[bytes, Definition] = {}

    def prepare(self) -> None:
        """Create the state topic where it is missing."""
        name = state_topic(self._options)
        if not self._topics([name]):
            self._cluster().create(name, STATE_PARTITIONS, self._options.replication, _STATE_SETTINGS)

    def definitions(self, names: Iterable[TableName] | None = None) -> dict[TableName, Definition]:
        """Those of these tables, or of all, whose topics are still there."""
        found = self._read()
        wanted = found.keys() if names is None else [name for name in names if name in found]
        topics = {name: topic_of(self._options, name) for name in wanted}
        present = self._topics(topics.values())
        return {
            name: found[name]
            for name, topic in topics.items()
            if topic in present and found[name].is_of(present[topic])
        }

    def define(self, table: TableSchema) -> None:
        """See Writer.define."""
        self.prepare()
        name, topic = table.name, topic_of(self._options, table.name)
        defined = self.definitions([name]).get(name)
        if defined is None:
            found = self._topics([topic]).get(topic)
            if found is None:
                found = self._create(topic)
            else:
                self._require_unused(name, found)
            self._require_settings(name, topic)
            defined = Definition(table, found.identity, len(found.partitions))
        self._write(name, Definition(table, defined.topic_id, defined.partitions))

    def undefine(self, name: TableName) -> None:
        """Idempotent."""
        if name in self._read():
            self._write(name, None)

    def drop(self, name: TableName) -> None:
        """Delete topic and definition. Idempotent."""
        topic = topic_of(self._options, name)
        if name in self.definitions([name]):
            self._cluster().delete(topic)
        self.undefine(name)

    def is_there(self, name: TableName) -> bool:
        """Whether the topic is the one that was written. Raises TableRefused where its partitions are others."""
        topic, defined = topic_of(self._options, name), self._read().get(name)
        found = self._topics([topic]).get(topic)
        if found is None or defined is None or not defined.is_of(found):
            return False
        if len(found.partitions) != defined.partitions:
            detail = f"{defined.partitions} → {len(found.partitions)}"
            raise TableRefused(table=str(name), column="", reason="topic-partitions", detail=detail)
        return True

    def limit(self, name: TableName) -> int:
        """Bytes of the largest message that the table's topic takes."""
        settings = self._cluster().settings(topic_of(self._options, name))
        return int(settings.get("max.message.bytes") or _DEFAULT_LIMIT)

    def _create(self, topic: str) -> Topic:
        options = self._options
        settings = {"cleanup.policy": "compact"} if options.cleanup == "compact" else {"cleanup.policy": "delete"}
        self._cluster().create(topic, options.partitions, options.replication, {**settings, **_FOREVER})
        return self._topics([topic])[topic]

    def _require_unused(self, name: TableName, topic: Topic) -> None:
        partitions = [(topic.name, number) for number in topic.partitions]
        cluster = self._cluster()
        firsts, ends = cluster.firsts(partitions), cluster.undecided_ends(partitions)
        if firsts != ends:
            raise TableRefused(table=str(name), column="", reason="topic-of-others", detail=topic.name)

    def _require_settings(self, name: TableName, topic: str) -> None:
        faults = faults_of(self._cluster().settings(topic))
        if faults:
            detail = f"{topic}: {', '.join(faults)}"
            raise TableRefused(table=str(name), column="", reason="topic-settings", detail=detail)

    def _read(self) -> dict[TableName, Definition]:
        if not self._positions:
            self._defined.clear()
        if not self._topics([self._place[0]]):
            self._positions.clear()
            return {}
        for messages in self._reader.read([self._place], self._positions):
            for one in messages:
                definition = definition_of(one.value)
                if definition is None:
                    self._defined.pop(one.key or b"", None)
                else:
                    self._defined[one.key or b""] = definition
        return {one.schema.name: one for one in self._defined.values()}

    def _write(self, name: TableName, definition: Definition | None) -> None:
        (topic, partition), (key, value) = self._place, definition_record(name, definition)
        cluster, reports = self._cluster(), list[KafkaError | None]()
        producer = cluster.make(Producer, _DEFINER)
        try:
            producer.produce(topic, value, key, partition, on_delivery=lambda error, _: reports.append(error))
            producer.flush(_FLUSH_SECONDS)
        except KafkaException as error:
            raise cluster.error(error) from error
        if not reports:
            raise self._reader.unavailable(f"{topic}: not written in time")
        if reports[0] is not None:
            raise cluster.error(reports[0])

    def _topics(self, names: Iterable[str]) -> dict[str, Topic]:
        try:
            return self._cluster().topics(names)
        except TopicTrouble as trouble:
            options = self._options
            where = {"kind": options.kind, "address": options.address, "user": options.user}
            raise AccessDenied(**where, detail=trouble.detail) from trouble


def faults_of(settings: dict[str, str]) -> list[str]:
    """Settings under which a topic cannot hold a table: it would forget rows, or refuse what is sent together."""
    faults = []
    if settings.get("cleanup.policy") != "compact":
        if "compact" in settings.get("cleanup.policy", ""):
            faults.append(f"cleanup.policy={settings['cleanup.policy']}")
        else:
            faults += [f"{name}={settings.get(name)}" for name in _FOREVER if settings.get(name) != "-1"]
    limit = int(settings.get("max.message.bytes") or _DEFAULT_LIMIT)
    if limit < 2 * BATCH_BYTES:
        faults.append(f"max.message.bytes={limit}")
    return faults
