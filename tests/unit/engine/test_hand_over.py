"""From snapshot to stream: whatever dies at whatever call, the target ends as the source did."""

import random
from pathlib import Path

import pytest
from tests.unit.engine.fakes import FakeTarget
from tests.unit.engine.history import write_full
from tests.unit.engine.subscriber import (
    TABLES,
    Growing,
    Running,
    all_running,
    carried,
    counts,
    expected,
    expected_counts,
    fill,
    task,
)

from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.engine.task_box import TaskBox

pytestmark = pytest.mark.usefixtures("short_pauses")


@pytest.mark.parametrize("seed", range(20))
def test_snapshots_at_any_position_and_the_log_make_the_source(bus: EmbeddedBus, seed: int) -> None:
    history = fill(bus, random.Random(seed))
    target = FakeTarget()
    with Running(bus, target, TaskBox(task())) as running:
        running.wait(lambda: all_running(running) and target.tables() == expected(history))
        running.wait(lambda: counts(running) == expected_counts(bus, history))
    assert target.tables() == expected(history)


@pytest.mark.soak(but=["?"])
@pytest.mark.parametrize("seed", range(40))
def test_a_target_that_dies_at_any_calls(bus: EmbeddedBus, seed: int) -> None:
    chance = random.Random(1000 + seed)
    history = fill(bus, chance)
    target = FakeTarget()
    target.die_at = frozenset(chance.sample(range(1, 90), 12))
    with Running(bus, target, TaskBox(task())) as running:
        running.wait(lambda: all_running(running) and target.tables() == expected(history))


@pytest.mark.soak(but=["*[147]"])
@pytest.mark.parametrize("number", range(1, 60))
def test_a_target_that_dies_at_each_call(tmp_path: Path, number: int) -> None:
    chance = random.Random(5)
    bus = EmbeddedBus(tmp_path)
    history = fill(bus, chance)
    target = FakeTarget()
    target.die_at = frozenset({number, number + 1})
    with Running(bus, target, TaskBox(task())) as running:
        running.wait(lambda: all_running(running) and target.tables() == expected(history))
        running.wait(lambda: counts(running) == expected_counts(bus, history))
    bus.close()


@pytest.mark.wide
@pytest.mark.soak(but=["*[147]"])
@pytest.mark.parametrize("number", range(1, 60))
def test_a_target_that_fails_and_has_forgotten_what_was_not_durable(tmp_path: Path, number: int) -> None:
    chance = random.Random(5)
    bus = EmbeddedBus(tmp_path)
    history = fill(bus, chance)
    target = FakeTarget()
    target.forgets, target.die_at = True, frozenset({number, number + 10})
    with Running(bus, target, TaskBox(task())) as running:
        running.wait(lambda: all_running(running) and target.tables() == expected(history))
        running.wait(lambda: counts(running) == expected_counts(bus, history))
    bus.close()


@pytest.mark.soak(but=["*[147]"])
@pytest.mark.parametrize("number", range(1, 25))
def test_a_target_that_dies_at_each_call_behind_the_hand_over(tmp_path: Path, number: int) -> None:
    """The channel applier carries both tables and commits several times; a place must never be there before its
    rows."""
    bus = EmbeddedBus(tmp_path)
    source = Growing(bus, random.Random(5))
    target = FakeTarget()
    with Running(bus, target, TaskBox(task())) as running:
        running.wait(lambda: all_running(running) and carried(target) == set(TABLES))
        target.die_at = frozenset({target.calls + number, target.calls + number + 1})
        for last in range(10, 25, 5):
            holds = source.write(last)
            running.wait(lambda holds=holds: target.tables() == holds)
        holds = source.write(25)
        running.wait(lambda: all_running(running) and target.tables() == holds)
        running.wait(lambda: counts(running) == expected_counts(bus, source.history))
    assert target.tables() == expected(source.history)
    bus.close()


@pytest.mark.wide
@pytest.mark.parametrize("seed", range(10))
def test_processes_that_end_and_start_again(bus: EmbeddedBus, seed: int) -> None:
    chance = random.Random(2000 + seed)
    history = fill(bus, chance)
    target = FakeTarget()
    for _ in range(6):
        before = target.calls
        with Running(bus, target, TaskBox(task())) as running:
            some = before + chance.randrange(1, 15)
            running.wait(lambda limit=some: target.calls >= limit or all_running(running))
    with Running(bus, target, TaskBox(task())) as running:
        running.wait(lambda: all_running(running) and target.tables() == expected(history))


@pytest.mark.wide
@pytest.mark.parametrize("seed", range(10))
def test_a_reload_while_the_other_table_runs(bus: EmbeddedBus, seed: int) -> None:
    chance = random.Random(3000 + seed)
    history = fill(bus, chance)
    target = FakeTarget()
    box = TaskBox(task())
    with Running(bus, target, box) as running:
        running.wait(lambda: all_running(running))
        write_full(bus, "orders", 2, history.snapshot("orders"))
        target.die_at = frozenset(range(target.calls + 3, target.calls + 60, 7))
        box.put(task(generation=2))
        running.wait(
            lambda: (
                running.tables()["orders"].generation == 2
                and all_running(running)
                and target.tables() == expected(history)
            )
        )
