"""A table was not captured for a while: subscribers that applied it up to there end there, the others continue."""

import random

import pytest
from tests.unit.engine.fakes import FakeTarget
from tests.unit.engine.history import History, schema, write_full, write_real
from tests.unit.engine.stream.test_limits import borders, image
from tests.unit.engine.subscriber import TABLES, Running, all_running, content, expected, task

from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.engine.task_box import TaskBox
from zcbus.model.changes import CaptureResumed
from zcbus.model.states import SyncState

pytestmark = pytest.mark.usefixtures("short_pauses")


@pytest.mark.wide
@pytest.mark.parametrize("seed", range(12))
def test_a_table_ends_at_a_gap_and_restarts(bus: EmbeddedBus, seed: int) -> None:
    chance = random.Random(seed)
    history, target, box = History(chance, TABLES, 40), FakeTarget(), TaskBox(task())
    frames = history.frames()
    gap, transaction = chance.choice(borders(frames)[4:])
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table, 3))
    # Both tables are said to be captured again, but the rows of one are of a newer snapshot.
    resumed = CaptureResumed(((schema("orders").name, 1), (schema("items").name, 0)))
    write_real(bus, [*frames[:gap], resumed, *frames[gap:]])
    target.die_at = frozenset(chance.sample(range(1, 60), 6))
    with Running(bus, target, box) as running:
        holds = {"orders": content(history, transaction)["orders"], "items": expected(history)["items"]}
        running.wait(lambda: target.tables() == holds)
        running.wait(lambda: running.tables()["orders"].state is SyncState.FULL_INFO_EXPIRED)
        reason = running.tables()["orders"].reason
        assert reason is not None
    with Running(bus, target, box) as running:
        running.wait(lambda: running.tables()["orders"].state is SyncState.FULL_INFO_EXPIRED)
        running.wait(lambda: running.tables()["items"].state is SyncState.INCREMENTAL_RUNNING)
        assert target.tables() == holds
        write_full(bus, "orders", 2, image("orders", history.states[transaction]["orders"], transaction))
        box.put(task(generation=2))
        running.wait(lambda: all_running(running) and target.tables() == expected(history))
