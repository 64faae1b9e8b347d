"""The bus on a Kafka broker: writers killed, left over and taken over; the broker killed and started again."""

import random
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator

import pytest

from tests.faults.bus.numbered import numbered
from tests.servers.kafka import Broker, KafkaServer
from tests.support.buses import remove_topics
from zcbus.bus.contract import Bus, Record, Retention, TopicBusy
from zcbus.bus.kafka import writer as writing
from zcbus.bus.kafka.bus import KafkaBus
from zcbus.bus.kafka.owner import holds
from zcbus.bus.kafka.sender import Sender, Sent
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.errors import TransientError

pytestmark = [pytest.mark.server, pytest.mark.fault]
KILLS = 8
FOREVER = Retention()


@pytest.fixture
def settings(kafka_broker: Broker) -> Iterator[BusSettings]:
    settings = kafka_broker.settings(f"test-{uuid.uuid4().hex[:12]}")
    yield settings
    remove_topics(KafkaBus(settings))


def read_all(bus: Bus, topic: str) -> list[Record]:
    info = bus.info(topic)
    assert info is not None
    records: list[Record] = []
    with bus.reader(topic, info.first_offset) as reader:
        while len(records) < info.next_offset - info.first_offset:
            records += reader.read(100, 4 << 20, 5)
    return records


class _Reader(threading.Thread):
    """Follows the topic and checks every record."""

    def __init__(self, bus: Bus) -> None:
        super().__init__()
        self._bus = bus
        self.checked = 0
        self.wrong: list[str] = []
        self.stop_at: int | None = None

    def run(self) -> None:
        with self._bus.reader("t", 0) as reader:
            while self.stop_at is None or self.checked < self.stop_at:
                try:
                    records = reader.read(100, 1 << 20, 0.1)
                except TransientError:
                    continue
                for record in records:
                    if record.offset != self.checked or bytes(record.payload) != numbered(record.offset):
                        self.wrong.append(f"{record.offset} at {self.checked}")
                    self.checked += 1


def _run_and_kill(settings: BusSettings, seconds: float) -> int:
    command = [sys.executable, "-m", "tests.faults.bus.crash_writer", settings.address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline(), "the writer did not start"
        time.sleep(seconds)  # the random moment is the point here
        process.kill()
        lines = process.stdout.read().splitlines(keepends=True)
    return max((int(line) for line in lines if line.endswith("\n")), default=0)


def test_nothing_acknowledged_is_lost_when_writers_are_killed(settings: BusSettings) -> None:
    bus = KafkaBus(settings)
    reader = _Reader(bus)
    reader.start()
    acknowledged = 0
    try:
        for _ in range(KILLS):
            acknowledged = max(acknowledged, _run_and_kill(settings, random.uniform(0, 0.3)))
        with bus.writer("t", FOREVER) as writer:
            final = writer.next_offset
        assert final >= acknowledged > KILLS
        reader.stop_at = final
        reader.join(60)
        assert reader.checked == final
    finally:
        reader.stop_at = 0
        reader.join()
        bus.close()
    assert reader.wrong == []


def test_a_writer_of_another_process_holds_the_topic_until_it_dies(settings: BusSettings) -> None:
    bus = KafkaBus(settings)
    command = [sys.executable, "-m", "tests.faults.bus.crash_writer", settings.address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        with pytest.raises(TopicBusy):
            bus.writer("t", FOREVER)
        with pytest.raises(TopicBusy):
            bus.delete("t")
        process.kill()
    with bus.writer("t", FOREVER) as writer:
        assert writer.next_offset > 0
    bus.close()


def test_a_leftover_writer_cannot_write_after_its_successor(
    settings: BusSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = KafkaBus(settings), KafkaBus(settings)
    leftover = first.writer("t", FOREVER)
    leftover.append([b"a"])
    leftover.flush()
    leftover.append([b"prepared before"])
    monkeypatch.setattr(writing, "holds", lambda *_: False)  # thought dead, as one on a host that is cut off
    successor = second.writer("t", FOREVER)
    monkeypatch.setattr(writing, "holds", holds)
    successor.append([b"b"])
    successor.flush()
    for _ in range(2):
        with pytest.raises(TopicBusy):
            leftover.flush()
        with pytest.raises(TopicBusy):
            leftover.append([b"x"])
        with pytest.raises(TopicBusy):
            _ = leftover.next_offset
    # What the leftover sent stands between the successor's messages now: it notices and nothing is lost.
    successor.append([b"c"])
    with pytest.raises(TopicBusy):
        successor.flush()
    successor.close()
    leftover.close()
    with second.writer("t", FOREVER) as third:
        assert third.next_offset == 2
        third.append([b"c"])
    assert [bytes(record.payload) for record in read_all(second, "t")] == [b"a", b"b", b"c"]
    with second.reader("t", 1) as reader:
        assert [record.offset for record in reader.read(10, 1 << 20, 5)] == [1, 2]
    first.close()
    second.close()


def test_a_reader_that_comes_while_a_large_record_is_half_there(
    settings: BusSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = KafkaBus(settings)
    reader = bus.reader("t", 0)
    send = Sender.send

    def send_in_halves(sender: Sender, messages: list[Sent]) -> list[int]:
        if len(messages) == 1:
            return send(sender, messages)
        first = send(sender, messages[:1])
        assert reader.read(1, 1, 0.1) == []  # it has found its place and waits there
        return first + send(sender, messages[1:])

    monkeypatch.setattr(Sender, "send", send_in_halves)
    with bus.writer("t", FOREVER) as writer:
        writer.append([b"x" * (writing.PART_BYTES + 1)])
        writer.append([b"y"])
        writer.flush()
    assert [len(record.payload) for record in reader.read(1, 1, 10)] == [writing.PART_BYTES + 1]
    reader.close()
    bus.close()


@pytest.fixture
def own_broker(kafka_broker: Broker) -> Iterator[KafkaServer]:
    if not isinstance(kafka_broker, KafkaServer):
        pytest.skip("the broker that ZCBUS_TEST_KAFKA names is not killed")
    broker = KafkaServer()
    yield broker
    broker.remove()


def test_a_broker_that_dies_and_comes_back(own_broker: KafkaServer) -> None:
    bus = KafkaBus(own_broker.settings("kill"))
    reader = _Reader(bus)
    reader.start()
    stop = threading.Event()
    acknowledged = [0]

    def produce() -> None:
        writer = bus.writer("t", FOREVER)
        while not stop.is_set():
            try:
                while writer.next_offset < acknowledged[0] + 20:
                    writer.append([numbered(writer.next_offset)])
                acknowledged[0] = writer.flush()
            except TransientError:
                stop.wait(0.1)
        _closed(writer)

    producing = threading.Thread(target=produce)
    producing.start()
    try:
        for _ in range(2):
            before = acknowledged[0]
            _wait(lambda before=before: acknowledged[0] > before + 60)
            own_broker.kill()
            own_broker.start()
        before = acknowledged[0]
        _wait(lambda: acknowledged[0] > before + 60)
        stop.set()
        producing.join(60)
        info = bus.info("t")
        assert info is not None
        assert info.next_offset >= acknowledged[0]
        reader.stop_at = info.next_offset
        reader.join(60)
        assert reader.checked == info.next_offset
    finally:
        stop.set()
        reader.stop_at = 0
        producing.join()
        reader.join()
        bus.close()
    assert reader.wrong == []


def _closed(writer: writing.KafkaWriter) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            writer.close()
            return
        except TransientError:
            assert time.monotonic() < deadline


def _wait(condition: object, seconds: float = 60.0) -> None:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
