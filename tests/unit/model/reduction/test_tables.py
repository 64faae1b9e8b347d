"""States of subscribed and published tables and of stream queries, from orders, reports and services."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from zcbus.model.reduction import Origin
from zcbus.model.reduction.published_tables import PublishedFacts, published_state
from zcbus.model.reduction.services import NOT_WORKING, RUNS, Worker
from zcbus.model.reduction.stream_queries import StreamQueryFacts, computation_state
from zcbus.model.reduction.subscribed_tables import SourceFacts, TableFacts, has_trouble, is_up, table_state
from zcbus.model.states import LoadMode, PublishState, SyncState

S, P, W = SyncState, PublishState, Worker
NOW = datetime(2026, 1, 1, tzinfo=UTC)
SOURCE = SourceFacts(P.INCREMENTAL_RELEASE, None, reported_generation=1, generation=1)
RUNNING = TableFacts(
    reported=S.INCREMENTAL_RUNNING,
    reported_at=NOW,
    reported_generation=1,
    generation=1,
    reported_moves=0,
    moves=0,
    suspended=False,
    load_mode=LoadMode.BOTH,
    loads=True,
    load_started=True,
    load_finished=True,
    worker=W.WORKING,
    worker_started_at=NOW - timedelta(hours=1),
    desired=True,
    source=SOURCE,
    row_errors=0,
)
PUBLISHED = PublishedFacts(
    reported=P.INCREMENTAL_RELEASE,
    was_reported=True,
    reported_generation=1,
    generation=1,
    worker=W.WORKING,
    desired=True,
)
COMPUTED = StreamQueryFacts(S.INCREMENTAL_RUNNING, 1, 1, W.WORKING, desired=True)


@pytest.mark.parametrize(
    ("change", "state", "origin"),
    [
        ({}, "incremental-running", "report"),
        # Its process is away, waits for the target, or has an order that it has not followed yet.
        ({"worker": W.COMING}, "incremental-allowed", "service"),
        ({"worker": W.BLOCKED}, "incremental-allowed", "service"),
        ({"worker": W.UNKNOWN}, "incremental-allowed", "service"),
        ({"worker": W.DRAINING}, "incremental-running", "report"),
        ({"worker": W.BLOCKED, "reported": S.FULL_RUNNING}, "full-allowed", "service"),
        ({"worker": W.BLOCKED, "reported": S.TABLE_LOCKED}, "incremental-allowed", "service"),
        # The report is of the process before this one, or of the channel before this one.
        ({"worker_started_at": NOW + timedelta(seconds=1)}, "incremental-allowed", "service"),
        ({"worker_started_at": None}, "incremental-allowed", "service"),
        ({"moves": 1}, "incremental-allowed", "service"),
        # A new process has not looked into the target yet.
        ({"reported": S.UNINITIALIZED}, "incremental-allowed", "report"),
        ({"reported": S.UNINITIALIZED, "load_mode": LoadMode.FULL}, "full-finished", "report"),
        ({"reported": S.UNINITIALIZED, "load_finished": False}, "full-allowed", "report"),
        ({"reported": S.UNINITIALIZED, "load_finished": False, "load_started": False}, "uninitialized", "report"),
        # Held.
        ({"suspended": True}, "incremental-running", "report"),
        ({"suspended": True, "worker": W.COMING}, "suspended", "order"),
        ({"desired": False, "worker": W.AT_REST}, "suspended", "order"),
        ({"desired": False, "worker": W.UNKNOWN}, "incremental-allowed", "service"),
        ({"desired": False, "worker": W.AT_REST, "reported": S.FULL_FINISHED}, "full-finished", "report"),
        ({"desired": False, "worker": W.AT_REST, "reported": S.INCREMENTAL_ERROR}, "incremental-error", "report"),
        # Its process ended for good.
        ({"worker": W.ENDED}, "error", "service"),
        ({"worker": W.ENDED, "suspended": True}, "suspended", "order"),
        ({"worker": W.ENDED, "reported": S.INCREMENTAL_ERROR}, "incremental-error", "report"),
        # Something else is desired by now.
        ({"generation": 2}, "full-allowed", "order"),
        ({"generation": 2, "loads": False}, "incremental-allowed", "order"),
        ({"generation": 2, "worker": W.ENDED}, "error", "service"),
        ({"generation": 2, "reported_at": None}, "incremental-allowed", "service"),
        # It cannot be published.
        ({"source": replace(SOURCE, state=P.PUBLISH_FAILED)}, "incremental-error", "publishing"),
        ({"source": replace(SOURCE, state=P.PUBLISH_STOPPED)}, "incremental-error", "publishing"),
        ({"source": replace(SOURCE, state=P.PUBLISH_FAILED), "reported": S.FULL_RUNNING}, "full-error", "publishing"),
        (
            {"source": replace(SOURCE, state=P.NO_PRIMARY_KEY), "reported": S.UNINITIALIZED, "load_finished": False}
            | {"load_started": False},
            "error",
            "publishing",
        ),
        (
            {"source": replace(SOURCE, state=P.PUBLISH_FAILED, reason="log-position-lost")},
            "full-info-expired",
            "publishing",
        ),
        ({"source": replace(SOURCE, state=P.PUBLISH_FAILED, generation=2)}, "incremental-running", "report"),
        (
            {"source": replace(SOURCE, state=P.FULL_TOPIC_EXPIRED), "reported": S.FULL_RUNNING},
            "full-info-expired",
            "publishing",
        ),
        ({"source": replace(SOURCE, state=P.FULL_TOPIC_EXPIRED)}, "incremental-running", "report"),
    ],
)
def test_a_subscribed_table(change: dict[str, object], state: str, origin: str) -> None:
    assert table_state(replace(RUNNING, **change)) == (state, origin)  # type: ignore[arg-type]


def test_no_table_moves_whose_process_does_not_work() -> None:
    """Whatever was reported and asked, a green state is measured now."""
    for reported, worker, suspended, desired, newer in product(SyncState, Worker, (0, 1), (0, 1), (0, 1)):
        facts = replace(
            RUNNING,
            reported=reported,
            worker=worker,
            suspended=bool(suspended),
            desired=bool(desired),
            generation=1 + newer,
        )
        reduced = table_state(facts)
        if reduced.state in (S.FULL_RUNNING, S.INCREMENTAL_RUNNING):
            assert is_up(facts)
            assert worker in RUNS
            assert reduced.origin is Origin.REPORT
        if reduced.state is S.SUSPENDED and reported is not S.SUSPENDED:
            assert worker in NOT_WORKING


def test_open_row_errors_are_trouble_whatever_the_state() -> None:
    assert has_trouble(replace(RUNNING, row_errors=1))
    assert not has_trouble(RUNNING)


@pytest.mark.parametrize(
    ("change", "state", "origin"),
    [
        ({}, "incremental-release", "report"),
        ({"reported": P.PUBLISHING}, "publishing", "report"),
        ({"reported": P.PUBLISHING, "worker": W.BLOCKED}, "allowed-to-publish", "service"),
        ({"reported": P.PUBLISHING, "worker": W.UNKNOWN}, "allowed-to-publish", "service"),
        ({"generation": 2}, "allowed-to-publish", "order"),
        ({"generation": 2, "was_reported": False}, "incremental-release", "report"),
        ({"worker": W.ENDED}, "publish-failed", "service"),
        ({"worker": W.ENDED, "desired": False}, "incremental-release", "report"),
        ({"worker": W.ENDED, "reported": P.NO_PRIMARY_KEY}, "no-primary-key", "report"),
        ({"worker": W.ENDED, "reported": P.NO_PRIMARY_KEY, "generation": 2}, "publish-failed", "service"),
        ({"worker": W.ENDED, "reported": P.PUBLISH_STOPPED}, "publish-stopped", "report"),
    ],
)
def test_a_published_table(change: dict[str, object], state: str, origin: str) -> None:
    assert published_state(replace(PUBLISHED, **change)) == (state, origin)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "state"),
    [
        ({}, "incremental-running"),
        ({"worker": W.BLOCKED}, "incremental-allowed"),
        ({"worker": W.COMING, "reported": S.FULL_RUNNING}, "full-allowed"),
        ({"worker": W.ENDED}, "error"),
        ({"worker": W.ENDED, "reported": S.FULL_ERROR}, "full-error"),
        ({"worker": W.AT_REST, "desired": False}, "suspended"),
        ({"worker": W.AT_REST, "desired": False, "reported_generation": 0}, "uninitialized"),
        ({"generation": 2}, "uninitialized"),
        ({"generation": 2, "reported": S.FULL_ERROR}, "uninitialized"),
        ({"worker": W.AT_REST, "desired": False, "reported": S.INCREMENTAL_ERROR}, "incremental-error"),
    ],
)
def test_a_computation(change: dict[str, object], state: str) -> None:
    assert computation_state(replace(COMPUTED, **change)).state == state  # type: ignore[arg-type]
