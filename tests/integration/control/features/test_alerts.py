"""Alerts are raised from agents' reports, once for each occurrence, and closed when it is over."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import new_customer, new_master, sheet, subscribe
from tests.support.control_plane import ControlPlane
from zcbus.control.features.account import passwords
from zcbus.control.features.account.service import NewUser, create_user, ensure_tenant
from zcbus.control.features.alert.watch import evaluate
from zcbus.control.features.publish.retained_log import watch_retained_log
from zcbus.model.states import PublishState, ServiceState, SyncState
from zcbus.protocol.agent import ServiceReports
from zcbus.protocol.answers import RetainedLog
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import FeedReport, PublishTableReport, ServiceReport, ServiceStatus
from zcbus.protocol.tasks import PublishTask, SubscribeTask

NAME = {"name": "shop"}
AWAY = Reason(code="target-unavailable", facts={"kind": "mysql", "address": "h:1", "detail": "refused"})


@pytest.fixture
def running(admin: Caller, agent: FakeAgent) -> FakeAgent:
    """An agent that syncs on demand, with a link of two tables that runs."""
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, lag_ms=40)
    return agent


@pytest.fixture
def deliverer(plane: ControlPlane) -> Caller:
    return somebody(plane, "deliverer", "default", user_type="3")


def somebody(plane: ControlPlane, name: str, tenant: str, user_type: str = "1") -> Caller:
    """A signed-in administrator of one tenant."""
    hashed = passwords.hash_password("Somebody-1")
    now = plane.clock.now()
    with plane.services.database.write() as connection:
        ensure_tenant(connection, now, tenant, tenant)
        create_user(
            connection,
            now,
            NewUser(
                user_name=name,
                nick_name=name[:10],
                password_hash=hashed,
                tenant_id=tenant,
                role_code="administrator",
                user_type=user_type,
                must_change_password=False,
            ),
        )
    return Caller(plane, plane.sign_in(name, "Somebody-1"))


def alerts(who: Caller, language: str = "en", **changes: Any) -> list[dict[str, Any]]:
    """The list after a check of the platform."""
    evaluate(who.plane.services)
    page = who.call("sys/alarmmsg/page", {"current": 1, "size": 20, **changes}, language)
    assert page["total"] == len(page["records"])
    records: list[dict[str, Any]] = page["records"]
    return records


@pytest.mark.wide
def test_a_failed_table_raises_one_alert_until_it_recovers(running: FakeAgent, admin: Caller) -> None:
    assert alerts(admin) == []
    running.report_tables(SyncState.INCREMENTAL_ERROR, ["public.orders"], reason=AWAY)
    (raised,) = alerts(admin)
    assert (raised["level"], raised["status"], raised["recoveredTime"]) == (3, 0, None)
    assert raised["content"] == "Table public.orders of link shop is in incremental error"
    assert raised["customerName"] == "shop"
    assert raised["reason"]["text"].startswith("The target MySQL / MariaDB h:1 cannot be reached")
    assert [record["id"] for record in alerts(admin)] == [raised["id"]]
    assert alerts(admin, "zh")[0]["content"] == "链路 shop 的表 public.orders 增量异常"

    running.report_tables(SyncState.INCREMENTAL_RUNNING, lag_ms=0)
    (over,) = alerts(admin)
    assert over["id"] == raised["id"]
    assert over["recoveredTime"] is not None
    running.report_tables(SyncState.INCREMENTAL_ERROR, ["public.orders"], reason=AWAY)
    assert [record["recoveredTime"] is None for record in alerts(admin)].count(True) == 1
    assert len(alerts(admin)) == 2


def test_a_crash_is_one_alert_however_often_it_repeats(running: FakeAgent, admin: Caller) -> None:
    running.attempt(SubscribeTask, "signal 9")
    (first,) = alerts(admin)
    assert (first["kind"], first["level"]) == ("service-crashed", 1)
    assert "signal 9" in first["content"]
    admin.plane.clock.advance(timedelta(seconds=5))
    running.attempt(SubscribeTask, "exit 1")
    (second,) = alerts(admin)
    assert second["id"] == first["id"]
    assert second["updateTime"] > first["updateTime"]
    admin.plane.clock.advance(timedelta(minutes=11))
    running.sync()
    (over,) = alerts(admin)
    assert over["recoveredTime"] is not None


def test_an_orderly_end_is_no_crash(running: FakeAgent, admin: Caller) -> None:
    running.attempt(SubscribeTask, "exit 0")
    assert alerts(admin) == []


def test_a_service_that_cannot_run_is_important_until_it_is_stopped(running: FakeAgent, admin: Caller) -> None:
    running.run_services(ServiceState.ABNORMAL, AWAY)
    assert {(record["kind"], record["level"]) for record in alerts(admin)} == {("service-abnormal", 3)}
    admin.call("sync/link/stop", NAME)
    assert all(record["recoveredTime"] for record in alerts(admin))


def test_waiting_for_the_target_raises_an_alert(running: FakeAgent, admin: Caller) -> None:
    service = running.order(SubscribeTask).service
    now = admin.plane.clock.now()
    waiting = ServiceReport(progress=4, state="waiting", reason=AWAY, at=now)
    running.sync(reports=(ServiceReports(service=service, reports=(waiting,)),))
    assert alerts(admin) == []
    admin.plane.clock.advance(timedelta(seconds=30))
    running.sync(reports=(ServiceReports(service=service, reports=(waiting,)),))
    (raised,) = alerts(admin)
    assert (raised["kind"], raised["level"]) == ("service-waiting", 1)
    assert raised["remedy"].startswith("Check that the target runs")
    running.sync(
        reports=(ServiceReports(service=service, reports=(ServiceReport(progress=5, state="running", at=now),)),)
    )
    assert alerts(admin)[0]["recoveredTime"] is not None


def test_retained_log_over_the_limit_raises_an_alert(running: FakeAgent, admin: Caller) -> None:
    service = running.order(PublishTask).service

    def held(size: int) -> list[dict[str, Any]]:
        report = ServiceReport(progress=4, state="running", backlog_bytes=size, at=admin.plane.clock.now())
        running.sync(reports=(ServiceReports(service=service, reports=(report,)),))
        return alerts(admin)

    assert held(10_240 << 20) == []
    (raised,) = held(10_241 << 20)
    assert (raised["kind"], raised["level"]) == ("held-log", 3)
    assert raised["content"].startswith("More than 10240 MB of log wait at the source for link shop (10241 MB")
    assert warned_everywhere(admin) == ("held-log", raised["content"], raised["remedy"])
    assert held(0)[0]["recoveredTime"] is not None
    assert warned_everywhere(admin) is None


def warned_everywhere(who: Caller) -> tuple[str, str, str] | None:
    """The only warning of the only link, which lists, status and home agree on; None: none."""
    (link,), (task,) = (who.call(path)["records"] for path in ("sync/link/page", "sync/task/page"))
    assert link["state"] == "incremental-running"
    assert task["warnings"] == link["warnings"]
    texts = [one["text"] for one in link["warnings"]]
    assert who.call("sync/link/status", {"name": "shop"})["warnings"] == texts
    home = who.call("home/overview")
    assert home["links"][0]["withErrors"] == len(texts)
    problems = [(one["subject"], one["reason"]["text"]) for one in home["problems"]]
    assert problems == [("shop", text) for text in texts]
    if not texts:
        return None
    (warning,) = link["warnings"]
    return warning["kind"], warning["text"], warning["remedy"]


def test_a_json_topic_that_is_not_written_or_lacks_changes_raises_an_alert(running: FakeAgent, admin: Caller) -> None:
    service, now = running.order(PublishTask).service, admin.plane.clock.now()

    def raised(**feed: Any) -> dict[str, dict[str, Any]]:
        topic = FeedReport(name="shop.changes", **feed)
        report = ServiceReport(progress=4, state="running", feed=topic, at=admin.plane.clock.now())
        running.sync(reports=(ServiceReports(service=service, reports=(report,)),))
        return {alert["kind"]: alert for alert in alerts(admin)}

    gone = Reason(code="bus-away", facts={"servers": "k:9092", "detail": "gone"})
    assert raised(reason=gone, waiting_seconds=29) == {}
    (waiting,) = raised(reason=gone, waiting_seconds=30).values()
    assert (waiting["kind"], waiting["recoveredTime"]) == ("json-topic-waiting", None)
    assert waiting["content"].startswith("Nothing is written to the JSON topic shop.changes of link shop")
    both = raised(gap_at=now)
    assert both["json-topic-waiting"]["recoveredTime"] is not None
    assert (both["json-topic-gap"]["level"], both["json-topic-gap"]["recoveredTime"]) == (3, None)
    assert raised(gap_at=now - timedelta(hours=25))["json-topic-gap"]["recoveredTime"] is not None


def test_the_json_topic_of_a_stopped_link_raises_no_alert(running: FakeAgent, admin: Caller) -> None:
    gone = Reason(code="bus-away", facts={"servers": "k:9092", "detail": "gone"})
    feed = FeedReport(name="shop.changes", reason=gone, waiting_seconds=60)
    report = ServiceReport(progress=4, state="running", feed=feed, at=admin.plane.clock.now())
    running.sync(reports=(ServiceReports(service=running.order(PublishTask).service, reports=(report,)),))
    (raised,) = alerts(admin)
    assert (raised["kind"], raised["recoveredTime"]) == ("json-topic-waiting", None)
    admin.call("sync/link/stop", NAME)
    running.run_services()
    (raised,) = alerts(admin)
    assert raised["recoveredTime"] is not None


def test_retained_log_of_a_stopped_link_raises_an_alert(running: FakeAgent, admin: Caller) -> None:
    admin.call("sync/link/stop", NAME)
    running.run_services()
    running.handlers["held-log"] = lambda asked: RetainedLog(size_bytes=20_000 << 20 if asked.node else None)
    answered(running, lambda: watch_retained_log(admin.plane.services))
    (raised,) = alerts(admin)
    assert (raised["kind"], raised["recoveredTime"]) == ("held-log", None)


def test_dropped_log_of_a_stopped_link_fails_its_tables(running: FakeAgent, admin: Caller) -> None:
    answered(running, lambda: admin.call("sync/link/apply", {"document": {**document(), "heldLogGb": 8}}))
    assert running.order(PublishTask).task.held_log_bytes == 8 << 30
    assert admin.call("sync/link/export", NAME)["document"]["heldLogGb"] == 8
    running.report_published(
        lambda table, generation: PublishTableReport(
            table=table, state=PublishState.INCREMENTAL_RELEASE, generation=generation, at=admin.plane.clock.now()
        )
    )
    admin.call("sync/link/stop", NAME)
    running.run_services()
    let_go = Reason(code="log-let-go", facts={"kind": "postgresql", "held": "9.5", "limit": "8", "since": "today"})
    running.handlers["held-log"] = lambda asked: RetainedLog(
        size_bytes=None, let_go=let_go if asked.limit_bytes == 8 << 30 else None
    )
    answered(running, lambda: watch_retained_log(admin.plane.services))
    status = admin.call("sync/link/status", NAME)
    assert {table["state"] for table in status["tables"]} == {"full-info-expired"}
    assert "retained 9.5 GiB of log, more than the limit of 8 GiB" in status["tables"][0]["reason"]


def answered(running: FakeAgent, ask: Callable[[], Any]) -> None:
    """Do something that asks the agent, which answers meanwhile."""
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        while not asked.done():
            running.sync()
    asked.result()


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_that_is_set_raises_no_alarm_and_hides_none(running: FakeAgent, admin: Caller, hours: int) -> None:
    admin.plane.clock.advance(timedelta(hours=hours))
    running.sync()
    assert alerts(admin) == []
    assert not admin.call("sync/link/status", NAME)["stale"]
    admin.plane.clock.advance(timedelta(seconds=31))
    assert [raised["kind"] for raised in alerts(admin)] == ["agent-away"]


@pytest.mark.wide
def test_an_agent_that_ended_before_the_clock_was_set_back_is_missed(running: FakeAgent, admin: Caller) -> None:
    admin.plane.clock.advance(timedelta(hours=-1))
    assert [raised["kind"] for raised in alerts(admin)] == ["agent-away"]
    assert admin.call("sync/link/status", NAME)["stale"]
    running.sync()
    assert alerts(admin)[0]["recoveredTime"] is not None


def test_suspended_tables_raise_an_alert_until_they_resume(running: FakeAgent, admin: Caller) -> None:
    admin.call("sync/link/table/suspend", {**NAME, "tables": ["public.orders"]})
    (raised,) = alerts(admin)
    assert raised["content"] == "Tables of link shop are suspended (1): public.orders"
    admin.call("sync/link/table/suspend", {**NAME, "tables": ["public.lines"]})
    (raised,) = alerts(admin)
    assert raised["content"] == "Tables of link shop are suspended (2): public.lines, public.orders"
    admin.call("sync/link/table/resume", {**NAME, "tables": ["public.orders", "public.lines"]})
    assert alerts(admin)[0]["recoveredTime"] is not None


def test_refused_rows_that_stay_open_are_an_alert_until_they_are_worked_off(running: FakeAgent, admin: Caller) -> None:
    def refused(count: int) -> None:
        running.report_tables(SyncState.INCREMENTAL_RUNNING, ["public.orders"], row_errors=count)

    refused(4)
    assert alerts(admin) == []
    admin.plane.clock.advance(timedelta(seconds=61))
    refused(4)
    (raised,) = alerts(admin)
    assert raised["content"] == "The target of link shop refused 4 rows that are still open: public.orders"
    # A process that has only just begun knows of none yet.
    running.report_tables(SyncState.UNINITIALIZED, ["public.orders"])
    assert alerts(admin)[0]["recoveredTime"] is None
    refused(0)
    assert alerts(admin)[0]["recoveredTime"] is not None


def test_a_lag_over_the_limit_raises_an_alert_and_unknown_lags_change_nothing(
    running: FakeAgent, admin: Caller
) -> None:
    running.report_tables(SyncState.INCREMENTAL_RUNNING, lag_ms=60_000)
    assert alerts(admin) == []
    running.report_tables(SyncState.INCREMENTAL_RUNNING, lag_ms=61_000)
    (raised,) = alerts(admin)
    assert raised["content"] == "The lag of link shop is over 60 seconds (61 seconds when it was noticed)"
    running.report_tables(SyncState.INCREMENTAL_RUNNING, lag_ms=None)
    assert alerts(admin)[0]["recoveredTime"] is None
    running.report_tables(SyncState.INCREMENTAL_RUNNING, lag_ms=0)
    assert alerts(admin)[0]["recoveredTime"] is not None


def test_subscriptions_without_a_link_raise_alerts_as_well(admin: Caller, agent: FakeAgent) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS)
    master = new_master(admin, new_customer(admin), node)
    subscribe(admin, master, list(ids.values()))
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, lag_ms=61_000)
    agent.attempt(PublishTask, "signal 9")
    admin.call("subscribe/table/suspend", {"tables": [row["id"] for row in sheet(admin)]})
    raised = alerts(admin)
    assert {record["content"] for record in raised} == {
        "A service process of publish node shop ended unexpectedly (signal 9)",
        "The lag of subscriber branch is over 60 seconds (61 seconds when it was noticed)",
        "Tables of subscriber branch are suspended (1): public.orders",
    }
    assert {record["customerName"] for record in raised} == {"branch", "默认租户"}
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, lag_ms=40)
    assert {record["kind"] for record in alerts(admin) if record["recoveredTime"]} == {"lag"}


def test_data_about_to_expire_raises_an_alert_beforehand(running: FakeAgent, admin: Caller) -> None:
    now = admin.plane.clock.now()
    running.report_tables(SyncState.INCREMENTAL_RUNNING, ["public.orders"], expires_at=now + timedelta(hours=13))
    assert alerts(admin) == []
    running.report_tables(SyncState.INCREMENTAL_RUNNING, ["public.orders"], expires_at=now + timedelta(hours=11))
    (raised,) = alerts(admin)
    assert (raised["kind"], raised["level"]) == ("changes-expiring", 3)
    assert raised["content"].startswith("Changes that wait for table public.orders of link shop expire at ")
    running.report_tables(SyncState.INCREMENTAL_RUNNING, ["public.orders"], expires_at=None)
    assert alerts(admin)[0]["recoveredTime"] is not None
    running.report_published(
        lambda table, generation: PublishTableReport(
            table=table,
            state=PublishState.INCREMENTAL_RELEASE,
            generation=generation,
            expires_at=now + timedelta(hours=1),
            at=now,
        )
    )
    (full,) = [record for record in alerts(admin) if record["kind"] == "full-expiring"]
    assert (full["level"], full["recoveredTime"]) == (0, None)
    assert full["content"].startswith("The full data of 2 tables of link shop expires from ")


def test_changes_that_wait_for_a_stopped_table_expire_too(running: FakeAgent, admin: Caller) -> None:
    now = admin.plane.clock.now()
    running.report_tables(SyncState.INCREMENTAL_ERROR, ["public.orders"], expires_at=now + timedelta(hours=11))
    assert expiring_tables(admin) == {"public.orders"}
    running.report_tables(SyncState.INCREMENTAL_RUNNING, load_finished_at=now)
    assert expiring_tables(admin) == set()
    ended = ServiceStatus(service=running.order(SubscribeTask).service, state=ServiceState.ABNORMAL, at=now)
    running.sync(statuses=(ended,))
    change = {"variableName": "alert_expiry_hours", "value": 60}
    admin.plane.clock.advance(timedelta(hours=13))
    admin.call("bus-sys-parameter/update", change)
    assert expiring_tables(admin) == set(), "nothing came since"
    raised = {"state": PublishState.INCREMENTAL_RELEASE, "at": admin.plane.clock.now()}
    running.report_published(
        lambda table, generation: PublishTableReport(
            table=table, generation=generation, last_change_at=now + timedelta(seconds=1), **raised
        )
    )
    assert expiring_tables(admin) == {"public.orders", "public.lines"}


def expiring_tables(admin: Caller) -> set[str]:
    """Tables with an alert about changes that will expire."""
    records = [one for one in alerts(admin) if one["kind"] == "changes-expiring" and not one["recoveredTime"]]
    return {one["content"].split(" table ")[1].split()[0] for one in records}


def test_a_silent_agent_raises_an_alert_but_not_for_the_time_the_platform_was_down(
    running: FakeAgent, admin: Caller
) -> None:
    admin.plane.clock.advance(timedelta(seconds=29))
    assert alerts(admin) == []
    admin.plane.clock.advance(timedelta(seconds=2))
    (raised,) = alerts(admin)
    assert (raised["kind"], raised["level"]) == ("agent-away", 3)
    assert "host here" in raised["content"]
    running.sync()
    assert alerts(admin)[0]["recoveredTime"] is not None


def test_reading_one_and_all(running: FakeAgent, admin: Caller) -> None:
    running.report_tables(SyncState.FULL_ERROR, reason=AWAY)
    first, second = alerts(admin, sort="recordTime", order="asc")
    assert admin.call("sys/alarmmsg/countUnRead") == 2
    assert admin.plane.get("sys/alarmmsg/countUnRead?customerId=default", admin.token).json()["data"] == 2
    assert admin.plane.get("sys/alarmmsg/countUnRead?customerId=other", admin.token).json()["data"] == 0
    assert admin.call("sys/alarmmsg/setstatus", {"id": first["id"]}) == 1
    assert [record["id"] for record in alerts(admin, status=0)] == [second["id"]]
    assert [record["id"] for record in alerts(admin, status=1)] == [first["id"]]
    assert admin.call("sys/alarmmsg/setstatus", {"type": "all"}) == 1
    assert admin.call("sys/alarmmsg/countUnRead") == 0
    assert admin.refused("sys/alarmmsg/setstatus", {"id": "nothing"})["code"] == 404
    assert admin.refused("sys/alarmmsg/setstatus", {})["code"] == 422


def test_alerts_stay_in_their_tenant(running: FakeAgent, admin: Caller, plane: ControlPlane) -> None:
    running.report_tables(SyncState.FULL_ERROR, ["public.orders"], reason=AWAY)
    (raised,) = alerts(admin)
    stranger = somebody(plane, "stranger", "elsewhere")
    assert alerts(stranger) == []
    assert alerts(stranger, customerId=raised["customerId"]) == []
    assert stranger.refused("sys/alarmmsg/setstatus", {"id": raised["id"]})["code"] == 404
    assert stranger.call("sys/alarmmsg/setstatus", {"type": "all"}) == 0
    assert admin.call("sys/alarmmsg/countUnRead") == 1


def test_messages_are_delivered_by_those_who_may(
    running: FakeAgent, admin: Caller, deliverer: Caller, plane: ControlPlane
) -> None:
    running.report_tables(SyncState.FULL_ERROR, ["public.orders"], reason=AWAY)
    (raised,) = alerts(admin)
    subscriber = raised["customerId"]
    message = {"content": " Maintenance at ten ", "customerList": [subscriber]}
    assert admin.refused("sys/alarmmsg/save", message)["code"] == 40103
    assert deliverer.call("sys/alarmmsg/save", message) == 1
    (got,) = [record for record in alerts(admin, customerId=subscriber) if record["kind"] == "message"]
    assert (got["content"], got["level"], got["customerName"]) == ("Maintenance at ten", 0, "shop")
    for wrong in ({"content": ""}, {"content": "x" * 201}, {"customerList": []}):
        assert deliverer.refused("sys/alarmmsg/save", {**message, **wrong})["code"] == 422
    assert deliverer.refused("sys/alarmmsg/save", {**message, "customerList": ["unknown"]})["code"] == 404
    elsewhere = somebody(plane, "outsider", "elsewhere", user_type="3")
    assert elsewhere.refused("sys/alarmmsg/save", message)["code"] == 404
