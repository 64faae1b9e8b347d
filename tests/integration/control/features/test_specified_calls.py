"""Every call of the specification's chapters 7.4 and 7.5 by its literal path, and the rules of chapter 5 for
subscriptions: refused by the server, whatever a client sends. The rule of the databus is tested with it
(`test_processes`). Rules about data contrast, SQL management and the data service wait for those."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import LINES, ORDERS, SOURCE, added, new_node
from tests.integration.control.features.test_subscribe import (
    TARGET,
    new_customer,
    new_master,
    outcome,
    sheet,
    subscribe,
)
from tests.support.control_plane import ControlPlane, control_plane
from zcbus.control.features.subscribe import repository
from zcbus.model.states import SyncState

TYPE_FIELDS = {"id", "moduletype", "group", "pngpath", "valid", "ifDistributed"}
TEST_FIELDS = {"testMatters", "checkSql", "status", "logInfo"}


@dataclass(frozen=True)
class Place:
    """Objects that the calls need."""

    admin: Caller
    agent: FakeAgent
    node: str
    customer: str
    database: str
    master: str
    channel: str
    orders: str
    published: str


@pytest.fixture
def plane(prepared_store: str, tmp_path: Path) -> Iterator[ControlPlane]:
    """With a product of another name, so that both spellings of a path are different ones."""
    with control_plane(tmp_path, prepared_store, product="acme") as running:
        yield running


@pytest.fixture
def place(agent: FakeAgent, admin: Caller) -> Place:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    customer, database = new_customer(admin)
    master = new_master(admin, (customer, database), node, channelCount=2)
    (channel, _) = admin.call("subscribe/channel/page", {"controlId": master, "sort": "name", "order": "asc"})[
        "records"
    ]
    subscribe(admin, master, list(ids.values()), channelId=channel["id"])
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING)
    orders = next(row["id"] for row in sheet(admin) if row["source"] == "public.orders")
    return Place(admin, agent, node, customer, database, master, channel["id"], orders, ids["public.orders"])


def test_every_call_answers_as_specified(place: Place) -> None:
    """By its path as it is written, with the product's name and with the fixed one."""
    admin = place.admin

    def post(path: str, body: dict[str, Any], code: int = 200) -> Any:
        answers = []
        for prefix in ("zcbus", "acme"):
            headers = {"ZCBUS-TOKEN": admin.token, "env": "en"}
            answer = admin.plane.client.post(f"/api/{prefix}{path}", json=body, headers=headers).json()
            assert answer["code"] == code, (path, answer)
            answers.append(answer["data"])
        return answers[-1]

    for kind in ("publish", "subscribe", ""):
        types = post("/common/getDBType", {"type": kind})
        assert types
        assert all(item.keys() >= TYPE_FIELDS for item in types)
    for prefix in ("zcbus", "acme"):
        module_path = f"/api/{prefix}/subscribe/db/get-dbType-module?dbType=postgresql"
        answered = admin.plane.client.get(module_path, headers={"ZCBUS-TOKEN": admin.token}).json()
        assert answered["code"] == 200
        assert [bool(module["options"]) for module in answered["data"]] == [True]
    one_test = {**SOURCE, "password": "right"}
    tests = (
        ("/dynamic/datasource/test-db-parameter", one_test),
        ("/dynamic/datasource/subscribe/test-db-parameter", {**TARGET, "password": "right"}),
        (
            "/dynamic/datasource/subscribe/current/test-db-parameter",
            {"busClientDbParameterList": [{**TARGET, "password": "right"}]},
        ),
    )
    for path, body in tests:
        rows = post(path, body, 20200)["testConnectionInfoList"]
        assert rows
        assert all(row.keys() >= TEST_FIELDS and isinstance(row["status"], bool) for row in rows)
    for side in ("source", "target"):
        tree = post(
            f"/simplify/sync/{side}/left/toolbar/page/list",
            {"id": "", "current": 1, "size": 20, "parentIdIsNull": True},
        )
        assert tree.keys() >= {"records", "total"}
    machine = post("/container/machine/list/get/by/deviceId", {"deviceId": "fake-agent", "decrypt": False})
    assert machine.keys() >= {"user", "password", "port"}
    post("/container/machine/list/update", {"deviceId": "fake-agent", "port": 22}, 422)
    assert post("/publish/buspushstatustb/getNodeInfo", {"nodeMaster": place.node})["id"] == place.node
    listed = post("/subscribe/customer/list", {"clientType": "client"})
    assert [set(row) >= {"customerid", "name"} for row in listed] == [True]
    assert post("/subscribe/product/list", {"customerId": place.customer}).keys() >= {"records", "total"}
    channels = post("/subscribe/control/get/channel/list", {"customerId": place.customer})
    assert [row["name"] for row in channels] == ["m-1", "m-2"]


def test_every_rule_is_kept_by_the_server(place: Place) -> None:
    """Missing, too long or too large values are refused with a message, and change nothing."""
    admin, before = place.admin, sheet(place.admin)
    row = next(one for one in before if one["id"] == place.orders)
    edit = {
        "table": place.orders,
        "targetSchema": "copy",
        "targetTable": "orders",
        "columns": "id,note",
        **{name: row[name] for name in ("load", "clean", "ddl")},
    }
    master = {"name": "x", "customerId": place.customer, "databaseId": place.database, "nodeMaster": place.node}
    limits, chosen = {"tables": [place.orders]}, {"tables": [place.orders]}
    channel = {"controlId": place.master, "name": "x"}
    refusals: list[tuple[str, dict[str, Any], object]] = [
        # Names of targets.
        ("table/edit", {**edit, "targetTable": "x" * 129}, "target-name-length"),
        ("table/edit", {**edit, "targetSchema": "x" * 129}, "target-name-length"),
        ("control/add", {**master, "schema": "x" * 129}, "target-name-length"),
        # Skip counts.
        ("table/limit", {**limits, "ddlSkip": 101}, 422),
        ("table/limit", {**limits, "dmlSkip": 1_000_001}, 422),
        # Column names and ApplyByKey.
        ("table/edit", {**edit, "columns": "id,,note"}, 422),
        # Time and offset.
        ("table/start-incremental", chosen, 422),
        ("table/start-incremental", {**chosen, "time": ""}, 422),
        ("table/start-incremental", {**chosen, "offset": -1}, 422),
        # Another target needs its rows.
        ("table/edit", {**edit, "targetTable": "elsewhere", "load": "incremental"}, "table-needs-load"),
        # Threads and names.
        ("channel/add", {**channel, "threads": None}, 422),
        ("channel/add", {**channel, "threads": "many"}, 422),
        ("channel/add", {**channel, "threads": 101}, 422),
        ("control/add", {**master, "threads": 101}, 422),
        ("control/add", {**master, "name": ""}, 422),
        ("control/add", {**master, "name": " "}, 422),
        # Required choices.
        ("control/add", {**master, "nodeMaster": None}, 422),
        ("control/add", {**master, "nodeMaster": "nobody"}, 404),
        ("control/add", {**master, "databaseId": None}, 422),
        ("product/list", {}, 422),
        ("control/get/channel/list", {}, 422),
        ("channel/start", {}, 422),
        ("table/transfer", {"tables": [], "channelId": place.channel}, 422),
        ("table/transfer", chosen, 422),
        ("control/rebalance", {"controlId": place.master, "moves": []}, 422),
        # Exactly one record.
        ("table/edit", {**edit, "table": [place.orders]}, 422),
    ]
    for path, body, wanted in refusals:
        answer = admin.refused(f"subscribe/{path}", body)
        answered = answer["data"].get("error") if isinstance(wanted, str) and answer["data"] else answer["code"]
        assert answered == wanted, (path, body, answer)
        assert answer["message"], path
    key = {"nodeMaster": place.node, "table": place.published}
    assert admin.refused("publish/table/set-key", {**key, "key": "id,,note"})["code"] == 422
    # Calls that need a stopped table, and one that needs an exception.
    for path in ("reset", "reset-start", "recover"):
        assert outcome(admin.call(f"subscribe/table/{path}", chosen))["public.orders"][0] is False
    assert [{**one, "updateTime": None} for one in sheet(admin)] == [{**one, "updateTime": None} for one in before]


def test_a_fault_is_reported_at_its_field_in_both_languages(place: Place) -> None:
    channel = {"controlId": place.master, "name": "x"}
    master = {"name": "x", "customerId": place.customer, "databaseId": place.database, "nodeMaster": place.node}
    row = next(one for one in sheet(place.admin) if one["id"] == place.orders)
    edit = {"table": place.orders, "targetSchema": "copy", "targetTable": "orders", "columns": ""}
    edit |= {name: row[name] for name in ("load", "clean", "ddl")}
    chosen = {"tables": [place.orders]}
    length, empty = "目标表名称不正确，长度 0-128：", ("不能为空", "Cannot be empty")
    faults: list[tuple[str, dict[str, Any], str, tuple[str, str]]] = [
        ("channel/add", {**channel, "threads": None}, "threads", empty),
        ("channel/add", {**channel, "threads": "many"}, "threads", ("须为整数", "Must be a whole number")),
        ("channel/add", {**channel, "threads": 101}, "threads", ("不能大于 100", "Cannot be more than 100")),
        (
            "channel/add",
            {**channel, "name": "m-1"},
            "name",
            ("已存在相同的通道名称 m-1", "A channel named m-1 already"),
        ),
        ("control/add", {**master, "name": " "}, "name", empty),
        ("control/add", {**master, "name": " x"}, "name", ("首尾不能有空格", "No blanks around it")),
        ("control/add", {**master, "nodeMaster": None}, "nodeMaster", empty),
        ("control/add", {**master, "schema": "x" * 129}, "schema", (length, "Target table name incorrect")),
        ("table/edit", {**edit, "targetTable": "x" * 129}, "targetTable", (length, "Target table name incorrect")),
        ("table/edit", {**edit, "targetSchema": "x" * 129}, "targetSchema", (length, "Target table name incorrect")),
        ("table/edit", {**edit, "columns": "id,,note"}, "columns", empty),
        ("table/edit", {**edit, "load": "all"}, "load", ("只能是 'full', 'incremental'", "Must be one of 'full'")),
        ("table/limit", {**chosen, "ddlSkip": 101}, "ddlSkip", ("不能大于 100", "Cannot be more than 100")),
        (
            "table/limit",
            {**chosen, "dmlSkip": 1_000_001},
            "dmlSkip",
            ("不能大于 1000000", "Cannot be more than 1000000"),
        ),
        ("table/transfer", {"tables": [], "channelId": place.channel}, "tables", empty),
        ("table/transfer", chosen, "channelId", empty),
        ("table/start-incremental", chosen, "body", ("时间不能为空", "Time cannot be empty")),
    ]
    for path, body, field, texts in faults:
        for language, text in zip(("zh", "en"), texts, strict=True):
            answer = place.admin.refused(f"subscribe/{path}", body, language)
            (fault,) = answer["data"]["fields"]
            assert (fault["field"], fault["reason"][: len(text)]) == (field, text), (path, body, answer)
            assert text in answer["message"]


def test_lists_of_names_are_taken_with_commas(place: Place) -> None:
    place.agent.report_tables(SyncState.SUSPENDED)
    row = next(one for one in sheet(place.admin) if one["id"] == place.orders)
    edit = {"table": place.orders, "targetSchema": "copy", "targetTable": "orders", "columns": "id, note"}
    edit |= {name: row[name] for name in ("load", "clean", "ddl")}
    place.admin.call("subscribe/table/edit", edit)
    (changed,) = (one for one in sheet(place.admin) if one["id"] == place.orders)
    assert changed["columns"] == [["id", "id"], ["note", "note"]]
    # Names of targets may be left empty: then they stay.
    place.admin.call("subscribe/table/edit", {**edit, "targetSchema": "", "targetTable": ""})
    assert changed["target"] == "copy.orders"
    assert changed["target"] in {one["target"] for one in sheet(place.admin)}


def test_tables_are_searched_by_several_names(place: Place) -> None:
    admin, node = place.admin, {"nodeMaster": place.node}

    def found(path: str, **request: object) -> set[str]:
        page = admin.call(path, {"size": 20, **request})
        assert page["total"] == len(page["records"])
        return {one.get("source") or f"{one['schema']}.{one['table']}" for one in page["records"]}

    both = {"public.orders", "public.lines"}
    assert found("subscribe/table/page", search="orders, LINES") == both
    assert found("subscribe/table/page", search="orders，nothing,") == {"public.orders"}
    assert found("publish/table/page", **node, search="orders,lines") == both
    assert found("publish/table/candidate/page", **node, search="audit*,nothing") == {"public.audit_log"}


def test_a_node_allows_128_masters(place: Place) -> None:
    services = place.admin.plane.services
    with services.database.write() as store:
        for number in range(127):
            repository.insert_master(
                store,
                customer_id=place.customer,
                node_id=place.node,
                name=f"n{number}",
                data_source_id=None,
                load_type="C",
                created_at=services.clock.now(),
            )
    one_more = {"name": "x", "customerId": place.customer, "databaseId": place.database, "nodeMaster": place.node}
    refused = place.admin.refused("subscribe/control/add", one_more)
    assert (refused["code"], refused["data"]["error"]) == (60100, "master-limit")
    assert refused["message"] == "Single node limit of 128 master controllers reached, cannot add"
    assert [fault["field"] for fault in refused["data"]["fields"]] == ["nodeMaster"]
