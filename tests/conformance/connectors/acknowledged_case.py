"""One kind of broker with acknowledgements in the conformance suite, and all kinds. A kind has one subclass of
AcknowledgedCase, named in CASES."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from tests.servers.mosquitto import MosquittoServer
from tests.servers.rabbitmq import RabbitServer
from tests.servers.webhooks import WebhookSender
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import Connector


class AcknowledgedCase(ABC):
    """One kind with a running broker."""

    kind: ClassVar[str]
    keeps_unasked: ClassVar[bool] = False
    """Whether the broker keeps messages of a topic that nothing reads or has begun to read."""
    keeps_order: ClassVar[bool] = True
    """Whether messages of a topic come in the order in which they were put."""
    has_sessions: ClassVar[bool] = True
    """Whether the broker keeps something for a reader, which can be lost."""
    refuses: ClassVar[bool] = False
    """Whether a message that is no row of its table is refused instead of stopping the table."""
    notice: ClassVar[str] = "delivery-repeats"
    """Of a table without a key of its own."""

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

    def is_settled(self, topics: Sequence[str]) -> bool:
        """Whether the broker has all that was put for these topics, or handed it out."""
        return True

    def in_order(self, values: Sequence[bytes]) -> list[bytes]:
        """What came, to be compared with what was put in alphabetic order."""
        return list(values) if self.keeps_order else sorted(values)


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


class WebhookCase(AcknowledgedCase):
    """See AcknowledgedCase. Its broker are the senders, who repeat what is not answered with 2xx."""

    kind = "webhook"
    keeps_unasked = True
    keeps_order = False
    has_sessions = False
    refuses = True
    notice = "senders-repeat"
    server: WebhookSender

    @property
    def topics(self) -> list[str]:
        return [f"{self.database}/a", f"{self.database}/b"]

    def options(self, **more: object) -> Any:
        return self.server.options(self.database, **{"value": "text", "topics": ", ".join(self.topics), **more})

    def put(self, topic: str, values: Sequence[bytes]) -> None:
        self.server.put(topic, values)

    def is_settled(self, topics: Sequence[str]) -> bool:
        return self.server.is_settled(topics)


CASES: dict[str, tuple[type[AcknowledgedCase], str]] = {
    "mqtt": (MqttCase, "mosquitto_server"),
    "rabbitmq": (RabbitCase, "rabbit_server"),
    "webhook": (WebhookCase, "webhook_sender"),
}
"""Name in the tests' ids → the case and the fixture of its server."""
