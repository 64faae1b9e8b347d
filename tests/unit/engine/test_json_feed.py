"""The JSON topic's writer: what is on the real topic is told before somebody removes that."""

import random
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.unit.engine.history import NODE, History, schema, write_real

from zcbus.bus.contract import FeedMessage, Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.topics import real_topic
from zcbus.engine.publish.json_feed import JsonFeed
from zcbus.model.changes import CaptureResumed, Gap
from zcbus.model.position import Position
from zcbus.protocol.base import Connection

SOURCE = Connection(kind="postgresql", host="h", port=1, user="u", password="p", database="d")


class KeptFeed:
    """Keeps what is committed. `free`: set once writing may go on."""

    def __init__(self) -> None:
        self.place: int | None = None
        self.told: list[FeedMessage] = []
        self.free = threading.Event()
        self._open: list[FeedMessage] = []

    def send(self, messages: Sequence[FeedMessage]) -> None:
        self.free.wait(30)
        self._open += messages

    def commit(self, place: int) -> None:
        self.told, self._open, self.place = self.told + self._open, [], place

    def rollback(self) -> None:
        self._open = []

    def close(self) -> None:
        pass

    def __enter__(self) -> "KeptFeed":
        return self

    def __exit__(self, *_details: object) -> None:
        self.close()


class FeedingBus(EmbeddedBus):
    """The bus in files, with one feed."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.kept = KeptFeed()

    def feed(self, name: str, topic: str, retention: Retention) -> KeptFeed:
        return self.kept


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[FeedingBus]:
    bus = FeedingBus(tmp_path)
    yield bus
    bus.close()


def test_everything_is_told_before_the_real_topic_may_go(bus: FeedingBus) -> None:
    frames = History(random.Random(1), ("orders",), 20).frames()
    gap = Gap(schema("orders").name, None, Position(0, 1 << 40))
    write_real(bus, [*frames, CaptureResumed((), (gap,))])
    stop = threading.Event()
    feed = JsonFeed(bus, NODE, "f", SOURCE, Retention())
    feed.start()
    info = bus.info(real_topic(NODE))
    assert info is not None
    assert not feed.finish(info.next_offset, _set()), "nothing can have been told yet"
    bus.kept.free.set()
    assert feed.finish(info.next_offset, stop)
    feed.close()
    assert (bus.kept.place, b'"op":"m"' in bus.kept.told[-1].value) == (info.next_offset, True)


def _set() -> threading.Event:
    event = threading.Event()
    event.set()
    return event
