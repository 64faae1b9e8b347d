"""Sync tasks, their tables by page, and the home page."""

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, Row

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import Database, FakeAgent, fake_agent
from tests.support.control_plane import ControlPlane
from zcbus.control.features.sync_task import repository
from zcbus.model.states import ServiceState, SyncState
from zcbus.protocol.base import Reason

MANY = 2000


@pytest.fixture
def task(admin: Caller, agent: FakeAgent) -> str:
    admin.call("sync/link/apply", {"document": document()})
    task_id: str = admin.call("sync/task/page")["records"][0]["id"]
    return task_id


def test_milestones_follow_the_tables(task: str, agent: FakeAgent, admin: Caller, plane: ControlPlane) -> None:
    def stages() -> dict[str, tuple[str, int, int]]:
        milestones = admin.call("sync/task/get", {"id": task})["milestones"]
        return {stage["key"]: (stage["state"], stage["done"], stage["total"]) for stage in milestones}

    assert stages() == {"structure": ("waiting", 0, 2), "full": ("waiting", 0, 2), "incremental": ("waiting", 0, 2)}
    agent.run_services()
    now = plane.clock.now()
    loading = {"rows_total": 200, "rows_loaded": 50, "rows_per_second": 10.0, "load_started_at": now}
    agent.report_tables(SyncState.FULL_RUNNING, ["public.orders"], **loading)
    assert stages()["structure"] == ("running", 1, 2)
    assert stages()["full"] == ("running", 0, 2)
    assert admin.call("sync/task/get", {"id": task})["timeLeftMs"] == 15000
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, load_finished_at=now, rows_loaded=200, rows_total=200)
    assert stages() == {"structure": ("done", 2, 2), "full": ("done", 2, 2), "incremental": ("done", 2, 2)}


def of_link(page: dict[str, Any]) -> tuple[str, float, int]:
    """State, rate and lag in the totals of a list."""
    return page["totals"]["state"], page["totals"]["rowsPerSecond"], page["totals"]["lagMs"]


@pytest.mark.every_store
def test_totals_of_a_list_are_of_the_moment_of_its_rows(
    task: str, agent: FakeAgent, admin: Caller, plane: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, load_finished_at=plane.clock.now(), inserts=3, lag_ms=5)
    counted = repository.select_progress

    def count_before_tables_fail(connection: Connection, task_id: str) -> Sequence[Row[Any]]:
        groups = counted(connection, task_id)
        agent.report_tables(SyncState.INCREMENTAL_ERROR, lag_ms=90_000, rows_per_second=7.0)
        return groups

    monkeypatch.setattr(repository, "select_progress", count_before_tables_fail)
    page = admin.call("sync/task/table/page", {"id": task})
    monkeypatch.undo()
    assert {row["state"] for row in page["records"]} == {"incremental-running"}
    assert (page["totals"]["tables"]["running"], page["totals"]["tables"]["error"]) == (2, 0)
    assert of_link(page) == ("incremental-running", 0.0, 5)
    page = admin.call("sync/task/table/page", {"id": task})
    head = admin.call("sync/task/get", {"id": task})
    assert page["totals"] == {name: head[name] for name in page["totals"]}
    assert head["state"] != "incremental-running"
    assert {row["state"] for row in page["records"]} == {"incremental-error"}
    assert (page["totals"]["tables"]["running"], page["totals"]["tables"]["error"]) == (0, 2)


def test_totals_are_those_of_the_head_and_of_all_tables(task: str, agent: FakeAgent, admin: Caller) -> None:
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, inserts=3, row_errors=1)
    agent.report_tables(SyncState.INCREMENTAL_ERROR, ["public.orders"])
    head = admin.call("sync/task/get", {"id": task})
    for wanted, total in (
        ({}, 2),
        ({"size": 1}, 2),
        ({"state": ["incremental-error"], "size": 1}, 1),
        ({"state": ["suspended"]}, 0),
        ({"search": "lines"}, 1),
    ):
        page = admin.call("sync/task/table/page", {"id": task, **wanted})
        assert (page["total"], page["totals"]) == (total, {name: head[name] for name in page["totals"]})
    assert "totals" not in admin.call("sync/task/table/page", {"id": task, "size": -1})


def test_a_tables_progress_is_shown_in_figures(task: str, agent: FakeAgent, admin: Caller, plane: ControlPlane) -> None:
    agent.run_services()
    now = plane.clock.now()
    agent.report_tables(
        SyncState.FULL_RUNNING,
        ["public.orders"],
        rows_total=200,
        rows_loaded=50,
        rows_per_second=10.0,
        load_started_at=now,
    )
    running = {"id": task, "state": ["full-running"]}
    (orders,) = admin.call("sync/task/table/page", running)["records"]
    assert (orders["percent"], orders["rowsTotal"], orders["rowsLoaded"]) == (25.0, 200, 50)
    assert (orders["rowsPerSecond"], orders["timeLeftMs"]) == (10.0, 15000)
    assert orders["actions"] == ["reload", "suspend", "limit"]
    agent.run_services(ServiceState.RESTARTING)
    (orders,) = admin.call("sync/task/table/page", {"id": task, "search": "ORD"})["records"]
    assert (orders["state"], orders["rowsPerSecond"], orders["timeLeftMs"]) == ("full-allowed", 0.0, None)


@pytest.mark.wide
def test_thousands_of_tables_are_paged_sorted_and_filtered_by_the_server(plane: ControlPlane, admin: Caller) -> None:
    database = Database(tables=[("public", f"t{number:04}") for number in range(MANY)])
    with fake_agent(plane, database) as agent:
        applied = admin.call("sync/link/apply", {"document": document(tables=["public.*"])})
        assert len(applied["added"]) == MANY
        agent.run_services()
        agent.report_tables(SyncState.INCREMENTAL_RUNNING, rows_loaded=1)
        agent.report_tables(SyncState.INCREMENTAL_RUNNING, ["public.t0042"], rows_loaded=99, inserts=7)
        record = admin.call("sync/task/page")["records"][0]
        assert (record["tables"]["total"], record["tables"]["running"]) == (MANY, MANY)
        question = {"id": record["id"], "sort": "rowsLoaded", "order": "desc", "size": 20}
        begun = time.perf_counter()
        page = admin.call("sync/task/table/page", question)
        # A fraction of this on an idle machine.
        assert time.perf_counter() - begun < 2
        assert (page["total"], page["records"][0]["source"]) == (MANY, "public.t0042")
        assert page["records"][0]["inserts"] == 7
        assert admin.call("sync/task/table/page", {"id": record["id"], "search": "t19"})["total"] == 100
        assert len(admin.call("sync/task/table/page", {"id": record["id"], "size": -1})["records"]) == MANY
        assert admin.refused("sync/task/table/page", {"id": record["id"], "sort": "nix"})["code"] == 422


def test_home_shows_the_present_state_and_problems(
    task: str, agent: FakeAgent, admin: Caller, plane: ControlPlane
) -> None:
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, rows_per_second=4.0, lag_ms=30)
    plane.clock.advance(timedelta(seconds=1))
    reason = Reason(code="row-refused", facts={"table": "copy.lines", "detail": "Duplicate entry"})
    agent.report_tables(SyncState.INCREMENTAL_ERROR, ["public.lines"], reason=reason)
    home = admin.call("home/overview")
    assert home["links"] == [{"state": "incremental-running", "links": 1, "heldUp": 0, "withErrors": 1}]
    assert {row["state"]: row["tables"] for row in home["tables"]} == {"incremental-running": 1, "incremental-error": 1}
    assert (home["rowsPerSecond"], home["lagMs"], home["staleLinks"]) == (4.0, 30, 0)
    normal = {"state": "normal", "observed": "started", "services": 2}
    assert home["services"] == [{**normal, "heldUp": 0}]
    assert [agent["alive"] for agent in home["agents"]] == [True]
    assert home["problemsTotal"] == 1
    (problem,) = home["problems"]
    assert (problem["kind"], problem["subject"], problem["linkName"]) == ("table", "public.lines", "shop")
    assert "Duplicate entry" in problem["reason"]["text"]
    assert (problem["mend"], problem["linkId"] is None) == ("retry", False)
    agent.rest()
    plane.clock.advance(timedelta(seconds=11))
    home = admin.call("home/overview")
    assert home["staleLinks"] == 1
    # The last report said normal, but nothing is known of their silent host.
    assert home["services"] == [{**normal, "heldUp": 2}]
    assert {problem["kind"] for problem in home["problems"]} == {"table", "agent"}


def test_services_are_counted_by_the_state_that_their_pages_show(task: str, agent: FakeAgent, admin: Caller) -> None:
    agent.run_services()
    admin.call("sync/link/stop", {"name": "shop"})
    counts = [{"state": "stopping", "observed": "started", "services": 2, "heldUp": 0}]
    assert admin.call("home/overview")["services"] == counts
    assert admin.call("overview-monitor/get")["services"] == counts
    of_link = admin.call("sync/link/get", {"name": "shop"})["services"]
    assert [(service["state"], service["heldUp"]) for service in of_link] == [("stopping", False)] * 2
    assert {service["state"] for service in admin.call("container/cluster/customer/page")["records"]} == {"stopping"}


def test_a_problem_is_in_the_state_that_pages_show_and_has_only_remedies_of_that(
    task: str, agent: FakeAgent, admin: Caller
) -> None:
    agent.run_services(ServiceState.ABNORMAL, Reason(code="access-denied", facts={"address": "h", "user": "u"}))
    problems = admin.call("home/overview")["problems"]
    assert [(one["state"], one["mend"]) for one in problems if one["kind"] == "service"] == [("abnormal", "start")] * 2
    admin.call("sync/link/start", {"name": "shop"})
    problems = admin.call("home/overview")["problems"]
    assert [(one["state"], one["mend"]) for one in problems if one["kind"] == "service"] == [("restarting", None)] * 2


def test_a_task_of_another_tenant_is_not_there(admin: Caller) -> None:
    assert admin.refused("sync/task/get", {"id": "nix"})["data"]["error"] == "task-unknown"
