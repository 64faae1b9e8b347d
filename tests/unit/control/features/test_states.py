"""Allowed actions of links and tables in each state, and counts of tables."""

from zcbus.control.bootstrap import build_catalogue
from zcbus.control.features.sync_link.errors import LinkActionRefusedError
from zcbus.control.features.sync_link.schemas import LinkAction
from zcbus.control.features.sync_link.states import (
    DESIRED_BY_ACTION,
    LINK_ACTIONS,
    is_possible,
    link_actions,
    table_counts,
)
from zcbus.model.states import CleanMode, LinkState, SyncState
from zcbus.model.table_states import TABLE_ACTIONS, TableAction
from zcbus.model.table_verbs import SubscribedFacts, TableVerb, subscribed_verbs

S = SyncState


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
    asked = {*TableAction, TableVerb.RETRY, *DESIRED_BY_ACTION}
    assert {f"state.{state}" for state in (*SyncState, *LinkState)} | {f"action.{action}" for action in asked} <= keys
    assert not {f"clean.{mode}" for mode in CleanMode if mode is not CleanMode.NONE} - keys
    error = LinkActionRefusedError(name="x", action="resume", state="stopped")
    assert build_catalogue().error_text("zh", error) == "同步链路 x 当前状态为 已停止，不能执行 恢复"


def test_positions_change_only_while_nothing_moves_them() -> None:
    assert TableVerb.START_INCREMENTAL in subscribed_verbs(SubscribedFacts(state=S.INCREMENTAL_ERROR, changes=True))
    assert TableVerb.START_INCREMENTAL not in subscribed_verbs(SubscribedFacts(state=S.FULL_ERROR, changes=False))
    assert TableVerb.RESET not in subscribed_verbs(SubscribedFacts(state=S.INCREMENTAL_RUNNING, changes=True))
    lost = subscribed_verbs(SubscribedFacts(state=S.FULL_INFO_EXPIRED, changes=True, changes_lost=True))
    restarting = [TableVerb.RESET, TableVerb.RESET_START]
    assert lost[:5] == [TableVerb.RELOAD, TableVerb.SUSPEND, *restarting, TableVerb.ACCEPT_GAP]
    only_changes = SubscribedFacts(state=S.FULL_INFO_EXPIRED, changes=True, changes_lost=True, loads=False)
    assert subscribed_verbs(only_changes)[:3] == [*lost[:2], TableVerb.ACCEPT_GAP]


def test_a_gap_is_accepted_only_where_the_target_has_rows_and_applies_changes() -> None:
    assert TableVerb.ACCEPT_GAP in subscribed_verbs(SubscribedFacts(state=S.FULL_INFO_EXPIRED, changes=True))
    assert TableVerb.ACCEPT_GAP not in subscribed_verbs(
        SubscribedFacts(state=S.FULL_INFO_EXPIRED, changes=True, loaded=False)
    )
    assert TableVerb.ACCEPT_GAP not in subscribed_verbs(SubscribedFacts(state=S.FULL_INFO_EXPIRED, changes=False))
    assert TableVerb.ACCEPT_GAP not in subscribed_verbs(SubscribedFacts(state=S.INCREMENTAL_ERROR, changes=True))


def test_a_table_is_resumed_by_itself_only_where_it_was_suspended_by_itself() -> None:
    assert subscribed_verbs(SubscribedFacts(state=S.SUSPENDED))[:2] == [
        TableVerb.RELOAD,
        TableVerb.SUSPEND,
    ]
    for state in SyncState:
        actions = subscribed_verbs(SubscribedFacts(state=state, changes=True, suspended=True))
        assert TableVerb.RESUME in actions
        assert TableVerb.SUSPEND not in actions


def test_a_stopped_link_is_started_by_either_action() -> None:
    for state in (LinkState.STOPPED, LinkState.SUSPENDED, LinkState.STOPPING, LinkState.ERROR):
        assert is_possible(LinkAction.START, state)
        assert is_possible(LinkAction.RESUME, state)
    assert not is_possible(LinkAction.PAUSE, LinkState.STOPPED)


def test_counts_are_complete() -> None:
    counts = table_counts(dict.fromkeys(SyncState, 1), row_errors=0, differing=0)
    groups = counts.loading + counts.running + counts.finished + counts.suspended + counts.error + counts.waiting
    assert groups == counts.total == len(SyncState)
