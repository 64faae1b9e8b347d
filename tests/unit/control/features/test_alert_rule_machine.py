"""The life of a subject under a rule: pending, firing, missing, in order."""

from zcbus.control.features.alert_rule.machine import GRACE, Limits, Reading, State, Status, advance, interrupt

OVER, FINE, MISSING = Reading.OVER, Reading.FINE, Reading.MISSING


def live(readings: list[Reading], seconds: float = 30, *, on_missing: bool = False) -> list[State | None]:
    """The states after readings every ten seconds."""
    status: Status | None = None
    found = []
    for turn, reading in enumerate(readings):
        status = advance(status, Limits(seconds, on_missing), reading, turn * 10.0, 1.0)
        found.append(None if status is None else status.state)
    return found


def test_a_condition_fires_once_it_has_held_for_so_long_and_not_before() -> None:
    held = live([OVER] * 5)
    assert held == [State.PENDING] * 3 + [State.FIRING] * 2
    assert live([OVER], seconds=0) == [State.FIRING]
    assert live([OVER, OVER, FINE, OVER, OVER, OVER, OVER]) == [
        *(State.PENDING, State.PENDING, None),
        *(State.PENDING, State.PENDING, State.PENDING, State.FIRING),
    ]


def test_a_gap_is_not_fine() -> None:
    # An alert stays one, and is over only when a figure shows it.
    assert live([OVER] * 4 + [MISSING] * 20 + [FINE])[3:] == [*[State.FIRING] * 21, None]
    # How long a condition held is not known over a gap, unless it was a moment.
    assert live([OVER, OVER, MISSING, OVER])[-1] is State.FIRING
    after = live([OVER, OVER, *[MISSING] * 8, OVER, OVER, OVER, OVER])
    assert after[2:] == [State.MISSING] * 8 + [State.PENDING] * 3 + [State.FIRING]


def test_missing_figures_are_an_alert_where_the_rule_says_so() -> None:
    found = live([MISSING] * 8 + [FINE], seconds=0, on_missing=True)
    assert found == [State.MISSING] * 6 + [State.MISSING_FIRING] * 2 + [None]
    assert GRACE == 60
    # What fires is one alert, not two.
    assert set(live([OVER] + [MISSING] * 20, seconds=0, on_missing=True)) == {State.FIRING}
    assert live([MISSING] * 8 + [OVER], seconds=0, on_missing=True)[-1] is State.FIRING


def test_a_time_without_evaluation_begins_a_condition_again_and_ends_no_alert() -> None:
    pending, firing = Status(0.0, 1.0), Status(0.0, 1.0, 5.0)
    assert interrupt(pending) is None
    assert interrupt(firing) == firing
    assert interrupt(None) is None
