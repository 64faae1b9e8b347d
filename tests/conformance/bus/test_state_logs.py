"""Logs of states on every bus: a record is written only behind the last one that its writer knows."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.buses import BusKit
from zcbus.connectors.emitting.state import EmittedState
from zcbus.connectors.roles import Checkpoint
from zcbus.connectors.writing.decided import ConcurrentCommit, State
from zcbus.engine.state_logs import BusStateLog, topic_of


def test_of_two_writers_behind_one_record_the_second_is_refused(kit: BusKit) -> None:
    first, second = (BusStateLog(kit.bus(), topic_of("tenant:place")) for _ in range(2))
    assert first.newest() is None
    first.append(0, b"a", 1)
    with pytest.raises(ConcurrentCommit):
        second.append(0, b"b", 1)
    second.append(1, b"c", 1)
    assert [(one.offset, one.data) for one in first.read(0)] == [(0, b"a"), (1, b"c")]
    newest = first.newest()
    assert newest is not None
    assert (newest.offset, newest.data) == (1, b"c")


def test_every_commit_of_several_writers_counts_once(kit: BusKit) -> None:
    """Each counts a checkpoint of its own up, over one state."""
    topic = topic_of("tenant:counted")
    EmittedState(BusStateLog(kit.bus(), topic)).prepare()

    def count(name: str) -> None:
        state, done = EmittedState(BusStateLog(kit.bus(), topic)), 0
        while done < 5:
            now = state.read()
            assert now.checkpoints.get(("s", name), Checkpoint("s", name, 0, "")).version == done
            after = {**now.checkpoints, ("s", name): Checkpoint("s", name, done + 1, "{}")}
            try:
                state.write(State(after, number=now.number))
                done += 1
            except ConcurrentCommit:
                pass

    with ThreadPoolExecutor(3) as threads:
        for one in [threads.submit(count, name) for name in "abc"]:
            one.result(60)
    found = EmittedState(BusStateLog(kit.bus(), topic)).read()
    assert {name: one.version for (_, name), one in found.checkpoints.items()} == {"a": 5, "b": 5, "c": 5}
    assert found.number == 16
