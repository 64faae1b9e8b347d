"""One kind of broker with acknowledgements in the conformance suite, and all kinds. A kind has one subclass of
AcknowledgedCase, named in CASES."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from tests.servers.mosquitto import MosquittoServer
from tests.servers.rabbitmq import RabbitServer
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Connector


class AcknowledgedCase(ABC):
    """One kind with a running broker."""

    kind: ClassVar[str]
    keeps_unasked: ClassVar[bool] = False
    """Whether the broker keeps messages of a topic that nothing reads or has begun to read."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.database: str = server.fresh_database("conformance")
        self.connector: Connector = connector(self.kind)

    @property
    @abstractmethod
    def topics(self) -> list[str]:
        """Names of two topics' tables."""

    @abstractmethod
    def options(self, **more: object) -> Any:
        """That select both."""

    @abstractmethod
    def put(self, topic: str, values: Sequence[bytes]) -> None:
        """Committed messages of a topic."""


class MqttCase(AcknowledgedCase):
    """See AcknowledgedCase."""

    kind = "mqtt"
    server: MosquittoServer

    @property
    def topics(self) -> list[str]:
        return [f"{self.database}/a/+", f"{self.database}/b/#"]

    def options(self, **more: object) -> Any:
        return self.server.options(self.database, topics=", ".join(self.topics), **more)

    def put(self, topic: str, values: Sequence[bytes]) -> None:
        self.server.put(topic.replace("+", "1").replace("#", "1"), values)


class RabbitCase(AcknowledgedCase):
    """See AcknowledgedCase. One queue of each kind."""

    kind = "rabbitmq"
    keeps_unasked = True
    server: RabbitServer

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        for queue, kind in zip(self.topics, ("quorum", "classic"), strict=True):
            self.server.create(queue, kind)

    @property
    def topics(self) -> list[str]:
        return [f"{self.database}.a", f"{self.database}.b"]

    def options(self, **more: object) -> Any:
        return self.server.options(", ".join(self.topics), **more)

    def put(self, topic: str, values: Sequence[bytes]) -> None:
        self.server.put(topic, values)


CASES: dict[str, tuple[type[AcknowledgedCase], str]] = {
    "mqtt": (MqttCase, "mosquitto_server"),
    "rabbitmq": (RabbitCase, "rabbit_server"),
}
"""Name in the tests' ids → the case and the fixture of its server."""
