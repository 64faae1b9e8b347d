"""From snapshot to stream: whatever dies at whatever call, the target ends as the source did."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.unit.engine.fakes import FakeTarget
from tests.unit.engine.history import NODE, History, write_full, write_real

from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.engine import backoff
from zcbus.engine.subscribe.service import SubscribeService
from zcbus.engine.task_box import TaskBox
from zcbus.model.states import CleanMode, SyncState
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.reports import Report, SyncTableReport
from zcbus.protocol.tasks import SubscribedTable, SubscribeTask

TABLES = ("orders", "items")


def task(generation: int = 1, **fields: object) -> SubscribeTask:
    names = [TableRef(schema_name="public", table=table) for table in TABLES]
    return SubscribeTask(
        service="s",
        subscription="c",
        node=NODE,
        source_kind="fake",
        target=Connection(kind="fake", host="nowhere", port=0, user="u", database="d"),
        tables=tuple(
            SubscribedTable.model_validate(
                {
                    "id": name.table,
                    "published": name.table,
                    "source": name,
                    "target": name,
                    "clean": CleanMode.DROP,
                    "generation": generation if name.table == "orders" else 1,
                    **fields,
                }
            )
            for name in names
        ),
    )


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[EmbeddedBus]:
    bus = EmbeddedBus(tmp_path)
    yield bus
    bus.close()


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    def pauses(*_arguments: object, **_options: object) -> Iterator[float]:
        while True:
            yield 0.001

    monkeypatch.setattr(backoff, "growing_pauses", pauses)


class Running:
    """The service in a thread, as a worker process would run it."""

    def __init__(self, bus: EmbeddedBus, target: FakeTarget, box: TaskBox[SubscribeTask]) -> None:
        self.stop = threading.Event()
        self.service = SubscribeService(box, bus, self.stop, lambda _kind: target)
        self._thread = threading.Thread(target=self.service.run)
        self._thread.start()

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, *_details: object) -> None:
        self.stop.set()
        self._thread.join(60)
        assert not self._thread.is_alive()

    def tables(self) -> dict[str, SyncTableReport]:
        return {report.table: report for report in self.service.reports() if isinstance(report, SyncTableReport)}

    def wait(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < deadline, self.describe()
            time.sleep(0.002)

    def describe(self) -> list[Report]:
        return self.service.reports()


def expected(history: History) -> dict[str, list[tuple[str, str]]]:
    return {table: sorted(rows.items(), key=repr) for table, rows in history.states[-1].items()}


def fill(bus: EmbeddedBus, chance: random.Random) -> History:
    history = History(chance, TABLES, 25)
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table))
    write_real(bus, history.frames())
    return history


def all_running(running: Running) -> bool:
    return all(table.state is SyncState.INCREMENTAL_RUNNING for table in running.tables().values())


@pytest.mark.parametrize("seed", range(20))
def test_snapshots_at_any_position_and_the_log_make_the_source(bus: EmbeddedBus, seed: int) -> None:
    history = fill(bus, random.Random(seed))
    target = FakeTarget()
    with Running(bus, target, TaskBox(task())) as running:
        running.wait(lambda: all_running(running) and target.tables() == expected(history))
    assert target.tables() == expected(history)


@pytest.mark.parametrize("seed", range(40))
def test_a_target_that_dies_at_any_calls(bus: EmbeddedBus, seed: int) -> None:
    chance = random.Random(1000 + seed)
    history = fill(bus, chance)
    target = FakeTarget()
    target.die_at = frozenset(chance.sample(range(1, 90), 12))
    with Running(bus, target, TaskBox(task())) as running:
        running.wait(lambda: all_running(running) and target.tables() == expected(history))


@pytest.mark.parametrize("number", range(1, 60))
def test_a_target_that_dies_at_each_call(tmp_path: Path, number: int) -> None:
    chance = random.Random(5)
    bus = EmbeddedBus(tmp_path)
    history = fill(bus, chance)
    target = FakeTarget()
    target.die_at = frozenset({number, number + 1})
    with Running(bus, target, TaskBox(task())) as running:
        running.wait(lambda: all_running(running) and target.tables() == expected(history))
        counts = {name: (r.inserts, r.updates, r.deletes) for name, r in running.tables().items()}
    calm = FakeTarget()
    with Running(bus, calm, TaskBox(task())) as running:
        running.wait(lambda: all_running(running) and calm.tables() == expected(history))
        assert counts == {name: (r.inserts, r.updates, r.deletes) for name, r in running.tables().items()}
    bus.close()


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
