"""The monitoring screen, from a scripted agent's reports."""

from datetime import timedelta

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.test_metrics import turn
from zcbus.control.features.metric.sampling import sample
from zcbus.model.states import ServiceState

GET, HISTORY = "overview-monitor/get", "overview-monitor/history"


def test_the_screen_shows_what_the_reports_say(admin: Caller, running: FakeAgent) -> None:
    turn(running, inserts=5, lag_ms=70)
    turn(running, inserts=25, updates=4, lag_ms=90, rows_per_second=5.0)
    screen = admin.call(GET)
    [way] = screen["ways"]
    assert (way["name"], screen["waysTotal"]) == ("shop", 1)
    assert screen["lagMs"] == 90
    assert sum(one["tables"] for one in screen["tables"]) == 2
    assert sum(one["links"] for one in screen["links"]) == 1
    assert [host["alive"] for host in screen["hosts"]] == [True]
    assert screen["rowsPerSecond"] == 10
    assert [table["rowsPerSecond"] for table in screen["busyTables"]] == [5, 5]
    assert {table["linkName"] for table in screen["busyTables"]} == {"shop"}
    assert len({table["name"] for table in screen["busyTables"]}) == 2
    assert (screen["alerts"], screen["alertsTotal"], screen["problems"]) == ([], 0, 0)


def test_what_goes_wrong_is_on_the_screen_and_a_silent_host_comes_first(admin: Caller, running: FakeAgent) -> None:
    turn(running, inserts=5, rows_per_second=5.0)
    assert len(admin.call(GET)["busyTables"]) == 2
    running.run_services(ServiceState.RESTARTING)
    assert admin.call(GET)["problems"] > 0
    running.plane.clock.advance(timedelta(seconds=60))
    screen = admin.call(GET)
    assert [host["alive"] for host in screen["hosts"]] == [False]
    assert screen["busyTables"] == []
    assert screen["staleLinks"] == 1


def test_the_last_hour_has_a_point_a_minute_and_gaps_where_nothing_was_measured(
    admin: Caller, running: FakeAgent
) -> None:
    clock = running.plane.clock
    turn(running, inserts=5, lag_ms=70)
    turn(running, inserts=25, updates=4, lag_ms=90)
    clock.advance(timedelta(seconds=60))
    sample(running.plane.services)
    history = admin.call(HISTORY)
    assert len(history["times"]) == 60
    assert {len(history[name]) for name in ("captured", "applied", "lagMs")} == {60}
    first = history["times"][0]
    assert history["times"] == [first + 60_000 * minute for minute in range(60)]
    measured = [value for value in history["applied"] if value is not None]
    assert max(measured) > 0
    assert None in history["applied"]
    assert 90 in history["lagMs"]


def test_another_tenant_sees_nothing_of_it(admin: Caller, running: FakeAgent) -> None:
    turn(running, inserts=5, lag_ms=70)
    turn(running, inserts=25, lag_ms=70, rows_per_second=5.0)
    other = administrator_of(running.plane, "other")
    screen = other.call(GET)
    assert (screen["ways"], screen["busyTables"], screen["alerts"], screen["links"]) == ([], [], [], [])
    assert set(other.call(HISTORY)["applied"]) == {None}
