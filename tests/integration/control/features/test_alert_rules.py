"""Own alert rules: evaluated with each sample, once; sent, repeated, silenced; tried on the history."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.support.notice_receivers import WebReceiver, web_receiver
from zcbus.control.features.alert.watch import evaluate as watch
from zcbus.control.features.alert_rule.evaluation import evaluate
from zcbus.control.features.metric.sampling import sample
from zcbus.control.features.notification.dispatch import deliver
from zcbus.model.states import SyncState

LAG = {"kind": "table", "metric": "lag_ms", "comparison": "gt", "threshold": 5000, "seconds": 30, "name": "slow"}
RULE = "system/alert-rule"


@pytest.fixture
def hook(admin: Caller) -> Iterator[WebReceiver]:
    with web_receiver() as server:
        receiver = {"way": "webhook", "name": "hook", "secret": "s", "language": "en", "minLevel": 0}
        admin.call("sys/notice/receiver/add", {**receiver, "url": server.url()})
        yield server


def turn(agent: FakeAgent, lag_ms: int | None = None, *, tables: tuple[str, ...] | None = None) -> None:
    """Ten seconds pass; the tables report this lag, or the agent is silent."""
    services = agent.plane.services
    agent.plane.clock.advance(timedelta(seconds=10))
    if lag_ms is not None:
        agent.run_services()
        agent.report_tables(SyncState.INCREMENTAL_RUNNING, tables, lag_ms=lag_ms)
    sample(services)
    evaluate(services)
    watch(services)
    deliver(services)


def turns(agent: FakeAgent, number: int, lag_ms: int | None = None) -> None:
    for _ in range(number):
        turn(agent, lag_ms)


def rule(caller: Caller) -> dict[str, Any]:
    found: dict[str, Any]
    (found,) = caller.call(f"{RULE}/page")["records"]
    return found


def alerts(caller: Caller, **wanted: Any) -> list[dict[str, Any]]:
    records = caller.call("sys/alarmmsg/page", {"size": -1, **wanted})["records"]
    return [one for one in records if one["kind"].startswith("rule")]


def occasions(hook: WebReceiver) -> list[tuple[str, int]]:
    return [(one.json["occasion"], one.json["alerts"]) for one in hook.taken if one.json["kind"].startswith("rule")]


@pytest.mark.wide
def test_a_rule_fires_after_its_time_is_sent_once_repeated_and_over(
    running: FakeAgent, admin: Caller, hook: WebReceiver
) -> None:
    turns(running, 2, 0)
    made = admin.call(f"{RULE}/add", {**LAG, "pattern": "*.ORDERS", "level": 3, "repeatMinutes": 1})
    assert made["metricName"] == "Lag: Age of the oldest waiting change"
    turns(running, 3, 9000)
    assert (rule(admin)["subjects"], rule(admin)["pending"], rule(admin)["firing"]) == (1, 1, 0)
    assert alerts(admin) == []
    turn(running, 9000)
    # Control planes that evaluate the same sample again change nothing.
    for _ in range(2):
        evaluate(running.plane.services)
        watch(running.plane.services)
    (alert,) = alerts(admin, open=True)
    assert alert["content"] == (
        "Lag: Age of the oldest waiting change of copy.orders has been over 5 s for 30 s (9 s at first), by rule slow"
    )
    assert (alert["level"], alert["objectName"], alert["kindName"]) == (3, "shop", "Own rule")
    assert occasions(hook) == [("raised", 1)]
    turns(running, 6, 9000)
    assert occasions(hook) == [("raised", 1), ("repeated", 1)]
    assert hook.taken[-1].json["title"].startswith("[ZCBUS] Still Important: Lag")
    # An acknowledged alert is not repeated.
    admin.call("sys/alarmmsg/acknowledge", {"id": alert["id"]})
    turns(running, 12, 9000)
    assert len(occasions(hook)) == 2
    # A gap ends nothing: no figure shows that it is in order.
    turns(running, 4)
    assert (rule(admin)["firing"], len(alerts(admin, open=True))) == (1, 1)
    turn(running, 10)
    assert alerts(admin, open=True) == []
    assert occasions(hook)[2:] == [("recovered", 1)]
    assert (rule(admin)["firing"], rule(admin)["pending"], rule(admin)["stale"]) == (0, 0, False)
    running.plane.clock.advance(timedelta(minutes=2))
    assert rule(admin)["stale"] is True


@pytest.mark.wide
def test_missing_figures_are_counted_and_an_alert_where_the_rule_says_so(running: FakeAgent, admin: Caller) -> None:
    made = admin.call(f"{RULE}/add", {**LAG, "onMissing": True, "seconds": 0})
    turns(running, 2, 0)
    assert (rule(admin)["subjects"], rule(admin)["missing"]) == (2, 0)
    turns(running, 5)
    assert (rule(admin)["missing"], rule(admin)["missingFiring"]) == (2, 0)
    turns(running, 6)
    found = admin.call(f"{RULE}/subject/page", {"id": made["id"], "search": "orders"})["records"]
    assert [(one["name"], one["state"]) for one in found] == [("copy.orders", "missing-firing")]
    assert {one["kind"] for one in alerts(admin, open=True)} == {"rule-missing"}
    turn(running, 0)
    assert alerts(admin, open=True) == []


@pytest.mark.wide
def test_quiet_hours_and_a_mute_hold_notices_back_and_list_the_alert(
    running: FakeAgent, admin: Caller, hook: WebReceiver
) -> None:
    turn(running, 0)
    now = admin.plane.clock.now()
    minute = now.hour * 60 + now.minute
    quiet = {"begin": (minute - 60) % 1440, "end": (minute + 10) % 1440, "timeZone": "UTC"}
    made = admin.call(f"{RULE}/add", {**LAG, "seconds": 0, "quiet": quiet})
    turns(running, 3, 9000)
    assert occasions(hook) == []
    assert [one["muted"] for one in alerts(admin, open=True)] == [True, True]
    assert admin.call("sys/alarmmsg/countUnRead", {}) == 0
    running.plane.clock.advance(timedelta(minutes=10))
    turns(running, 2, 9000)
    assert occasions(hook) == [("raised", 2)]
    turn(running, 0)
    assert occasions(hook)[1:] == [("recovered", 2)]
    running.plane.clock.advance(timedelta(minutes=1))
    until = (admin.plane.clock.now() + timedelta(hours=1)).isoformat()
    assert admin.call(f"{RULE}/mute", {"id": made["id"], "until": until})["mutedUntil"] is not None
    turns(running, 3, 9000)
    assert len(occasions(hook)) == 2
    assert admin.logged_before()["mutedUntil"] is None
    admin.call(f"{RULE}/mute", {"id": made["id"]})
    turn(running, 9000)
    assert occasions(hook)[2:] == [("raised", 2)]
    for wrong in (admin.plane.clock.now(), admin.plane.clock.now() + timedelta(days=400)):
        answer = admin.refused(f"{RULE}/mute", {"id": made["id"], "until": wrong.isoformat()})
        assert answer["data"]["fields"][0]["field"] == "until"
    # A rule that goes takes its alerts along, and says that no figure showed it.
    admin.call(f"{RULE}/delete", {"id": made["id"]})
    turn(running, 9000)
    ended = alerts(admin, open=False)[0]
    assert "need not be in order" in ended["reason"]["text"]
    assert admin.call(f"{RULE}/page")["total"] == 0


@pytest.mark.wide
def test_a_trial_shows_when_it_would_have_fired_and_how_much_is_known(running: FakeAgent, admin: Caller) -> None:
    for minute in range(8):
        turns(running, 6, 9000 if 2 <= minute <= 5 else 100)
    tried = admin.call(f"{RULE}/try", {**{key: LAG[key] for key in LAG if key != "name"}, "seconds": 120, "days": 1})
    assert (tried["subjects"], tried["tried"], tried["total"]) == (2, 2, 2)
    first = tried["episodes"][0]
    assert (first["peak"], first["missing"], first["endedAt"] > first["firedAt"]) == (9000.0, False, True)
    assert 0 < tried["measured"] < 0.01
    # What is live goes by the same rules.
    made = admin.call(f"{RULE}/add", {**LAG, "pattern": "nothing.*"})
    turn(running, 9000)
    assert rule(admin)["subjects"] == 0
    assert admin.call(f"{RULE}/edit", {**LAG, "id": made["id"], "enabled": False})["enabled"] is False


def test_rules_are_of_their_tenant_and_checked(running: FakeAgent, admin: Caller) -> None:
    link = admin.call("sync/link/get", {"name": "shop"})["id"]
    made = admin.call(f"{RULE}/add", {**LAG, "linkId": link, "kind": "service", "metric": "memory_bytes"})
    turn(running, 0)
    found = rule(admin)
    assert (found["subjects"], found["scopeNames"]) == (2, ["shop"])
    stranger = administrator_of(admin.plane, "other")
    assert stranger.call(f"{RULE}/page")["total"] == 0
    for path, body in (
        ("edit", {**LAG, "id": made["id"]}),
        ("mute", {"id": made["id"]}),
        ("delete", {"id": made["id"]}),
        ("subject/page", {"id": made["id"]}),
        ("add", {**LAG, "linkId": link}),
        ("try", {**{key: LAG[key] for key in LAG if key != "name"}, "linkId": link}),
    ):
        assert stranger.refused(f"{RULE}/{path}", body)["code"] == 404, path
    # Another tenant's rule about everything has nothing of this one.
    stranger.call(f"{RULE}/add", LAG)
    turn(running, 9000)
    assert rule(stranger)["subjects"] == 0
    assert stranger.call(f"{RULE}/try", {key: LAG[key] for key in LAG if key != "name"})["subjects"] == 0
    for wrong in ({"metric": "nothing"}, {"threshold": 1e300}, {"kind": "host", "metric": "disk_used", "linkId": link}):
        assert admin.refused(f"{RULE}/add", {**LAG, "name": "x", **wrong})["code"] == 422, wrong
    taken = admin.refused(f"{RULE}/add", LAG)
    assert taken["data"]["fields"][0]["field"] == "name"
    metrics = admin.call(f"{RULE}/metric/list")
    assert {"kind": "host", "name": "cpu_percent"}.items() <= metrics[-5].items()
