"""Kinds, connection tests, and looking into databases through an agent."""

import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import Database, FakeAgent, Refused, fake_agent
from tests.support.control_plane import ControlPlane
from zcbus.control.platform import agent_requests as requests
from zcbus.control.store.tables.audit import audit_record
from zcbus.protocol.answers import Answer, ColumnLine, Description, Descriptions
from zcbus.protocol.base import Message, Reason, TableRef
from zcbus.protocol.document_import import ImportDocument, ImportedDocument, ImportedOperation
from zcbus.protocol.preview import TablePreview

SOURCE = document()["source"]
TEST = "dynamic/datasource/test-db-parameter"


@pytest.mark.parametrize(("language", "host", "group"), [("zh", "主机", "关系型数据库"), ("en", "Host", None)])
def test_kinds_bring_their_forms(admin: Caller, language: str, host: str, group: str | None) -> None:
    kinds = admin.call("common/getDBType", {"type": "publish"}, language)
    assert [(kind["moduletype"], kind["valid"]) for kind in kinds[:4]] == [
        ("postgresql", 1),
        ("mysql", 1),
        ("sqlite", 1),
        ("duckdb", 1),
    ]
    assert [option["name"] for option in kinds[0]["options"]] == [
        "host",
        "port",
        "user",
        "password",
        "database",
        "tls",
        "route",
    ]
    assert kinds[0]["options"][0]["label"] == host
    assert group is None or kinds[0]["groupLabel"] == group


def test_forms_have_the_options_of_their_side(admin: Caller) -> None:
    def options(side: str) -> list[str]:
        kinds = {kind["moduletype"]: kind for kind in admin.call("common/getDBType", {"type": side})}
        return [option["name"] for option in kinds["sqlite"]["options"]]

    assert options("publish") == ["file", "watermark", "interval", "overlap"]
    assert options("subscribe") == ["file"]


def test_forms_of_targets_neither_show_rows_nor_warn_of_deliveries(admin: Caller) -> None:
    def offers(side: str, kind: str) -> list[bool]:
        [found] = [one for one in admin.call("common/getDBType", {"type": side}) if one["moduletype"] == kind]
        return [found[name] for name in ("preview", "imports", "repeats")]

    assert (offers("publish", "http"), offers("publish", "mqtt")) == ([True, True, False], [False, False, True])
    assert offers("subscribe", "http") == offers("subscribe", "mqtt") == [False, False, False]


def test_kinds_name_the_grammar_of_their_statements(admin: Caller) -> None:
    grammars = {kind["moduletype"]: kind["grammar"] for kind in admin.call("common/getDBType", {"type": ""})}
    assert (grammars["mysql"], grammars["tidb"], grammars["kingbase"]) == ("mysql", "mysql", "postgresql")
    assert (grammars["sqlite"], grammars["kafka"], grammars["mongodb"]) == ("standard",) * 3


def test_every_kind_has_a_picture_that_the_console_brings(admin: Caller) -> None:
    public = Path(__file__).parents[4] / "console" / "public"
    for kind in admin.call("common/getDBType", {"type": ""}):
        assert (public / kind["pngpath"].removeprefix("/zcbus/")).is_file(), kind["pngpath"]


def test_kinds_that_are_not_for_the_purpose_are_named_and_never_offered(admin: Caller) -> None:
    types = {kind["moduletype"]: kind for kind in admin.call("common/getDBType", {"type": "publish"}, "zh")}
    assert (types["iceberg"]["valid"], types["iceberg"]["groupLabel"]) == (0, "大数据")
    assert "hbase" not in types
    assert (types["dameng"]["label"], types["postgresql"]["label"]) == ("达梦 DM", "PostgreSQL")
    [module] = admin.plane.get("subscribe/db/get-dbType-module?dbType=mysql", admin.token).json()["data"]
    assert [option["name"] for option in module["options"]][:2] == ["host", "port"]
    refused = admin.plane.get("subscribe/db/get-dbType-module?dbType=hbase", admin.token).json()
    assert (refused["code"], refused["data"]["error"]) == (300, "kind-unsupported")
    assert admin.refused(TEST, {**SOURCE, "kind": "hbase"})["data"]["error"] == "kind-unsupported"


def test_a_passed_connection_test_has_the_specifications_code(agent: FakeAgent, admin: Caller) -> None:
    answer = admin.refused(TEST, {**SOURCE, "password": "right"}, "zh")
    assert (answer["code"], answer["message"]) == (20200, "连接测试成功")
    rows = answer["data"]["testConnectionInfoList"]
    assert [(row["testMatters"], row["status"]) for row in rows] == [("网络连通", True), ("登录", True)]


def test_a_failed_connection_test_shows_what_was_run_and_how_to_mend_it(agent: FakeAgent, admin: Caller) -> None:
    answer = admin.refused(TEST, {**SOURCE, "password": "wrong"})
    assert (answer["code"], answer["message"]) == (300, "Connection test failed")
    assert answer["data"]["testConnectionInfoList"][1] == {
        "testMatters": "Login",
        "checkSql": "SELECT current_user",
        "status": False,
        "logInfo": "password authentication failed",
        "remedy": "ALTER ROLE …",
        "advice": "Check user name and password",
        "blocking": True,
        "item": "login",
        "database": "db.example:5432/shop",
    }


def test_the_databases_of_a_subscriber_are_tested_together(agent: FakeAgent, admin: Caller) -> None:
    right, wrong = ({**SOURCE, "database": name, "password": name} for name in ("right", "wrong"))
    test = "dynamic/datasource/subscribe/current/test-db-parameter"
    assert admin.refused(test, {"busClientDbParameterList": [right, right]})["code"] == 20200
    answer = admin.refused(test, {"busClientDbParameterList": [right, wrong]})
    rows = [(row["database"], row["status"]) for row in answer["data"]["testConnectionInfoList"]]
    assert answer["code"] == 300
    assert [status for _, status in rows] == [True, True, True, False]
    assert [place.rpartition("/")[2] for place, _ in rows] == ["right", "right", "wrong", "wrong"]
    assert [put.request.side for put in agent.asked if put.request.type == "test-connection"] == ["target"] * 4
    assert admin.refused(test, {"busClientDbParameterList": []})["code"] == 422


def test_a_stored_connection_is_tested_without_its_password_leaving(agent: FakeAgent, admin: Caller) -> None:
    link = admin.call("sync/link/apply", {"document": document(target={**document()["target"], "password": "right"})})
    answer = admin.refused("dynamic/datasource/subscribe/test-db-parameter", {"linkId": link["id"], "side": "target"})
    assert answer["code"] == 20200
    tests = [put.request for put in agent.asked if put.request.type == "test-connection"]
    assert [(test.side, test.connection.kind) for test in tests] == [("target", "mysql")]


def test_an_incomplete_connection_is_refused(admin: Caller) -> None:
    assert admin.refused(TEST, {"kind": "postgresql", "host": "h"})["data"]["error"] == "option-missing"


def test_without_an_agent_the_call_fails_with_no_agent(admin: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "TAKEN_SECONDS", 0.2)
    answer = admin.refused(TEST, SOURCE)
    assert answer["data"]["error"] == "no-agent"
    assert "zcbus agent" in answer["message"]


def test_an_agent_that_is_busy_is_waited_for_and_one_that_is_gone_is_not(
    plane: ControlPlane, agent: FakeAgent, admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "TAKEN_SECONDS", 0.2)
    monkeypatch.setattr(requests, "ANSWER_SECONDS", 1)
    agent.rest()
    assert admin.refused(TEST, SOURCE)["data"]["error"] == "agent-silent"
    plane.clock.advance(timedelta(minutes=1))
    assert admin.refused(TEST, SOURCE)["data"]["error"] == "no-agent"


def test_without_an_answer_the_call_fails_with_agent_silent(
    agent: FakeAgent, admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "ANSWER_SECONDS", 1)
    monkeypatch.setattr(agent, "answer", lambda put: Answer(request="another one", result={}))
    assert admin.refused(TEST, SOURCE)["data"]["error"] == "agent-silent"


def test_schemas_and_columns_come_from_the_agent(agent: FakeAgent, admin: Caller) -> None:
    assert admin.call("datasource/schema/list", {"connection": SOURCE}) == ["public"]
    note = Reason(code="stored-as-text", facts={"column": "tags", "type": "longtext"})
    agent.handlers["describe-tables"] = lambda request: Descriptions(
        tables=tuple(
            Description(
                schema_name=table.schema_name,
                table=table.table,
                columns=(
                    ColumnLine(name="id", native_type="bigint", nullable=False, key=True, target_type="bigint"),
                    ColumnLine(
                        name="tags", native_type="text[]", nullable=True, key=False, target_type="longtext", note=note
                    ),
                ),
                primary_key=("id",),
                unique_keys=(),
            )
            for table in request.tables
        )
    )
    question = {"connection": SOURCE, "tables": [{"schema": "public", "table": "orders"}], "targetKind": "mysql"}
    (table,) = admin.call("datasource/table/describe", question, "zh")
    assert (table["schema"], table["primaryKey"]) == ("public", ["id"])
    assert table["columns"][1]["note"]["text"] == "列 tags 以文本（longtext）保存，不丢失任何信息"
    assert agent.asked[-1].request.tables == (TableRef(schema_name="public", table="orders"),)  # type: ignore[union-attr]


def test_an_agent_previews_rows_and_a_wrong_document_is_refused_with_its_line(agent: FakeAgent, admin: Caller) -> None:
    [shipped, *_] = admin.call("datasource/document/list", {"kind": "http"})
    assert shipped["preview"]
    assert admin.call("datasource/document/list", {"kind": "mysql"}) == []
    connection = {"kind": "http", **shipped["values"], "secret": "right"}
    found = TablePreview(tables=("issues",), table="issues", rows=(("1", None),))
    agent.handlers["preview-table"] = lambda request: found
    answer = admin.call("dynamic/datasource/preview", {"connection": connection, "table": "issues"})
    assert answer == {**found.model_dump(mode="json"), "rows": [["1", None]]}
    asked = agent.asked[-1].request
    assert (asked.table, asked.connection.secrets["secret"].get_secret_value()) == ("issues", "right")
    wrong = {**connection, "definition": connection["definition"].replace("key:", "keys:", 1)}
    refused = admin.refused("dynamic/datasource/preview", {"connection": wrong}, "en")
    assert (refused["data"]["error"], refused["data"]["facts"]["line"]) == ("document-invalid", 11)
    assert refused["message"].startswith("Line 11 of the document: resources.0.keys is unknown")
    assert admin.refused("dynamic/datasource/preview", {"connection": SOURCE})["data"]["error"] == "kind-unsupported"
    assert len(agent.asked) == 1


def test_an_agent_imports_a_description_and_the_log_of_operations_says_from_where(
    agent: FakeAgent, admin: Caller, plane: ControlPlane
) -> None:
    call, address = "dynamic/datasource/document/import", "https://x.example/openapi.json"
    found = ImportedDocument(title="X", operations=(ImportedOperation(path="/a", summary="", columns=2),))
    agent.handlers["import-document"] = lambda request: found
    assert admin.call(call, {"kind": "http", "address": f"{address}?key=1"}) == found.model_dump(mode="json")
    assert agent.asked[-1].request == ImportDocument(kind="http", address=f"{address}?key=1")
    admin.call(call, {"kind": "http", "text": "openapi: 3.0.0", "selected": ["/a"]})
    assert agent.asked[-1].request == ImportDocument(kind="http", text="openapi: 3.0.0", selected=("/a",))
    with plane.services.database.read() as connection:
        logged = connection.execute(audit_record.select().where(audit_record.c.path.contains("document/import"))).all()
    assert [row.subject for row in logged] == [address, "OpenAPI"]
    assert "key=1" not in repr(logged), "a query may have secrets"
    assert [row.after["characters"] for row in logged] == [0, 14]

    def refuse(request: Any) -> Message:
        raise Refused("import-invalid", detail="openapi: 4.0.0")

    agent.handlers["import-document"] = refuse
    refused = admin.refused(call, {"kind": "http", "text": "openapi: 4.0.0"}, "en")
    assert refused["data"]["error"] == "import-invalid"
    assert refused["message"].startswith("The description cannot be imported: openapi: 4.0.0")
    count = len(agent.asked)
    assert admin.refused(call, {"kind": "mysql", "text": "x"})["data"]["error"] == "kind-unsupported"
    for wrong in ({}, {"text": "x", "address": address}, {"text": "x" * 4_000_001}, {"address": "x" * 1001}):
        assert admin.refused(call, {"kind": "http", **wrong})["code"] == 422
    assert len(agent.asked) == count


def test_a_table_that_cannot_be_chosen_says_why_in_words(agent: FakeAgent, admin: Caller) -> None:
    page = admin.call("datasource/table/page", {"connection": SOURCE, "search": "audit"}, "zh")
    assert [row["refused"] for row in page["records"]] == ["存储引擎不支持复制"]


def test_six_thousand_tables_are_paged_quickly_and_asked_for_once(plane: ControlPlane, admin: Caller) -> None:
    database = Database(tables=[(f"s{number % 3}", f"t{number:04}") for number in range(6000)])
    with fake_agent(plane, database) as agent:
        first = admin.call("datasource/table/page", {"connection": SOURCE})
        assert (first["total"], len(first["records"])) == (6000, 20)
        begun = time.perf_counter()
        for current in range(2, 12):
            admin.call("datasource/table/page", {"connection": SOURCE, "current": current, "size": 100})
        # A bare call takes a few milliseconds; this leaves room for a busy machine.
        assert (time.perf_counter() - begun) / 10 < 0.5
        asked = [put for put in agent.asked if put.request.type == "list-tables"]
        assert len(asked) == 1
        wanted = {"connection": SOURCE, "schema": "s1", "hasKey": True, "search": "t00*", "sort": "table"}
        found = admin.call("datasource/table/page", {**wanted, "order": "desc"})
        assert (found["total"], found["records"][0]["table"]) == (16, "t0094")
        assert admin.call("datasource/table/page", {"connection": SOURCE, "search": "S2.T599"})["total"] == 4
        admin.call("datasource/table/page", {"connection": SOURCE, "refresh": True})
        assert len([put for put in agent.asked if put.request.type == "list-tables"]) == 2
        assert admin.refused("datasource/table/page", {"connection": SOURCE, "sort": "nix"})["code"] == 422
