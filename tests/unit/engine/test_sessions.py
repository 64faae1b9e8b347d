"""Sessions that go from one job to the next."""

import pytest
from tests.unit.engine.fakes import FakeSession, FakeTarget

from zcbus.connectors.errors import TargetUnavailable
from zcbus.connectors.roles import Checkpoint
from zcbus.engine.subscribe.sessions import SessionFactory, Sessions


class CountedTarget(FakeTarget):
    opened = 0

    def open(self) -> FakeSession:
        self.opened += 1
        return super().open()


def test_a_session_that_ended_well_is_used_again_with_nothing_open() -> None:
    target = CountedTarget()
    sessions = Sessions(SessionFactory(target, "s"))
    with sessions.open() as first:
        first.write_checkpoints([Checkpoint("s", "left", 1, "never committed")])
    with sessions.open() as second, sessions.open() as beside:
        assert second is first
        assert beside is not first
        assert second.checkpoints("s") == []
        second.commit()
    assert target.store.checkpoints == {}
    assert target.opened == 2


def test_after_an_error_nothing_is_used_again() -> None:
    target = CountedTarget()
    sessions = Sessions(SessionFactory(target, "s"))
    with sessions.open() as one, sessions.open() as other:
        pass
    target.die_at = frozenset({target.calls + 1})
    with pytest.raises(TargetUnavailable), sessions.open() as again:
        again.write_checkpoints([Checkpoint("s", "left", 1, "")])
    with sessions.open() as new:
        assert new not in (one, other)


def test_nothing_is_kept_once_they_are_closed() -> None:
    sessions = Sessions(SessionFactory(CountedTarget(), "s"))
    with sessions.open() as first:
        sessions.close()
    with sessions.open() as second:
        assert second is not first
