"""Reports of tables are rebuilt only after a change, since there may be thousands of them."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.support.clock import MovableClock
from tests.unit.engine.history import schema
from tests.unit.engine.subscriber import task

from zcbus.engine.publish.table import PublishedRun
from zcbus.engine.rates import Rate
from zcbus.engine.subscribe.checkpoints.records import Phase, TableCheckpoint
from zcbus.engine.subscribe.table import SyncRun
from zcbus.engine.transform.shapes import Shapes
from zcbus.model.states import PublishState, SyncState
from zcbus.protocol.base import Reason, TableRef
from zcbus.protocol.tasks import PublishedTable

MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
CHECKPOINT = TableCheckpoint(1, Phase.MEMBER, offset=4, inserts=5)


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def subscribed(clock: MovableClock) -> SyncRun:
    run = SyncRun(task().tables[0], Rate(clock.monotonic), Shapes(""), checkpoint=CHECKPOINT)
    run.enter(SyncState.INCREMENTAL_RUNNING)
    return run


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"state": SyncState.SUSPENDED}, {"state": SyncState.SUSPENDED}),
        ({"reason": Reason(code="x")}, {"reason": Reason(code="x")}),
        ({"errors": 3}, {"errors": 3}),
        ({"lag_ms": 7}, {"lag_ms": 7}),
        ({"expires_at": MOMENT}, {"expires_at": MOMENT}),
        ({"checkpoint": replace(CHECKPOINT, inserts=6)}, {"inserts": 6}),
        ({"task": task(dml_skip=9).tables[0]}, {"dml_skip_left": 9}),
        ({"structure_waits": True, "state": SyncState.INCREMENTAL_ERROR}, {"ddl_seen": 1}),
    ],
)
def test_a_subscribed_tables_report_is_renewed_after_a_change(
    subscribed: SyncRun, clock: MovableClock, change: dict[str, Any], expected: dict[str, Any]
) -> None:
    before = subscribed.report(clock)
    assert subscribed.report(clock) is before
    for name, value in change.items():
        setattr(subscribed, name, value)
    assert {name: getattr(subscribed.report(clock), name) for name in expected} == expected


def test_a_rate_is_reported_until_it_is_over(subscribed: SyncRun, clock: MovableClock) -> None:
    subscribed.rate.add(50)
    assert subscribed.report(clock).rows_per_second == 50
    subscribed.rate = Rate(clock.monotonic)
    assert subscribed.report(clock).rows_per_second == 0


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"failure": (PublishState.PUBLISH_FAILED, Reason(code="x"))}, {"state": PublishState.PUBLISH_FAILED}),
        ({"snapshot": PublishState.PUBLISHING}, {"state": PublishState.PUBLISHING}),
        ({"snapshot_reason": Reason(code="x")}, {"reason": Reason(code="x")}),
        ({"schema": None}, {"state": PublishState.UNINITIALIZED}),
        ({"rows_total": 3, "rows_read": 2}, {"rows_total": 3, "rows_read": 2}),
        ({"operations": [1, 2, 3, 0]}, {"inserts": 1, "updates": 2, "deletes": 3}),
        ({"expires_at": MOMENT, "delay_ms": 4}, {"expires_at": MOMENT, "delay_ms": 4}),
        ({"last_change_ms": 1000}, {"last_change_at": datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)}),
    ],
)
def test_a_published_tables_report_is_renewed_after_a_change(
    clock: MovableClock, change: dict[str, Any], expected: dict[str, Any]
) -> None:
    source = TableRef(schema_name="public", table="orders")
    run = PublishedRun(PublishedTable(id="orders", source=source, generation=1), schema=schema("orders"))
    before = run.report(clock)
    assert run.report(clock) is before
    for name, value in change.items():
        setattr(run, name, value)
    assert {name: getattr(run.report(clock), name) for name in expected} == expected


def test_suspended_tables_are_not_checked_again(clock: MovableClock) -> None:
    run = SyncRun(
        task(suspended=True).tables[0],
        Rate(clock.monotonic),
        Shapes(""),
        checkpoint=replace(CHECKPOINT, phase=Phase.APART),
    )
    assert not run.is_steady, "it does not show yet that it is held back"
    run.enter(SyncState.SUSPENDED)
    assert run.is_steady
    run.checkpoint = CHECKPOINT
    assert not run.is_steady, "the channel applier still carries it"
    run.checkpoint, run.retry_at = replace(CHECKPOINT, phase=Phase.APART), 1.0
    assert not run.is_steady, "a retry was requested"
    run.retry_at = None
    run.task = task(suspended=True, moves=1).tables[0]
    assert not run.is_steady, "another channel has its place"
