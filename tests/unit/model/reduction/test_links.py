"""A link's state follows from what was asked, what its services do and how its tables are."""

from itertools import product

import pytest

from zcbus.model.reduction.links import LinkFacts, link_state
from zcbus.model.reduction.services import Worker
from zcbus.model.states import DesiredState, LinkState, SyncState

RUN, HOLD, STOP = DesiredState.RUNNING, DesiredState.SUSPENDED, DesiredState.STOPPED
UP, DOWN, BROKEN = Worker.WORKING, Worker.AT_REST, Worker.ENDED
S = SyncState


@pytest.mark.parametrize(
    ("desired", "publish", "subscribe", "tables", "state"),
    [
        (RUN, DOWN, DOWN, {S.UNINITIALIZED: 2}, "starting"),
        (RUN, UP, UP, {S.UNINITIALIZED: 2}, "starting"),
        (RUN, UP, UP, {S.FULL_ALLOWED: 2}, "full-running"),
        (RUN, UP, UP, {S.FULL_RUNNING: 1, S.INCREMENTAL_RUNNING: 5}, "full-running"),
        (RUN, UP, UP, {S.INCREMENTAL_RUNNING: 5}, "incremental-running"),
        (RUN, UP, UP, {S.INCREMENTAL_ALLOWED: 5}, "starting"),
        (RUN, UP, UP, {S.INCREMENTAL_RUNNING: 1, S.SUSPENDED: 4}, "incremental-running"),
        (RUN, UP, UP, {S.FULL_FINISHED: 3}, "full-finished"),
        (RUN, UP, UP, {S.SUSPENDED: 3}, "suspended"),
        (RUN, UP, UP, {S.INCREMENTAL_RUNNING: 1, S.INCREMENTAL_ERROR: 4}, "incremental-running"),
        (RUN, UP, UP, {S.INCREMENTAL_ERROR: 2, S.FULL_ERROR: 1}, "error"),
        (RUN, UP, Worker.COMING, {S.INCREMENTAL_ALLOWED: 1}, "starting"),
        # The source's database is away.
        (RUN, Worker.BLOCKED, UP, {S.INCREMENTAL_RUNNING: 1}, "starting"),
        (RUN, UP, BROKEN, {S.INCREMENTAL_ALLOWED: 1}, "error"),
        (RUN, BROKEN, UP, {S.INCREMENTAL_RUNNING: 1}, "error"),
        (HOLD, UP, UP, {S.INCREMENTAL_RUNNING: 1}, "stopping"),
        (HOLD, UP, Worker.DRAINING, {S.INCREMENTAL_RUNNING: 1}, "stopping"),
        (HOLD, UP, DOWN, {S.SUSPENDED: 1}, "suspended"),
        (STOP, UP, DOWN, {S.SUSPENDED: 1}, "stopping"),
        (STOP, DOWN, DOWN, {S.SUSPENDED: 1}, "stopped"),
        (STOP, BROKEN, DOWN, {S.UNINITIALIZED: 1}, "stopped"),
        # What was seen before an order was taken is not its result.
        (HOLD, Worker.UNKNOWN, Worker.UNKNOWN, {S.INCREMENTAL_RUNNING: 1}, "stopping"),
        (STOP, Worker.UNKNOWN, Worker.UNKNOWN, {S.INCREMENTAL_RUNNING: 1}, "stopping"),
        (RUN, Worker.UNKNOWN, Worker.UNKNOWN, {S.INCREMENTAL_RUNNING: 1}, "starting"),
    ],
)
def test_state(
    desired: DesiredState, publish: Worker, subscribe: Worker, tables: dict[SyncState, int], state: str
) -> None:
    assert link_state(LinkFacts(desired, publish, subscribe, tables)) == state


def test_no_link_runs_while_one_of_its_services_does_not() -> None:
    running = (LinkState.FULL_RUNNING, LinkState.INCREMENTAL_RUNNING, LinkState.FULL_FINISHED)
    for desired, publish, subscribe, state in product(DesiredState, Worker, Worker, SyncState):
        if link_state(LinkFacts(desired, publish, subscribe, {state: 1})) in running:
            assert (desired, publish, subscribe) == (RUN, UP, UP)
