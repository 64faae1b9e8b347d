"""Brokers, streams and webhooks. As sources that number their messages each message is a row; the others are given
envelopes, or a key, so that changed rows are known. As targets they get events, or rows by key."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar

import orjson
from tests.integration.engine.matrix.rows import Row, Rows, texts
from tests.integration.engine.matrix.sides import TABLE, Destination, Origin, Read
from tests.integration.engine.running import Link, wait_until
from tests.integration.engine.sent_orders import kept

from zcbus.protocol.base import TableRef

_COLUMNS = "id bigint, name text, amount decimal(12,2), made timestamp"


class _Messages(Origin):
    """A topic that is named as the database."""

    updates = False
    value: ClassVar[Mapping[str, str]] = {"value": "json"}

    def given(self, options: Callable[..., Any]) -> Callable[..., Any]:
        return lambda database: replace(options(database), columns=_COLUMNS, **self.value)

    def topic(self, link: Link) -> str:
        return link.source_database

    def make(self, link: Link) -> None:
        self.create(link)
        link.tables[TABLE] = {"source": TableRef(schema_name="topics", table=self.topic(link))}

    def create(self, link: Link) -> None:
        """The topic."""
        link.source.create(self.topic(link))

    def insert(self, link: Link, rows: Rows) -> None:
        self.put(link, [orjson.dumps(self.message("c", row)) for row in rows.values()])

    def message(self, operation: str, row: Row) -> Mapping[str, Any]:
        return texts(row)

    def put(self, link: Link, values: Sequence[bytes]) -> None:
        link.source.put(self.topic(link), values)


class KafkaOrigin(_Messages):
    kind, server = "kafka", "kafka_topics"


class NatsOrigin(_Messages):
    kind, server = "nats", "nats_server"


class RedisOrigin(_Messages):
    """Entries of named fields."""

    kind, server = "redis", "valkey_server"
    value: ClassVar[Mapping[str, str]] = {}

    def create(self, link: Link) -> None:
        """By the first entry."""

    def topic(self, link: Link) -> str:
        return "shop:orders"

    def insert(self, link: Link, rows: Rows) -> None:
        with link.source.client(link.source_database) as client, client.pipeline() as pipeline:
            for row in rows.values():
                fields = {name: value for name, value in texts(row).items() if value is not None}
                pipeline.xadd(self.topic(link), fields)
            pipeline.execute()


class _Enveloped(_Messages):
    """By what is acknowledged: its rows have a key, as messages may come twice."""

    value: ClassVar[Mapping[str, str]] = {"value": "debezium", "keys": "id"}
    updates = deletes = True

    def message(self, operation: str, row: Row) -> Mapping[str, Any]:
        return {"op": operation, "before" if operation == "d" else "after": texts(row)}

    def update(self, link: Link, rows: Rows) -> None:
        self.put(link, [orjson.dumps(self.message("u", row)) for row in rows.values()])

    def delete(self, link: Link, rows: Rows) -> None:
        self.put(link, [orjson.dumps(self.message("d", row)) for row in rows.values()])


class RabbitMQOrigin(_Enveloped):
    kind, server = "rabbitmq", "rabbit_server"


class MqttOrigin(_Enveloped):
    kind, server = "mqtt", "mosquitto_server"
    keeps = False

    def topic(self, link: Link) -> str:
        return f"{link.source_database}/#"

    def create(self, link: Link) -> None:
        """Topics are not made."""

    def put(self, link: Link, values: Sequence[bytes]) -> None:
        link.source.put(f"{link.source_database}/eu", values)


class WebhookOrigin(_Enveloped):
    """Senders keep no order, so the rows of a request have nothing to do with each other."""

    kind, server = "webhook", "webhook_sender"
    keeps = False

    def topic(self, link: Link) -> str:
        return f"{link.source_database}/events"

    def create(self, link: Link) -> None:
        """Paths are not made."""

    def put(self, link: Link, values: Sequence[bytes]) -> None:
        link.source.put(self.topic(link), values)
        wait_until(lambda: link.source.is_settled([self.topic(link)]), 60, link.describe)


class KafkaDestination(Destination):
    """The newest message of each key."""

    kind, server = "kafka", "kafka_topics"

    def rows(self, link: Link) -> Iterable[Mapping[str, Any]]:
        newest = {one.key(): one.value() for one in link.target.read(f"{link.target_database}.{TABLE}")}
        return [orjson.loads(value) for value in newest.values() if value is not None]


class _Events(Destination):
    """What a reader of the events keeps."""

    def rows(self, link: Link) -> Iterable[Mapping[str, Any]]:
        return kept(orjson.loads(value) for value in self.events(link))

    def events(self, link: Link) -> Iterable[bytes]:
        """All that were sent, in their order."""
        raise NotImplementedError


class NatsDestination(_Events):
    kind, server = "nats", "nats_server"

    @contextmanager
    def reading(self, link: Link) -> Iterator[Read]:
        link.target.create(link.target_database)
        yield lambda: self.rows(link)
        link.target.delete(link.target_database)

    def events(self, link: Link) -> Iterable[bytes]:
        return [value for _, _, value in link.target.messages(link.target_database)]


class RabbitMQDestination(_Events):
    kind, server = "rabbitmq", "rabbit_server"

    @contextmanager
    def reading(self, link: Link) -> Iterator[Read]:
        queue, taken = f"{link.target_database}.{TABLE}", list[bytes]()
        link.target.create(queue)

        def read() -> Iterable[Mapping[str, Any]]:
            taken.extend(body for _, body in link.target.take(queue))
            return kept(map(orjson.loads, taken))

        yield read
        link.target.delete(queue)


class MqttDestination(_Events):
    kind, server = "mqtt", "mosquitto_server"

    @contextmanager
    def reading(self, link: Link) -> Iterator[Read]:
        with link.target.subscribed(f"{link.target_database}/#") as found:
            yield lambda: kept(orjson.loads(one.payload) for one in list(found))
