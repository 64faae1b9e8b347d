"""Looking at many topics on Kafka costs about as many requests as looking at a few."""

import uuid
from collections.abc import Callable, Iterator

import pytest

from tests.servers.kafka import Broker
from tests.support import kafka_wire
from tests.support.buses import remove_topics
from tests.support.processes import wait_until
from zcbus.bus.contract import Bus, Retention
from zcbus.bus.kafka.bus import KafkaBus
from zcbus.kit.bus_settings import BusSettings

pytestmark = pytest.mark.server
TOPICS = 60
FOREVER = Retention()


@pytest.fixture
def settings(kafka_broker: Broker) -> Iterator[BusSettings]:
    if kafka_broker.wire is None:
        pytest.skip("this broker's traffic is not recorded")
    settings = kafka_broker.watched(f"test-{uuid.uuid4().hex[:12]}")
    yield settings
    remove_topics(KafkaBus(settings))


@pytest.fixture
def names(settings: BusSettings) -> list[str]:
    bus = KafkaBus(settings)
    names = [f"full/n/t{number:03}/1" for number in range(TOPICS)]
    for name in names:
        with bus.writer(name, FOREVER) as writer:
            writer.append([name.encode()])
    bus.close()
    return names


def test_topics_are_made_in_one_request(kafka_broker: Broker, settings: BusSettings) -> None:
    wire = kafka_broker.wire
    assert wire is not None
    names = [f"full/n/p{number:03}/1" for number in range(TOPICS)]
    bus = KafkaBus(settings)
    try:
        before = kafka_wire.count(wire, kafka_wire.CREATE_TOPICS)
        bus.prepare(names)
        wait_until(lambda: bus.names() == names, 30, "all topics")
        for name in names[:3]:
            bus.writer(name, FOREVER).close()
        assert kafka_wire.count(wire, kafka_wire.CREATE_TOPICS) - before == 1
    finally:
        bus.close()


POLLS: dict[str, Callable[[Bus, list[str]], int]] = {
    "infos": lambda bus, names: len(bus.infos(names)),
    "newest": lambda bus, names: len(bus.newest(names)),
    "enforce_all": lambda bus, names: len(bus.enforce_all(names, Retention(size_bytes=1 << 20))),
    "topics": lambda bus, _names: len(bus.topics()),
}


@pytest.mark.soak(but=["newest"])
@pytest.mark.parametrize("poll", POLLS)
def test_many_topics_are_described_in_few_requests(
    kafka_broker: Broker, settings: BusSettings, names: list[str], poll: str
) -> None:
    wire = kafka_broker.wire
    assert wire is not None
    bus = KafkaBus(settings)
    try:
        before = kafka_wire.count(wire)
        assert POLLS[poll](bus, names) == TOPICS
        first = kafka_wire.count(wire)
        assert POLLS[poll](bus, names) == TOPICS
        again = kafka_wire.count(wire)
    finally:
        bus.close()
    assert first - before < TOPICS, "with new connections"
    assert again - first < TOPICS / 2, "of what has not changed nothing is read again"
