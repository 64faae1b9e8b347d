"""A service's state and what its process does, from order and report."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from zcbus.model.reduction.services import (
    RUNS,
    ServiceFacts,
    Worker,
    channel_state,
    is_held_up,
    is_progressing,
    service_state,
    worker_of,
)
from zcbus.model.states import ChannelState, DesiredState, ServiceState

S = ServiceState
OBSERVED = [state for state in S if state not in (S.NORMAL, S.SOFTWARE_EXPIRED)]
NORMAL = ServiceFacts(
    desired=DesiredState.RUNNING,
    observed=S.STARTED,
    taken=True,
    pending=False,
    report_state="running",
    progressing=True,
    expired=False,
)
STOPPED = replace(NORMAL, desired=DesiredState.STOPPED, observed=S.STOPPED)
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_what_is_to_work_is_held_up_by_a_reason_of_now_alone() -> None:
    held_up = {state for state in S if is_held_up(state, object())}
    assert held_up == {S.STARTING, S.STARTED, S.NORMAL}
    assert not any(is_held_up(state, None) or is_held_up(state, object(), stale=True) for state in S)


def test_normal_means_that_progress_was_made_and_nothing_stands_in_the_way() -> None:
    assert service_state(NORMAL) is S.NORMAL
    for change in ({"progressing": False}, {"pending": True}, {"report_state": "waiting"}, {"report_state": None}):
        assert service_state(replace(NORMAL, **change)) is S.STARTED  # type: ignore[arg-type]


def test_observations_older_than_the_order_do_not_count() -> None:
    assert service_state(replace(STOPPED, pending=True)) is S.STOPPING
    assert service_state(STOPPED) is S.STOPPED
    assert service_state(replace(STOPPED, expired=True)) is S.SOFTWARE_EXPIRED
    assert service_state(replace(NORMAL, observed=S.STOPPED)) is S.STARTING
    assert service_state(replace(NORMAL, observed=S.NOT_RUNNING, taken=False)) is S.NOT_RUNNING
    assert service_state(replace(NORMAL, observed=S.ABNORMAL)) is S.ABNORMAL
    assert service_state(replace(NORMAL, observed=S.ABNORMAL, pending=True)) is S.RESTARTING


def test_a_process_that_may_be_there_is_never_called_stopped() -> None:
    for observed, pending in product(OBSERVED, (True, False)):
        state = service_state(replace(STOPPED, observed=observed, pending=pending))
        is_gone = observed in (S.STOPPED, S.NOT_RUNNING) and not pending
        assert (state in (S.STOPPED, S.SOFTWARE_EXPIRED)) == is_gone


@pytest.mark.parametrize(
    ("observed", "report", "worker"),
    [
        (S.STARTED, "running", "working"),
        (S.STARTED, "stopping", "working"),
        (S.STOPPING, "stopping", "draining"),
        (S.STARTED, "starting", "held-up"),
        (S.STARTED, "waiting", "held-up"),
        (S.STARTED, "failed", "held-up"),
        (S.STARTED, None, "held-up"),
        (S.STARTING, "running", "coming"),
        (S.RESTARTING, "running", "coming"),
        (S.STOPPED, "running", "at-rest"),
        (S.NOT_RUNNING, None, "at-rest"),
        (S.ABNORMAL, "running", "ended"),
    ],
)
def test_state_of_a_worker_process(observed: ServiceState, report: str | None, worker: str) -> None:
    facts = replace(NORMAL, observed=observed, report_state=report)
    assert worker_of(facts) == worker
    assert worker_of(replace(facts, pending=True)) is Worker.UNKNOWN


def test_nothing_is_normal_whose_process_does_not_work() -> None:
    reports = ("starting", "running", "waiting", "stopping", "failed", None)
    for observed, report, pending, wanted in product(OBSERVED, reports, (True, False), DesiredState):
        facts = replace(NORMAL, desired=wanted, observed=observed, report_state=report, pending=pending)
        assert service_state(facts) is not S.NORMAL or worker_of(facts) in RUNS


def test_progress_and_its_agent_grow_old() -> None:
    assert is_progressing(NOW - timedelta(seconds=30), NOW - timedelta(seconds=10), NOW)
    assert not is_progressing(NOW - timedelta(seconds=31), NOW, NOW)
    assert not is_progressing(NOW, NOW - timedelta(seconds=11), NOW)
    assert not is_progressing(None, NOW, NOW)
    # Before the clock was set back.
    assert not is_progressing(NOW + timedelta(seconds=31), NOW, NOW)


def test_a_channel_is_not_enabled_until_its_process_reported() -> None:
    assert channel_state(S.STOPPED, has_run=False) is ChannelState.NOT_ENABLED
    assert channel_state(S.SOFTWARE_EXPIRED, has_run=False) is ChannelState.NOT_ENABLED
    assert channel_state(S.STARTING, has_run=False) is S.STARTING
    assert channel_state(S.STOPPED, has_run=True) is S.STOPPED
