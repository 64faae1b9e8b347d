"""Plans are due once, run in their owner's name, and their history has the results."""

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_contrast import report, task
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from zcbus.control.features.alert.watch import evaluate
from zcbus.control.features.task_plan.runner import remove_old, tick
from zcbus.control.store.tables.identity import role, role_permission, user
from zcbus.model.comparison import ComparisonState, RepairState
from zcbus.model.states import SyncState
from zcbus.protocol.base import Reason

HOURLY = {"trigger": "cron", "cron": "0 * * * *", "timeZone": "Asia/Shanghai"}
ORDERS, LINES = "public.orders", "public.lines"


def link_of(caller: Caller) -> str:
    (link,) = caller.call("sync/link/page")["records"]
    identifier: str = link["id"]
    return identifier


def plan(caller: Caller, kind: str, *, job: dict[str, Any] | None = None, **changes: Any) -> str:
    """A plan that is due at each full hour; the clock is at 12:00:00.123456 before."""
    asked = {"name": kind, **HOURLY, "job": {"type": kind, "link": link_of(caller), **(job or {})}, **changes}
    identifier: str = caller.call("task/plan/add", asked)["id"]
    return identifier


def later(plane: ControlPlane, **by: float) -> None:
    """Let time pass, and every control plane check."""
    plane.clock.advance(timedelta(**by))
    tick(plane.services)


def history(caller: Caller, **wanted: Any) -> list[tuple[str, str]]:
    """Due time and state of each run, the oldest first."""
    runs = caller.call("task/run/page", {"sort": "dueAt", "order": "asc", **wanted})["records"]
    return [(run["dueAt"][11:16], run["state"]) for run in runs]


def newest(caller: Caller) -> dict[str, Any]:
    run = caller.call("task/run/page")["records"][0]
    detail: dict[str, Any] = caller.call("task/run/get", {"id": run["id"]})
    return detail


def tables(caller: Caller) -> dict[str, tuple[bool | None, str]]:
    page = caller.call("task/run/table/page", {"run": newest(caller)["id"]})
    return {one["table"]: (one["done"], one["reason"]) for one in page["records"]}


def alerts(caller: Caller) -> list[tuple[str, bool]]:
    """Kind of each alert about plans, and whether it is over."""
    evaluate(caller.plane.services)
    found = caller.call("sys/alarmmsg/page", {"sort": "recordTime", "order": "asc"})["records"]
    return [(one["kind"], one["recoveredTime"] is not None) for one in found if one["kind"].startswith("plan")]


def test_a_link_is_stopped_at_its_time_and_that_is_known_from_its_agent(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    made = plan(admin, "stop")
    later(plane, minutes=59)
    assert history(admin) == []
    later(plane, seconds=60)
    assert history(admin) == [("13:00", "running")]
    assert admin.call("sync/link/page")["records"][0]["desired"] == "stopped"
    later(plane, seconds=3)
    assert history(admin) == [("13:00", "running")]
    running.run_services()
    later(plane, seconds=3)
    assert history(admin) == [("13:00", "succeeded")]
    (shown,) = admin.call("task/plan/page")["records"]
    assert (shown["lastRun"]["state"], shown["nextAt"], shown["job"]["linkName"]) == (
        *("succeeded", "2026-01-31T14:00:00Z"),
        "shop",
    )
    log = [line["code"] for line in newest(admin)["log"]]
    assert log == ["plan-begun", "plan-ended"]
    logged = admin.call("monitor/operation-log/page", {"search": "task-plan_run"})["records"]
    assert [(one["userName"], one["subject"], one["result"]) for one in logged if one["path"] == ""] == [
        ("admin", "stop: shop", "done")
    ]
    later(plane, hours=1)
    assert history(admin, plan=made) == [("13:00", "succeeded"), ("14:00", "running")]


def test_missed_due_times_are_made_up_for_once_or_skipped(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    once, skip = plan(admin, "stop", name="once"), plan(admin, "stop", name="skip", misfire="skip")
    moment = (plane.clock.now() + timedelta(hours=2)).isoformat()
    single = {"trigger": "once", "cron": None, "onceAt": moment}
    late = plan(admin, "stop", name="single", misfire="skip", **single)
    later(plane, hours=3, minutes=30)
    assert history(admin, plan=once) == [("15:00", "running")]
    made_up = admin.call("task/run/get", {"id": admin.call("task/run/page", {"plan": once})["records"][0]["id"]})
    assert made_up["log"][0]["text"] == ("3 due times were missed (2026-01-31 13:00+00:00 to 2026-01-31 15:00+00:00)")
    assert history(admin, plan=skip) == [("15:00", "missed")]
    assert history(admin, plan=late) == [("14:00", "missed")]
    assert ("plan-late", False) in alerts(admin)
    later(plane, minutes=31)
    assert history(admin, plan=skip) == [("15:00", "missed"), ("16:00", "running")]
    states = {one["name"]: one["state"] for one in admin.call("task/plan/page")["records"]}
    assert states == {"once": "active", "skip": "active", "single": "over"}
    assert admin.refused("task/plan/resume", {"id": late})["message"].startswith("The time of task plan single is over")


def test_a_run_due_while_another_is_open_is_skipped_or_queued(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    skip = plan(admin, "stop", name="skip")
    queue = plan(admin, "stop", name="queue", overlap="queue")
    for _ in range(4):
        later(plane, hours=1)
    assert history(admin, plan=skip) == [("13:00", "running"), *((f"{hour}:00", "skipped") for hour in (14, 15, 16))]
    assert history(admin, plan=queue) == [
        *(("13:00", "running"), ("14:00", "queued"), ("15:00", "skipped"), ("16:00", "skipped"))
    ]
    assert admin.refused("task/plan/run", {"id": skip})["message"].startswith("A run of task plan skip is open")
    running.run_services()
    later(plane, seconds=3)
    assert history(admin, plan=queue)[:2] == [("13:00", "succeeded"), ("14:00", "running")]
    later(plane, seconds=3)
    assert history(admin, plan=queue)[:2] == [("13:00", "succeeded"), ("14:00", "succeeded")]
    assert admin.call("task/plan/run", {"id": skip})["id"] == newest(admin)["id"]


def test_an_attempt_over_its_time_limit_is_retried_and_logged(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    plan(admin, "stop", retries=1, retrySeconds=120, timeoutSeconds=60)
    later(plane, hours=1)
    later(plane, seconds=61)
    run = newest(admin)
    assert (run["state"], run["attempt"], run["reason"]["code"]) == ("queued", 1, "plan-timed-out")
    assert alerts(admin) == []
    later(plane, seconds=119)
    assert newest(admin)["attempt"] == 1
    later(plane, seconds=2)
    assert (newest(admin)["state"], newest(admin)["attempt"]) == ("running", 2)
    later(plane, seconds=61)
    assert newest(admin)["state"] == "timed-out"
    assert alerts(admin) == [("plan-failed", False)]
    running.run_services()
    later(plane, hours=1)
    later(plane, seconds=3)
    assert newest(admin)["state"] == "succeeded"
    assert alerts(admin) == [("plan-failed", True)]


def planner(admin: Caller) -> Caller:
    """A user who may only plan and operate links."""
    allowed = {"task": ["view", "create", "edit", "operate"], "sync-link": ["view", "operate"]}
    permissions = [{"menuKey": key, "operations": operations} for key, operations in allowed.items()]
    admin.call("account/role/add", {"code": "planner", "nameZh": "p", "nameEn": "p", "permissions": permissions})
    add_user(admin.plane, "planner", "planner", "default")
    return Caller(admin.plane, admin.plane.sign_in("planner"))


def test_a_plan_runs_with_the_rights_that_its_owner_has_then(running: FakeAgent, admin: Caller) -> None:
    plane, owner, link = running.plane, planner(admin), link_of(admin)
    # Comparing needs a right that the owner lacks: a plan cannot exceed its owner's rights.
    compare = {"name": "c", **HOURLY, "job": {"type": "compare", "link": link}}
    assert plane.post("task/plan/add", compare, owner.token).status_code == 403
    made = plan(owner, "stop", retries=3)
    with plane.services.database.write() as store:
        planners = sa.select(role.c.id).where(role.c.code == "planner").scalar_subquery()
        operate = (role_permission.c.role_id == planners) & (role_permission.c.menu_key == "sync-link")
        store.execute(sa.delete(role_permission).where(operate))
    later(plane, hours=1)
    run = newest(admin)
    assert (run["state"], run["attempt"], run["reason"]["code"]) == ("failed", 1, "forbidden")
    assert admin.call("sync/link/page")["records"][0]["desired"] == "running"
    with plane.services.database.write() as store:
        store.execute(sa.update(user).where(user.c.user_name == "planner").values(status="1"))
    later(plane, hours=1)
    assert newest(admin)["reason"]["code"] == "plan-owner-gone"
    logged = admin.call("monitor/operation-log/page", {"search": "task-plan_run"})["records"]
    assert {(one["result"], one["errorCode"]) for one in logged} == {
        *(("failed", "forbidden"), ("failed", "plan-owner-gone"))
    }
    # By hand nothing is begun that could only fail.
    past = {"id": made, "firstAt": "2026-01-31T00:00:00Z", "lastAt": "2026-01-31T12:00:00Z"}
    for path, asked in (("task/plan/run", {"id": made}), ("task/plan/backfill/start", past)):
        assert admin.refused(path, asked)["message"].startswith("The account of the plan's owner")
    # Who edits it is its owner.
    shown = admin.call("task/plan/get", {"id": made})
    edited = admin.call("task/plan/edit", {**shown, "job": {"type": "stop", "link": link}, "retries": 0})
    assert edited["ownerName"] == "admin"
    later(plane, hours=1)
    assert newest(admin)["state"] == "running"


def test_a_comparison_that_finds_rows_is_no_success(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    plan(admin, "compare", retries=2)
    later(plane, hours=1)
    for wanted in task(running).comparisons:
        rows = 4 if wanted.table.source.table == "orders" else 0
        state = RepairState.ALLOWED if rows else RepairState.NONE
        report(running, wanted, ComparisonState.DONE, different=rows, repair_state=state)
    later(plane, seconds=3)
    assert (newest(admin)["state"], newest(admin)["tablesDone"], newest(admin)["tablesTotal"]) == ("partial", 1, 2)
    assert tables(admin) == {ORDERS: (False, "4 rows differ"), LINES: (True, "")}
    assert alerts(admin) == [("plan-failed", False)]
    # The next one is not refused because of this one's findings.
    later(plane, hours=1)
    assert {wanted.number for wanted in task(running).comparisons} == {2, 3}
    for wanted in task(running).comparisons:
        report(running, wanted, ComparisonState.DONE)
    later(plane, seconds=3)
    assert newest(admin)["state"] == "succeeded"
    assert alerts(admin) == [("plan-failed", True)]


def test_rows_that_differ_are_repaired_where_the_plan_says_so(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    plan(admin, "compare", job={"tables": [ORDERS], "repair": True})
    later(plane, hours=1)
    (wanted,) = task(running).comparisons
    report(running, wanted, ComparisonState.DONE, missing=2, repair_state=RepairState.ALLOWED)
    later(plane, seconds=3)
    (wanted,) = task(running).comparisons
    assert (newest(admin)["state"], wanted.repair) == ("running", 1)
    report(running, wanted, ComparisonState.DONE, missing=2, repaired=2, repair_state=RepairState.DONE)
    later(plane, seconds=3)
    assert newest(admin)["state"] == "succeeded"


def test_only_tables_that_failed_are_loaded_again_by_the_next_attempt(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    plan(admin, "reload", retries=1, retrySeconds=10)
    later(plane, hours=1)
    now = plane.clock.now()
    done = {"load_started_at": now, "load_finished_at": now, "rows_total": 10, "rows_loaded": 10}
    running.report_tables(SyncState.FULL_RUNNING, rows_loaded=5)
    later(plane, seconds=3)
    assert newest(admin)["tablesDone"] == 0
    running.report_tables(SyncState.INCREMENTAL_RUNNING, [LINES], **done)
    reason = Reason(code="target-unavailable", facts={"kind": "mysql", "address": "h:1", "detail": "refused"})
    running.report_tables(SyncState.FULL_ERROR, [ORDERS], reason=reason)
    later(plane, seconds=3)
    assert (newest(admin)["state"], newest(admin)["tablesDone"]) == ("queued", 1)
    later(plane, seconds=11)
    generations = {
        f"{one.source.schema_name}.{one.source.table}": one.generation
        for order in running.sync() and running.orders.orders  # type: ignore[union-attr]
        if order.task.type == "subscribe"
        for one in order.task.tables
    }
    assert generations[ORDERS] == generations[LINES] + 1
    running.report_tables(SyncState.INCREMENTAL_RUNNING, [ORDERS], **done)
    later(plane, seconds=3)
    assert (newest(admin)["state"], newest(admin)["attempt"]) == ("succeeded", 2)
    assert set(tables(admin).values()) == {(True, "")}


def test_a_plan_follows_another_when_that_succeeded_or_ended(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    first = plan(admin, "stop", name="first", timeoutSeconds=60)
    behind = {"trigger": "after", "cron": None, "after": first}
    success = plan(admin, "start", name="success", **behind)
    end = plan(admin, "pause", name="end", afterWhen="end", retries=0, **behind)
    later(plane, hours=1)
    assert history(admin, plan=success) == history(admin, plan=end) == []
    later(plane, seconds=61)
    assert (history(admin, plan=first), history(admin, plan=success)) == ([("13:00", "timed-out")], [])
    tick(plane.services)
    # Pausing a link that is to stop is refused: it ran, which is what the test needs.
    assert history(admin, plan=end) == [("13:01", "failed")]
    running.run_services()
    later(plane, minutes=59)
    later(plane, seconds=3)
    tick(plane.services)
    assert history(admin, plan=first)[1:] == [("14:00", "succeeded")]
    assert history(admin, plan=success) == [("14:00", "running")]
    states = {one["name"]: (one["state"], one["afterName"]) for one in admin.call("task/plan/page")["records"]}
    assert states == {"first": ("active", None), "success": ("active", "first"), "end": ("active", "first")}
    shown = admin.call("task/plan/get", {"id": first})
    circle = {**shown, "job": {"type": "stop", "link": link_of(admin)}, "trigger": "after", "cron": None, "after": end}
    assert admin.refused("task/plan/edit", circle)["message"] == "The plan would follow itself by way of end"
    assert "end, success" in admin.refused("task/plan/delete", {"id": first})["message"]


def test_a_run_continues_after_its_control_plane_was_down(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    plan(admin, "stop")
    later(plane, hours=1)
    running.run_services()
    later(plane, minutes=5)
    assert (newest(admin)["state"], newest(admin)["attempt"]) == ("succeeded", 1)
    assert [line["code"] for line in newest(admin)["log"]] == ["plan-begun", "plan-unwatched", "plan-ended"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"cron": "61 * * * *"}, "cron"),
        ({"timeZone": "Mars/Base"}, "timeZone"),
        ({"onceAt": "2026-02-01T00:00:00Z"}, "body"),
        ({"retries": 11}, "retries"),
    ],
)
def test_invalid_plans_are_refused_at_their_field(
    running: FakeAgent, admin: Caller, changes: dict[str, Any], field: str
) -> None:
    asked = {"name": "n", **HOURLY, "job": {"type": "stop", "link": link_of(admin)}, **changes}
    assert [fault["field"] for fault in admin.refused("task/plan/add", asked)["data"]["fields"]] == [field]


def test_a_plan_is_paused_resumed_previewed_and_deleted(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    made = plan(admin, "suspend", job={"tables": [ORDERS]})
    unknown = {"name": "n", **HOURLY, "job": {"type": "suspend", "link": link_of(admin), "tables": ["a.b"]}}
    assert admin.refused("task/plan/add", unknown)["message"] == "The sync link has no such tables: a.b"
    assert admin.refused("task/plan/add", {**unknown, "name": "suspend", "job": {**unknown["job"], "tables": None}})
    assert admin.call("task/plan/pause", {"id": made})["nextAt"] is None
    later(plane, hours=2)
    assert history(admin) == []
    assert admin.call("task/plan/resume", {"id": made})["nextAt"] == "2026-01-31T15:00:00Z"
    preview = admin.call("task/plan/preview", {**HOURLY, "cron": "30 8 * * *"})
    assert [time[8:16] for time in preview["times"]] == [*("01T00:30", "02T00:30", "03T00:30", "04T00:30", "05T00:30")]
    for _ in range(2):
        admin.call("task/plan/run", {"id": made})
        tick(plane.services)
        running.report_tables(SyncState.SUSPENDED, [ORDERS])
        later(plane, minutes=3)
    assert history(admin) == [("14:00", "succeeded"), ("14:03", "succeeded")]
    assert newest(admin)["askedBy"] == "admin"
    plane.clock.advance(timedelta(days=91))
    remove_old(plane.services)
    again = Caller(plane, plane.sign_in())
    # The newest says how the plan is, and keeps its alert.
    assert history(again) == [("14:03", "succeeded")]
    again.call("task/plan/delete", {"id": made})
    assert again.call("task/plan/page")["total"] == 0


def due_at(caller: Caller, **wanted: Any) -> list[tuple[str, str, str]]:
    """Due time, origin and state of each run, in this order."""
    runs = caller.call("task/run/page", wanted)["records"]
    return sorted((run["dueAt"][11:16], run["origin"], run["state"]) for run in runs)


def test_a_backfill_runs_the_due_times_that_nothing_was_run_for(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    made = plan(admin, "stop", misfire="skip")
    behind = plan(admin, "stop", name="behind", trigger="after", cron=None, after=made)
    # 13:00 to 15:00 are missed; 16:00 runs.
    later(plane, hours=3, minutes=30)
    later(plane, minutes=30)
    running.run_services()
    later(plane, seconds=3)
    tick(plane.services)
    later(plane, seconds=3)
    asked = {"id": made, "firstAt": "2026-01-31T11:30:00Z", "lastAt": "2026-01-31T16:30:00Z"}
    preview = admin.call("task/plan/backfill/preview", asked)
    assert [time[11:16] for time in preview["times"]] == ["12:00", "13:00", "14:00", "15:00"]
    assert (preview["total"], preview["last"][11:16]) == (4, "15:00")
    begun = admin.call("task/plan/backfill/start", {**asked, "firstAt": "2026-01-31T14:00:00Z"})["backfill"]
    assert (begun["state"], begun["total"], begun["succeeded"]) == ("running", 2, 0)
    assert admin.refused("task/plan/backfill/start", asked)["message"].startswith("A backfill of task plan stop is run")
    tick(plane.services)
    assert due_at(admin, plan=made, origin="backfill") == [("14:00", "backfill", "running")]
    for _ in range(10):
        later(plane, seconds=3)
    # One after another, each with what follows it, for the same time; what was run before is not run again.
    assert due_at(admin, plan=made) == [
        *(("14:00", "backfill", "succeeded"), ("15:00", "backfill", "succeeded"), ("15:00", "schedule", "missed")),
        ("16:00", "schedule", "succeeded"),
    ]
    assert due_at(admin, plan=behind, origin="backfill") == [
        *(("14:00", "backfill", "succeeded"), ("15:00", "backfill", "succeeded"))
    ]
    starts = [run["startedAt"] for run in admin.call("task/run/page", {"origin": "backfill"})["records"]]
    assert len(set(starts)) == len(starts)
    shown = admin.call("task/plan/get", {"id": made})
    ended = shown["backfill"]
    assert (ended["state"], ended["succeeded"], ended["broken"], ended["askedBy"]) == ("done", 2, 0, "admin")
    assert shown["lastRun"]["dueAt"][11:16] == "16:00"
    again = admin.refused("task/plan/backfill/start", {**asked, "firstAt": "2026-01-31T14:00:00Z"})
    assert again["message"] == "Task plan stop has no due time in this range that was not run"
    logged = admin.call("monitor/operation-log/page", {"search": "task-plan_start_backfill"})["records"]
    assert [(one["subject"], one["result"]) for one in logged if one["result"] == "done"] == [("stop", "done")]


def test_a_due_run_goes_before_the_rest_of_a_backfill_which_can_be_cancelled(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    made = plan(admin, "stop")
    asked = {"id": made, "firstAt": "2026-01-31T08:00:00Z", "lastAt": "2026-01-31T11:00:00Z"}
    admin.call("task/plan/pause", {"id": made})
    assert admin.refused("task/plan/backfill/start", asked)["message"] == "Task plan stop is paused: resume it first"
    admin.call("task/plan/resume", {"id": made})
    admin.call("task/plan/backfill/start", asked)
    tick(plane.services)
    assert due_at(admin) == [("08:00", "backfill", "running")]
    # Overlap is to be skipped, but a backfill costs no run.
    later(plane, hours=1)
    assert due_at(admin) == [("08:00", "backfill", "running"), ("13:00", "schedule", "queued")]
    running.run_services()
    later(plane, seconds=3)
    tick(plane.services)
    assert due_at(admin) == [("08:00", "backfill", "succeeded"), ("13:00", "schedule", "running")]
    later(plane, seconds=3)
    tick(plane.services)
    assert [run[2] for run in due_at(admin)] == ["succeeded", "running", "succeeded"]
    cancelled = admin.call("task/plan/backfill/cancel", {"id": made})["backfill"]
    assert (cancelled["state"], cancelled["total"], cancelled["succeeded"]) == ("cancelled", 4, 1)
    for _ in range(3):
        later(plane, seconds=3)
    assert [run[0] for run in due_at(admin, origin="backfill")] == ["08:00", "09:00"]
    left = admin.call("task/plan/backfill/preview", asked)
    assert [time[11:16] for time in left["times"]] == ["10:00", "11:00"]
    assert admin.refused("task/plan/backfill/cancel", {"id": made})["message"].startswith("No backfill of task plan")


def test_a_backfill_is_bounded_and_needs_due_times(running: FakeAgent, admin: Caller) -> None:
    made = plan(admin, "stop", name="often", cron="* * * * *")
    behind = plan(admin, "stop", name="behind", trigger="after", cron=None, after=made)
    day = {"firstAt": "2026-01-30T00:00:00Z", "lastAt": "2026-01-31T00:00:00Z"}
    for call in ("backfill/preview", "backfill/start"):
        answer = admin.refused(f"task/plan/{call}", {"id": made, **day})
        assert "at most 400" in answer["message"]
    assert "follows another plan" in admin.refused("task/plan/backfill/start", {"id": behind, **day})["message"]
    turned = {"id": made, "firstAt": day["lastAt"], "lastAt": day["firstAt"]}
    assert "must begin before it ends" in str(admin.refused("task/plan/backfill/start", turned)["data"]["fields"])
    # The due time that the schedule is about to claim is its own, and later ones are not over.
    future = {"id": made, "firstAt": "2026-01-31T11:58:30Z", "lastAt": "2026-02-28T00:00:00Z"}
    admin.plane.clock.advance(timedelta(minutes=1))
    left = admin.call("task/plan/backfill/preview", future)
    assert [time[11:16] for time in left["times"]] == ["11:59", "12:00"]


def test_a_run_that_does_not_end_in_time_raises_an_alert_until_it_ends(running: FakeAgent, admin: Caller) -> None:
    plane = running.plane
    plan(admin, "stop", overdueSeconds=1800)
    later(plane, hours=1)
    later(plane, minutes=29)
    assert alerts(admin) == []
    later(plane, minutes=2)
    assert alerts(admin) == [("plan-overdue", False)]
    running.run_services()
    later(plane, seconds=3)
    assert newest(admin)["state"] == "succeeded"
    assert alerts(admin) == [("plan-overdue", True)]
