"""The JSON topic of a publication, read by an ordinary Kafka client."""

import base64
import json
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, TopicPartition

from tests.integration.engine.running import Worker, connection, schema_of, wait_until
from tests.servers.base import Server
from tests.servers.kafka import Broker
from tests.support.buses import remove_topics
from zcbus.bus.contract import Retention
from zcbus.bus.kafka.bus import KafkaBus
from zcbus.bus.topics import real_topic
from zcbus.connectors.registry import connector
from zcbus.connectors.roles.source import drop
from zcbus.engine.capture_history import CaptureHistory
from zcbus.engine.connections import options_of
from zcbus.protocol.base import TableRef
from zcbus.protocol.tasks import PublishedTable, PublishTask

pytestmark = [pytest.mark.server, pytest.mark.timeout(180)]
KILLS = 3
NOTHING_OLD = Retention(time=timedelta(0))
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
    drop(connector(server.kind).source(options_of(source)), database)
    bus = KafkaBus(settings)
    bus.delete_export("shop.changes")
    bus.delete_export("shop.changes")
    remove_topics(bus)


@pytest.fixture
def reader(publisher: tuple[Server, Worker]) -> Iterator[Reader]:
    """Of the publisher's JSON topic."""
    servers, prefix = _prefix(publisher[1])
    reader = Reader(servers, f"{prefix}-json.shop.changes")
    yield reader
    reader.close()


def _prefix(worker: Worker) -> tuple[str, str]:
    servers, _, prefix = worker.bus.address.removeprefix("kafka://").partition("/")
    return servers, prefix


@pytest.mark.soak(but=["mariadb"])
def test_every_change_once_and_in_order_despite_kills(publisher: tuple[Server, Worker], reader: Reader) -> None:
    server, worker = publisher
    task = worker.task
    database = task.node
    worker.start()
    _wait_for(worker, "incremental-release")
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
    inserts = found[: KILLS * 40]
    assert [key for key, _ in inserts] == [{"id": number} for number in range(KILLS * 40)]
    assert inserts[0][1]["after"] == {"id": 0, "name": "订单", "amount": "1.50"}
    assert [(key["id"], one["op"]) for key, one in found[KILLS * 40 :]] == [(0, "u"), (1, "d"), (1000, "c"), (2, "d")]
    source = found[0][1]["source"]
    assert (source["name"], source["table"]) == ("shop.changes", "orders")
    assert source["connector"] == server.kind
    wait_until(lambda: (worker.reports[""].get("feed") or {}).get("messages", 0) > 0, 30, lambda: worker.log)
    assert worker.stop() == 0


@pytest.mark.soak(but=["postgres"])
def test_readers_are_notified_of_changes_that_were_not_captured(
    publisher: tuple[Server, Worker], reader: Reader
) -> None:
    server, worker = publisher
    worker.start()
    _wait_for(worker, "incremental-release")
    _insert(server, worker, 1)
    (before,) = reader.read_until(bool, lambda: worker.log)
    # The table is left out for a while.
    worker.give(_task(worker, stopped=True))
    _wait_for(worker, "publish-stopped")
    _insert(server, worker, 2)
    worker.give(_task(worker, generation=1))
    _wait_for(worker, "incremental-release", 1)
    _insert(server, worker, 3)
    before = _expect_gap(reader, worker, before, 3)
    # It is taken out, and published again as another.
    again = _task(worker, id="q", generation=0)
    worker.give(again.model_copy(update={"tables": ()}))
    bus = KafkaBus(worker.bus)
    wait_until(lambda: bool(CaptureHistory(bus, again.node).gap_starts(again.tables)), 60, lambda: worker.log)
    _insert(server, worker, 4)
    worker.give(again)
    _wait_for(worker, "incremental-release", table="q")
    _insert(server, worker, 5)
    before = _expect_gap(reader, worker, before, 5)
    # The source no longer has what comes next.
    worker.kill()
    _lose_log(server, worker)
    _insert(server, worker, 6)
    worker.task = _task(worker, generation=1)
    worker.start()
    _wait_for(worker, "incremental-release", 1, "q")
    _insert(server, worker, 7)
    _expect_gap(reader, worker, before, 7)


def test_readers_are_notified_of_changes_that_retention_deleted(
    publisher: tuple[Server, Worker], reader: Reader
) -> None:
    server, worker = publisher
    task = worker.task
    worker.start()
    _wait_for(worker, "incremental-release")
    _insert(server, worker, 1)
    (before,) = reader.read_until(bool, lambda: worker.log)
    worker.kill()
    # For a while it has no writer.
    worker.task = task.model_copy(update={"json_topic": ""})
    worker.start()
    _wait_for(worker, "incremental-release")
    for number in (2, 3):
        _insert(server, worker, number)
        wait_until(lambda n=number: worker.reports["p"]["inserts"] == n - 1, 60, lambda: worker.log)
    worker.kill()
    assert KafkaBus(worker.bus).enforce(real_topic(task.node), NOTHING_OLD) > 0
    worker.task = task
    worker.start()
    _wait_for(worker, "incremental-release")
    _insert(server, worker, 4)
    _expect_gap(reader, worker, before, 4)
    wait_until(lambda: (worker.reports[""].get("feed") or {}).get("messages", 0) > 1, 30, lambda: worker.log)
    assert worker.reports[""]["feed"]["reason"] is None


def _task(worker: Worker, **fields: Any) -> PublishTask:
    assert isinstance(worker.task, PublishTask)
    table = worker.task.tables[0].model_copy(update={"stopped": False, **fields})
    return worker.task.model_copy(update={"tables": (table,)})


def _wait_for(worker: Worker, state: str, generation: int = 0, table: str = "p") -> None:
    def reached() -> bool:
        report = worker.reports.get(table, {})
        return (report.get("state"), report.get("generation")) == (state, generation)

    wait_until(reached, 60, lambda: worker.log)


def _insert(server: Server, worker: Worker, number: int) -> None:
    assert isinstance(worker.task, PublishTask)
    server.execute(f"INSERT INTO orders VALUES ({number}, 'x', 1)", worker.task.node)


def _lose_log(server: Server, worker: Worker) -> None:
    assert isinstance(worker.task, PublishTask)
    database = worker.task.node
    if server.kind == "postgresql":
        end = "SELECT pg_terminate_backend(active_pid, 10000) FROM pg_replication_slots WHERE database = %s"
        server.rows(end, database, (database,))
        drop = "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = %s"
        server.rows(drop, database, (database,))
        return
    server.execute("FLUSH BINARY LOGS")
    newest = server.rows("SHOW BINARY LOGS")[-1][0]

    def purged() -> bool:
        # Data with a reader stays, and the server takes a while to notice that a reader is dead.
        server.execute(f"PURGE BINARY LOGS TO '{newest}'")
        return bool(server.rows("SHOW BINARY LOGS")[0][0] == newest)

    wait_until(purged, 30, lambda: str(server.rows("SHOW BINARY LOGS")))


def _expect_gap(reader: Reader, worker: Worker, before: Message, number: int) -> Message:
    """Behind that message a gap comes, then the change with the number, which is returned. In between changes may come
    that are within the gap."""
    found = reader.read_until(
        lambda messages: bool(messages) and (messages[-1][1]["after"] or {}).get("id") == number, lambda: worker.log
    )
    (key, gap), *within, (_, after) = found
    assert (key, gap["op"], gap["before"], gap["after"], gap["source"]["table"]) == (None, "m", None, None, "orders")
    assert gap["message"]["prefix"] == "zcbus.changes-missing"
    content = json.loads(base64.b64decode(gap["message"]["content"]))
    since, until = _position(content["from"] or before[1]["source"]), _position(content["to"])
    assert _position(before[1]["source"]) <= since < until == _position(gap["source"]) <= _position(after["source"])
    assert content["from"] is None or until < _position(after["source"])
    assert all(since < _position(one["source"]) <= until for _, one in within)
    return found[-1]


def _position(source: dict[str, Any]) -> tuple[int, ...]:
    """A place in the source's log, as those who read the topic compare it."""
    return tuple(source[name] for name in ("lsn", "file", "pos") if name in source)
