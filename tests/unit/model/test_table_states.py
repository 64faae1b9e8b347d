"""The table of a subscribed table's states: complete, and what can be asked in each."""

from zcbus.model.states import SyncState
from zcbus.model.table_states import FAILED, TRANSITIONS, TableAction, TableEvent
from zcbus.model.table_verbs import SubscribedFacts, subscribed_verbs


def test_every_state_can_be_left_and_reached_and_every_cause_is_used() -> None:
    # A table begins uninitialized.
    for state in set(SyncState) - {SyncState.UNINITIALIZED}:
        assert {t.before for t in TRANSITIONS if t.after is state} - {state}, state
    for state in SyncState:
        assert {t.after for t in TRANSITIONS if t.before is state} - {state}, state
    asked = {t.cause for t in TRANSITIONS}
    assert asked == {*TableAction, *TableEvent}


def test_failed_changes_can_be_retried_or_loaded_again_but_not_skipped() -> None:
    for state in FAILED - {SyncState.TABLE_LOCKED}:
        actions = subscribed_verbs(SubscribedFacts(state=state, changes=True, loaded=False))
        assert TableAction.RELOAD in actions
        assert TableAction.ACCEPT_GAP not in actions


def test_a_table_that_is_held_is_resumed_and_not_suspended_again() -> None:
    actions = subscribed_verbs(SubscribedFacts(state=SyncState.SUSPENDED, changes=True, suspended=True))
    assert TableAction.RESUME in actions
    assert TableAction.SUSPEND not in actions


def test_where_changes_are_missing_only_a_load_continues() -> None:
    actions = subscribed_verbs(SubscribedFacts(state=SyncState.FULL_INFO_EXPIRED, changes=True, changes_lost=True))
    assert TableAction.START_INCREMENTAL not in actions
    assert {TableAction.RELOAD, TableAction.RESET_START} <= set(actions)
    unloaded = subscribed_verbs(SubscribedFacts(state=SyncState.FULL_INFO_EXPIRED, changes_lost=True, loads=False))
    assert TableAction.RESET_START not in unloaded
