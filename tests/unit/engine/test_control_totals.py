"""Counts by position: what the publisher wrote on the topic is what each subscription handled, whatever dies."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.unit.engine.fakes import FakeTarget
from tests.unit.engine.history import NODE, History, write_full
from tests.unit.engine.subscriber import TABLES, Running, all_running, expected, task

from zcbus.bus.contract import Bus, Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.topics import real_topic
from zcbus.engine.publish import control_totals
from zcbus.engine.publish.real_topic import RealTopic
from zcbus.engine.task_box import TaskBox
from zcbus.model.changes import ChangeFrame, ControlTotals, Frame, RollbackFrame
from zcbus.model.frames import decode_frame, encode_frame
from zcbus.model.schema import TableName
from zcbus.protocol.reports import ChangeCounts

TOPIC = real_topic(NODE)
pytestmark = pytest.mark.usefixtures("short_pauses")


@pytest.fixture
def always_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control totals follow each transaction, and few of them name all tables."""
    monkeypatch.setattr(control_totals, "_SECONDS", 0.0)
    monkeypatch.setattr(control_totals, "_COMPLETE_EVERY", 5)


def publish(bus: Bus, frames: Sequence[Frame], chance: random.Random, killed: float = 0.0) -> None:
    """Write frames with control totals as a publisher does, which is killed now and then and continues."""
    topic = RealTopic(bus, TOPIC, Retention())
    for frame in frames:
        topic.queue([frame])
        topic.drain()
        if chance.random() < 0.4 and topic.queue_due_totals():
            topic.drain()
        if chance.random() < killed:
            topic.close()
            topic = RealTopic(bus, TOPIC, Retention())
    if topic.queue_due_totals():
        topic.drain()
    topic.close()


def frames_of(bus: Bus, topic: str = TOPIC) -> Iterator[Frame]:
    info = bus.info(topic)
    assert info is not None
    with bus.reader(topic, info.first_offset) as reader:
        while reader.next_offset < info.next_offset:
            for record in reader.read(100, 1 << 30, 0):
                yield decode_frame(record.payload)


def changes_on_topic(bus: Bus) -> Counter[TableName]:
    """Changes of complete transactions, by table: counted here in another way."""
    counted, opened = Counter[TableName](), Counter[TableName]()
    for frame in frames_of(bus):
        if isinstance(frame, RollbackFrame):
            opened.clear()
        elif isinstance(frame, ChangeFrame):
            for changes in frame.tables:
                opened[changes.schema.name] += len(changes.operations)
            if frame.complete:
                counted += opened
                opened.clear()
    return counted


def counts(running: Running) -> dict[str, ChangeCounts | None]:
    return {name: report.counts for name, report in running.tables().items()}


def all_compared(running: Running, totals: Counter[TableName]) -> bool:
    """Whether every table is compared at the end of the topic, and has handled what is there."""
    return all(
        one is not None and one.epoch is not None and one.base + one.handled == totals[TableName("public", name)]
        for name, one in counts(running).items()
    )


@pytest.mark.usefixtures("always_due")
@pytest.mark.parametrize("seed", range(10))
def test_a_publisher_that_is_killed_counts_on(bus: EmbeddedBus, seed: int) -> None:
    chance = random.Random(seed)
    publish(bus, History(chance, TABLES, 40).frames(), chance, killed=0.3)
    found = [frame for frame in frames_of(bus) if isinstance(frame, ControlTotals)]
    assert len({frame.epoch for frame in found}) == 1, "it never began again"
    newest = {table.name: table.total for frame in found for table in frame.tables}
    assert newest == changes_on_topic(bus)


@pytest.mark.wide
@pytest.mark.usefixtures("always_due")
@pytest.mark.parametrize("seed", range(10))
def test_kills_on_both_sides_make_no_difference(bus: EmbeddedBus, seed: int) -> None:
    chance = random.Random(1000 + seed)
    history = History(chance, TABLES, 40)
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table))
    publish(bus, history.frames(), chance, killed=0.2)
    totals = changes_on_topic(bus)
    target = FakeTarget()
    target.die_at = frozenset(chance.sample(range(1, 90), 12))
    for _ in range(3):
        before = target.calls
        with Running(bus, target, TaskBox(task())) as running:
            some = before + chance.randrange(5, 30)
            running.wait(lambda limit=some: target.calls >= limit or all_running(running))
    with Running(bus, target, TaskBox(task())) as running:
        running.wait(lambda: all_running(running) and target.tables() == expected(history))
        running.wait(lambda: all_compared(running, totals))
        for name, one in counts(running).items():
            assert one is not None
            table = running.tables()[name]
            truncated = sum(
                1 for changes in history.transactions for change in changes if change[0] == name and change[1] == 3
            )
            applied = one.handled - one.skipped - one.filtered - one.refused
            assert one.difference == 0
            assert 0 <= applied - (table.inserts + table.updates + table.deletes) <= truncated


@pytest.mark.usefixtures("always_due")
def test_changes_that_never_arrive_are_a_difference(bus: EmbeddedBus, tmp_path: Path) -> None:
    """A topic from which a record has vanished, as by a fault of the bus or of a reader."""
    chance = random.Random(7)
    history = History(chance, TABLES, 30)
    whole = EmbeddedBus(tmp_path / "whole")
    publish(whole, history.frames(), chance)
    frames = list(frames_of(whole))
    whole.close()
    lost = next(
        place
        for place, frame in enumerate(frames)
        if place > len(frames) // 2 and isinstance(frame, ChangeFrame) and frame.complete and frame.tables
    )
    missing = frames[lost]
    assert isinstance(missing, ChangeFrame)
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table, 1))
    # A record of its own keeps the offsets of the others.
    frames[lost] = ControlTotals(0, 0, 0, ())
    with bus.writer(TOPIC, Retention()) as writer:
        for frame in frames:
            writer.append(encode_frame(frame))
        writer.flush()
    with Running(bus, FakeTarget(), TaskBox(task())) as running:
        for changes in missing.tables:
            name, count = changes.schema.name.table, len(changes.operations)
            running.wait(lambda name=name, count=count: _difference(running, name) == count)


def _difference(running: Running, table: str) -> int | None:
    found = running.tables()[table].counts
    return found.difference if found is not None else None


@pytest.mark.usefixtures("always_due")
def test_where_the_totals_are_too_far_back_counting_begins_again(
    bus: EmbeddedBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then nothing can be compared with what was counted before, which is no difference."""
    monkeypatch.setattr(control_totals, "_MAX_RECORDS", 2)
    chance = random.Random(3)
    history = History(chance, TABLES, 40)
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table, 1))
    frames = history.frames()
    border = next(
        place for place, one in enumerate(frames) if place > 15 and isinstance(one, ChangeFrame) and one.complete
    )
    with bus.writer(TOPIC, Retention()) as writer:  # as a version without totals
        for frame in frames[: border + 1]:
            writer.append(encode_frame(frame))
        writer.flush()
    publish(bus, frames[border + 1 :], chance)
    first = next(frame for frame in frames_of(bus) if isinstance(frame, ControlTotals))
    assert first.began == border + 1
    target = FakeTarget()
    with Running(bus, target, TaskBox(task())) as running:
        running.wait(lambda: all_running(running) and target.tables() == expected(history))
        running.wait(lambda: all(one is not None and one.epoch == first.epoch for one in counts(running).values()))
        assert {one.difference for one in counts(running).values() if one is not None} == {0}
