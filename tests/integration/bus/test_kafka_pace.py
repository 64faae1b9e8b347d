"""The client library does some things at intervals of its own, up to a second; no call waits for those."""

import statistics
import time
import uuid
from collections.abc import Iterator

import pytest

from tests.servers.kafka import Broker
from tests.support.buses import remove_topics
from zcbus.bus.contract import Bus, Retention
from zcbus.bus.kafka.bus import KafkaBus
from zcbus.bus.kafka.clients import Clients, Use
from zcbus.bus.kafka.log import Log

pytestmark = pytest.mark.server
FOREVER = Retention()
WRITERS, SLOW_WRITERS = 16, 2
"""So many may be slow because the machine is; without care it is about every third."""
MAX_SEEKS = 6
"""At the log's ends, and at the place."""


@pytest.fixture
def bus(kafka_broker: Broker) -> Iterator[Bus]:
    bus = KafkaBus(kafka_broker.settings(f"test-{uuid.uuid4().hex[:12]}"))
    yield bus
    remove_topics(bus)
    bus.close()


def write(bus: Bus, topic: str, records: int = 1) -> float:
    """Records by a new writer; returns how many seconds it takes."""
    began = time.monotonic()
    with bus.writer(topic, FOREVER) as writer:
        for _ in range(records):
            writer.append([b"x"])
        writer.flush()
    return time.monotonic() - began


def read(bus: Bus, topic: str, offset: int = 0) -> float:
    """A record by a new reader; returns how many seconds it takes."""
    began = time.monotonic()
    with bus.reader(topic, offset) as reader:
        assert [record.offset for record in reader.read(1, 1, 0)] == [offset]
    return time.monotonic() - began


def test_topics_are_read_one_after_the_other(bus: Bus) -> None:
    topics = [f"topic-{number}" for number in range(6)]
    for topic in topics:
        write(bus, topic)
    assert statistics.median(read(bus, topic) for topic in topics) < 0.5


def test_reading_one_record_waits_for_no_event(bus: Bus, monkeypatch: pytest.MonkeyPatch) -> None:
    write(bus, "t", 5)
    uses: list[Use] = []
    consumer = Clients.consumer
    monkeypatch.setattr(Clients, "consumer", lambda clients, use: (uses.append(use), consumer(clients, use))[1])
    with bus.reader("t", 2) as reader:
        for offset in (2, 3, 0):
            reader.seek(offset)
            assert [record.offset for record in reader.read(1, 1, 0)] == [offset]
        assert set(uses) == {Use.LOOKUP}
        uses.clear()
        assert [record.offset for record in reader.read(10, 1 << 20, 5)] == [1, 2, 3, 4]
        assert Use.FOLLOW in uses


def test_a_topic_is_taken_over_again_and_again(bus: Bus) -> None:
    write(bus, "t")
    seconds = sorted(write(bus, "t") for _ in range(WRITERS))
    assert seconds[-1 - SLOW_WRITERS] < 0.45, seconds


def test_the_newest_records_of_a_topic_that_was_taken_over_often(bus: Bus, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(WRITERS):
        write(bus, "t")
    write(bus, "t", 100)
    seeks: list[int] = []
    seek = Log.seek
    monkeypatch.setattr(Log, "seek", lambda log, position: (seeks.append(position), seek(log, position))[1])
    read(bus, "t", WRITERS + 60)
    assert len(seeks) <= MAX_SEEKS, seeks
