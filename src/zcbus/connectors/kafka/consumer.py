"""Reading a cluster's messages; see consuming.Consumer."""

import time
from collections.abc import Iterable, Sequence
from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from zcbus.connectors.consuming.consumer import Message, Offsets, Partition, Topic, TopicTrouble
from zcbus.connectors.kafka.cluster import Cluster, Properties
from zcbus.connectors.kafka.spec import KafkaOptions
from zcbus.connectors.roles import Side
from zcbus.kit.kafka import GONE

_MAX_MESSAGES = 5000
_LOST = frozenset({KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE})
_NOT_NEEDED = frozenset({KafkaError.GROUP_AUTHORIZATION_FAILED})
"""The library looks for the coordinator of a group that exists only for its sake."""
_PROPERTIES: Properties = {
    # Offsets are stored with the rows; the library requires a group name nevertheless.
    "group.id": "zcbus",
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    "auto.offset.reset": "error",
    "isolation.level": "read_committed",
    # The only word of a partition whose last messages are markers of transactions, or were compacted away.
    "enable.partition.eof": True,
    "check.crcs": True,
    "fetch.wait.max.ms": 100,
    "fetch.error.backoff.ms": 100,
    "fetch.message.max.bytes": 1 << 20,
    "queued.max.messages.kbytes": 16 << 10,
    "fetch.queue.backoff.ms": 20,
}


class KafkaConsumer:
    """Connects at creation."""

    def __init__(self, options: KafkaOptions, side: Side = "source") -> None:
        self._cluster = Cluster(options, side)
        self._consumer: Consumer | None = None

    def identity(self) -> str:
        return self._cluster.identity

    def names(self) -> list[str]:
        return self._cluster.names()

    def topics(self, names: Iterable[str]) -> dict[str, Topic]:
        return self._cluster.topics(names)

    def firsts(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        return self._cluster.firsts(partitions)

    def ends(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        return self._cluster.ends(partitions)

    def undecided_ends(self, partitions: Iterable[Partition]) -> dict[Partition, int]:
        """See Cluster."""
        return self._cluster.undecided_ends(partitions)

    def follow(self, starts: Offsets) -> None:
        if starts:
            if self._consumer is None:
                self._consumer = self._cluster.make(Consumer, _PROPERTIES)
            self._do(self._consumer.incremental_assign, [TopicPartition(*one, at) for one, at in starts.items()])

    def leave(self, partitions: Iterable[Partition]) -> None:
        if self._consumer is not None:
            self._do(self._consumer.incremental_unassign, [TopicPartition(*one) for one in partitions])

    def read(self, timeout: float) -> tuple[Sequence[Message], Offsets]:
        if self._consumer is None:
            time.sleep(timeout)
            return (), {}
        messages: list[Message] = []
        passed: dict[Partition, int] = {}
        for one in self._came(self._consumer, timeout):
            partition = (one.topic() or "", one.partition() or 0)
            error = one.error()
            if error is None:
                messages.append(_message(partition, one))
                passed.pop(partition, None)
            elif error.code() == KafkaError._PARTITION_EOF:
                passed[partition] = one.offset() or 0
            elif error.code() not in _NOT_NEEDED:
                raise self._failed(partition, one.offset(), error)
        return messages, passed

    def _came(self, consumer: Consumer, timeout: float) -> Sequence[Any]:
        try:
            first = consumer.poll(timeout)
            return () if first is None else (first, *consumer.consume(_MAX_MESSAGES, 0))
        except KafkaException as error:
            raise self._cluster.error(error) from error

    def close(self) -> None:
        if self._consumer is not None:
            self._consumer.close()
            self._consumer = None
        self._cluster.close()

    def _failed(self, partition: Partition, offset: int | None, error: KafkaError) -> Exception:
        topic, number = partition
        detail = f"{topic}, partition {number}, offset {offset}: {error.str()}"
        if error.code() in _LOST:
            return TopicTrouble(topic, "messages-lost", detail)
        if error.code() == KafkaError.TOPIC_AUTHORIZATION_FAILED:
            return TopicTrouble(topic, "topic-denied", detail)
        if error.code() in GONE:
            return TopicTrouble(topic, "topic-replaced", detail)
        return self._cluster.error(error)

    def _do(self, work: Any, partitions: Sequence[TopicPartition]) -> None:
        try:
            work(partitions)
        except KafkaException as error:
            raise self._cluster.error(error) from error


def _message(partition: Partition, one: Any) -> Message:
    kind, time_ms = one.timestamp()
    return Message(
        *partition, one.offset(), time_ms if kind else None, one.key(), one.value(), tuple(one.headers() or ())
    )
