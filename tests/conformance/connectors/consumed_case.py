"""One kind of broker in the conformance suite, and all kinds. A kind has one subclass of ConsumedCase, named in
CASES."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from tests.servers.kafka_topics import KafkaTopics
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Connector


class ConsumedCase(ABC):
    """One kind with a running broker."""

    kind: ClassVar[str]

    def __init__(self, server: Any) -> None:
        self.server = server
        self.database: str = server.fresh_database("conformance")
        """Prefix of topic names."""
        self.connector: Connector = connector(self.kind)

    @property
    def options(self) -> Any:
        return self.server.options(self.database)

    @abstractmethod
    def create(self, topic: str, partitions: int) -> None: ...

    @abstractmethod
    def add_partition(self, topic: str, count: int) -> None:
        """Set the number of partitions."""

    @abstractmethod
    def delete(self, topic: str) -> None: ...

    @abstractmethod
    def put(self, topic: str, values: Sequence[bytes], partition: int = 0) -> None:
        """Committed messages."""

    @abstractmethod
    def put_and_take_back(self, topic: str, values: Sequence[bytes], partition: int = 0) -> None:
        """Messages that are never committed."""

    @abstractmethod
    def forget(self, topic: str, partition: int, before: int) -> None:
        """Delete messages as retention does."""


class KafkaCase(ConsumedCase):
    """See ConsumedCase."""

    kind = "kafka"
    server: KafkaTopics

    def create(self, topic: str, partitions: int) -> None:
        self.server.create(topic, partitions)

    def add_partition(self, topic: str, count: int) -> None:
        self.server.add_partitions(topic, count)

    def delete(self, topic: str) -> None:
        self.server.delete(topic)

    def put(self, topic: str, values: Sequence[bytes], partition: int = 0) -> None:
        self.server.put(topic, values, partition)

    def put_and_take_back(self, topic: str, values: Sequence[bytes], partition: int = 0) -> None:
        self.server.transaction(topic, values, commits=False, partition=partition)

    def forget(self, topic: str, partition: int, before: int) -> None:
        self.server.forget(topic, partition, before)


CASES: dict[str, tuple[type[ConsumedCase], str]] = {"kafka": (KafkaCase, "kafka_topics")}
"""Name in the tests' ids → the case and the fixture of its server."""
