"""The shown state of a link comes from the process that runs now, in answer to the newest order."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.support.control_plane import ControlPlane
from zcbus.model.states import PublishState, ServiceState, SyncState
from zcbus.protocol.agent import ServiceReports
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import PublishTableReport, ServiceReport
from zcbus.protocol.tasks import PublishTask, SubscribeTask

NAME = {"name": "shop"}
AWAY = Reason(code="target-unavailable", facts={"kind": "mysql", "address": "h:1", "detail": "refused"})


def shown_states(admin: Caller) -> tuple[str, set[str]]:
    status = admin.call("sync/link/status", NAME)
    return status["state"], {table["state"] for table in status["tables"]}


def send_report(agent: FakeAgent, kind: type[PublishTask] | type[SubscribeTask], **report: Any) -> None:
    service = agent.order(kind).service
    message = ServiceReport(progress=4, at=agent.plane.clock.now(), **report)
    agent.sync(reports=(ServiceReports(service=service, reports=(message,)),))


def test_an_order_that_the_agent_has_not_taken_has_no_reported_state(running: FakeAgent, admin: Caller) -> None:
    admin.call("sync/link/stop", NAME)
    running.run_services()
    assert shown_states(admin)[0] == "stopped"
    assert admin.call("sync/link/start", NAME)["state"] == "starting"
    # The agent may have begun to start them by now: what it saw before is no proof that they stand still.
    assert admin.call("sync/link/stop", NAME)["state"] == "stopping"
    running.sync()
    assert shown_states(admin)[0] == "stopping"
    running.sync()
    assert shown_states(admin)[0] == "stopped"


def test_a_restarted_link_is_not_in_error_any_more(running: FakeAgent, admin: Caller) -> None:
    running.run_services(ServiceState.ABNORMAL, AWAY)
    running.report_tables(SyncState.INCREMENTAL_ERROR, reason=AWAY)
    assert shown_states(admin) == ("error", {"incremental-error"})
    assert admin.call("sync/link/start", NAME)["state"] == "starting"
    assert shown_states(admin) == ("starting", {"incremental-allowed"})


def test_a_table_that_is_tried_again_is_not_in_error_until_it_fails_again(running: FakeAgent, admin: Caller) -> None:
    running.report_tables(SyncState.INCREMENTAL_ERROR, ["public.orders"], reason=AWAY)
    running.report_tables(SyncState.FULL_ERROR, ["public.lines"], reason=AWAY)
    admin.call("sync/link/table/resume", {**NAME, "tables": ["public.orders", "public.lines"]})
    lines, orders = admin.call("sync/link/status", NAME)["tables"]
    assert (orders["state"], orders["reason"]) == ("incremental-allowed", None)
    assert (lines["state"], lines["reason"]) == ("full-allowed", None)


@pytest.mark.parametrize("action", ["reload", "resume"])
def test_a_table_that_could_not_be_published_is_not_in_error_until_it_fails_again(
    running: FakeAgent, admin: Caller, plane: ControlPlane, action: str
) -> None:
    running.report_published(
        lambda table, generation: PublishTableReport(
            table=table, state=PublishState.PUBLISH_FAILED, reason=AWAY, generation=generation, at=plane.clock.now()
        )
    )
    assert shown_states(admin)[1] == {"incremental-error"}
    admin.call(f"sync/link/table/{action}", {**NAME, "tables": ["public.orders"]})
    orders = admin.call("sync/link/status", NAME)["tables"][1]
    assert orders["state"] == ("full-allowed" if action == "reload" else "incremental-running")


def test_tables_whose_changes_are_lost_ask_for_a_new_load(
    running: FakeAgent, admin: Caller, plane: ControlPlane
) -> None:
    lost = Reason(code="log-position-lost", facts={"wanted": "0/1", "gap": "700 B", "since": "today", "detail": "slot"})
    running.report_published(
        lambda table, generation: PublishTableReport(
            table=table, state=PublishState.PUBLISH_FAILED, reason=lost, generation=generation, at=plane.clock.now()
        )
    )
    send_report(running, PublishTask, state="failed", reason=lost)
    running.run_services(ServiceState.ABNORMAL, lost)
    status = admin.call("sync/link/status", NAME)
    assert (status["state"], {table["state"] for table in status["tables"]}) == ("error", {"full-info-expired"})
    assert "captured until today (missing: 700 B; oldest kept: -): slot" in status["tables"][0]["reason"]
    assert "Start full for the tables" in admin.call("sync/link/get", NAME)["reason"]["remedy"]
    beginning = {**NAME, "tables": ["public.orders"], "offset": 0}
    (refused,) = admin.call("sync/link/table/start-incremental", beginning)
    assert (refused["done"], refused["code"]) == (False, "table-changes-lost")
    admin.call("sync/link/table/reload", {**NAME, "tables": ["public.orders"]})
    assert admin.call("sync/link/status", NAME)["tables"][1]["state"] == "full-allowed"
    assert [one["table"] for one in admin.call("sync/link/table/accept-gap", NAME) if one["done"]] == ["public.lines"]
    assert admin.call("sync/link/status", NAME)["tables"][0]["state"] == "incremental-allowed"
    running.sync()
    published = running.order(PublishTask).task.tables
    subscribed = running.order(SubscribeTask).task.tables
    assert [(table.generation, table.gap) for table in published] == [(1, 1), (2, 0)]
    assert [table.begin.gap if table.begin else None for table in subscribed] == [1, None]
    (refused,) = admin.call("sync/link/table/accept-gap", {**NAME, "tables": ["public.orders"]})
    assert not refused["done"]
    task = admin.call("sync/link/get", NAME)["taskId"]
    assert [one["rowsTotal"] for one in admin.call("sync/task/table/page", {"id": task})["records"]] == [None, None]


def test_tables_whose_worker_ended_for_good_are_in_error_until_a_restart(running: FakeAgent, admin: Caller) -> None:
    denied = Reason(code="access-denied", facts={"address": "h:1", "user": "u", "detail": "no"})
    admin.call("sync/link/table/suspend", {**NAME, "tables": ["public.lines"]})
    running.sync()
    running.run_services(ServiceState.ABNORMAL, denied)
    task = admin.call("sync/link/get", NAME)["taskId"]

    def tables() -> tuple[Any, Any]:
        lines, orders = admin.call("sync/task/table/page", {"id": task})["records"]
        return lines, orders

    lines, orders = tables()
    assert (lines["state"], orders["state"]) == ("suspended", "error")
    assert orders["reason"]["text"] == "The database h:1 refuses user u: no"
    assert orders["reason"]["remedy"]
    assert {"resume", "reload", "start-incremental"} <= set(orders["actions"])
    restart = running.order(SubscribeTask).restart
    admin.call("sync/link/table/resume", {**NAME, "tables": ["public.orders"]})
    assert tables()[1]["state"] == "incremental-allowed"
    running.sync()
    assert running.order(SubscribeTask).restart == restart + 1
    running.run_services()
    running.report_tables(SyncState.INCREMENTAL_RUNNING, ["public.orders"])
    assert tables()[1]["state"] == "incremental-running"


def test_while_the_target_is_away_nothing_runs_and_no_lag_is_known(running: FakeAgent, admin: Caller) -> None:
    assert admin.call("sync/link/get", NAME)["lagMs"] == 40
    send_report(running, SubscribeTask, state="waiting", reason=AWAY)
    status = admin.call("sync/link/status", NAME)
    assert status["state"] == "starting"
    for table in status["tables"]:
        assert (table["state"], table["lagMs"]) == ("incremental-allowed", None)
        assert table["reason"].startswith("The target MySQL / MariaDB h:1 cannot be reached")
    record = admin.call("sync/link/get", NAME)
    assert (record["lagMs"], record["reason"]["code"]) == (None, "target-unavailable")
    send_report(running, SubscribeTask, state="running")
    assert shown_states(admin) == ("incremental-running", {"incremental-running"})


def test_while_the_source_is_away_the_link_says_so(running: FakeAgent, admin: Caller, plane: ControlPlane) -> None:
    away = AWAY.model_copy(update={"code": "source-unavailable"})
    plane.clock.advance(timedelta(seconds=3))
    begun = plane.clock.now()
    send_report(running, PublishTask, state="waiting", reason=away)
    home = admin.call("home/overview")
    (problem,) = home["problems"]
    # Not since when its process runs.
    assert datetime.fromisoformat(problem["since"]) == begun
    counts = {one["state"]: (one["services"], one["heldUp"]) for one in home["services"]}
    assert counts == {"started": (1, 1), "normal": (1, 0)}
    assert problem["heldUp"]
    assert admin.call("sync/link/get", NAME)["heldUp"]
    (task,) = admin.call("sync/task/page")["records"]
    (node,) = admin.call("publish/buspushstatustb/page")["records"]
    assert task["heldUp"]
    assert node["heldUp"]
    assert home["links"] == [{"state": "starting", "links": 1, "heldUp": 1, "withErrors": 0}]
    status = admin.call("sync/link/status", NAME)
    assert status["state"] == "starting"
    assert all(table["reason"].startswith("The source MySQL / MariaDB h:1") for table in status["tables"])


def test_a_new_process_has_not_forgotten_the_figures(running: FakeAgent, admin: Caller, plane: ControlPlane) -> None:
    plane.clock.advance(timedelta(seconds=1))
    running.run_services()
    running.report_tables(SyncState.UNINITIALIZED)
    status = admin.call("sync/link/status", NAME)
    for table in status["tables"]:
        assert (table["state"], table["rowsLoaded"], table["inserts"]) == ("incremental-allowed", 10, 3)
        assert table["lagMs"] is None
    admin.call("sync/link/table/reload", {**NAME, "tables": ["public.orders"]})
    running.report_tables(SyncState.UNINITIALIZED, ["public.orders"])
    orders = admin.call("sync/link/status", NAME)["tables"][1]
    assert (orders["state"], orders["rowsLoaded"], orders["inserts"]) == ("uninitialized", 0, 0)


def test_a_changed_table_without_load_continues(admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document(load="incremental", tables=["public.orders"])})
    agent.rest()
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING)
    agent.deaf = False
    mapped = {"source": "public.orders", "columns": ["id"]}
    admin.call("sync/link/apply", {"document": document(load="incremental", tables=[mapped])})
    agent.rest()
    assert shown_states(admin)[1] == {"incremental-running"}


def test_a_paused_links_tables_are_not_resumed_one_by_one(running: FakeAgent, admin: Caller) -> None:
    admin.call("sync/link/table/suspend", {**NAME, "tables": ["public.lines"]})
    admin.call("sync/link/pause", NAME)
    running.run_services()
    running.sync()
    assert shown_states(admin) == ("suspended", {"suspended"})
    task = admin.call("sync/task/page")["records"][0]["id"]
    lines, orders = admin.call("sync/task/table/page", {"id": task})["records"]
    assert ("resume" in lines["actions"], "suspend" in lines["actions"]) == (True, False)
    assert ("resume" in orders["actions"], "suspend" in orders["actions"]) == (False, True)
    both = admin.call("sync/link/table/resume", {**NAME, "tables": ["public.orders", "public.lines"]})
    assert [one["done"] for one in both] == [False, True]


def test_pause_and_resume_in_one_breath_is_no_error(running: FakeAgent, admin: Caller) -> None:
    admin.call("sync/link/pause", NAME)
    assert admin.call("sync/link/resume", NAME)["state"] == "starting"
    admin.call("sync/link/pause", NAME)
    assert admin.call("sync/link/stop", NAME)["state"] == "stopping"


def test_open_row_errors_show_in_everything_above_their_table(running: FakeAgent, admin: Caller) -> None:
    since = admin.plane.clock.now()
    running.report_tables(SyncState.INCREMENTAL_RUNNING, ["public.orders"], row_errors=4)
    admin.plane.clock.advance(timedelta(seconds=5))
    running.report_tables(SyncState.INCREMENTAL_RUNNING, ["public.orders"], row_errors=3)
    for path in ("sync/link/page", "sync/task/page", "subscribe/customer/page"):
        for record in admin.call(path)["records"]:
            assert record["tables"]["rowErrors"] == 3
    (link,) = admin.call("sync/link/page")["records"]
    assert link["state"] == "incremental-running"
    assert {table["source"]: table["errors"] for table in admin.call("sync/link/status", NAME)["tables"]} == {
        "public.lines": 0,
        "public.orders": 3,
    }
    home = admin.call("home/overview")
    assert home["links"] == [{"state": "incremental-running", "links": 1, "heldUp": 0, "withErrors": 1}]
    assert home["tables"] == [{"state": "incremental-running", "tables": 2, "withErrors": 1}]
    (problem,) = home["problems"]
    assert (problem["kind"], problem["subject"], problem["rowErrors"]) == ("row-errors", "public.orders", 3)
    assert datetime.fromisoformat(problem["since"]) == since
    running.report_tables(SyncState.INCREMENTAL_RUNNING, ["public.orders"])
    home = admin.call("home/overview")
    assert (home["problems"], home["links"][0]["withErrors"]) == ([], 0)
