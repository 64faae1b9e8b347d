"""Both sides of a topic, from a scripted agent's reports: minutes as equations, states, the alert, tenants."""

from datetime import timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.test_alerts import alerts
from zcbus.control.features.metric.sampling import sample
from zcbus.model.states import PublishState, ServiceState, SyncState
from zcbus.protocol.reports import ChangeCounts, PublishTableReport

PAGE, MINUTES = "monitor/pubAndSub-statistics/page", "monitor/pubAndSub-statistics/minutes"


def turn(agent: FakeAgent, published: int | None, counts: ChangeCounts | None, *, epoch: int = 7) -> None:
    """Ten seconds pass; then both sides of every table report these figures, and a sample is taken."""
    agent.plane.clock.advance(timedelta(seconds=10))
    agent.run_services()
    now = agent.plane.clock.now()

    def of_table(table: str, generation: int) -> PublishTableReport:
        return PublishTableReport(
            table=table,
            state=PublishState.INCREMENTAL_RELEASE,
            generation=generation,
            epoch=epoch if published is not None else None,
            changes=published,
            at=now,
        )

    agent.report_published(of_table)
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, rows_loaded=10, counts=counts)
    sample(agent.plane.services)


def counted(handled: int, difference: int = 0, **figures: int) -> ChangeCounts:
    return ChangeCounts(handled=handled, epoch=7, base=100, difference=difference, **figures)


def flows(caller: Caller, **asked: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = caller.call(PAGE, asked)["records"]
    return found


@pytest.mark.wide
def test_every_minute_of_a_table_is_an_equation(admin: Caller, running: FakeAgent) -> None:
    turn(running, 100, counted(0))
    turn(running, 150, counted(20, skipped=3))
    turn(running, 180, counted(80, skipped=3, filtered=4, refused=2))
    for _ in range(6):
        turn(running, 190, counted(90, skipped=3, filtered=4, refused=2))
    table, _ = flows(admin, by="table", sort="source", order="asc")
    sums = {name: table[name] for name in ("published", "applied", "skipped", "filtered", "refused", "waiting")}
    assert sums == {"published": 90, "applied": 81, "skipped": 3, "filtered": 4, "refused": 2, "waiting": 0}
    assert (table["state"], table["difference"], table["topic"], table["tables"]) == ("reconciled", 0, "shop", 1)
    listed = admin.call(MINUTES, {"by": "table", "id": table["id"]})["records"]
    assert listed
    for minute in listed:
        settled = sum(minute[name] for name in ("applied", "skipped", "filtered", "refused"))
        if minute["before"] is not None:
            assert minute["before"] + minute["published"] == settled + minute["difference"] + minute["waiting"]
            assert minute["balanced"]
    assert sum(minute["published"] for minute in listed) == 90
    assert len(admin.call(MINUTES, {"by": "table", "id": table["id"], "all": True, "size": 100})["records"]) >= 60


def test_a_channel_has_the_sums_and_the_worst_state_of_its_tables(admin: Caller, running: FakeAgent) -> None:
    turn(running, 100, counted(0))
    turn(running, 150, counted(20))
    [channel] = flows(admin)
    assert (channel["tables"], channel["published"], channel["applied"], channel["waiting"]) == (2, 100, 40, 60)
    assert (channel["state"], channel["source"]) == ("waiting", "")
    assert flows(admin, state="reconciled") == []
    assert len(flows(admin, state="waiting", by="table", search="SHOP")) == 2
    assert flows(admin, by="table", search="no such table") == []


def test_what_is_not_known_is_no_zero(admin: Caller, running: FakeAgent) -> None:
    turn(running, None, None)
    [channel] = flows(admin)
    assert (channel["state"], channel["waiting"], channel["published"]) == ("not-counted", None, None)
    # The publisher began to count again: what waits cannot be known before both meet.
    turn(running, 30, counted(5), epoch=8)
    [channel] = flows(admin)
    assert (channel["state"], channel["waiting"], channel["published"]) == ("not-compared", None, None)
    running.run_services(ServiceState.RESTARTING)
    assert flows(admin)[0]["state"] == "silent"


@pytest.mark.wide
def test_a_difference_is_an_alert_and_no_green_table(admin: Caller, running: FakeAgent) -> None:
    turn(running, 100, counted(0))
    assert alerts(admin) == []
    turn(running, 150, counted(48, difference=2))
    [channel] = flows(admin, state="difference")
    assert (channel["difference"], channel["waiting"], channel["published"]) == (4, 0, 100)
    [raised] = [alert for alert in alerts(admin) if alert["kind"] == "changes-unaccounted"]
    assert (raised["level"], raised["recoveredTime"]) == (3, None)
    assert raised["content"].startswith("4 published changes of link shop are not accounted for")
    table = flows(admin, by="table")[0]
    [minute] = [one for one in admin.call(MINUTES, {"by": "table", "id": table["id"]})["records"] if one["difference"]]
    assert (minute["difference"], minute["balanced"]) == (2, False)
    turn(running, 150, counted(50))
    assert flows(admin, state="difference") == []
    [raised] = [alert for alert in alerts(admin) if alert["kind"] == "changes-unaccounted"]
    assert raised["recoveredTime"] is not None


def test_flows_are_of_the_callers_tenant(admin: Caller, running: FakeAgent) -> None:
    turn(running, 100, counted(0))
    [channel] = flows(admin)
    other = administrator_of(running.plane, "other")
    assert flows(other) == []
    refused = other.refused(MINUTES, {"by": "channel", "id": channel["id"]})
    assert refused["data"]["error"] == "record-not-found"
    for wrong in ({"sort": "published"}, {"from": "2026-01-01T00:00:00Z"}):
        assert admin.plane.post(PAGE, wrong, admin.token).status_code == 422
