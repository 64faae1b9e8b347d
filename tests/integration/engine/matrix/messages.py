"""Brokers, streams and webhooks. As sources that number their messages each message is a row; the others are given
envelopes, or a key, so that changed rows are known. As targets they get events, or rows by key."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar

import orjson
from tests.integration.engine.matrix.rows import Row, Rows, texts
from tests.integration.engine.matrix.sides import TABLE, Destination, Origin, Read, Run
from tests.integration.engine.running import wait_until
from tests.integration.engine.sent_orders import kept

from zcbus.protocol.base import TableRef

_COLUMNS = "id bigint, name text, amount decimal(12,2), made timestamp"


class _Messages(Origin):
    """A topic that is named as the database."""

    key: ClassVar[tuple[str, ...]] = ("_partition", "_offset")
    updates = False
    value: ClassVar[Mapping[str, str]] = {"value": "json"}

    def given(self, options: Callable[..., Any]) -> Callable[..., Any]:
        return lambda database: replace(options(database), columns=_COLUMNS, **self.value)

    def topic(self, run: Run) -> str:
        return run.source_database

    def make(self, run: Run) -> None:
        self.create(run)
        run.tables[TABLE] = {"source": TableRef(schema_name="topics", table=self.topic(run))}

    def create(self, run: Run) -> None:
        """The topic."""
        run.source.create(self.topic(run))

    def insert(self, run: Run, rows: Rows) -> None:
        self.put(run, [orjson.dumps(self.message("c", row)) for row in rows.values()])

    def message(self, operation: str, row: Row) -> Mapping[str, Any]:
        return texts(row)

    def put(self, run: Run, values: Sequence[bytes]) -> None:
        run.source.put(self.topic(run), values)


class KafkaOrigin(_Messages):
    kind, server = "kafka", "kafka_topics"


class NatsOrigin(_Messages):
    kind, server = "nats", "nats_server"


class RedisOrigin(_Messages):
    """Entries of named fields."""

    kind, server = "redis", "valkey_server"
    value: ClassVar[Mapping[str, str]] = {}

    def create(self, run: Run) -> None:
        """By the first entry."""

    def topic(self, run: Run) -> str:
        return "shop:orders"

    def insert(self, run: Run, rows: Rows) -> None:
        with run.source.client(run.source_database) as client, client.pipeline() as pipeline:
            for row in rows.values():
                fields = {name: value for name, value in texts(row).items() if value is not None}
                pipeline.xadd(self.topic(run), fields)
            pipeline.execute()


class _Enveloped(_Messages):
    """By what is acknowledged: its rows have a key, as messages may come twice."""

    value: ClassVar[Mapping[str, str]] = {"value": "debezium", "keys": "id"}
    key = ("id",)
    updates = deletes = True

    def message(self, operation: str, row: Row) -> Mapping[str, Any]:
        return {"op": operation, "before" if operation == "d" else "after": texts(row)}

    def update(self, run: Run, rows: Rows) -> None:
        self.put(run, [orjson.dumps(self.message("u", row)) for row in rows.values()])

    def delete(self, run: Run, rows: Rows) -> None:
        self.put(run, [orjson.dumps(self.message("d", row)) for row in rows.values()])


class RabbitMQOrigin(_Enveloped):
    kind, server = "rabbitmq", "rabbit_server"


class MqttOrigin(_Enveloped):
    kind, server = "mqtt", "mosquitto_server"
    keeps = False

    def topic(self, run: Run) -> str:
        return f"{run.source_database}/#"

    def create(self, run: Run) -> None:
        """Topics are not made."""

    def put(self, run: Run, values: Sequence[bytes]) -> None:
        run.source.put(f"{run.source_database}/eu", values)


class WebhookOrigin(_Enveloped):
    """Senders keep no order, so the rows of a request have nothing to do with each other."""

    kind, server = "webhook", "webhook_sender"
    keeps = False

    def topic(self, run: Run) -> str:
        return f"{run.source_database}/events"

    def create(self, run: Run) -> None:
        """Paths are not made."""

    def put(self, run: Run, values: Sequence[bytes]) -> None:
        run.source.put(self.topic(run), values)
        wait_until(lambda: run.source.is_settled([self.topic(run)]), 60, run.describe)


class KafkaDestination(Destination):
    """The newest message of each key."""

    kind, server = "kafka", "kafka_topics"

    def rows(self, run: Run) -> Iterable[Mapping[str, Any]]:
        newest = {one.key(): one.value() for one in run.target.read(f"{run.target_database}.{TABLE}")}
        return [orjson.loads(value) for value in newest.values() if value is not None]


class _Events(Destination):
    """What a reader of the events keeps."""

    def rows(self, run: Run) -> Iterable[Mapping[str, Any]]:
        return kept(orjson.loads(value) for value in self.events(run))

    def events(self, run: Run) -> Iterable[bytes]:
        """All that were sent, in their order."""
        raise NotImplementedError


class NatsDestination(_Events):
    kind, server = "nats", "nats_server"

    @contextmanager
    def reading(self, run: Run) -> Iterator[Read]:
        run.target.create(run.target_database)
        yield lambda: self.rows(run)
        run.target.delete(run.target_database)

    def events(self, run: Run) -> Iterable[bytes]:
        return [value for _, _, value in run.target.messages(run.target_database)]


class RabbitMQDestination(_Events):
    kind, server = "rabbitmq", "rabbit_server"

    @contextmanager
    def reading(self, run: Run) -> Iterator[Read]:
        queue, taken = f"{run.target_database}.{TABLE}", list[bytes]()
        run.target.create(queue)

        def read() -> Iterable[Mapping[str, Any]]:
            taken.extend(body for _, body in run.target.take(queue))
            return kept(map(orjson.loads, taken))

        yield read
        run.target.delete(queue)


class MqttDestination(_Events):
    kind, server = "mqtt", "mosquitto_server"

    @contextmanager
    def reading(self, run: Run) -> Iterator[Read]:
        with run.target.subscribed(f"{run.target_database}/#") as found:
            yield lambda: kept(orjson.loads(one.payload) for one in list(found))
