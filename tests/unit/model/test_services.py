"""The table of service states: complete, in step with its page, and what a state follows from."""

import re
from itertools import product
from pathlib import Path

from zcbus.control.bootstrap import build_catalogue
from zcbus.model.services import ACTIONS, TRANSITIONS, ServiceAction, ServiceEvent, ServiceFacts, state_of
from zcbus.model.states import DesiredState, ServiceState

PAGE = Path(__file__).parents[3] / "docs" / "service-states.md"
OBSERVED = [state for state in ServiceState if state not in (ServiceState.NORMAL, ServiceState.SOFTWARE_EXPIRED)]


def facts(**changes: object) -> ServiceFacts:
    usual = {
        "desired": DesiredState.RUNNING,
        "observed": ServiceState.STARTED,
        "taken": True,
        "pending": False,
        "progressing": True,
        "expired": False,
    }
    return ServiceFacts(**{**usual, **changes})  # type: ignore[arg-type]


def _rows_of_page() -> str:
    return PAGE.read_text("utf-8").partition("| from | by | to |\n")[2]


def test_the_page_shows_the_table() -> None:
    rows = re.findall(r"^\| ([\w-]+) \| ([\w-]+) \| ([\w-]+) \|$", _rows_of_page(), re.MULTILINE)
    assert rows == [tuple(map(str, transition)) for transition in TRANSITIONS]


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


def test_running_means_that_progress_was_made() -> None:
    assert state_of(facts()) is ServiceState.NORMAL
    assert state_of(facts(progressing=False)) is ServiceState.STARTED
    assert state_of(facts(pending=True)) is ServiceState.STARTED


def test_what_was_seen_before_an_order_was_taken_is_no_answer() -> None:
    stopped = {"desired": DesiredState.STOPPED, "observed": ServiceState.STOPPED}
    assert state_of(facts(**stopped, pending=True)) is ServiceState.STOPPING
    assert state_of(facts(**stopped)) is ServiceState.STOPPED
    assert state_of(facts(**stopped, expired=True)) is ServiceState.SOFTWARE_EXPIRED
    assert state_of(facts(observed=ServiceState.STOPPED)) is ServiceState.STARTING
    assert state_of(facts(observed=ServiceState.NOT_RUNNING, taken=False)) is ServiceState.NOT_RUNNING


def test_a_process_that_may_be_there_is_never_called_stopped() -> None:
    at_rest = {ServiceState.STOPPED, ServiceState.SOFTWARE_EXPIRED}
    for observed, pending in product(OBSERVED, (True, False)):
        state = state_of(facts(desired=DesiredState.STOPPED, observed=observed, pending=pending))
        is_gone = observed in (ServiceState.STOPPED, ServiceState.NOT_RUNNING) and not pending
        assert (state in at_rest) == is_gone
