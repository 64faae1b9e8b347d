"""Tables that wait for their snapshots are asked for together: over a network every question takes its time."""

import random
from collections.abc import Collection
from pathlib import Path

from tests.unit.engine.fakes import FakeTarget
from tests.unit.engine.history import NODE, History, write_full, write_real
from tests.unit.engine.subscriber import TABLES, Running, all_running, task

from zcbus.bus.contract import Retention, TopicInfo
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.topics import full_topic, full_topics
from zcbus.engine.task_box import TaskBox
from zcbus.model.states import SyncState

WAITING = [f"t{number:03}" for number in range(300)]
MAX_QUESTIONS = 12


class Asked(EmbeddedBus):
    """Notes which topics are asked for together."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.together: list[set[str]] = []
        self.listed = 0

    def info(self, topic: str) -> TopicInfo | None:
        self.together.append({topic})
        return super().info(topic)

    def infos(self, topics: Collection[str]) -> dict[str, TopicInfo]:
        self.together.append(set(topics))
        found = ((topic, super(Asked, self).info(topic)) for topic in topics)
        return {topic: info for topic, info in found if info is not None}

    def names(self, prefix: str = "") -> list[str]:
        self.listed += 1
        return super().names(prefix)

    def snapshots(self) -> list[set[str]]:
        """The questions for snapshots so far."""
        return [some for some in list(self.together) if any(one.startswith(full_topics(NODE)) for one in some)]


def test_snapshots_that_are_not_there_take_few_questions(tmp_path: Path) -> None:
    bus = Asked(tmp_path)
    with Running(bus, FakeTarget(), TaskBox(task(tables=WAITING))) as running:
        running.wait(lambda: len(set().union(*bus.snapshots())) == len(WAITING))
        asked, questions = set[str](), 0
        for some in bus.snapshots():
            asked |= some
            questions += 1
            if len(asked) == len(WAITING):
                break
        assert questions <= MAX_QUESTIONS
        assert all(report.state is SyncState.FULL_ALLOWED for report in running.tables().values())
    bus.close()


def test_topics_without_records_take_no_thread(tmp_path: Path) -> None:
    bus, history = Asked(tmp_path), History(random.Random(7), TABLES, 3)
    for name in WAITING:
        bus.writer(full_topic(NODE, name, 1), Retention()).close()
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table))
    write_real(bus, history.frames())
    with Running(bus, FakeTarget(), TaskBox(task(tables=[*WAITING, *TABLES]))) as running:
        running.wait(lambda: all(running.tables()[table].state is SyncState.INCREMENTAL_RUNNING for table in TABLES))
    bus.close()


def test_later_snapshots_are_loaded_and_replaced_ones_reported(tmp_path: Path) -> None:
    bus, history = Asked(tmp_path), History(random.Random(7), TABLES, 3)
    with Running(bus, FakeTarget(), TaskBox(task(tables=[*TABLES, "replaced"]))) as running:
        running.wait(lambda: len(running.tables()) == len(TABLES) + 1 and bus.listed > 0)
        write_full(bus, "replaced", 2, history.snapshot("items"))
        running.wait(lambda: running.tables()["replaced"].state is SyncState.FULL_INFO_EXPIRED)
        assert bus.info(full_topic(NODE, "replaced", 1)) is None
        for table in TABLES:
            write_full(bus, table, 1, history.snapshot(table))
        write_real(bus, history.frames())
        running.wait(lambda: all(running.tables()[table].state is SyncState.INCREMENTAL_RUNNING for table in TABLES))
        assert not all_running(running)
    bus.close()
