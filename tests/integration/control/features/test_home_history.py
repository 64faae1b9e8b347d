"""The past and what comes next on the home page, from a scripted agent's reports."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.test_metrics import turn
from tests.integration.control.features.test_task_plans import link_of, plan
from zcbus.control.features.metric.sampling import sample

HISTORY = "home/history"


def test_home_shows_the_last_hour_of_each_link_the_days_and_what_is_due(admin: Caller, running: FakeAgent) -> None:
    clock = running.plane.clock
    # At 12:00, which is 20:00 in Shanghai: a day of its clock ends four hours later.
    turn(running, inserts=5, lag_ms=70)
    turn(running, inserts=25, updates=4, lag_ms=90)
    clock.advance(timedelta(seconds=60))
    sample(running.plane.services)
    first = plan(admin, "start")
    link = link_of(admin)

    found = admin.call(HISTORY, {"linkIds": [link, "none"], "utcOffset": 480})
    assert len(found["times"]) == len(found["rowsPerSecond"]) == len(found["lagMs"]) == 60
    assert 90 in found["lagMs"]
    # There is one link: its history is that of all.
    assert found["links"] == [{"linkId": link, "rowsPerSecond": found["rowsPerSecond"]}]
    assert max(value for value in found["rowsPerSecond"] if value is not None) > 0
    days = found["days"]
    assert [day["changes"] for day in days] == [None] * 13 + [2 * (20 + 4)]
    begins = [datetime.fromisoformat(day["at"]) for day in days]
    assert [later - day for day, later in pairwise(begins)] == [timedelta(days=1)] * 13
    assert (begins[-1].hour, begins[-1] <= clock.now()) == (16, True)
    assert [(job["id"], job["name"]) for job in found["plans"]] == [(first, "start")]

    clock.advance(timedelta(hours=4))
    turn(running, inserts=26, updates=4, lag_ms=90)
    turn(running, inserts=27, updates=4, lag_ms=90)
    days = admin.call(HISTORY, {"utcOffset": 480})["days"]
    assert [day["changes"] for day in days][-2:] == [2 * (20 + 4), 2]


@pytest.mark.wide
def test_another_tenant_sees_nothing_of_it(admin: Caller, running: FakeAgent) -> None:
    turn(running, inserts=5, lag_ms=70)
    turn(running, inserts=25, lag_ms=70)
    plan(admin, "start")
    found = administrator_of(running.plane, "other").call(HISTORY, {"linkIds": [link_of(admin)]})
    assert (found["links"], found["plans"]) == ([], [])
    assert {day["changes"] for day in found["days"]} == {None} == set(found["rowsPerSecond"])
