"""A target table locked by another session waits alone, reports the holder, and resumes by itself."""

import random

import pytest
from tests.unit.engine.fakes import FakeTarget
from tests.unit.engine.history import History, write_full, write_real
from tests.unit.engine.subscriber import TABLES, Running, all_running, expected, task

from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.engine.subscribe import table as sync_table
from zcbus.engine.task_box import TaskBox
from zcbus.model.states import SyncState


@pytest.mark.parametrize("loaded", [False, True], ids=["while-loading", "among-changes"])
def test_a_locked_table_waits_alone(bus: EmbeddedBus, monkeypatch: pytest.MonkeyPatch, loaded: bool) -> None:
    monkeypatch.setattr(sync_table, "_LOCK_PAUSE_SECONDS", 0.01)
    history = History(random.Random(7), TABLES, 25)
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table))
    frames, target = history.frames(), FakeTarget()
    write_real(bus, frames[:1] if loaded else frames)
    with Running(bus, target, TaskBox(task())) as running:
        if loaded:
            running.wait(lambda: all_running(running))
        target.locked = "orders"
        if loaded:
            write_real(bus, frames[1:])
        running.wait(lambda: running.tables()["orders"].state is SyncState.TABLE_LOCKED)
        running.wait(lambda: target.tables().get("items") == expected(history)["items"])
        reports = running.tables()
        assert reports["items"].state is SyncState.INCREMENTAL_RUNNING
        assert reports["orders"].errors == 0
        target.locked = ""
        running.wait(lambda: all_running(running) and target.tables() == expected(history))


def test_the_lock_holder_is_reported(bus: EmbeddedBus) -> None:
    history = History(random.Random(7), TABLES, 3)
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table))
    target = FakeTarget()
    target.locked = "orders"
    with Running(bus, target, TaskBox(task())) as running:
        running.wait(lambda: running.tables()["orders"].state is SyncState.TABLE_LOCKED)
        reason = running.tables()["orders"].reason
        assert reason is not None
        assert (reason.code, reason.facts["holder"]) == ("table-locked", "another session at orders")
