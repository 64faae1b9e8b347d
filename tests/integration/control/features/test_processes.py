"""Processes (databus): customers that take only tables with ETL rules, with a menu entry and services of their own."""

from typing import Any

import sqlalchemy as sa

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import (
    TARGET,
    new_customer,
    new_master,
    outcome,
    sheet,
    subscribe,
    tasks,
)
from tests.integration.control.platform.test_session import add_user
from zcbus.control.store.tables.subscribe import subscribed_table
from zcbus.model.states import SyncState

MEMBERS = "container/cluster/customer/getnodeidorcustomerid"
SERVICES = "container/cluster/customer"
RULE = {"column": "total", "kind": "expression", "expression": "1 + 1", "type": "integer"}
NO_RULES = "Tables without ETL rules not allowed, please check"


def new_process(admin: Caller, node: str, name: str = "cleaning") -> tuple[tuple[str, str], str]:
    """A process (its id and its database's) and its master."""
    process = new_customer(admin, name, clientType="databus")
    return process, new_master(admin, process, node, name)


def only_for(admin: Caller, menu_key: str) -> Caller:
    """A user with every right behind one menu entry only."""
    operations = ["view", "create", "edit", "delete", "operate"]
    names = {"code": menu_key, "nameZh": menu_key, "nameEn": menu_key}
    admin.call("account/role/add", {**names, "permissions": [{"menuKey": menu_key, "operations": operations}]})
    add_user(admin.plane, f"only-{menu_key}", menu_key, "default")
    return Caller(admin.plane, admin.plane.sign_in(f"only-{menu_key}"))


def lose_rules(admin: Caller) -> None:
    """As an older version may have stored it."""
    with admin.plane.services.database.write() as connection:
        connection.execute(sa.update(subscribed_table).values(transform={}))


def test_a_process_is_a_customer_with_a_service_of_its_own(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    subscriber = new_customer(admin)
    new_master(admin, subscriber, node)
    process, master = new_process(admin, node)
    assert outcome(subscribe(admin, master, list(ids.values()), rules=[RULE], where="id > 0")) == {
        "public.orders": (True, ""),
        "public.lines": (True, ""),
    }
    ordered = next(task for task in tasks(agent) if task.type == "process")
    assert [(one.transform.where, one.transform.expressions[0].column) for one in ordered.tables] == [
        ("id > 0", "total")
    ] * 2
    assert admin.call("subscribe/customer/list", {"clientType": "databus"}) == [
        {"customerid": process[0], "name": "cleaning"}
    ]
    for kind in ("customer", "database", "control", "channel", "table"):
        for client_type, name in (("client", "branch"), ("databus", "cleaning")):
            page = admin.call(f"subscribe/{kind}/page", {"clientType": client_type})["records"]
            assert {one.get("customerName") or one["name"] for one in page} <= {name}, (kind, client_type)
    assert {one["etlRules"] for one in sheet(admin, clientType="databus")} == {1}
    assert admin.call(MEMBERS, {"type": "process", "customerType": "databus"}) == [
        {"id": process[0], "name": "cleaning"}
    ]
    assert admin.call(MEMBERS, {"type": "process", "customerType": "client"}) == []
    assert [one["name"] for one in admin.call(MEMBERS, {"type": "subscribe", "customerType": ""})] == ["branch"]
    assert (
        admin.refused("subscribe/customer/add", {"name": "x", "clientType": "other", "connection": TARGET})["code"]
        == 422
    )


def test_a_process_s_service_is_kept_as_every_other(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    process, _ = new_process(admin, node)
    agent.run_services()
    (service,) = admin.call(f"{SERVICES}/page", {"type": "process"})["records"]
    assert (service["customerid"], service["nodeId"], service["observed"]) == (process[0], node, "started")
    counted = admin.call(f"{SERVICES}/getTypeCount", {"containerid": service["containerid"]})
    assert {one["type"]: one["count"] for one in counted}["process"] == 1
    by_type = {"nodeId": node, "type": "process", "subType": "", "forcestatus": False}
    results = admin.call(f"{SERVICES}/modfiystatusbytype", {**by_type, "status": "stopped"})
    assert [(one["serviceName"], one["done"]) for one in results] == [("cleaning", True)]
    agent.run_services()
    assert admin.call(f"{SERVICES}/delete", {"id": service["id"]})["done"]
    free = {"type": "process", "customerType": "", "freeOnly": True}
    assert admin.call(MEMBERS, free) == [{"id": process[0], "name": "cleaning"}]
    addition = {"type": "process", "nodeids": [process[0]], "containerid": service["containerid"], "logLevel": "info"}
    assert [one["done"] for one in admin.call(f"{SERVICES}/add", addition)] == [True]


def test_a_table_without_rules_is_refused(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    _, master = new_process(admin, node)
    bare = subscribe(admin, master, [*ids.values(), "nothing"])
    assert outcome(bare) == {
        "public.orders": (False, NO_RULES),
        "public.lines": (False, NO_RULES),
        "nothing": (False, "The node does not publish this table"),
    }
    only = {"controlId": master, "tables": [ids["public.lines"]]}
    (zh,) = admin.call("subscribe/table/add", only, "zh")
    assert zh["reason"] == "不允许存在没有 ETL 规则的表，请检查"
    twice = {"controlId": master, "tables": list(ids.values()), "rules": [RULE, RULE]}
    assert admin.refused("subscribe/table/add", twice)["code"] == 422
    subscribe(admin, master, [ids["public.orders"]], rules=[RULE])
    (row,) = sheet(admin)
    agent.run_services()
    agent.report_tables(SyncState.SUSPENDED)
    refused = admin.refused("subscribe/etl/rule/delete", {"table": row["id"], "columns": ["total"]})
    assert (refused["data"]["error"], refused["message"]) == ("tables-without-rules", f"{NO_RULES}: public.orders")
    assert [one["column"] for one in admin.call("subscribe/etl/rule/list", {"table": row["id"]})] == ["total"]
    admin.call("subscribe/etl/rule/add", {"table": row["id"], "rule": {"column": "name", "kind": "hash"}})
    agent.report_tables(SyncState.SUSPENDED, generation=9)
    admin.call("subscribe/etl/rule/delete", {"table": row["id"], "columns": ["total"]})


def test_a_table_that_lost_its_rules_is_not_started(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS)
    _, master = new_process(admin, node)
    subscribe(admin, master, list(ids.values()), rules=[RULE])
    agent.run_services()
    agent.report_tables(SyncState.FULL_ERROR)
    (row,) = sheet(admin)
    lose_rules(admin)
    for call in ("resume", "recover", "start-full", "reset-start"):
        results = admin.call(f"subscribe/table/{call}", {"tables": [row["id"]]})
        assert outcome(results) == {"public.orders": (False, NO_RULES)}, call
    admin.call("subscribe/channel/stop", {"channelId": row["channelId"]})
    agent.run_services()
    refused = admin.refused("subscribe/channel/start", {"channelId": row["channelId"]})
    assert refused["data"]["error"] == "tables-without-rules"
    (service,) = admin.call(f"{SERVICES}/page", {"type": "process"})["records"]
    (result,) = admin.call(
        f"{SERVICES}/modfiystatus", {"ids": [service["id"]], "status": "started", "forcestatus": False}
    )
    assert (result["done"], result["error"]) == (False, "tables-without-rules")


def test_each_menu_entry_reaches_its_own_customers(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS)
    process, master = new_process(admin, node)
    subscribe(admin, master, list(ids.values()), rules=[RULE])
    (row,) = sheet(admin)
    new_master(admin, new_customer(admin), node)
    owner, stranger = only_for(admin, "databus"), only_for(admin, "subscribe")
    everybody: dict[str, Any] = {"clientType": ""}
    assert [one["name"] for one in owner.call("subscribe/customer/page", everybody)["records"]] == ["cleaning"]
    assert [one["name"] for one in stranger.call("subscribe/customer/page", everybody)["records"]] == ["branch"]
    assert stranger.call("subscribe/table/page", {})["total"] == 0
    for path, body in (
        ("customer/edit", {"customerId": process[0], "name": "mine"}),
        ("database/delete", {"databaseId": process[1]}),
        ("control/delete", {"controlId": master}),
        ("channel/stop", {"channelId": row["channelId"]}),
        ("etl/rule/list", {"table": row["id"]}),
    ):
        assert stranger.refused(f"subscribe/{path}", body)["code"] == 404, path
    assert [one["done"] for one in stranger.call("subscribe/table/suspend", {"tables": [row["id"]]})] == [False]
    new = {"name": "another", "clientType": "databus", "connection": TARGET}
    assert stranger.refused("subscribe/customer/add", new)["code"] == 40103
    owner.call("subscribe/customer/add", new)
    owner.call("subscribe/channel/stop", {"channelId": row["channelId"]})
