"""A link's state follows from what was asked, what was seen of its services and how its tables are."""

import pytest

from zcbus.control.bootstrap import build_catalogue
from zcbus.control.features.sync_link.errors import LinkActionRefusedError
from zcbus.control.features.sync_link.schemas import LinkAction
from zcbus.control.features.sync_link.states import (
    DESIRED_BY_ACTION,
    LINK_ACTIONS,
    LinkFacts,
    ServiceFacts,
    is_possible,
    link_actions,
    link_state,
    table_counts,
)
from zcbus.model.states import CleanMode, DesiredState, LinkState, ServiceState, SyncState
from zcbus.model.table_states import TABLE_ACTIONS, TableAction, table_actions

RUN, HOLD, STOP = DesiredState.RUNNING, DesiredState.SUSPENDED, DesiredState.STOPPED
UP, DOWN, BROKEN = ServiceState.STARTED, ServiceState.STOPPED, ServiceState.ABNORMAL
S = SyncState


@pytest.mark.parametrize(
    ("desired", "publish", "subscribe", "tables", "state"),
    [
        (RUN, ServiceState.NOT_RUNNING, ServiceState.NOT_RUNNING, {S.UNINITIALIZED: 2}, "starting"),
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
        (RUN, UP, ServiceState.RESTARTING, {S.INCREMENTAL_ALLOWED: 1}, "starting"),
        (RUN, UP, BROKEN, {S.INCREMENTAL_ALLOWED: 1}, "error"),
        (RUN, BROKEN, UP, {S.INCREMENTAL_RUNNING: 1}, "error"),
        (HOLD, UP, UP, {S.INCREMENTAL_RUNNING: 1}, "stopping"),
        (HOLD, UP, ServiceState.STOPPING, {S.INCREMENTAL_RUNNING: 1}, "stopping"),
        (HOLD, UP, DOWN, {S.SUSPENDED: 1}, "suspended"),
        (STOP, UP, DOWN, {S.SUSPENDED: 1}, "stopping"),
        (STOP, DOWN, DOWN, {S.SUSPENDED: 1}, "stopped"),
        (STOP, BROKEN, ServiceState.NOT_RUNNING, {S.UNINITIALIZED: 1}, "stopped"),
    ],
)
def test_state(
    desired: DesiredState,
    publish: ServiceState,
    subscribe: ServiceState,
    tables: dict[SyncState, int],
    state: str,
) -> None:
    assert link_state(LinkFacts(desired, ServiceFacts(publish), ServiceFacts(subscribe), tables)) == state


@pytest.mark.parametrize(
    ("desired", "observed", "state"),
    [
        # What was seen before an order was taken is not its result.
        (HOLD, DOWN, "stopping"),
        (STOP, DOWN, "stopping"),
        (RUN, BROKEN, "starting"),
        (RUN, UP, "starting"),
    ],
)
def test_what_was_seen_before_the_order_was_taken_is_no_answer(
    desired: DesiredState, observed: ServiceState, state: str
) -> None:
    service = ServiceFacts(observed, pending=True)
    assert link_state(LinkFacts(desired, service, service, {S.INCREMENTAL_RUNNING: 1})) == state


def test_a_link_whose_database_is_away_does_not_run() -> None:
    source_away = LinkFacts(RUN, ServiceFacts(UP, waiting=True), ServiceFacts(UP), {S.INCREMENTAL_RUNNING: 1})
    assert link_state(source_away) == "starting"


def test_every_state_has_its_actions() -> None:
    assert set(LINK_ACTIONS) == set(LinkState)
    assert set(TABLE_ACTIONS) == set(SyncState)
    assert set(DESIRED_BY_ACTION) == set(LinkAction) - {LinkAction.EDIT, LinkAction.DELETE}


def test_every_state_can_be_left_and_every_link_be_deleted() -> None:
    for state in LinkState:
        assert LinkAction.DELETE in link_actions(state)
        assert set(link_actions(state)) & set(DESIRED_BY_ACTION), state


def test_states_and_actions_have_words_in_messages() -> None:
    keys = build_catalogue().message_keys()
    asked = {*TableAction, *DESIRED_BY_ACTION}
    assert {f"state.{state}" for state in (*SyncState, *LinkState)} | {f"action.{action}" for action in asked} <= keys
    assert not {f"clean.{mode}" for mode in CleanMode if mode is not CleanMode.NONE} - keys
    error = LinkActionRefusedError(name="x", action="resume", state="stopped")
    assert build_catalogue().error_text("zh", error) == "同步链路 x 当前状态为 已停止，不能执行 恢复"


def test_positions_change_only_while_nothing_moves_them() -> None:
    assert TableAction.START_INCREMENTAL in table_actions(S.INCREMENTAL_ERROR, changes=True)
    assert TableAction.START_INCREMENTAL not in table_actions(S.FULL_ERROR, changes=False)
    assert TableAction.RESET not in table_actions(S.INCREMENTAL_RUNNING, changes=True)
    lost = table_actions(S.FULL_INFO_EXPIRED, changes=True, only_loads=True)
    anew = [TableAction.RESET, TableAction.RESET_START]
    assert lost == [TableAction.RELOAD, TableAction.SUSPEND, *anew, TableAction.ACCEPT_GAP]
    assert table_actions(S.FULL_INFO_EXPIRED, changes=True, only_loads=True, loads=False) == [*lost[:2], lost[-1]]


def test_a_gap_is_accepted_only_where_the_target_has_rows_and_changes_are_wanted() -> None:
    assert TableAction.ACCEPT_GAP in table_actions(S.FULL_INFO_EXPIRED, changes=True)
    assert TableAction.ACCEPT_GAP not in table_actions(S.FULL_INFO_EXPIRED, changes=True, stands=False)
    assert TableAction.ACCEPT_GAP not in table_actions(S.FULL_INFO_EXPIRED, changes=False)
    assert TableAction.ACCEPT_GAP not in table_actions(S.INCREMENTAL_ERROR, changes=True)


def test_a_table_is_resumed_by_itself_only_where_it_was_suspended_by_itself() -> None:
    assert table_actions(S.SUSPENDED, changes=True)[:2] == [TableAction.RELOAD, TableAction.SUSPEND]
    for state in SyncState:
        actions = table_actions(state, changes=True, held=True)
        assert TableAction.RESUME in actions
        assert TableAction.SUSPEND not in actions


def test_a_link_that_stands_still_is_set_going_by_either_word() -> None:
    for state in (LinkState.STOPPED, LinkState.SUSPENDED, LinkState.STOPPING, LinkState.ERROR):
        assert is_possible(LinkAction.START, state)
        assert is_possible(LinkAction.RESUME, state)
    assert not is_possible(LinkAction.PAUSE, LinkState.STOPPED)


def test_counts_are_complete() -> None:
    counts = table_counts(dict.fromkeys(SyncState, 1), row_errors=0)
    groups = counts.loading + counts.running + counts.finished + counts.suspended + counts.error + counts.waiting
    assert groups == counts.total == len(SyncState)
