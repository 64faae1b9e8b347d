"""SQL management: permissions, questions to the agent, and stored history."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent, Refused
from tests.integration.control.features.people import administrator_of
from tests.integration.control.platform.test_session import add_user
from zcbus.control.features.sql_management.history import KEPT_DAYS, remove_old
from zcbus.control.features.sql_management.running import without_passwords
from zcbus.control.store.tables.sql_management import sql_run
from zcbus.protocol.data_service import QueryColumn
from zcbus.protocol.statements import RunStatement, StatementOutcome

BASE = "resource/sql"


@pytest.fixture
def linked(agent: FakeAgent, admin: Caller) -> FakeAgent:
    """An agent that answers, with a link from PostgreSQL to MySQL."""
    admin.call("sync/link/apply", {"document": document()})
    return agent


def databases(caller: Caller) -> dict[str, str]:
    """Ids by use."""
    return {one["use"]: one["id"] for one in caller.call(f"{BASE}/database/list")}


def answering(agent: FakeAgent) -> list[RunStatement]:
    """The statement that the agent is asked to run."""
    asked: list[RunStatement] = []

    def answer(request: Any) -> StatementOutcome:
        asked.append(request)
        if "absent" in request.statement:
            raise Refused("query-failed", detail="relation absent does not exist")
        affected = 3 if request.mode == "change" else None
        columns = (QueryColumn(name="id", type="int4"),)
        return StatementOutcome(columns=columns, rows=((7,), (8,)), more=True, affected=affected, duration_ms=4)

    agent.handlers["run-statement"] = answer
    return asked


def reader(admin: Caller) -> Caller:
    """A user who may run SQL, but not change data with it."""
    permissions = [{"menuKey": "resource/sqlManagement", "operations": ["view", "operate"]}]
    role = {"code": "sql-reader", "nameZh": "读", "nameEn": "Reader", "permissions": permissions}
    admin.call("account/role/add", role)
    add_user(admin.plane, "lena", "sql-reader")
    return Caller(admin.plane, admin.plane.sign_in("lena"))


def test_a_statement_is_run_by_an_agent_kept_and_audited(linked: FakeAgent, admin: Caller) -> None:
    asked = answering(linked)
    stored = databases(admin)
    assert stored.keys() == {"publish", "subscribe"}
    run = {"databaseId": stored["publish"], "statement": "SELECT ':x' FROM orders", "rowLimit": 2, "timeoutMs": 5000}
    found = admin.call(f"{BASE}/run", run)
    assert found["rows"] == [[7], [8]]
    assert (found["more"], found["affected"]) == (True, None)
    assert (asked[0].mode, asked[0].row_limit, asked[0].timeout_ms) == ("read", 2, 5000)
    assert asked[0].connection.secrets["password"].get_secret_value() == "secret-1"
    assert asked[0].connection.kind == "postgresql"
    refused = admin.refused(f"{BASE}/run", {**run, "statement": "SELECT * FROM absent"})
    assert "relation absent does not exist" in refused["message"]
    changed = admin.call(f"{BASE}/commit", {**run, "databaseId": stored["subscribe"]})
    assert (changed["affected"], asked[-1].mode, asked[-1].connection.kind) == (3, "change", "mysql")

    kept = admin.call(f"{BASE}/run/page", {"search": "ORDERS"})["records"]
    assert [(one["mode"], one["result"], one["rows"]) for one in kept] == [("change", "done", 2), ("read", "done", 2)]
    [failed] = admin.call(f"{BASE}/run/page", {"search": "absent"})["records"]
    assert (failed["result"], failed["reason"]["code"]) == ("failed", "query-failed")
    logged = admin.call("monitor/operation-log/page", {"search": "sql_"})["records"]
    assert [one["result"] for one in logged] == ["done", "failed", "done"]
    assert admin.call("monitor/operation-log/get", {"id": logged[0]["id"]})["after"]["statement"] == run["statement"]
    assert "secret-1" not in str(logged)

    linked.plane.clock.advance(timedelta(days=KEPT_DAYS, minutes=1))
    remove_old(linked.plane.services)
    assert Caller(linked.plane, linked.plane.sign_in()).call(f"{BASE}/run/page")["total"] == 0


def test_a_run_is_in_the_log_before_it_begins_and_is_handed_out_once(linked: FakeAgent, admin: Caller) -> None:
    answering(linked)
    stored = databases(admin)
    linked.slow.add("run-statement")
    linked.rest()
    text = "ALTER USER app IDENTIFIED BY 'hidden-word'"
    run = {"databaseId": stored["subscribe"], "statement": text}
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(admin.call, f"{BASE}/commit", run)
        linked.await_question("run-statement")
        # Where the platform ends now, this is what stays.
        [logged] = admin.call("monitor/operation-log/page", {"result": "begun"})["records"]
        [kept] = admin.call(f"{BASE}/run/page")["records"]
        assert (logged["action"], kept["result"]) == ("sql_commit", "running")
        # An answer that is late is no reason to change twice.
        linked.plane.clock.advance(timedelta(seconds=20))
        linked.sync()
        linked.finish()
        assert running.result(20)["affected"] == 3
    assert [put.request.type for put in linked.asked].count("run-statement") == 1
    detail = admin.call("monitor/operation-log/get", {"id": logged["id"]})
    assert (detail["result"], detail["after"]["rows"]) == ("done", 2)
    assert admin.call(f"{BASE}/run/page")["records"][0]["result"] == "done"
    assert "hidden-word" not in str([detail, admin.call(f"{BASE}/run/page")])
    assert linked.asked[-1].request.statement == text

    with linked.plane.services.database.write() as store:
        store.execute(update(sql_run).values(result="running"))
    linked.plane.clock.advance(timedelta(minutes=16))
    assert admin.call(f"{BASE}/run/page")["records"][0]["result"] == "unknown"


@pytest.mark.parametrize(
    ("statement", "kept"),
    [
        ("CREATE USER a PASSWORD 'it''s'; x", "CREATE USER a PASSWORD '***'; x"),
        ('SET PASSWORD = PASSWORD("a\\"b")', "SET PASSWORD = PASSWORD('***')"),
        ("ALTER USER a identified with sha2 by 'x', b", "ALTER USER a identified with sha2 by '***', b"),
        ("SELECT password, 'x' FROM t WHERE a = 'password'", "SELECT password, 'x' FROM t WHERE a = 'password'"),
    ],
)
def test_passwords_of_accounts_are_not_kept(statement: str, kept: str) -> None:
    assert without_passwords(statement) == kept


def test_readers_may_not_change_and_see_only_their_tenants_databases(linked: FakeAgent, admin: Caller) -> None:
    asked = answering(linked)
    run = {"databaseId": databases(admin)["publish"], "statement": "SELECT 1"}
    lena = reader(admin)
    assert lena.call(f"{BASE}/run", run)["rows"]
    assert lena.plane.post(f"{BASE}/commit", run, lena.token).status_code == 403
    assert lena.plane.post(f"{BASE}/run", {**run, "mode": "change"}, lena.token).status_code == 422
    assert [one.mode for one in asked] == ["read"]
    assert lena.call(f"{BASE}/run/page")["total"] == 1
    assert admin.call(f"{BASE}/run/page")["total"] == 0, "a history is its owner's"

    other = administrator_of(linked.plane, "other")
    assert databases(other) == {}
    for verb, body in (
        ("run", run),
        ("catalog", run),
        ("columns", {**run, "tables": [{"schemaName": "", "table": "t"}]}),
    ):
        assert "exist" in other.refused(f"{BASE}/{verb}", body)["message"]
    assert len(asked) == 1


def test_names_for_completion(linked: FakeAgent, admin: Caller) -> None:
    where = {"databaseId": databases(admin)["publish"]}
    catalog = admin.call(f"{BASE}/catalog", where)
    assert {"schemaName": "public", "table": "orders"} in catalog["tables"]
    assert catalog["more"] is False
    absent = {**where, "tables": [{"schemaName": "public", "table": "absent"}]}
    assert admin.call(f"{BASE}/columns", absent) == []


def test_saved_statements(linked: FakeAgent, admin: Caller) -> None:
    given = {
        "description": "open orders",
        "statement": "SELECT * FROM orders",
        "databaseId": databases(admin)["publish"],
    }
    saved = admin.call(f"{BASE}/add", given)
    assert "already" in admin.refused(f"{BASE}/add", given)["message"]
    assert admin.refused(f"{BASE}/add", {**given, "description": "x" * 31})["code"] == 422
    changed = admin.call(f"{BASE}/edit", {**given, "id": saved["id"], "statement": "SELECT 2"})
    assert (changed["statement"], changed["updatedBy"]) == ("SELECT 2", "admin")
    assert admin.logged_before()["statement"] == "SELECT * FROM orders"
    assert [one["id"] for one in admin.call(f"{BASE}/page", {"search": "OPEN"})["records"]] == [saved["id"]]
    other = administrator_of(linked.plane, "other")
    assert other.call(f"{BASE}/page")["total"] == 0
    assert other.refused(f"{BASE}/delete", {"id": saved["id"]})["code"] == 404
    admin.call(f"{BASE}/delete", {"id": saved["id"]})
    assert admin.call(f"{BASE}/page")["total"] == 0
