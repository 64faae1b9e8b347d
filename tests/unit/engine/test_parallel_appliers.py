"""Parallel appliers: the same rows as without them, each change once, whatever dies at whatever call."""

import random
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from tests.unit.engine.fakes import FakeSession, FakeTarget
from tests.unit.engine.history import History, frame, write_full, write_real
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
from zcbus.connectors.errors import RowRefused, TargetDeadlocked
from zcbus.connectors.roles import TargetTable
from zcbus.engine.subscribe.appliers import parallel
from zcbus.engine.subscribe.checkpoints.records import ApplierCheckpoint, applier_checkpoint, number_of_applier
from zcbus.engine.task_box import TaskBox
from zcbus.model.changes import ChangeFrame, Operation

LANES = 4


@pytest.fixture(autouse=True)
def _each_change_is_worth_it(monkeypatch: pytest.MonkeyPatch, short_pauses: None) -> None:
    monkeypatch.setattr(parallel, "MIN_CHANGES", 1)


def memories(target: FakeTarget, channel: str = "c") -> dict[int, ApplierCheckpoint]:
    with target.lock:
        checkpoints = {
            name: checkpoint.data for (owner, name), checkpoint in target.store.checkpoints.items() if owner == channel
        }
    numbers = {name: number_of_applier(name) for name in checkpoints}
    return {number: applier_checkpoint(checkpoints[name]) for name, number in numbers.items() if number is not None}


def expect_each_put_once(target: FakeTarget) -> None:
    """Every value is another one in the made-up source."""
    assert [put for put, times in target.puts.items() if times > 1] == []


@pytest.mark.parametrize("seed", range(8))
def test_parallel_appliers_reproduce_the_rows_of_the_source(bus: EmbeddedBus, seed: int) -> None:
    history = fill(bus, random.Random(seed))
    target = FakeTarget()
    with Running(bus, target, TaskBox(task(apply_lanes=LANES))) as running:
        running.wait(lambda: all_running(running) and target.tables() == expected(history))
        running.wait(lambda: counts(running) == expected_counts(bus, history))


@pytest.mark.wide
@pytest.mark.soak(but=["*[147]*"])
@pytest.mark.parametrize("moves", [False, True])
@pytest.mark.parametrize("number", range(1, 40))
def test_a_target_that_dies_at_each_call(tmp_path: Path, number: int, moves: bool) -> None:
    bus = EmbeddedBus(tmp_path)
    source = Growing(bus, random.Random(5), moves)
    target = FakeTarget()
    with Running(bus, target, TaskBox(task(apply_lanes=LANES))) as running:
        running.wait(lambda: all_running(running) and carried(target) == set(TABLES))
        target.puts.clear()
        target.die_at = frozenset({target.calls + number, target.calls + number + 1})
        for last in range(10, 25, 5):
            holds = source.write(last)
            running.wait(lambda holds=holds: target.tables() == holds)
        holds = source.write(25)
        running.wait(lambda: all_running(running) and target.tables() == holds)
        running.wait(lambda: counts(running) == expected_counts(bus, source.history))
    assert target.tables() == expected(source.history)
    expect_each_put_once(target)
    assert moves or any(checkpoint.tables for checkpoint in memories(target).values())
    bus.close()


@pytest.mark.soak(but=["*[159]"])
@pytest.mark.parametrize("number", range(1, 40, 2))
def test_the_number_of_appliers_changes_between_failures(tmp_path: Path, number: int) -> None:
    bus = EmbeddedBus(tmp_path)
    source = Growing(bus, random.Random(number), moves=False)
    target, box = FakeTarget(), TaskBox(task(apply_lanes=LANES))
    with Running(bus, target, box) as running:
        running.wait(lambda: all_running(running) and carried(target) == set(TABLES))
        target.puts.clear()
        for last, checkpoints in ((10, 3), (15, 1), (20, 7), (25, 2)):
            target.die_at = frozenset({target.calls + number % 16})
            holds = source.write(last)
            box.put(task(apply_lanes=checkpoints))
            running.wait(lambda holds=holds: target.tables() == holds)
        running.wait(lambda: counts(running) == expected_counts(bus, source.history))
    expect_each_put_once(target)
    bus.close()


class Refusing(FakeTarget):
    """Refuses some values, or makes a session meet another one so many times."""

    def __init__(self) -> None:
        super().__init__()
        self.refused: frozenset[str] = frozenset()
        self.meetings = 0

    def open(self) -> "RefusingSession":
        return RefusingSession(self)


class RefusingSession(FakeSession):
    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        target = self._target
        assert isinstance(target, Refusing)
        if not target.refused.isdisjoint(rows.column("v").to_pylist()):
            raise RowRefused(table=str(table.name), detail="not that value")
        with target.lock:
            target.meetings -= 1
            meets = target.meetings >= 0
        if meets:
            raise TargetDeadlocked(kind="fake", host="nowhere", port=0, detail="met")
        super().upsert(table, rows)

    add = upsert


def inserts(values: dict[str, str], number: int) -> ChangeFrame:
    changes = [(number, ("orders", Operation.INSERT, "", key, value)) for key, value in values.items()]
    return frame(changes, [number], True)


@pytest.fixture
def steady(bus: EmbeddedBus) -> Iterator[tuple[Refusing, Running, TaskBox]]:
    """Tables that the channel applier carries, and nothing to do."""
    history = History(random.Random(1), TABLES, 3, moves=False)
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table))
    write_real(bus, history.frames())
    target, box = Refusing(), TaskBox(task(apply_lanes=LANES))
    with Running(bus, target, box) as running:
        running.wait(lambda: all_running(running) and target.tables() == expected(history))
        running.wait(lambda: carried(target) == set(TABLES))
        target.puts.clear()
        yield target, running, box


def test_a_refused_row_is_found_and_the_others_are_put_once(
    bus: EmbeddedBus, steady: tuple[Refusing, Running, TaskBox]
) -> None:
    target, running, _ = steady
    values = {f"n{number:03}": f"w{number}" for number in range(60)}
    target.refused = frozenset({"w7"})
    before = target.tables()["orders"]
    write_real(bus, [inserts(values, 1000)])
    wanted = sorted([*before, *((key, value) for key, value in values.items() if value != "w7")], key=repr)
    running.wait(lambda: target.tables()["orders"] == wanted and all_running(running))
    assert running.tables()["orders"].row_errors == 1
    running.wait(lambda: running.tables()["orders"].inserts >= 60)
    expect_each_put_once(target)


def test_appliers_that_deadlock_in_the_target_retry_one_by_one(
    bus: EmbeddedBus, steady: tuple[Refusing, Running, TaskBox]
) -> None:
    target, running, _ = steady
    values = {f"n{number:03}": f"w{number}" for number in range(60)}
    before = target.tables()["orders"]
    target.meetings = 3
    write_real(bus, [inserts(values, 1000)])
    wanted = sorted([*before, *values.items()], key=repr)
    running.wait(lambda: target.tables()["orders"] == wanted)
    assert running.tables()["orders"].errors == 0
    assert len({checkpoint.offset for checkpoint in memories(target).values() if "orders" in checkpoint.tables}) == 1
    expect_each_put_once(target)
