"""Every bus there is, each behind the same small kit."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.servers.kafka import Broker
from zcbus.bus.contract import Bus
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.kafka.bus import KafkaBus


@dataclass
class BusKit:
    """Opens the same store again and again, as several processes would."""

    open: Callable[[], Bus]
    """Segments hold about 64 KiB, so that retention has something to remove."""
    move_clock: Callable[[int], None]
    """Let `ms` milliseconds pass for records and retention."""
    examples: int = 60
    """How many generated examples this bus gets through in reasonable time."""
    opened: list[Bus] = field(default_factory=list)

    def bus(self) -> Bus:
        bus = self.open()
        self.opened.append(bus)
        return bus


class _Clock:
    def __init__(self) -> None:
        self.ms = 1_700_000_000_000

    def now(self) -> int:
        return self.ms

    def move(self, ms: int) -> None:
        self.ms += ms


def _embedded(request: pytest.FixtureRequest) -> BusKit:
    folder: Path = request.getfixturevalue("tmp_path")
    clock = _Clock()
    return BusKit(lambda: EmbeddedBus(folder / "bus", segment_bytes=64 << 10, now=clock.now), clock.move)


def _kafka(request: pytest.FixtureRequest) -> BusKit:
    broker: Broker = request.getfixturevalue("kafka_broker")
    settings = broker.settings(f"test-{uuid.uuid4().hex[:12]}")
    clock = _Clock()
    kit = BusKit(lambda: KafkaBus(settings, segment_bytes=64 << 10, now=clock.now), clock.move, examples=12)
    request.addfinalizer(lambda: remove_topics(kit.open()))
    return kit


def remove_topics(bus: Bus) -> None:
    """Leave nothing of a test on a bus that others use, and close it."""
    for info in bus.topics():
        bus.delete(info.name)
    bus.close()


KITS: dict[str, Callable[[pytest.FixtureRequest], BusKit]] = {"embedded": _embedded, "kafka": _kafka}
