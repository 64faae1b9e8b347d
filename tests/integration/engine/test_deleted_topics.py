"""Topics that an operator deletes under a link: nothing continues over the gap."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.integration.engine.running import Link, wait_until
from tests.integration.engine.test_topics import BUSES
from tests.servers.base import Server
from tests.support.buses import remove_topics

from zcbus.bus.contract import TopicBusy
from zcbus.bus.open import open_bus
from zcbus.bus.topics import full_topic, real_topic
from zcbus.engine.requests import answer
from zcbus.protocol.bus_inspection import DeleteTopic, MeasureTopics, TopicMeasures, TopicToMeasure

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]


@pytest.fixture(params=sorted(BUSES))
def link(request: pytest.FixtureRequest, postgres_server: Server, tmp_path: Path) -> Iterator[Link]:
    settings = BUSES[request.param](request)
    source, target = postgres_server.fresh_database("src"), postgres_server.fresh_database("dst")
    postgres_server.execute("CREATE TABLE orders (id integer PRIMARY KEY, name text)", source)
    postgres_server.execute("INSERT INTO orders SELECT n, 'row ' || n FROM generate_series(1, 200) n", source)
    link = Link(postgres_server, postgres_server, source, target, tmp_path, {"orders": {}}, bus=settings)
    yield link
    link.close()
    remove_topics(open_bus(settings, tmp_path))


def delete(link: Link, topic: str) -> None:
    answer(DeleteTopic(topic=topic), link.data_dir, link.bus)


def insert(link: Link, number: int) -> None:
    link.source.execute(f"INSERT INTO orders VALUES ({number}, 'later')", link.source_database)


def test_no_table_continues_on_a_new_real_topic(link: Link) -> None:
    link.start()
    link.wait_for_state("orders", "incremental-running")
    insert(link, 1001)
    link.wait_until_equal()
    topic = real_topic(link.node)
    with pytest.raises(TopicBusy):
        delete(link, topic)
    insert(link, 1002)
    link.wait_until_equal()
    # These changes are on the deleted topic only.
    link.subscriber.kill()
    insert(link, 1003)
    with closing(open_bus(link.bus, link.data_dir)) as bus:
        before = bus.info(topic)
        assert before is not None
        wait_until(lambda: (bus.info(topic) or before).next_offset > before.next_offset + 1, 60)
    link.publisher.stop()
    delete(link, topic)
    link.publisher.reports.clear()
    link.subscriber.reports.clear()
    link.start()
    link.wait_for_state("orders", "full-info-expired")
    wait_until(
        lambda: link.publisher.reports.get("p-orders", {}).get("state") == "publish-failed",
        60,
        lambda: link.publisher.log[-3000:],
    )
    assert link.publisher.reports["p-orders"]["reason"]["code"] == "capture-interrupted"
    link.generations["orders"] = 2
    link.retask()
    link.wait_for_state("orders", "incremental-running")
    link.wait_until_equal()


@pytest.mark.soak
def test_full_data_that_is_deleted_counts_as_expired(link: Link) -> None:
    link.start()
    link.wait_for_state("orders", "incremental-running")
    delete(link, full_topic(link.node, "p-orders", 1))
    wait_until(
        lambda: link.publisher.reports["p-orders"]["state"] == "full-topic-expired",
        120,
        lambda: link.publisher.log[-3000:],
    )
    insert(link, 1001)
    link.wait_until_equal()


@pytest.mark.soak(but=["kafka"])
def test_a_channel_reports_the_first_record_that_it_needs(link: Link) -> None:
    link.start()
    link.wait_for_state("orders", "incremental-running")
    insert(link, 1001)
    link.wait_until_equal()
    topic = real_topic(link.node)

    def waiting() -> int | None:
        offset = link.subscriber.reports.get("", {}).get("needs", {}).get(link.node)
        if offset is None:
            return None
        question = MeasureTopics(topics=(TopicToMeasure(name=topic, readers_at=(offset,)),))
        found = answer(question, link.data_dir, link.bus)
        assert isinstance(found, TopicMeasures)
        return found.topics[0].behind[0].records

    # Heartbeats come all the time, so a few may wait.
    wait_until(lambda: (count := waiting()) is not None and count < 20, 60, lambda: link.subscriber.log[-3000:])
    link.subscriber.kill()
    wait_until(lambda: (waiting() or 0) > 20, 90, lambda: link.publisher.log[-3000:])
