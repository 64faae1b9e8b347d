"""Topics of a Kafka broker as the suites see a server: a database is what topics begin with."""

import itertools
import os
from collections.abc import Iterable, Sequence
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewPartitions, NewTopic

from tests.servers.kafka import Broker
from tests.support.processes import wait_until
from zcbus.connectors.kafka.spec import KafkaOptions

_SECONDS = 30.0
_NUMBERS = itertools.count(1)
Headers = list[tuple[str, bytes | None]]


class KafkaTopics:
    """Those that a test makes."""

    kind = "kafka"

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.given: dict[str, object] = {}
        """Options of tests besides the servers."""
        client: dict[str, Any] = {"bootstrap.servers": broker.servers(), "log_level": 0}
        self._admin = AdminClient(client)
        # Without it messages change places when the first are sent again, because a new topic has no leader yet.
        self._producer = Producer({**client, "enable.idempotence": True})
        self._made: set[str] = set()

    def fresh_database(self, prefix: str) -> str:
        return f"{prefix}-{os.getpid()}-{next(_NUMBERS)}"

    def options(self, database: str) -> Any:
        place = {"servers": self.broker.servers(), "topics": f"{database}*", "topic": f"{database}.{{table}}"}
        return KafkaOptions(**{**place, **self.given})  # type: ignore[arg-type]

    def create(self, topic: str, partitions: int = 1, **config: str) -> None:
        made = NewTopic(topic, num_partitions=partitions, replication_factor=1, config=config)
        self._admin.create_topics([made])[topic].result(_SECONDS)
        self._made.add(topic)

    def add_partitions(self, topic: str, count: int) -> None:
        self._admin.create_partitions([NewPartitions(topic, count)])[topic].result(_SECONDS)
        # The broker may answer before it knows them itself; the producer asks by itself once in minutes only.
        wait_until(lambda: self._count(topic) == count, _SECONDS, f"{topic} has {count} partitions")

    def _count(self, topic: str) -> int:
        return len(self._producer.list_topics(topic, _SECONDS).topics[topic].partitions)

    def delete(self, topic: str) -> None:
        self._admin.delete_topics([topic])[topic].result(_SECONDS)
        self._made.discard(topic)

    def forget(self, topic: str, partition: int, before: int) -> None:
        """Delete the messages before an offset."""
        for future in self._admin.delete_records([TopicPartition(topic, partition, before)]).values():
            future.result(_SECONDS)

    def put(self, topic: str, values: Iterable[bytes | None], partition: int = 0, key: bytes | None = None) -> None:
        """Messages one after the other; all are there when it returns."""
        for value in values:
            while True:
                try:
                    self._producer.produce(topic, value, key, partition=partition)
                    break
                except BufferError:
                    self._producer.poll(0.1)
        assert self._producer.flush(_SECONDS) == 0

    def transaction(self, topic: str, values: Sequence[bytes], *, commits: bool, partition: int = 0) -> None:
        """Messages of one transaction that ends as is said."""
        name = {"transactional.id": f"{topic}-{next(_NUMBERS)}"}
        producer = Producer({"bootstrap.servers": self.broker.servers(), "log_level": 0, **name})
        producer.init_transactions(_SECONDS)
        producer.begin_transaction()
        for value in values:
            producer.produce(topic, value, partition=partition)
        producer.flush(_SECONDS)
        end = producer.commit_transaction if commits else producer.abort_transaction
        end(_SECONDS)

    def read(self, topic: str) -> list[Message]:
        """All committed messages, those of each partition in order."""
        consumer = Consumer(
            {
                "bootstrap.servers": self.broker.servers(),
                "group.id": "zcbus-test-reader",
                "enable.auto.commit": False,
                "isolation.level": "read_committed",
                "enable.partition.eof": True,
                "auto.offset.reset": "earliest",
                "log_level": 0,
            }
        )
        try:
            described = consumer.list_topics(topic, _SECONDS).topics[topic].partitions
            open_ = set(described)
            consumer.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in described])
            found: list[Message] = []
            while open_:
                message = consumer.poll(_SECONDS)
                assert message is not None, f"{topic} does not end"
                error = message.error()
                if error is None:
                    found.append(message)
                else:
                    assert error.code() == KafkaError._PARTITION_EOF, error
                    open_.discard(message.partition())
            return found
        finally:
            consumer.close()

    def topics(self, prefix: str) -> list[str]:
        """The names of topics that begin with it."""
        return sorted(name for name in self._admin.list_topics(timeout=_SECONDS).topics if name.startswith(prefix))

    def drop_database(self, name: str) -> None:
        for topic in self.topics(name):
            self.delete(topic)

    def close(self) -> None:
        for topic in list(self._made):
            self.delete(topic)
