"""Tables that move from channel to channel of one target: wherever they are, each change arrives exactly once."""

import random
import time
from contextlib import ExitStack

import pytest
from tests.unit.engine.fakes import FakeTarget
from tests.unit.engine.history import History, write_full, write_real
from tests.unit.engine.subscriber import TABLES, Running, all_running, expected, task

from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.engine.subscribe.appliers import parallel
from zcbus.engine.subscribe.checkpoints import takeover
from zcbus.engine.task_box import TaskBox
from zcbus.protocol.tasks import SubscribeTask

pytestmark = pytest.mark.usefixtures("short_pauses")
CHANNELS = ("a", "b")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(takeover, "_POLL_SECONDS", 0.0)
    monkeypatch.setattr(takeover, "_RELEASE_SECONDS", 0.05)


class Channels:
    """Two channels; `orders` moves between them, `items` stays with the first."""

    def __init__(self, bus: EmbeddedBus, target: FakeTarget, running: ExitStack, checkpoints: int = 1) -> None:
        """`checkpoints`: how many parallel appliers each has."""
        self._bus, self._target, self._running, self._checkpoints = bus, target, running, checkpoints
        self.moves = 0
        self.boxes = {name: TaskBox(self.wanted(name)) for name in CHANNELS}
        self.services: dict[str, Running] = {}

    @property
    def owner(self) -> str:
        return CHANNELS[self.moves % 2]

    def wanted(self, channel: str) -> SubscribeTask:
        tables = [table for table in TABLES if channel == (self.owner if table == "orders" else "a")]
        others = tuple(name for name in CHANNELS if name != channel) if self.moves else ()
        return task(1, channel, tables, moves=0).model_copy(
            update={
                "apply_lanes": self._checkpoints,
                "tables": tuple(
                    table.model_copy(update={"moves": self.moves, "came_from": others} if table.id == "orders" else {})
                    for table in task(1, channel, tables).tables
                ),
            }
        )

    def tell(self, channel: str) -> None:
        self.boxes[channel].put(self.wanted(channel))

    def start(self, channel: str) -> None:
        self.services[channel] = self._running.enter_context(Running(self._bus, self._target, self.boxes[channel]))

    def stop(self, channel: str) -> None:
        if channel in self.services:
            self.services.pop(channel).__exit__()

    def wait_for(self, history: History) -> None:
        running = self.services[self.owner]
        running.wait(
            lambda: (
                self._target.tables() == expected(history)
                and all(map(all_running, self.services.values()))
                and "orders" in running.tables()
            )
        )


@pytest.mark.wide
@pytest.mark.parametrize("checkpoints", [1, 4])
@pytest.mark.parametrize("seed", range(8))
def test_each_change_arrives_once_wherever_a_table_moves(
    bus: EmbeddedBus, seed: int, checkpoints: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The channels receive a move in any order or late, stand still or die meanwhile, and the target fails."""
    monkeypatch.setattr(parallel, "MIN_CHANGES", 1)
    chance = random.Random(4000 + seed)
    history = History(chance, TABLES, 40, moves=checkpoints == 1)
    frames, target = history.frames(), FakeTarget()
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table))
    target.die_at = frozenset(chance.sample(range(1, 200), 10))
    with ExitStack() as running:
        channels = Channels(bus, target, running, checkpoints)
        for name in CHANNELS:
            channels.start(name)
        pieces = 5
        for number in range(pieces):
            write_real(bus, frames[len(frames) * number // pieces : len(frames) * (number + 1) // pieces])
            channels.moves += 1
            for name in chance.sample(CHANNELS, 2):
                fate = chance.choice(("told", "told", "late", "stopped", "restarted"))
                if fate in ("stopped", "restarted"):
                    channels.stop(name)
                if fate != "late":
                    channels.tell(name)
                if fate != "stopped" and name not in channels.services:
                    channels.start(name)
            time.sleep(chance.random() / 20)  # any moment is a good one
        for name in CHANNELS:
            channels.tell(name)
            if name not in channels.services:
                channels.start(name)
        channels.wait_for(history)
    assert [put for put, times in target.puts.items() if times > 1] == []


def test_a_channel_that_never_receives_the_move_is_fenced_out(bus: EmbeddedBus) -> None:
    chance = random.Random(7)
    history = History(chance, TABLES, 40)
    frames, target = history.frames(), FakeTarget()
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table))
    write_real(bus, frames[: len(frames) // 2])
    with ExitStack() as running:
        channels = Channels(bus, target, running)
        for name in CHANNELS:
            channels.start(name)
        old = channels.services["a"]
        old.wait(lambda: all_running(old))
        channels.moves = 1
        channels.tell("b")
        new = channels.services["b"]
        new.wait(lambda: "orders" in new.tables() and all_running(new))
        write_real(bus, frames[len(frames) // 2 :])
        new.wait(lambda: target.tables() == expected(history))
        new.wait(
            lambda: old.tables()["orders"].inserts == 0,
        )
        assert old.tables()["items"].inserts > 0
