"""Every bus there is, each behind the same small kit."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from zcbus.bus.contract import Bus
from zcbus.bus.embedded.bus import EmbeddedBus


@dataclass
class BusKit:
    """Opens the same store again and again, as several processes would."""

    open: Callable[[], Bus]
    """Segments hold about 64 KiB, so that retention has something to remove."""
    move_clock: Callable[[int], None]
    """Let `ms` milliseconds pass for records and retention."""
    opened: list[Bus] = field(default_factory=list)

    def bus(self) -> Bus:
        bus = self.open()
        self.opened.append(bus)
        return bus


def _embedded(folder: Path) -> BusKit:
    now = [1_700_000_000_000]

    def move(ms: int) -> None:
        now[0] += ms

    return BusKit(lambda: EmbeddedBus(folder, segment_bytes=64 << 10, now=lambda: now[0]), move)


_KITS: dict[str, Callable[[Path], BusKit]] = {"embedded": _embedded}


@pytest.fixture(params=sorted(_KITS))
def kit(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BusKit]:
    kit = _KITS[request.param](tmp_path / "bus")
    yield kit
    for bus in kit.opened:
        bus.close()


@pytest.fixture
def bus(kit: BusKit) -> Bus:
    return kit.bus()
