"""Links over a real Kafka broker: publish and subscribe worker with data folders of their own, as on two hosts."""

import random
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.links.workload import TABLES, Writer, create_tables, differences
from tests.integration.engine.running import Link, wait_until
from tests.integration.engine.test_append_only import add as add_rows
from tests.integration.engine.test_append_only import create as create_without_key
from tests.servers.base import Server
from tests.servers.kafka import Broker
from tests.support.buses import remove_topics
from zcbus.bus.open import open_bus

pytestmark = [pytest.mark.server, pytest.mark.fault, pytest.mark.timeout(300)]
SOURCES = ["postgres_server", pytest.param("mariadb_server", marks=pytest.mark.soak)]
KILLS = 4


@pytest.fixture(params=SOURCES, ids=lambda name: name.removesuffix("_server"))
def link(
    request: pytest.FixtureRequest, kafka_broker: Broker, postgres_server: Server, tmp_path: Path
) -> Iterator[Link]:
    source: Server = request.getfixturevalue(request.param)
    settings = kafka_broker.settings(f"test-{uuid.uuid4().hex[:12]}")
    link = Link(
        source,
        postgres_server,
        source.fresh_database("src"),
        postgres_server.fresh_database("dst"),
        tmp_path / "one",
        {name: {"clean": "drop"} for name in TABLES},
        bus=settings,
        subscriber_dir=tmp_path / "other",
    )
    yield link
    link.close()
    remove_topics(open_bus(settings, tmp_path))


def test_workers_killed_during_load_and_changes(link: Link, tmp_path: Path) -> None:
    create_tables(link.source, link.source_database, 20_000)
    writer = Writer(link.source, link.source_database, seed=7)
    writer.start()
    chance = random.Random(11)
    link.start()
    for _ in range(KILLS):
        for worker in chance.sample((link.publisher, link.subscriber), 2):
            time.sleep(chance.uniform(0.5, 3.0))  # the random moment is the point here
            worker.kill()
            worker.start()
    for table in TABLES:
        link.wait_for_state(table, "incremental-running", 90)
    writer.stop()
    source, target = (link.source, link.source_database), (link.target, link.target_database)
    wait_until(
        lambda: not differences(source, target),
        60,
        lambda: "\n".join([*differences(source, target), link.describe()]),
    )
    assert link.subscriber.stop() == 0
    assert link.publisher.stop() == 0
    assert not (tmp_path / "one" / "bus").exists()
    assert not (tmp_path / "other" / "bus").exists()


def test_each_row_without_a_key_arrives_once(link: Link, tmp_path: Path) -> None:
    link.tables.clear()
    create_without_key(link)
    add_rows(link, 0, 20_000)
    link.start()
    wait_until(lambda: "p-notes" in link.publisher.reports, 60, link.describe)
    for worker in (link.publisher, link.subscriber):
        add_rows(link, 3, 300)
        worker.kill()
        worker.start()
    link.wait_for_state("notes", "incremental-running", 90)
    add_rows(link, 7, 300)
    link.subscriber.kill()
    link.subscriber.start()
    link.wait_until_equal()
    assert not (tmp_path / "other" / "bus").exists(), "Kafka is the only way between the two"
