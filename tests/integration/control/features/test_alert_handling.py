"""Alerts are acknowledged, assigned and muted; what has one cause is one notice; quiet hours hold notices back."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of, form
from tests.support.notice_receivers import WebReceiver, web_receiver
from zcbus.control.features.alert.watch import CHECKED_AFTER, evaluate
from zcbus.control.features.notification.dispatch import deliver
from zcbus.control.features.notification.queueing import WINDOW
from zcbus.model.states import SyncState

ORDERS, LINES = "public.orders", "public.lines"
HOOK = {"way": "webhook", "name": "hook", "secret": "s", "language": "en"}


@pytest.fixture
def hook(admin: Caller) -> Iterator[WebReceiver]:
    with web_receiver() as server:
        admin.call("sys/notice/receiver/add", {**HOOK, "url": server.url()})
        yield server


def fail(running: FakeAgent, *tables: str) -> None:
    running.report_tables(SyncState.INCREMENTAL_ERROR, tables)
    turn(running)


def mend(running: FakeAgent, *tables: str, lag_ms: int = 0) -> None:
    running.report_tables(SyncState.INCREMENTAL_RUNNING, tables or None, lag_ms=lag_ms)
    turn(running)


def turn(running: FakeAgent) -> None:
    """What the platform does by itself every few seconds."""
    evaluate(running.plane.services)
    deliver(running.plane.services)


def pass_time(running: FakeAgent, span: timedelta) -> None:
    running.plane.clock.advance(span)
    running.sync()
    turn(running)


def notices(hook: WebReceiver) -> list[tuple[str, int]]:
    """Occasion and number of alerts of each notice."""
    return [(one.json["occasion"], one.json["alerts"]) for one in hook.taken]


def alerts(who: Caller, **wanted: Any) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = who.call("sys/alarmmsg/page", wanted)["records"]
    return records


def test_alerts_with_one_cause_share_a_notice_and_their_end_another(
    running: FakeAgent, admin: Caller, hook: WebReceiver
) -> None:
    fail(running, ORDERS, LINES)
    assert notices(hook) == [("raised", 2)]
    first = hook.taken[0].json
    assert first["title"].endswith("of link shop is in incremental error and 1 more")
    assert {line.split()[1] for line in first["content"].splitlines()[:2]} == {ORDERS, LINES}
    mend(running, LINES)
    assert notices(hook) == [("raised", 2)]
    mend(running, ORDERS)
    assert notices(hook) == [("raised", 2), ("recovered", 2)]
    assert hook.taken[1].json["alertId"] == first["alertId"]

    # Within the window they are collected, and leave together when it ends, the end behind the beginning.
    fail(running, ORDERS)
    fail(running, LINES)
    assert len(hook.taken) == 2
    (waiting,) = admin.call("sys/notice/delivery/page", {"state": ["waiting"]})["records"]
    assert (waiting["alerts"], waiting["nextAt"] > waiting["createdAt"]) == (2, True)
    mend(running)
    # Whose end is queued takes no more alerts in.
    fail(running, ORDERS)
    assert len(hook.taken) == 2
    pass_time(running, WINDOW)
    assert notices(hook)[2:] == [("raised", 2), ("recovered", 2)]
    pass_time(running, WINDOW)
    assert notices(hook)[4:] == [("raised", 1)]
    assert hook.taken[4].json["title"] == f"[ZCBUS] Important: Table {ORDERS} of link shop is in incremental error"


def test_quiet_hours_hold_back_what_is_not_important(running: FakeAgent, admin: Caller, hook: WebReceiver) -> None:
    (made,) = admin.call("sys/notice/receiver/page")["records"]
    quiet = {"begin": 11 * 60, "end": 15 * 60, "timeZone": "UTC", "importantPasses": True}
    change = {**HOOK, "id": made["id"], "quiet": quiet}
    admin.call("sys/notice/receiver/edit", change)
    assert admin.call("sys/notice/receiver/page")["records"][0]["quiet"] == quiet
    for wrong in ({"begin": 900}, {"timeZone": "Mars/Base"}, {"end": 1440}):
        assert admin.refused("sys/notice/receiver/edit", {**change, "quiet": quiet | wrong})["code"] == 422
    mend(running, lag_ms=90_000)
    fail(running, ORDERS)
    assert [one.json["kind"] for one in hook.taken] == ["table-failed"]
    (held,) = admin.call("sys/notice/delivery/page", {"state": ["waiting"]})["records"]
    assert held["nextAt"].startswith("2026-01-31T15:00:00")
    mend(running)
    # Other quiet hours, and then none: what was held back goes by them.
    admin.call("sys/notice/receiver/edit", {**change, "quiet": quiet | {"end": 13 * 60, "importantPasses": False}})
    waiting = admin.call("sys/notice/delivery/page", {"state": ["waiting"], "sort": "createdAt"})["records"]
    assert {one["nextAt"][11:16] for one in waiting} == {"13:00"}
    assert [one.json["occasion"] for one in hook.taken] == ["raised", "recovered"]
    pass_time(running, timedelta(hours=1))
    sent = [(one.json["kind"], one.json["occasion"]) for one in hook.taken[2:]]
    assert sent == [("lag", "raised"), ("lag", "recovered")]


@pytest.mark.wide
def test_a_muted_alert_is_listed_and_sent_only_if_it_outlasts_its_mute(
    running: FakeAgent, admin: Caller, hook: WebReceiver
) -> None:
    clock = admin.plane.clock
    fail(running, ORDERS)
    (known,) = alerts(admin)
    assert (known["objectName"], known["mutedUntil"]) == ("shop", None)
    until = (clock.now() + timedelta(hours=1)).isoformat()
    mute = {"id": known["id"], "scope": "kind-of-object", "until": until}
    for wrong in (clock.now(), clock.now() + timedelta(days=400)):
        answer = admin.refused("sys/alarmmsg/mute/add", mute | {"until": wrong.isoformat()})
        assert answer["data"]["fields"][0]["field"] == "until"
    admin.call("sys/alarmmsg/mute/add", mute)
    admin.call("sys/alarmmsg/mute/add", mute)
    (listed,) = admin.call("sys/alarmmsg/mute/page", {"search": "sho"})["records"]
    assert (listed["kind"], listed["objectName"], listed["createdBy"]) == ("table-failed", "shop", "admin")
    assert alerts(admin)[0]["mutedUntil"] is not None
    # The recovery of an alert that receivers know is sent all the same.
    mend(running)
    assert notices(hook) == [("raised", 1), ("recovered", 1)]
    clock.advance(WINDOW)
    fail(running, ORDERS)
    mend(running)
    assert len(hook.taken) == 2
    assert admin.call("sys/alarmmsg/countUnRead", {}) == 0
    # Other kinds are not muted.
    mend(running, lag_ms=90_000)
    assert [one.json["kind"] for one in hook.taken[2:]] == ["lag"]
    fail(running, ORDERS)
    pass_time(running, timedelta(hours=1))
    assert [one.json["kind"] for one in hook.taken if one.json["occasion"] == "raised"] == [
        "table-failed",
        "lag",
        "table-failed",
    ]
    assert alerts(admin, open=True, status=0)[0]["kind"] == "table-failed"
    assert admin.call("sys/alarmmsg/mute/page")["total"] == 0

    # Whatever is wrong with the link, until a user ends it.
    mend(running)
    later = (clock.now() + timedelta(hours=2)).isoformat()
    admin.call("sys/alarmmsg/mute/add", {"id": known["id"], "scope": "object", "until": later})
    pass_time(running, WINDOW)
    before = len(hook.taken)
    mend(running, lag_ms=90_000)
    fail(running, ORDERS)
    assert len(hook.taken) == before
    (mute_now,) = admin.call("sys/alarmmsg/mute/page")["records"]
    assert (mute_now["kind"], mute_now["objectName"]) == (None, "shop")
    admin.call("sys/alarmmsg/mute/end", {"id": mute_now["id"]})
    turn(running)
    assert {one.json["kind"] for one in hook.taken[before:]} == {"table-failed", "lag"}
    assert admin.logged_before()["object"] == "shop"


def test_what_a_user_calls_resolved_is_open_until_measured_and_rings_again_if_it_lasts(
    running: FakeAgent, admin: Caller, hook: WebReceiver
) -> None:
    fail(running, ORDERS)
    (known,) = alerts(admin, open=True)
    admin.call("sys/alarmmsg/resolve", {"id": known["id"]})
    (noted,) = alerts(admin, open=True, acknowledged=True, status=1)
    assert (noted["resolvedBy"], noted["recoveredTime"]) == ("admin", None)
    pass_time(running, CHECKED_AFTER - timedelta(seconds=10))
    assert notices(hook) == [("raised", 1)]
    pass_time(running, timedelta(seconds=10))
    pass_time(running, WINDOW)
    (lasting,) = alerts(admin, open=True, acknowledged=False, status=0)
    assert (lasting["id"], lasting["resolvedTime"], lasting["resolvedBy"]) == (known["id"], None, None)
    assert notices(hook) == [("raised", 1), ("repeated", 1)]
    # What was mended ends by itself, and stays a record of who mended it.
    admin.call("sys/alarmmsg/resolve", {"id": known["id"]})
    mend(running)
    pass_time(running, CHECKED_AFTER)
    assert alerts(admin, open=True) == []
    (over,) = alerts(admin)
    assert over["resolvedBy"] == "admin"
    assert over["recoveredTime"]
    assert notices(hook)[2:] == [("recovered", 1)]


def test_an_alert_is_acknowledged_and_assigned_within_its_tenant(running: FakeAgent, admin: Caller) -> None:
    running.report_tables(SyncState.INCREMENTAL_ERROR, [ORDERS])
    evaluate(running.plane.services)
    (known,) = alerts(admin, open=True, acknowledged=False)
    admin.call("sys/alarmmsg/acknowledge", {"id": known["id"]})
    assert alerts(admin, acknowledged=False) == []
    (noted,) = alerts(admin, open=True, status=1)
    assert noted["acknowledgedBy"] == "admin"
    admin.call("account/user/upsert", form("helper"))
    stranger = administrator_of(admin.plane, "other")
    until = (admin.plane.clock.now() + timedelta(hours=1)).isoformat()
    admin.call("sys/alarmmsg/mute/add", {"id": known["id"], "scope": "kind", "until": until})
    assert stranger.call("sys/alarmmsg/mute/page")["total"] == 0
    (mute,) = admin.call("sys/alarmmsg/mute/page")["records"]
    assert mute["objectName"] is None
    for path, body in (
        ("acknowledge", {"id": known["id"]}),
        ("resolve", {"id": known["id"]}),
        ("assign", {"id": known["id"]}),
        ("assignee/page", {"id": known["id"]}),
        ("mute/add", {"id": known["id"], "scope": "object", "until": until}),
        ("mute/end", {"id": mute["id"]}),
    ):
        assert stranger.refused(f"sys/alarmmsg/{path}", body)["code"] == 404
    found = admin.call("sys/alarmmsg/assignee/page", {"id": known["id"]})["records"]
    assert {"admin", "helper"} <= {one["userName"] for one in found}
    assert "boss-other" not in {one["userName"] for one in found}
    (helper,) = admin.call("sys/alarmmsg/assignee/page", {"id": known["id"], "search": "helper"})["records"]
    admin.call("sys/alarmmsg/assign", {"id": known["id"], "userId": helper["id"]})
    assert alerts(admin)[0]["assigneeName"] == "helper"
    assert alerts(admin, mine=True) == []
    refused = admin.refused("sys/alarmmsg/assign", {"id": known["id"], "userId": "nobody"})
    assert refused["data"]["fields"][0]["field"] == "userId"
    admin.call("sys/alarmmsg/assign", {"id": known["id"], "userId": None})
    assert alerts(admin)[0]["assigneeName"] is None
    mine = next(one["id"] for one in found if one["userName"] == "admin")
    admin.call("sys/alarmmsg/assign", {"id": known["id"], "userId": mine})
    assert len(alerts(admin, mine=True)) == 1
    # When it is over there is nothing to look after.
    running.report_tables(SyncState.INCREMENTAL_RUNNING, lag_ms=0)
    evaluate(running.plane.services)
    for call in ("acknowledge", "resolve", "assign"):
        assert admin.refused(f"sys/alarmmsg/{call}", {"id": known["id"]})["code"] == 300
    assert alerts(admin, open=True) == []
