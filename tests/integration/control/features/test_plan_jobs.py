"""Jobs of plans that are about no link: cleaning, and saved SQL."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent, Refused
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.test_task_plans import HOURLY, alerts, history, later, newest, tables
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from zcbus.control.features.task_plan.jobs import cleaning
from zcbus.control.features.task_plan.jobs.cleaning import HISTORIES
from zcbus.control.features.task_plan.runner import tick
from zcbus.control.store.columns import JsonDocument, UtcTimestamp
from zcbus.control.store.tables.alert import alert
from zcbus.control.store.tables.notification import notice_delivery
from zcbus.control.store.tables.recycle_bin import recycled_object
from zcbus.control.store.tables.sql_management import sql_run
from zcbus.control.store.tables.task_plan import task_plan, task_run
from zcbus.kit.ids import new_id
from zcbus.protocol.data_service import QueryColumn
from zcbus.protocol.statements import StatementOutcome

BASE = "resource/sql"


def add(caller: Caller, name: str, job: dict[str, Any], **changes: Any) -> str:
    identifier: str = caller.call("task/plan/add", {"name": name, **HOURLY, "job": job, **changes})["id"]
    return identifier


def fill(store: sa.Connection, table: sa.Table, moment: datetime, **values: Any) -> str:
    """A row with something in each column that needs it."""
    row = {column.name: _filler(column, moment) for column in table.c if not column.nullable}
    row |= {"id": new_id(), "tenant_id": "default", **values}
    store.execute(table.insert().values(**row))
    return str(row["id"])


def _filler(column: sa.Column[Any], moment: datetime) -> Any:
    fillers: dict[type, Any] = {
        **{UtcTimestamp: moment, JsonDocument: {}, sa.Boolean: False},
        **{sa.Integer: 0, sa.BigInteger: 0, sa.Double: 0.0},
    }
    return next((value for kind, value in fillers.items() if isinstance(column.type, kind)), new_id()[-5:])


def count(plane: ControlPlane, table: sa.Table, tenant: str = "default") -> int:
    with plane.services.database.read() as store:
        mine = sa.select(sa.func.count()).select_from(table).where(table.c.tenant_id == tenant)
        return store.execute(mine).scalar_one()


def clean(*histories: str, days: int = 30) -> dict[str, Any]:
    return {"type": "clean", "clean": {"histories": list(histories), "olderThanDays": days}}


@pytest.mark.every_store
def test_each_history_is_cleaned_of_what_is_old_and_says_how_much(
    plane: ControlPlane, admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cleaning, "_AT_ONCE", 2)
    boss = administrator_of(plane, "north")
    old, fresh = plane.clock.now() - timedelta(days=31), plane.clock.now() - timedelta(days=29)
    histories = [kind for kind in HISTORIES if kind != "runs"]
    with plane.services.database.write() as store:
        for kind in histories:
            table, ended = HISTORIES[kind].table, HISTORIES[kind].ended.name
            for _ in range(3):
                past = {"kind": "saved-sql"} if table is recycled_object else {}
                fill(store, table, old, **{ended: old}, **past)
                fill(store, table, old, tenant_id="north", **{ended: old}, **past)
                fill(store, table, fresh, **{ended: fresh}, **past)
    add(boss, "north", clean(*histories))
    later(plane, hours=1)
    for _ in range(3):
        later(plane, seconds=3)
    run = newest(boss)
    assert (run["state"], run["reason"]["text"]) == ("succeeded", "18 records removed")
    assert set(tables(boss).values()) == {(True, "3 removed")}
    assert tables(boss).keys() >= {"Full loads", "Recycle bin", "API log"}
    assert [line["text"] for line in run["log"]][-2:] == ["18 records removed", "Over after attempt 1"]
    assert [count(plane, HISTORIES[kind].table, "north") for kind in histories] == [0] * 6
    assert [count(plane, HISTORIES[kind].table) for kind in histories] == [6] * 6
    # What is removed is in the operation log, with how much.
    logged = boss.call("monitor/operation-log/page", {"search": "task-plan_run"})["records"]
    assert [one["subject"] for one in logged] == ["north", f"north: {', '.join(histories)}"]
    after = boss.call("monitor/operation-log/get", {"id": logged[0]["id"]})["after"]
    assert after["outcome"] == {"code": "plan-removed-all", "facts": {"removed": "18"}}
    zh = boss.call("task/run/table/page", {"run": run["id"], "search": "回收站"}, language="zh")["records"]
    assert [(one["table"], one["reason"]) for one in zh] == [("回收站", "已清理 3 条")]


@pytest.mark.every_store
def test_what_alerts_still_need_stays(plane: ControlPlane, admin: Caller) -> None:
    old = plane.clock.now() - timedelta(days=31)
    with plane.services.database.write() as store:
        open_alert = fill(store, alert, old)
        fill(store, notice_delivery, old, alert_id=open_alert, ended_at=old)
        fill(store, notice_delivery, old, alert_id=None, ended_at=old)
        fill(store, notice_delivery, old, ended_at=None)
        fill(store, sql_run, old, result="running")
        of_plan = {"owner_id": "gone", "next_at": None, "paused": True, "trigger": "once", "time_zone": "UTC"}
        job = {"type": "stop", "link": "gone"}
        made = fill(store, task_plan, old, job=job, **of_plan)
        for days, state in ((0, "succeeded"), (1, "failed"), (2, "skipped")):
            due = old - timedelta(days=9 - days)
            fill(
                store,
                task_run,
                due,
                plan_id=made,
                job=job,
                origin="schedule",
                state=state,
                ended_at=due,
                tables=[],
                log=[],
            )
    add(admin, "c", clean("alerts", "notices", "sql-runs", "runs"))
    later(plane, hours=1)
    later(plane, seconds=3)
    later(plane, seconds=3)
    assert set(tables(admin).values()) == {(True, "0 removed"), (True, "1 removed")}
    assert (count(plane, alert), count(plane, notice_delivery), count(plane, sql_run)) == (1, 2, 1)
    # The newest run that was made says how the plan is; what was skipped behind it belongs to it.
    assert [state for _, state in history(admin, plan=made)] == ["failed", "skipped"]


def planner(admin: Caller, name: str, **allowed: list[str]) -> Caller:
    permissions = [{"menuKey": key, "operations": operations} for key, operations in allowed.items()]
    permissions.append({"menuKey": "task", "operations": ["view", "create", "edit", "operate"]})
    admin.call("account/role/add", {"code": name, "nameZh": name, "nameEn": name, "permissions": permissions})
    add_user(admin.plane, name, name, "default")
    return Caller(admin.plane, admin.plane.sign_in(name))


def test_cleaning_needs_the_right_to_delete_each_history(plane: ControlPlane, admin: Caller) -> None:
    cleaner = planner(admin, "cleaner", **{"sync-link": ["view", "delete"], "resource/recycleBin": ["view", "delete"]})
    add(cleaner, "loads", clean("loads"))
    for denied in ("runs", "recycle-bin", "api-log"):
        answer = plane.post("task/plan/add", {"name": denied, **HOURLY, "job": clean("loads", denied)}, cleaner.token)
        assert answer.status_code == 403, denied


@pytest.mark.parametrize(
    ("job", "field"),
    [
        ({"type": "clean"}, "job"),
        ({"type": "sql"}, "job"),
        ({"type": "stop"}, "job"),
        ({**clean("loads"), "link": "l"}, "job"),
        ({**clean("loads"), "type": "stop", "link": "l"}, "job"),
        (clean("loads", days=0), "job.clean.olderThanDays"),
        (clean("operation-log"), "job.clean.histories.0"),
        (clean(), "job.clean.histories"),
        (
            {"type": "sql", "sql": {"statement": "s", "database": "d", "timeLimitSeconds": 601}},
            "job.sql.timeLimitSeconds",
        ),
    ],
)
def test_incomplete_jobs_are_refused_at_their_field(admin: Caller, job: dict[str, Any], field: str) -> None:
    asked = {"name": "n", **HOURLY, "job": job}
    assert [fault["field"] for fault in admin.refused("task/plan/add", asked)["data"]["fields"]] == [field]


@pytest.fixture
def linked(agent: FakeAgent, admin: Caller) -> FakeAgent:
    """An agent that syncs when the test says so, with a link from PostgreSQL to MySQL."""
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    return agent


def answering(agent: FakeAgent, rows: int = 2) -> None:
    def answer(request: Any) -> StatementOutcome:
        if "absent" in request.statement:
            raise Refused("query-failed", detail="relation absent does not exist")
        columns = (QueryColumn(name="id", type="int4"),)
        found = tuple((number,) for number in range(rows))
        return StatementOutcome(columns=columns, rows=found, more=rows > 4, duration_ms=35)

    agent.handlers["run-statement"] = answer


def saved(caller: Caller, statement: str = "SELECT id FROM orders", description: str = "check") -> str:
    identifier: str = caller.call(f"{BASE}/add", {"description": description, "statement": statement})["id"]
    return identifier


def sql(caller: Caller, statement: str, **limits: Any) -> dict[str, Any]:
    [database] = [one["id"] for one in caller.call(f"{BASE}/database/list") if one["use"] == "publish"]
    return {"type": "sql", "sql": {"statement": statement, "database": database, **limits}}


def let_run(agent: FakeAgent, plan: str, caller: Caller) -> dict[str, Any]:
    """Run a plan at once, with the agent's answer."""
    caller.call("task/plan/run", {"id": plan})
    tick(agent.plane.services)
    agent.sync()
    agent.sync()
    later(agent.plane, seconds=3)
    return newest(caller)


@pytest.mark.every_store
def test_a_saved_sql_runs_read_only_and_its_rows_are_in_both_histories(linked: FakeAgent, admin: Caller) -> None:
    answering(linked)
    made = add(admin, "nightly", sql(admin, saved(admin), rowLimit=5, timeLimitSeconds=7))
    assert admin.call("task/plan/get", {"id": made})["job"]["sqlName"] == "check"
    run = let_run(linked, made, admin)
    assert (run["state"], run["reason"]["text"], run["job"]["sqlName"]) == ("succeeded", "2 rows in 35 ms", "check")
    assert tables(admin) == {"check · shop": (True, "2 rows in 35 ms")}
    [asked] = [put.request for put in linked.asked if put.request.type == "run-statement"]
    assert (asked.mode, asked.row_limit, asked.timeout_ms) == ("read", 5, 7000)
    [kept] = admin.call(f"{BASE}/run/page")["records"]
    assert (kept["result"], kept["rows"], kept["durationMs"], kept["mode"]) == ("done", 2, 35, "read")
    logged = admin.call("monitor/operation-log/page", {"search": "task-plan_run"})["records"]
    own = [one["id"] for one in logged if one["path"] == ""]
    ended, begun = (admin.call("monitor/operation-log/get", {"id": one}) for one in own)
    assert (begun["subject"], begun["after"]["statement"]) == ("nightly: shop", "SELECT id FROM orders")
    assert ended["after"]["outcome"]["facts"] == {"rows": "2", "ms": "35"}
    assert "secret-1" not in str([begun, ended])


def test_a_failed_or_unexpected_answer_is_no_success(linked: FakeAgent, admin: Caller) -> None:
    wrong = add(admin, "wrong", sql(admin, saved(admin, "SELECT * FROM absent", "absent")), retries=0)
    answering(linked)
    run = let_run(linked, wrong, admin)
    assert run["state"] == "failed"
    assert "relation absent does not exist" in run["reason"]["text"]
    [kept] = admin.call(f"{BASE}/run/page")["records"]
    assert (kept["result"], kept["reason"]["code"]) == ("failed", "query-failed")
    check = saved(admin)
    none, some = (add(admin, expect, sql(admin, check, expect=expect), retries=3) for expect in ("none", "some"))
    run = let_run(linked, none, admin)
    assert (run["state"], run["reason"]["text"]) == ("failed", "No rows were expected, and 2 were found")
    assert ("plan-failed", False) in alerts(admin)
    assert let_run(linked, some, admin)["state"] == "succeeded"
    answering(linked, rows=0)
    assert let_run(linked, none, admin)["state"] == "succeeded"
    assert let_run(linked, some, admin)["reason"]["text"] == "Rows were expected, and none were found"
    answering(linked, rows=5)
    assert let_run(linked, none, admin)["reason"]["text"] == "No rows were expected, and 5+ were found"


def test_the_plans_time_out_ends_the_statement(linked: FakeAgent, admin: Caller) -> None:
    answering(linked)
    linked.slow.add("run-statement")
    made = add(admin, "slow", sql(admin, saved(admin), timeLimitSeconds=600), timeoutSeconds=60)
    admin.call("task/plan/run", {"id": made})
    tick(linked.plane.services)
    question = linked.await_question("run-statement")
    later(linked.plane, seconds=59)
    assert newest(admin)["state"] == "running"
    later(linked.plane, seconds=2)
    assert newest(admin)["state"] == "timed-out"
    [kept] = admin.call(f"{BASE}/run/page")["records"]
    assert kept["result"] == "cancelled"
    # Its agent, which says that it works on it, learns that the question is withdrawn.
    assert linked.sync(progress=({"request": question, "done": 0, "total": 1},)).withdrawn == (question,)
    linked.finish()
    later(linked.plane, seconds=3)
    assert newest(admin)["state"] == "timed-out"


def test_an_answer_is_taken_by_whichever_control_plane_runs_then(linked: FakeAgent, admin: Caller) -> None:
    answering(linked)
    made = add(admin, "p", sql(admin, saved(admin)))
    admin.call("task/plan/run", {"id": made})
    tick(linked.plane.services)
    linked.sync()
    linked.sync()
    later(linked.plane, minutes=20)
    assert [line["code"] for line in newest(admin)["log"]] == [
        *("plan-begun", "plan-unwatched", "plan-sql-done", "plan-ended")
    ]


def test_without_an_agent_the_run_fails_soon(linked: FakeAgent, admin: Caller) -> None:
    made = add(admin, "p", sql(admin, saved(admin)))
    admin.call("task/plan/run", {"id": made})
    later(linked.plane, seconds=31)
    later(linked.plane, seconds=12)
    assert (newest(admin)["state"], newest(admin)["reason"]["code"]) == ("failed", "no-agent")


def writes(caller: Caller, made: str, statement: str) -> None:
    change = {"id": made, "description": "check", "statement": statement}
    caller.call(f"{BASE}/edit", change)


@pytest.mark.wide
def test_sql_runs_with_its_owners_rights_and_as_the_owner_knows_it(linked: FakeAgent, admin: Caller) -> None:
    answering(linked)
    editor = planner(admin, "editor", **{"resource/sqlManagement": ["view", "edit"]})
    runner = planner(admin, "runner", **{"resource/sqlManagement": ["view", "create", "edit", "operate"]})
    check = saved(runner)
    job = sql(runner, check)
    assert linked.plane.post("task/plan/add", {"name": "e", **HOURLY, "job": job}, editor.token).status_code == 403
    made = add(runner, "p", job, retries=3)
    assert let_run(linked, made, admin)["state"] == "succeeded"
    later(linked.plane, seconds=1)
    writes(runner, check, "SELECT 2")
    assert let_run(linked, made, admin)["state"] == "succeeded"
    writes(editor, check, "SELECT pg_sleep(600)")
    run = let_run(linked, made, admin)
    assert (run["state"], run["attempt"], run["reason"]["code"]) == ("failed", 1, "plan-sql-changed")
    # The user who saves the plan has seen the SQL.
    later(linked.plane, seconds=1)
    shown = admin.call("task/plan/get", {"id": made})
    admin.call("task/plan/edit", {**shown, "job": job})
    assert let_run(linked, made, admin)["state"] == "succeeded"
    boss = administrator_of(linked.plane, "north")
    assert boss.refused("task/plan/add", {"name": "b", **HOURLY, "job": job})["code"] == 404
    proof: dict[str, Any] = {"id": check}
    admin.call(f"{BASE}/delete", proof)
    assert let_run(linked, made, admin)["reason"]["code"] == "record-not-found"
    assert admin.call("task/plan/get", {"id": made})["job"]["sqlName"] is None


def test_an_export_names_its_file_by_the_due_time_and_says_what_it_wrote(linked: FakeAgent, admin: Caller) -> None:
    linked.handlers["run-statement"] = lambda request: StatementOutcome(written=3, file_bytes=42, duration_ms=5)
    statement = saved(admin, "SELECT id FROM orders WHERE day = date '{{date}}' AND at < '{{date}} {{time}}'")
    job = {**sql(admin, statement, rowLimit=50_000), "type": "export", "export": {"file": "out/o-{date}.csv"}}
    made = add(admin, "export", job, timeZone="Asia/Shanghai")
    assert admin.call("task/plan/get", {"id": made})["job"]["export"] == {"file": "out/o-{date}.csv"}
    run = let_run(linked, made, admin)
    day = datetime.fromisoformat(run["dueAt"]).astimezone(ZoneInfo("Asia/Shanghai")).date()
    assert (run["state"], run["reason"]["text"]) == ("succeeded", f"3 rows written to out/o-{day}.csv (42 bytes)")
    [asked] = [put.request for put in linked.asked if put.request.type == "run-statement"]
    assert (asked.mode, asked.row_limit, asked.file) == ("read", 50_000, f"out/o-{day}.csv")
    # The statement has the same moment, which is the one that a run of a backfill stands for.
    due = datetime.fromisoformat(run["dueAt"]).astimezone(ZoneInfo("Asia/Shanghai"))
    assert asked.statement == f"SELECT id FROM orders WHERE day = date '{day}' AND at < '{day} {due:%H:%M:%S}'"
    [kept] = admin.call(f"{BASE}/run/page")["records"]
    assert (kept["result"], kept["rows"]) == ("done", 3)


@pytest.mark.wide
@pytest.mark.parametrize("file", ["../o.csv", "/o.csv", "a/../o.csv", ".o.csv", "o.exe", "a\\o.csv", ""])
def test_an_export_stays_in_the_tenants_folder(linked: FakeAgent, admin: Caller, file: str) -> None:
    job = {**sql(admin, saved(admin)), "type": "export", "export": {"file": file}}
    [fault] = admin.refused("task/plan/add", {"name": "e", **HOURLY, "job": job})["data"]["fields"]
    assert fault["field"] == "job.export.file"


def test_many_rows_go_into_files_only(linked: FakeAgent, admin: Caller) -> None:
    job = sql(admin, saved(admin), rowLimit=10_001)
    [fault] = admin.refused("task/plan/add", {"name": "e", **HOURLY, "job": job})["data"]["fields"]
    assert fault["reason"] == "At most 10000 rows unless they are exported"
