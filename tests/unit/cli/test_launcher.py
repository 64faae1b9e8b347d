"""When the launcher starts a child again."""

from zcbus.agent.timeouts import Pauses
from zcbus.cli.launcher import pause_after

KILLED, FAILED = -9, 1


def test_killed_processes_are_restarted_at_once() -> None:
    pauses = Pauses()
    assert max(pause_after(pauses, KILLED, 0.1) for _ in range(12)) < 1
    assert max(pause_after(pauses, FAILED, 20.0) for _ in range(12)) < 1


def test_processes_that_cannot_start_are_retried_with_growing_pauses() -> None:
    pauses = Pauses()
    waited = [pause_after(pauses, FAILED, 0.1) for _ in range(12)]
    assert waited[0] < 0.5
    assert waited[-1] > 10
