"""Events of open pages: what is announced, to whom, and until when."""

import json
from datetime import timedelta
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of, first_sign_in
from tests.integration.control.features.test_users import UPSERT, add
from tests.support.live_feed import LiveFeed, live_feed, opened
from zcbus.control.features.alert.watch import evaluate
from zcbus.control.features.live import feed as live
from zcbus.control.features.live import pending
from zcbus.model.states import SyncState

OPERATIONS = "monitor/operation-log/page"


@pytest.mark.every_store
def test_a_change_of_a_table_is_sent_with_its_link(admin: Caller, running: FakeAgent) -> None:
    with live_feed(admin.plane, admin.token) as feed:
        running.report_tables(SyncState.ERROR)
        assert feed.await_topic("link") >= {"table", "link"}


def test_a_service_that_stops_is_sent(admin: Caller, running: FakeAgent) -> None:
    with live_feed(admin.plane, admin.token) as feed:
        (link, *_) = admin.call("sync/link/page", {})["records"]
        admin.call("sync/link/stop", {"id": link["id"]})
        assert feed.await_topic("link") >= {"service", "link"}


def test_figures_are_sent_but_not_more_often_than_pages_show_them(
    admin: Caller, running: FakeAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pending, "FIGURES_GAP", 60.0)
    with live_feed(admin.plane, admin.token) as feed:
        running.report_tables(SyncState.INCREMENTAL_RUNNING, rows_total=10, rows_loaded=10, inserts=4)
        assert feed.await_topic("figures") == {"figures"}
        running.report_tables(SyncState.INCREMENTAL_RUNNING, rows_total=10, rows_loaded=10, inserts=5)
        running.report_tables(SyncState.ERROR)
        assert feed.await_topic("link") <= {"table", "link"}


def test_alerts_are_sent_when_they_begin_end_and_are_read(admin: Caller, running: FakeAgent) -> None:
    with live_feed(admin.plane, admin.token) as feed:
        running.report_tables(SyncState.ERROR)
        evaluate(admin.plane.services)
        feed.await_topic("alert")
        admin.call("sys/alarmmsg/setstatus", {"type": "all"})
        feed.await_topic("alert")
        running.report_tables(SyncState.INCREMENTAL_RUNNING)
        evaluate(admin.plane.services)
        feed.await_topic("alert")


def test_other_tenants_receive_nothing(admin: Caller, running: FakeAgent) -> None:
    stranger = administrator_of(admin.plane, "elsewhere")
    with live_feed(admin.plane, stranger.token) as theirs, live_feed(admin.plane, admin.token) as ours:
        running.report_tables(SyncState.ERROR)
        ours.await_topic("link")
        stranger.call("sys/user-setting/list", {})
        with pytest.raises(TimeoutError):
            theirs.next(seconds=1.5)
        # The administrator of the whole platform sees every tenant, and so learns of every tenant.
        stranger.call("account/dept/add", {"name": "new"})
        assert theirs.await_topic("call") == {"call"}
        ours.await_topic("call")


@pytest.mark.every_store
@pytest.mark.parametrize(
    ("path", "body", "action"),
    [
        pytest.param("account/dept/add", {"name": "new", "parentId": None}, "department_add", id="one transaction"),
        pytest.param("monitor/operation-log/verify", {}, "operation-log_verify_now", id="its own transactions"),
    ],
)
def test_a_call_is_sent_once_the_operation_log_has_it(
    admin: Caller, path: str, body: dict[str, Any], action: str
) -> None:
    with live_feed(admin.plane, admin.token) as feed:
        admin.call(path, body)
        assert feed.await_topic("call") == {"call"}
        assert admin.call(OPERATIONS, {})["records"][0]["action"] == action


def test_questions_refused_calls_and_calls_without_a_record_are_not_sent(admin: Caller, running: FakeAgent) -> None:
    with live_feed(admin.plane, admin.token) as feed:
        admin.call(OPERATIONS, {})
        admin.refused("sync/link/delete", {"id": "unknown"})
        admin.call("live/open")
        # What is announced later comes with these calls, or after them.
        running.report_tables(SyncState.ERROR)
        assert "call" not in feed.await_topic("link")


def test_a_call_is_sent_to_the_tenant_of_its_user(admin: Caller, running: FakeAgent) -> None:
    stranger, neighbour = (administrator_of(admin.plane, tenant) for tenant in ("elsewhere", "next-door"))
    with live_feed(admin.plane, stranger.token) as theirs, live_feed(admin.plane, neighbour.token) as others:
        admin.call("account/dept/add", {"name": "ours", "parentId": None})
        stranger.call("account/dept/add", {"name": "theirs"})
        assert theirs.await_topic("call") == {"call"}
        neighbour.call("account/dept/add", {"name": "others"})
        others.await_topic("call")
        # Of three calls each tenant learns of its own, once.
        for feed in (theirs, others):
            with pytest.raises(TimeoutError):
                feed.next(seconds=1.5)


def test_it_ends_at_once_when_its_session_does(admin: Caller) -> None:
    with live_feed(admin.plane, admin.token) as feed:
        admin.plane.post("sys/authentication/logout", {"token": admin.token})
        assert _end(feed) == "session-revoked"


def test_it_ends_when_its_user_is_disabled(admin: Caller) -> None:
    user_id = add(admin, "zhao")
    zhao = first_sign_in(admin.plane, "zhao")
    with live_feed(admin.plane, zhao.token) as feed:
        admin.call(UPSERT, {"userId": user_id, "status": "1"})
        assert _end(feed) == "session-revoked"


def test_it_ends_with_a_session_that_is_too_old(admin: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "CHECK_SECONDS", 0.1)
    with live_feed(admin.plane, admin.token) as feed:
        admin.plane.clock.advance(timedelta(days=2))
        assert _end(feed) == "session-revoked"


def test_a_silent_platform_shows_that_the_socket_is_alive(admin: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.1)
    with live_feed(admin.plane, admin.token) as feed:
        assert feed.next() == {"topics": []}
        assert feed.next() == {"topics": []}


def test_a_user_has_a_limited_number_of_them(admin: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MAX_OF_A_USER", 1)
    with live_feed(admin.plane, admin.token):
        ticket = admin.call("live/open")
        with opened(admin.plane, **ticket) as second:
            end = json.loads(second.recv(timeout=15))
        assert (end["end"], "1 live connections" in end["message"]) == ("live-too-many", True)


def test_a_foreign_page_a_used_ticket_and_none_open_nothing(admin: Caller) -> None:
    ticket = admin.call("live/open")
    with pytest.raises(InvalidStatus), opened(admin.plane, **ticket, origin="https://elsewhere.example"):
        pass
    with opened(admin.plane, **ticket):
        pass
    for used in (ticket, {**ticket, "ticket": "made-up"}):
        with pytest.raises(InvalidStatus), opened(admin.plane, **used):
            pass


def test_it_leaves_no_record_in_the_operation_log(admin: Caller) -> None:
    count = admin.call("monitor/operation-log/page", {})["total"]
    with live_feed(admin.plane, admin.token):
        pass
    assert admin.call("monitor/operation-log/page", {})["total"] == count


def _end(feed: LiveFeed) -> str:
    """Reads to the end; the reason."""
    reason = ""
    try:
        while True:
            reason = feed.next().get("end", reason)
    except ConnectionClosed:
        return reason
