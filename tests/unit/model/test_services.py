"""The table of service states: complete."""

from zcbus.control.bootstrap import build_catalogue
from zcbus.model.services import ACTIONS, TRANSITIONS, ServiceAction, ServiceEvent
from zcbus.model.states import ServiceState


def test_every_state_can_be_reached_and_left_and_every_cause_is_used() -> None:
    for state in ServiceState:
        assert {t.before for t in TRANSITIONS if t.after is state} - {state}, state
        assert {t.after for t in TRANSITIONS if t.before is state} - {state}, state
    assert {t.cause for t in TRANSITIONS} == {*ServiceAction, *ServiceEvent}


def test_nothing_is_moved_or_removed_while_a_process_may_be_there() -> None:
    for state in ServiceState:
        at_rest = state in (ServiceState.STOPPED, ServiceState.SOFTWARE_EXPIRED, ServiceState.NOT_RUNNING)
        assert (ServiceAction.TRANSFER in ACTIONS[state]) == at_rest
        assert ServiceAction.DELETE not in ACTIONS[state] or at_rest


def test_states_and_actions_have_words() -> None:
    keys = build_catalogue().message_keys()
    assert {*(f"state.{state}" for state in ServiceState), *(f"action.{action}" for action in ServiceAction)} <= keys
