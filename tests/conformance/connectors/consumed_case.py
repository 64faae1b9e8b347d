"""One kind of broker in the conformance suite, and all kinds. A kind has one subclass of ConsumedCase, named in
CASES."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, ClassVar

from tests.servers.kafka_topics import KafkaTopics
from tests.servers.nats import NatsServer
from tests.servers.rabbitmq import RabbitServer
from tests.servers.valkey import ValkeyServer
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Connector

Row = tuple[str, str, str]
"""Partition, offset and value of a message."""


class ConsumedCase(ABC):
    """One kind with a running broker. Partitions are numbers of tests: a kind without partitions has one for all."""

    kind: ClassVar[str]
    first: ClassVar[int] = 0
    """Offset of a topic's first message."""
    is_partitioned: ClassVar[bool] = True

    def __init__(self, server: Any) -> None:
        self.server = server
        self.database: str = server.fresh_database("conformance")
        """Prefix of topic names."""
        self.connector: Connector = connector(self.kind)
        self._ends: dict[tuple[str, int], int] = {}

    @property
    def options(self) -> Any:
        return self.server.options(self.database)

    def number(self, partition: int) -> int:
        return partition if self.is_partitioned else 0

    def put(self, topic: str, values: Sequence[bytes], partition: int = 0) -> list[Row]:
        """Committed messages; returns them as rows."""
        number = self.number(partition)
        begin = self._advance(topic, number, len(values))
        self._put(topic, values, number)
        return [(str(number), self.text(begin + place), value.decode()) for place, value in enumerate(values)]

    def text(self, offset: int) -> str:
        """As the column `_offset` has it; in the order of offsets too."""
        return str(offset)

    def put_and_take_back(self, topic: str, values: Sequence[bytes], partition: int = 0) -> None:
        """Messages that are never committed."""
        self._advance(topic, self.number(partition), self._put_and_take_back(topic, values, self.number(partition)))

    def forget(self, topic: str, partition: int, count: int) -> str:
        """Delete the first so many messages as retention does; returns the offset of the first that stays."""
        self._forget(topic, self.number(partition), self.first + count)
        return self.text(self.first + count)

    @abstractmethod
    def create(self, topic: str, partitions: int) -> None: ...

    @abstractmethod
    def add_partition(self, topic: str, count: int) -> None:
        """Set the number of partitions."""

    def delete(self, topic: str) -> None:
        self.server.delete(topic)
        self._ends.clear()

    @abstractmethod
    def _put(self, topic: str, values: Sequence[bytes], number: int) -> None: ...

    def _put_and_take_back(self, topic: str, values: Sequence[bytes], number: int) -> int:
        """Returns how many offsets are taken; a kind without transactions takes none."""
        return 0

    @abstractmethod
    def _forget(self, topic: str, number: int, before: int) -> None: ...

    def _advance(self, topic: str, number: int, count: int) -> int:
        begin = self._ends.get((topic, number), self.first)
        self._ends[topic, number] = begin + count
        return begin


class KafkaCase(ConsumedCase):
    """See ConsumedCase."""

    kind = "kafka"
    server: KafkaTopics

    def create(self, topic: str, partitions: int) -> None:
        self.server.create(topic, partitions)

    def add_partition(self, topic: str, count: int) -> None:
        self.server.add_partitions(topic, count)

    def _put(self, topic: str, values: Sequence[bytes], number: int) -> None:
        self.server.put(topic, values, number)

    def _put_and_take_back(self, topic: str, values: Sequence[bytes], number: int) -> int:
        self.server.transaction(topic, values, commits=False, partition=number)
        return len(values) + 1  # the marker of the transaction

    def _forget(self, topic: str, number: int, before: int) -> None:
        self.server.forget(topic, number, before)


class NatsCase(ConsumedCase):
    """See ConsumedCase."""

    kind = "nats"
    first = 1
    is_partitioned = False
    server: NatsServer

    def create(self, topic: str, partitions: int) -> None:
        self.server.create(topic)

    def add_partition(self, topic: str, count: int) -> None:
        """A stream has one."""

    def _put(self, topic: str, values: Sequence[bytes], number: int) -> None:
        self.server.put(topic, values)

    def _forget(self, topic: str, number: int, before: int) -> None:
        self.server.forget(topic, before)


class RedisCase(ConsumedCase):
    """See ConsumedCase."""

    kind = "redis"
    first = 10_000_000
    """The milliseconds of the first id."""
    is_partitioned = False
    server: ValkeyServer

    @property
    def options(self) -> Any:
        return self.server.options(self.database, field="payload")

    def text(self, offset: int) -> str:
        return f"{offset}-0"

    def create(self, topic: str, partitions: int) -> None:
        with self.server.client(self.database) as client:
            client.xgroup_create(topic, "others", mkstream=True)

    def add_partition(self, topic: str, count: int) -> None:
        """A stream has one."""

    def delete(self, topic: str) -> None:
        self._ends.clear()
        with self.server.client(self.database) as client:
            client.delete(topic)

    def _put(self, topic: str, values: Sequence[bytes], number: int) -> None:
        begin = self._ends[topic, number] - len(values)
        with self.server.client(self.database) as client, client.pipeline() as pipeline:
            for at, value in enumerate(values, begin):
                pipeline.xadd(topic, {"payload": value}, id=self.text(at))
            pipeline.execute()

    def _forget(self, topic: str, number: int, before: int) -> None:
        with self.server.client(self.database) as client:
            client.xtrim(topic, minid=self.text(before), approximate=False)


class RabbitStreamCase(ConsumedCase):
    """See ConsumedCase. By default the kind reads queues; see AcknowledgedCase."""

    kind = "rabbitmq"
    is_partitioned = False
    server: RabbitServer

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        self._offsets: dict[str, list[int]] = defaultdict(list)

    @property
    def options(self) -> Any:
        return self.server.options(self.database, reading="streams")

    def create(self, topic: str, partitions: int) -> None:
        self.server.create_stream(topic)

    def add_partition(self, topic: str, count: int) -> None:
        """A stream has one."""

    def put(self, topic: str, values: Sequence[bytes], partition: int = 0) -> list[Row]:
        """Offsets have gaps where the broker begins a segment."""
        begin = self._offsets[topic][-1] + 1 if self._offsets[topic] else 0
        found = self.server.put_many(topic, values, begin)
        self._offsets[topic] += found
        return [("0", self.text(offset), value.decode()) for offset, value in zip(found, values, strict=True)]

    def forget(self, topic: str, partition: int, count: int) -> str:
        """Whole segments go; the one whose last message is the last to be forgotten stays, as the next one may not have
        begun."""
        kept = self._offsets[topic][count - 1]
        self.server.forget(topic, kept)
        return self.text(kept)

    def delete(self, topic: str) -> None:
        super().delete(topic)
        self._offsets.clear()

    def _put(self, topic: str, values: Sequence[bytes], number: int) -> None:
        raise NotImplementedError

    def _forget(self, topic: str, number: int, before: int) -> None:
        raise NotImplementedError


CASES: dict[str, tuple[type[ConsumedCase], str]] = {
    "kafka": (KafkaCase, "kafka_topics"),
    "nats": (NatsCase, "nats_server"),
    "rabbitmq": (RabbitStreamCase, "rabbit_server"),
    "redis": (RedisCase, "valkey_server"),
}
"""Name in the tests' ids → the case and the fixture of its server."""
