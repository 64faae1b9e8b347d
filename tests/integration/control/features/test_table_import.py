"""Imports of files into a table: what a file has, who may see it, what the agent is asked, and what it fetches."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent, Refused
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.test_sql_management import reader
from tests.integration.control.features.test_uploads import CSV, answer_of, uploaded
from zcbus.protocol.table_import import ImportOutcome, ImportTable, RefusedRecord

BASE, BEGIN = "resource/import", "/api/database/upload"
COLUMNS = [{"source": "id", "target": "id"}, {"source": "name", "target": "name"}]


@pytest.fixture
def linked(agent: FakeAgent, admin: Caller) -> FakeAgent:
    admin.call("sync/link/apply", {"document": document()})
    return agent


def database(caller: Caller) -> str:
    found: str = next(one["id"] for one in caller.call(f"{BASE}/database/list") if one["use"] == "publish")
    return found


def fetched(agent: FakeAgent, upload: str, name: str = "") -> httpx.Response:
    address = f"{agent.plane.address}/api/zcbus/agent/import/file"
    asked = {"agent": name or agent.name, "id": upload}
    return httpx.get(address, params=asked, headers={"ZCBUS-TOKEN": agent.token}, verify=False, timeout=20)


def test_a_file_is_previewed_and_imported_by_the_agent_that_fetches_it(linked: FakeAgent, admin: Caller) -> None:
    upload = uploaded(admin, "rows.csv", CSV + b"3\n", BEGIN)
    assert upload["purpose"] == "data"
    seen = admin.call(f"{BASE}/preview", {"uploadId": upload["id"]})
    assert seen["columns"] == [{"name": "id", "type": "bigint"}, {"name": "name", "type": "text"}]
    assert (seen["records"], seen["refused"], seen["faults"][0]["line"]) == (3, 1, 4)
    assert seen["rows"][0] == {"line": 2, "values": ["1", "one"]}

    asked: list[ImportTable] = []
    outcomes = [
        ImportOutcome(committed=False, read=3, written=2, refused=1, records=(RefusedRecord(line=4, detail="short"),)),
        ImportOutcome(committed=True, read=3, written=2, refused=1),
    ]

    def answer(request: Any) -> ImportOutcome:
        asked.append(request)
        return outcomes.pop(0)

    linked.handlers["import-table"] = answer
    run = {
        "uploadId": upload["id"],
        "databaseId": database(admin),
        "schemaName": "public",
        "table": "orders",
        "columns": COLUMNS,
    }
    linked.slow.add("import-table")
    linked.rest()
    assert fetched(linked, upload["id"]).status_code == 404, "no import asks for it yet"
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(admin.call, f"{BASE}/run", run)
        linked.await_question("import-table")
        content = fetched(linked, upload["id"])
        assert (content.status_code, content.content) == (200, CSV + b"3\n")
        assert fetched(linked, "another").status_code == 404
        assert fetched(linked, upload["id"], "another").status_code != 200
        linked.finish()
        refused = running.result(20)
    assert (refused["committed"], refused["faults"]) == (False, [{"line": 4, "column": "", "detail": "short"}])
    assert (asked[0].file.sha256, asked[0].form, asked[0].connection.kind) == (upload["sha256"], "csv", "postgresql")
    assert asked[0].connection.secrets["password"].get_secret_value() == "secret-1"

    linked.slow.clear()
    linked.deaf = False
    assert admin.call(f"{BASE}/run", {**run, "skipRefused": True})["committed"]
    [newest, before] = admin.call("monitor/operation-log/page", {"search": "import_run"})["records"]
    logged = admin.call("monitor/operation-log/get", {"id": newest["id"]})
    assert (logged["after"]["committed"], logged["after"]["written"], before["result"]) == (True, 2, "done")
    assert "two" not in str(logged), "the log has no values of the file"
    assert admin.refused(f"{BASE}/run", run)["code"] == 404, "an imported file is gone"


def test_data_is_its_uploaders_and_for_writers_only(linked: FakeAgent, admin: Caller) -> None:
    upload = uploaded(admin, "rows.csv", CSV, BEGIN)["id"]
    assert admin.call("upload/page", {})["total"] == 0
    assert admin.plane.get(f"upload/content?id={upload}", admin.token).status_code == 404
    lena = reader(admin)
    assert answer_of(lena, BEGIN, {"name": "a", "size": 1})["code"] == 40103
    assert lena.plane.post(f"{BASE}/preview", {"uploadId": upload}, lena.token).status_code == 403
    other = administrator_of(linked.plane, "other")
    assert other.refused(f"{BASE}/preview", {"uploadId": upload})["code"] == 404
    assert other.call(f"{BASE}/database/list") == []
    run = {"uploadId": upload, "databaseId": database(admin), "schemaName": "", "table": "t", "columns": COLUMNS}
    assert other.refused(f"{BASE}/run", run)["code"] == 404
    twice = admin.refused(f"{BASE}/run", {**run, "columns": [*COLUMNS, COLUMNS[0]]})
    assert "once" in str(twice)
    assert "needs a type" in str(admin.refused(f"{BASE}/run", {**run, "create": True}))
    bad = [{**COLUMNS[0], "type": "serial; DROP TABLE t"}]
    assert admin.refused(f"{BASE}/run", {**run, "create": True, "columns": bad})["code"] == 422


def test_what_cannot_be_read_or_imported_says_why(linked: FakeAgent, admin: Caller) -> None:
    broken = uploaded(admin, "rows.json", b'[{"a": 1}, ', BEGIN)["id"]
    assert "no JSON" in admin.refused(f"{BASE}/preview", {"uploadId": broken})["message"]
    upload = uploaded(admin, "rows.csv", CSV, BEGIN)["id"]

    def answer(_request: Any) -> ImportOutcome:
        raise Refused("import-key-missing", table="public.orders")

    linked.handlers["import-table"] = answer
    run = {"databaseId": database(admin), "schemaName": "public", "table": "orders", "columns": COLUMNS}
    refused = admin.refused(f"{BASE}/run", {**run, "uploadId": upload, "mode": "upsert"})
    assert "public.orders has no usable key" in refused["message"]
    assert admin.call(f"{BASE}/preview", {"uploadId": upload})["records"] == 2, "the file stays for another try"
