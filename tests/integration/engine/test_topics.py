"""One publication, several subscribers at their own pace; what becomes of them when retention takes what they need."""

import uuid
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.integration.engine.running import Link, Worker, connection, wait_until
from tests.servers.base import Server
from tests.servers.kafka import Broker
from tests.support.buses import remove_topics

from zcbus.bus.contract import Retention
from zcbus.bus.open import open_bus
from zcbus.bus.topics import full_topic, real_topic
from zcbus.kit.bus_settings import BusSettings

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]
NOTHING_OLD = Retention(time=timedelta(0))


def _kafka(request: pytest.FixtureRequest) -> BusSettings:
    broker: Broker = request.getfixturevalue("kafka_broker")
    return broker.settings(f"test-{uuid.uuid4().hex[:12]}")


BUSES = {"embedded": lambda _: BusSettings(), "kafka": _kafka}


@pytest.fixture(params=sorted(BUSES))
def settings(request: pytest.FixtureRequest) -> BusSettings:
    return BUSES[request.param](request)


@pytest.fixture
def link(settings: BusSettings, postgres_server: Server, tmp_path: Path) -> Iterator[Link]:
    source, target = postgres_server.fresh_database("src"), postgres_server.fresh_database("dst")
    postgres_server.execute("CREATE TABLE orders (id integer PRIMARY KEY, name text)", source)
    postgres_server.execute("INSERT INTO orders SELECT n, 'row ' || n FROM generate_series(1, 2000) n", source)
    link = Link(postgres_server, postgres_server, source, target, tmp_path, {"orders": {}}, bus=settings)
    yield link
    link.close()
    remove_topics(open_bus(settings, tmp_path))


def _second(link: Link, name: str) -> Worker:
    """Another subscriber of the same publication, with a target of its own."""
    database = link.target.fresh_database("dst")
    task = link.subscribe_task().model_copy(
        update={"service": name, "subscription": name, "target": connection(link.target, database)}
    )
    return (
        Worker(link.data_dir / name, task, link.bus)
        if link.bus != BusSettings()
        else Worker(link.data_dir, task, link.bus)
    )


def _count(link: Link, worker: Worker) -> int:
    task = worker.task
    assert task.type == "subscribe"
    return int(link.target.rows("SELECT count(*) FROM orders", str(task.target.options["database"]))[0][0])


def _state(worker: Worker) -> str:
    return str(worker.reports.get("orders", {}).get("state", ""))


def test_several_subscribers_each_at_its_own_pace(link: Link) -> None:
    link.start()
    link.wait_for_state("orders", "incremental-running")
    late = _second(link, "late")
    try:
        late.start()
        wait_until(lambda: _state(late) == "incremental-running", 60, lambda: late.log[-3000:])
        late.kill()
        link.source.execute(
            "INSERT INTO orders SELECT n, 'more' FROM generate_series(3001, 3500) n", link.source_database
        )
        link.wait_until_equal()
        assert _count(link, late) == 2000, "the suspended one delays no other and gets nothing"
        link.subscriber.kill()
        late.start()
        link.source.execute("DELETE FROM orders WHERE id <= 1000", link.source_database)
        wait_until(lambda: _count(link, late) == 1500, 60, lambda: late.log[-3000:])
        link.subscriber.start()
        link.wait_until_equal()
    finally:
        late.close()


@pytest.mark.parametrize("settings", ["kafka"], indirect=True)
def test_expired_changes_are_reported_and_loaded_again(link: Link, tmp_path: Path) -> None:
    """On Kafka, because there single records go; the embedded bus keeps its newest segment of 64 MB."""
    link.start()
    link.wait_for_state("orders", "incremental-running")
    assert link.publisher.reports["p-orders"]["state"] == "incremental-release"
    bus = open_bus(link.bus, tmp_path)
    link.publisher.kill()
    assert bus.enforce(full_topic(link.node, "p-orders", 1), NOTHING_OLD) > 0
    link.publisher.start()
    wait_until(
        lambda: link.publisher.reports["p-orders"]["state"] == "full-topic-expired",
        60,
        lambda: link.publisher.log[-3000:],
    )
    # The loaded subscriber continues; another one cannot load any more, and reports why.
    link.source.execute("INSERT INTO orders VALUES (9001, 'after')", link.source_database)
    link.wait_until_equal()
    other = _second(link, "other")
    try:
        other.start()
        wait_until(lambda: _state(other) == "full-info-expired", 60, lambda: other.log[-3000:])
        assert other.reports["orders"]["reason"]["code"] == "full-load-expired"
    finally:
        other.close()
    # Changes that a stopped subscriber has not applied go: it says so and never jumps over them.
    link.subscriber.kill()
    link.source.execute("INSERT INTO orders VALUES (9002, 'missed')", link.source_database)
    topic = real_topic(link.node)
    before = bus.info(topic)
    assert before is not None
    wait_until(lambda: (bus.info(topic) or before).next_offset > before.next_offset + 2, 60)
    assert bus.enforce(topic, NOTHING_OLD) > 0
    link.subscriber.reports.clear()
    link.subscriber.start()
    link.wait_for_state("orders", "full-info-expired")
    assert link.subscriber.reports["orders"]["reason"]["code"] == "changes-expired"
    # The way on: publish the full data again.
    link.generations["orders"] = 2
    link.retask()
    link.wait_for_state("orders", "incremental-running")
    link.wait_until_equal()
    bus.close()
