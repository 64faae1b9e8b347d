"""Many tables of one channel join, leave and begin together: a few transactions of the target for all of them."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.unit.engine.fakes import FakeSession, FakeTarget
from tests.unit.engine.history import NODE, frame, write_real
from tests.unit.engine.subscriber import Running, task

from zcbus.bus.contract import TopicReader
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.topics import real_topic
from zcbus.engine.subscribe.checkpoints.records import Phase, table_checkpoint
from zcbus.engine.subscribe.reader import Gaps
from zcbus.engine.task_box import TaskBox
from zcbus.model.changes import Frame, HeartbeatFrame, Operation
from zcbus.model.position import Position
from zcbus.model.schema import TableName
from zcbus.model.states import LoadMode, SyncState
from zcbus.protocol.tasks import Begin

MANY = [f"t{number:03}" for number in range(100)]
FEW = 20
"""Transactions for all of them."""


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Grows with each transaction of the target."""
    counted: list[None] = []
    commit = FakeSession.commit

    def counting(session: FakeSession, durable: bool = True) -> None:
        counted.append(None)
        commit(session, durable)

    monkeypatch.setattr(FakeSession, "commit", counting)
    return counted


@contextmanager
def few(commits: list[None]) -> Iterator[None]:
    before = len(commits)
    yield
    assert len(commits) - before < FEW


def insert(table: str, number: int) -> Frame:
    return frame([(number, (table, Operation.INSERT, "", f"k{number}", "v"))], [number], True)


def all_in(running: Running, state: SyncState) -> bool:
    reported = running.tables()
    return len(reported) == len(MANY) and all(one.state is state for one in reported.values())


def phases(target: FakeTarget) -> set[Phase]:
    with target.lock:
        return {
            table_checkpoint(checkpoint.data).phase
            for (_, name), checkpoint in target.store.checkpoints.items()
            if name in MANY
        }


def test_many_tables_start_are_suspended_and_resume_in_few_transactions(bus: EmbeddedBus, commits: list[None]) -> None:
    target, begin = FakeTarget(), Begin(mode="incremental", offset=0)
    write_real(bus, [HeartbeatFrame(Position(0, 1), 1), insert(MANY[7], 1), insert("others", 2)])
    box = TaskBox(task(tables=MANY, load=LoadMode.INCREMENTAL, begin=begin))
    with Running(bus, target, box) as running:
        with few(commits):
            running.wait(lambda: all_in(running, SyncState.INCREMENTAL_RUNNING))
        running.wait(lambda: running.tables()[MANY[7]].inserts == 1)
        with few(commits):
            box.receive(task(tables=MANY, load=LoadMode.INCREMENTAL, begin=begin, suspended=True))
            running.wait(lambda: all_in(running, SyncState.SUSPENDED) and phases(target) == {Phase.APART})
        write_real(bus, [insert(MANY[7], 3), HeartbeatFrame(Position(0, 31), 1), insert("others", 4)])
        running.wait(lambda: running.service._main_offset == 6)
        with few(commits):
            box.receive(task(tables=MANY, load=LoadMode.INCREMENTAL, begin=begin))
            running.wait(lambda: all_in(running, SyncState.INCREMENTAL_RUNNING) and phases(target) == {Phase.MEMBER})
        reported = running.tables()
        assert reported[MANY[7]].inserts == 2, "what came while it was held"
        assert {one.inserts for name, one in reported.items() if name != MANY[7]} == {0}
        write_real(bus, [insert(name, 5) for name in MANY[:5]])
        running.wait(lambda: all(running.tables()[name].inserts == 1 for name in MANY[:5]))


def test_tables_with_changes_in_a_range_of_offsets(bus: EmbeddedBus) -> None:
    write_real(bus, [insert("a", 1), HeartbeatFrame(Position(0, 11), 1), insert("b", 2), insert("c", 3)])
    gaps = Gaps(bus, real_topic(NODE))
    a, b, c = (TableName("public", name) for name in "abc")
    assert gaps.tables(0, 4) == {a, b, c}
    assert gaps.tables(1, 4) == gaps.tables(2, 4) == {b, c}
    assert gaps.tables(1, 3) == {b}
    assert gaps.tables(4, 4) == frozenset()


def test_a_range_is_read_once(bus: EmbeddedBus, monkeypatch: pytest.MonkeyPatch) -> None:
    write_real(bus, [insert("a", number) for number in range(1, 5)])
    gaps, opened, reader = Gaps(bus, real_topic(NODE)), list[int](), bus.reader

    def opening(topic: str, offset: int) -> TopicReader:
        opened.append(offset)
        return reader(topic, offset)

    monkeypatch.setattr(bus, "reader", opening)
    for _ in range(3):
        gaps.tables(1, 4)
    assert opened == [1]
