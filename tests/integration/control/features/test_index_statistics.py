"""Key figures of a scripted agent's reports, a day against the day before."""

from datetime import timedelta
from typing import Any

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.test_metrics import turn
from zcbus.control.features.metric.catalogue import ROLL_UPS
from zcbus.control.features.metric.sampling import sample
from zcbus.model.states import ServiceState

PAGE, GET = "monitor/index-statistics/page", "monitor/index-statistics/get"


def test_a_period_is_counted_against_the_same_part_of_the_day_before(admin: Caller, running: FakeAgent) -> None:
    clock = running.plane.clock
    # Two tables report the same: 2 × 20 inserts and 2 × 4 updates.
    turn(running, inserts=5, lag_ms=70)
    turn(running, inserts=25, updates=4, lag_ms=90, row_errors=1)
    turn(running, inserts=25, updates=4, lag_ms=30)
    clock.advance(timedelta(days=1))
    running.plane.services.metric_store.roll(ROLL_UPS, 60.0)
    sample(running.plane.services)
    turn(running, inserts=25, updates=4)
    turn(running, inserts=25, updates=14, deletes=3, lag_ms=400)
    running.run_services(ServiceState.RESTARTING)
    clock.advance(timedelta(seconds=60))
    sample(running.plane.services)
    today = {name: str(clock.now() + by) for name, by in (("from", timedelta(hours=-1)), ("to", timedelta(hours=3)))}
    admin = Caller(admin.plane, admin.plane.sign_in())  # the session was over
    [link] = admin.call(PAGE, {"by": "link", **today})["records"]
    now, before = link["current"], link["before"]
    assert link["name"] == "shop"
    assert [now[name] for name in ("applied", "inserts", "updates", "deletes")] == [26, 0, 20, 6]
    assert [before[name] for name in ("applied", "inserts", "updates", "deletes")] == [48, 40, 8, 0]
    assert (now["lagMaxMs"], before["lagMaxMs"], before["rowErrors"]) == (400, 90, 2)
    # Nothing was loaded; nothing is known of what the publish side captured before it reported.
    assert (now["rowsLoaded"], now["restarts"]) == (0, 0)
    assert 0 < now["measuredPercent"] < 100
    detail = admin.call(GET, {"by": "link", "id": link["id"], **today})
    assert (detail["current"], detail["before"]) == (now, before)
    charts = {chart["name"]: chart["series"] for chart in detail["series"]["charts"]}
    totals = {one["name"]: one["total"] for one in charts["applied"]}
    assert totals == {"inserts": 0, "updates": 20, "deletes": 6}
    assert [one["total"] for one in charts["applied-before"]] == [26, 48]
    # Hours in which nothing was measured are gaps.
    values = charts["applied-before"][0]["values"]
    assert None in values
    assert len(values) == len(detail["series"]["times"])
    for by in ("tenant", "container", "node"):
        [group] = admin.call(PAGE, {"by": by, **today})["records"]
        assert (group["current"], group["before"]) == (now, before)
    assert admin.call(PAGE, {"by": "link", "search": "SHO", **today})["total"] == 1
    assert admin.call(PAGE, {"by": "link", "search": "other", **today})["total"] == 0


def test_figures_are_of_the_callers_tenant_and_ranges_are_checked(admin: Caller, running: FakeAgent) -> None:
    now = running.plane.clock.now()
    day: dict[str, Any] = {"from": str(now - timedelta(days=1)), "to": str(now)}
    [link] = admin.call(PAGE, {"by": "link", **day})["records"]
    # Nothing was sampled: figures are unknown, not zero.
    assert (link["current"]["applied"], link["current"]["measuredPercent"]) == (None, 0)
    other = administrator_of(running.plane, "other")
    assert other.call(PAGE, {"by": "link", **day})["total"] == 0
    assert other.refused(GET, {"by": "link", "id": link["id"], **day})["data"]["error"] == "record-not-found"
    assert other.call(GET, {"by": "tenant", **day})["current"]["applied"] is None
    for wrong in ({"from": str(now), "to": str(now)}, {"from": str(now - timedelta(days=94)), "to": str(now)}):
        assert admin.plane.post(PAGE, {"by": "link", **wrong}, admin.token).status_code == 422
