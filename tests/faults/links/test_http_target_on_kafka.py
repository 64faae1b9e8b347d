"""A target without state over a Kafka broker: its state is on the bus, so another host applies where one ended."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from tests.integration.engine.orders import start, wait_until_same
from tests.integration.engine.running import Link, Worker
from tests.integration.engine.sent_orders import Row, change_through_kills, sent
from tests.servers.base import Server
from tests.servers.http_receiver import WEBHOOK, HttpReceiver
from tests.servers.kafka import Broker
from tests.support.buses import remove_topics
from zcbus.bus.open import open_bus

pytestmark = [pytest.mark.server, pytest.mark.fault, pytest.mark.timeout(300)]


@pytest.fixture
def link(kafka_broker: Broker, postgres_server: Server, http_receiver: HttpReceiver, tmp_path: Path) -> Iterator[Link]:
    settings = kafka_broker.settings(f"test-{uuid.uuid4().hex[:12]}")
    link = Link(
        postgres_server,
        cast("Server", http_receiver),
        postgres_server.fresh_database("src"),
        http_receiver.fresh_database("dst"),
        tmp_path / "publisher",
        bus=settings,
        subscriber_dir=tmp_path / "host-0",
    )
    yield link
    link.close()
    remove_topics(open_bus(settings, tmp_path))


def test_another_host_applies_where_one_ended(link: Link, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    receiver = cast("HttpReceiver", link.target)
    monkeypatch.setattr(receiver, "definition", WEBHOOK)
    hosts = iter(range(1, 9))

    def fail_over() -> None:
        """The host is gone, with its data folder."""
        link.subscriber.close()
        link.subscriber = Worker(tmp_path / f"host-{next(hosts)}", link.subscribe_task(), link.bus).start()

    def held(_: Link, columns: str) -> list[Row]:
        found = receiver.rows(link.target_database, "orders")
        names = columns.split(", ")
        return [tuple(None if row.get(name) is None else str(row[name]) for name in names) for row in found]

    start(link, 300)
    link.wait_for_state("orders", "full-running")
    fail_over()
    link.wait_for_state("orders", "incremental-running")
    change_through_kills(link, fail_over, fail_over)
    wait_until_same(link, sent, held)
    loads = [one for one in receiver.events[link.target_database] if one["operation"] == "load"]
    assert len({one["id"] for one in loads}) == 300, "what was sent again had its id"
