"""Topics of Kafka as a source: every message arrives exactly once, through kills, and nothing is passed over."""

import threading
from typing import cast

import pytest
from tests.integration.engine.running import Link, wait_until
from tests.servers.kafka_topics import KafkaTopics
from tests.servers.schema_registry import SchemaRegistryServer

from zcbus.connectors.registry import connector
from zcbus.model.states import DdlMode
from zcbus.protocol.base import TableRef

pytestmark = pytest.mark.server
PAIRS = [("kafka_topics", "postgres_server")]
COLUMNS = "id bigint, name text, at timestamptz"


def topics(link: Link) -> KafkaTopics:
    return cast("KafkaTopics", link.source)


def topic(link: Link) -> str:
    return link.source_database


def values(first: int, count: int) -> list[bytes]:
    return [
        b'{"id": %d, "name": "\xe5\x90\x8d", "at": "2026-01-01T08:00:00+08:00"}' % number
        for number in range(first, first + count)
    ]


def start(link: Link, **options: object) -> None:
    topics(link).given = {"value": "json", "columns": COLUMNS, **options}
    source = TableRef(schema_name="topics", table=topic(link))
    link.tables["orders"] = {"ddl": DdlMode.FOLLOW, "source": source}
    link.set_tasks()
    link.start()
    link.wait_for_state("orders", "incremental-running")


def put_bit_by_bit(server: KafkaTopics, name: str, partition: int, messages: list[bytes]) -> None:
    """So that who reads them is in the midst of them for a while."""
    own = KafkaTopics(server.broker)
    for begin in range(0, len(messages), 100):
        own.put(name, messages[begin : begin + 100], partition)


def held(link: Link, columns: str = "_partition, id") -> list[tuple[object, ...]]:
    query = f"SELECT {columns} FROM orders ORDER BY _partition, _offset"
    return [tuple(row) for row in link.target.rows(query, link.target_database)]


def test_kills_lose_and_double_nothing(link: Link) -> None:
    """Loaded are the messages that the topic has, then all that come, also in a partition that is made later."""
    server = topics(link)
    server.create(topic(link), 2)
    server.put(topic(link), values(0, 4000), 0)
    server.put(topic(link), values(4000, 10), 1)
    start(link)
    wanted = [(0, number) for number in range(4000)] + [(1, number) for number in range(4000, 4010)]
    for number in range(1, 7):
        partition, first = number % 2, 10_000 * number
        producing = threading.Thread(target=put_bit_by_bit, args=(server, topic(link), partition, values(first, 3000)))
        producing.start()
        server.transaction(topic(link), values(-9, 3), commits=False, partition=partition)
        wanted += [(partition, one) for one in range(first, first + 3000)]
        at_least = 4010 + 3000 * (number - 1)
        wait_until(lambda most=at_least: len(held(link)) > most, 60, link.describe)  # type: ignore[misc]
        killed = link.subscriber if number == 3 else link.publisher
        killed.kill()
        killed.start()
        producing.join()
    server.add_partitions(topic(link), 3)
    server.put(topic(link), values(90_000, 100), 2)
    wanted = sorted(wanted, key=lambda row: row[0]) + [(2, one) for one in range(90_000, 90_100)]
    wait_until(lambda: held(link) == wanted, 60, lambda: f"{len(held(link))} of {len(wanted)}\n{link.describe()}")
    row = held(link, "name, at AT TIME ZONE 'UTC', _key, _headers")[0]
    assert (row[0], str(row[1]), *row[2:]) == ("名", "2026-01-01 00:00:00", None, None)
    report = link.subscriber.reports["orders"]
    assert (report["state"], report["updates"], report["deletes"]) == ("incremental-running", 0, 0)


def refused(link: Link) -> dict[str, str]:
    table = "p-orders"
    wait_until(lambda: link.publisher.reports[table]["state"] == "publish-failed", 30, link.describe)
    facts: dict[str, str] = link.publisher.reports[table]["reason"]["facts"]
    return facts


def test_a_message_that_is_not_as_declared_stops_the_table(link: Link) -> None:
    server = topics(link)
    server.create(topic(link))
    start(link)
    server.put(topic(link), [*values(1, 5), b'{"id": "x"}', *values(6, 5)])
    facts = refused(link)
    assert facts["reason"] == "message-unreadable"
    assert facts["detail"] == f"{topic(link)}, partition 0, offset 5: id: no bigint"
    # The gap is passed over only once a user accepts it.
    link.gaps["orders"], link.generations["orders"] = 1, 2
    link.retask()
    wait_until(lambda: link.publisher.reports["p-orders"]["state"] == "incremental-release", 30, link.describe)
    server.put(topic(link), values(20, 5))
    wait_until(lambda: [row[1] for row in held(link)][-5:] == list(range(20, 25)), 60, link.describe)


def test_messages_deleted_while_the_publisher_was_away_stop_the_table(link: Link) -> None:
    server = topics(link)
    server.create(topic(link))
    server.put(topic(link), values(0, 5))
    start(link)
    wait_until(lambda: len(held(link)) == 5, 60, link.describe)
    link.publisher.kill()
    server.put(topic(link), values(5, 20))
    server.forget(topic(link), 0, 15)
    link.publisher.start()
    assert refused(link)["reason"] == "messages-lost"
    # Once the table is loaded again it continues with the messages of the topic.
    link.generations["orders"] = 2
    link.retask()
    wait_until(lambda: len(held(link)) == 10, 60, link.describe)
    server.put(topic(link), values(25, 5))
    wait_until(lambda: held(link) == [(0, number) for number in range(15, 30)], 60, link.describe)


def test_a_large_topic_is_loaded_from_the_broker_itself(link: Link) -> None:
    server = topics(link)
    server.create(topic(link), 3)
    for partition in range(3):
        server.put(topic(link), values(partition * 100_000, 30_000), partition)
    link.direct = True
    start(link)
    wanted = [(one, one * 100_000 + number) for one in range(3) for number in range(30_000)]
    wait_until(lambda: held(link) == wanted, 60, link.describe)
    assert link.publisher.reports["p-orders"]["rows_read"] == 0
    server.put(topic(link), values(900_000, 10), 1)
    wait_until(lambda: len(held(link)) == 90_010, 60, link.describe)


def test_avro_values_are_read_by_a_schema_registry(link: Link) -> None:
    """While the registry is away nothing is lost, and nothing is passed over."""
    server, registry = topics(link), SchemaRegistryServer()
    fields = [{"name": "id", "type": "long"}, {"name": "name", "type": ["null", "string"]}]
    registry.register(1, {"type": "record", "name": "Order", "fields": fields})
    registry.register(2, {"type": "record", "name": "Order", "fields": fields[:1]})
    server.create(topic(link))
    server.put(topic(link), [registry.encoded(1, {"id": number, "name": "名"}) for number in range(500)])
    start(link, columns="id bigint, name text", registry=registry.url)
    results = connector("kafka").tester().test(server.options(topic(link)), "source")
    assert ("schema-registry", True) in [(one.item, one.ok) for one in results]
    registry.fails = 503
    server.put(topic(link), [registry.encoded(2, {"id": number}) for number in range(500, 600)])
    wait_until(lambda: "/schemas/ids/2" in registry.asked, 60, link.describe)
    registry.fails = 0
    wanted = [(number, "名" if number < 500 else None) for number in range(600)]
    wait_until(lambda: held(link, "id, name") == wanted, 60, link.describe)
    registry.stop()
