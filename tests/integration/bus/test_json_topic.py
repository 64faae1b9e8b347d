"""The JSON topic of a publication, read by an ordinary Kafka client."""

import json
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, TopicPartition

from tests.integration.engine.running import Worker, connection, schema_of, wait_until
from tests.servers.base import Server
from tests.servers.kafka import Broker
from tests.support.buses import remove_topics
from zcbus.bus.kafka.bus import KafkaBus
from zcbus.connectors.registry import connector
from zcbus.engine.connections import options_of
from zcbus.protocol.base import TableRef
from zcbus.protocol.tasks import PublishedTable, PublishTask

pytestmark = [pytest.mark.server, pytest.mark.timeout(180)]
KILLS = 3
Message = tuple[Any, dict[str, Any]]


class Reader:
    """Reads a topic from its beginning as anybody may."""

    def __init__(self, servers: str, topic: str) -> None:
        self._consumer = Consumer(
            {
                "bootstrap.servers": servers,
                "group.id": uuid.uuid4().hex,
                "isolation.level": "read_committed",
                "enable.auto.commit": False,
                "topic.metadata.refresh.interval.ms": 200,
            }
        )
        self._consumer.assign([TopicPartition(topic, 0, 0)])

    def read_until(self, enough: Callable[[list[Message]], bool], describe: Callable[[], str]) -> list[Message]:
        found: list[Message] = []
        deadline = time.monotonic() + 60
        while not enough(found):
            assert time.monotonic() < deadline, f"{len(found)} messages, the last {found[-2:]}: {describe()}"
            message = self._consumer.poll(0.2)
            if message is not None and message.error() is None:
                key = message.key()
                found.append((json.loads(key) if key else None, json.loads(message.value() or b"")))
        return found

    def close(self) -> None:
        self._consumer.close()


@pytest.fixture(params=["postgres_server", "mariadb_server"], ids=lambda name: name.removesuffix("_server"))
def publisher(request: pytest.FixtureRequest, kafka_broker: Broker, tmp_path: Path) -> Iterator[tuple[Server, Worker]]:
    server: Server = request.getfixturevalue(request.param)
    database = server.fresh_database("json")
    server.execute("CREATE TABLE orders (id integer PRIMARY KEY, name varchar(100), amount decimal(12,2))", database)
    settings = kafka_broker.settings(f"test-{uuid.uuid4().hex[:12]}")
    source = connection(server, database)
    table = TableRef(schema_name=schema_of(server, database), table="orders")
    task = PublishTask(
        service="publish-1",
        node=database,
        source=source,
        tables=(PublishedTable(id="p", source=table),),
        json_topic="shop.changes",
    )
    worker = Worker(tmp_path, task, settings)
    yield server, worker
    worker.close()
    connector(server.kind).source(options_of(source)).drop(database)
    bus = KafkaBus(settings)
    bus.delete_feed("shop.changes")
    bus.delete_feed("shop.changes")
    remove_topics(bus)


def _prefix(worker: Worker) -> tuple[str, str]:
    servers, _, prefix = worker.bus.address.removeprefix("kafka://").partition("/")
    return servers, prefix


def test_every_change_once_and_in_order_whoever_is_killed(publisher: tuple[Server, Worker]) -> None:
    server, worker = publisher
    task = worker.task
    database = task.node
    servers, prefix = _prefix(worker)
    reader = Reader(servers, f"{prefix}-json.shop.changes")
    worker.start()
    wait_until(lambda: worker.reports.get("p", {}).get("state") == "incremental-release", 60, lambda: worker.log)
    for turn in range(KILLS):
        for number in range(40):
            server.execute(f"INSERT INTO orders VALUES ({turn * 40 + number}, '订单', 1.50)", database)
            if number == 20:
                worker.kill()
                worker.start()
    with server.connect(database) as session:
        cursor = session.cursor()
        for statement in (
            "BEGIN",
            "UPDATE orders SET amount = 2 WHERE id = 0",
            "UPDATE orders SET id = 1000 WHERE id = 1",
            "DELETE FROM orders WHERE id = 2",
            "COMMIT",
        ):
            cursor.execute(statement)
    found = reader.read_until(lambda messages: bool(messages) and messages[-1][1]["op"] == "d", lambda: worker.log)
    # The key's change begins with a row that goes.
    found += reader.read_until(lambda messages: len(messages) == 2, lambda: worker.log)
    reader.close()
    inserts = found[: KILLS * 40]
    assert [key for key, _ in inserts] == [{"id": number} for number in range(KILLS * 40)]
    assert inserts[0][1]["after"] == {"id": 0, "name": "订单", "amount": "1.50"}
    assert [(key["id"], one["op"]) for key, one in found[KILLS * 40 :]] == [(0, "u"), (1, "d"), (1000, "c"), (2, "d")]
    source = found[0][1]["source"]
    assert (source["name"], source["table"]) == ("shop.changes", "orders")
    assert source["connector"] == server.kind
    wait_until(lambda: worker.reports[""].get("feed", {}).get("messages", 0) > 0, 30, lambda: worker.log)
    assert worker.stop() == 0
