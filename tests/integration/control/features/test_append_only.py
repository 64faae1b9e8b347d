"""Tables without any key, published append-only: by every way that tables are taken in, and never with a key."""

from typing import Any

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_contrast import task as comparison_task
from tests.integration.control.features.test_processes import NO_RULES, RULE, new_process
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node, tables
from tests.integration.control.features.test_simplify_sync import SOURCES, TARGETS, entries
from tests.integration.control.features.test_stream import definition, listening
from tests.integration.control.features.test_subscribe import new_customer, new_master, outcome, sheet, subscribe
from zcbus.protocol.answers import ColumnLine, Description, Descriptions
from zcbus.protocol.requests import Precheck
from zcbus.protocol.tasks import PublishTask, SubscribeTask

APPENDED = {**LINES, "appendOnly": True}


def described(agent: FakeAgent, *primary_key: str) -> None:
    """Let the agent say that every table has this primary key."""
    column = ColumnLine(name="id", native_type="bigint", nullable=False, key=bool(primary_key))
    agent.handlers["describe-tables"] = lambda request: Descriptions(
        tables=tuple(
            Description(
                schema_name=one.schema_name,
                table=one.table,
                columns=(column,),
                primary_key=primary_key,
                unique_keys=(),
            )
            for one in request.tables
        )
    )


def published(agent: FakeAgent) -> dict[str, tuple[tuple[str, ...], bool, int]]:
    """The publish service's orders: key, append-only and generation by table."""
    task = agent.order(PublishTask).task
    assert isinstance(task, PublishTask)
    return {one.source.table: (one.key, one.append_only, one.generation) for one in task.tables}


def subscribed(agent: FakeAgent) -> dict[str, tuple[tuple[str, ...], bool, int]]:
    task = agent.order(SubscribeTask).task
    assert isinstance(task, SubscribeTask)
    return {one.source.table: (one.key, one.append_only, one.generation) for one in task.tables}


def test_only_tables_without_a_key_are_published_so(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    both = [APPENDED, {**ORDERS, "appendOnly": True}]
    results = admin.call("publish/table/add", {"nodeMaster": node, "tables": both})
    assert {one["table"]: (one["done"], one["reason"]) for one in results} == {
        "public.lines": (True, ""),
        "public.orders": (False, "The table has a key and cannot be published append-only"),
    }
    assert [(row["key"], row["appendOnly"]) for row in tables(admin, node)] == [([], True)]
    assert published(agent) == {"lines": ((), True, 1)}
    keyed = admin.refused("publish/table/add", {"nodeMaster": node, "tables": [{**APPENDED, "key": ["id"]}]})
    assert (keyed["code"], "exclude each other" in keyed["message"]) == (422, True)


def test_a_key_takes_a_table_out_and_another_choice_back(agent: FakeAgent, admin: Caller) -> None:
    described(agent)
    node = new_node(admin)
    choice = {"nodeMaster": node, "table": added(admin, node, APPENDED)["public.lines"]}
    admin.call("publish/table/set-key", {**choice, "key": ["id"]})
    assert admin.logged_before() == {"key": [], "appendOnly": True}
    assert published(agent) == {"lines": (("id",), False, 2)}
    admin.call("publish/table/set-key", {**choice, "key": [], "appendOnly": True})
    assert published(agent) == {"lines": ((), True, 3)}
    both = {**choice, "key": ["id"], "appendOnly": True}
    assert admin.refused("publish/table/set-key", both)["code"] == 422
    described(agent, "id")
    refused = admin.refused("publish/table/set-key", {**choice, "key": [], "appendOnly": True}, "zh")
    assert (refused["data"]["error"], refused["message"]) == (
        "append-only-has-key",
        "表 public.lines 有键（id），不能以只追加方式发布",
    )
    admin.call("publish/table/publish-again", {"nodeMaster": node, "tables": [choice["table"]]})
    assert published(agent) == {"lines": ((), True, 4)}


def test_subscribers_get_it_as_it_is_published(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, APPENDED, ORDERS)
    master = new_master(admin, new_customer(admin), node)
    assert set(outcome(subscribe(admin, master, list(ids.values()))).values()) == {(True, "")}
    assert subscribed(agent) == {"lines": ((), True, 1), "orders": ((), False, 1)}
    checked = next(one.request for one in agent.asked if isinstance(one.request, Precheck))
    assert {one.source.table: one.append_only for one in checked.tables} == {"lines": True, "orders": False}
    assert {row["source"]: row["appendOnly"] for row in sheet(admin)} == {"public.lines": True, "public.orders": False}
    (line,) = [row for row in sheet(admin) if row["appendOnly"]]
    agent.run_services()
    admin.call("subscribe/table/unbind", {"tables": [line["id"]]})
    subscribe(admin, master, [ids["public.lines"]])
    assert subscribed(agent)["lines"][:2] == ((), True)


def test_a_process_takes_it_with_a_rule(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = list(added(admin, node, APPENDED).values())
    _, master = new_process(admin, node)
    assert outcome(subscribe(admin, master, ids)) == {"public.lines": (False, NO_RULES)}
    assert outcome(subscribe(admin, master, ids, rules=[RULE])) == {"public.lines": (True, "")}
    assert agent.order(SubscribeTask).task.type == "process"
    assert subscribed(agent) == {"lines": ((), True, 1)}


def test_rows_of_an_append_only_table_are_counted_and_not_compared(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, APPENDED, ORDERS)
    subscribe(admin, new_master(admin, new_customer(admin), node), list(ids.values()))
    chosen = {"tables": [row["id"] for row in sheet(admin)]}
    assert outcome(admin.call("subscribe/table/compare", {**chosen, "method": "strict"})) == {
        "public.lines": (False, "The table is published append-only: without a key only record counts can be compared"),
        "public.orders": (True, ""),
    }
    assert outcome(admin.call("subscribe/table/compare", {**chosen, "method": "count"}))["public.lines"] == (True, "")


def test_an_append_only_table_is_counted_while_others_are_compared(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, APPENDED, ORDERS)
    subscribe(admin, new_master(admin, new_customer(admin), node), list(ids.values()))
    chosen = {"tables": [row["id"] for row in sheet(admin)], "columns": ["id"]}
    done = outcome(admin.call("subscribe/table/compare", chosen))
    assert done == {"public.lines": (True, ""), "public.orders": (True, "")}
    assert {one.table.source.table: (one.method, one.columns) for one in comparison_task(agent).comparisons} == {
        "lines": ("count", ()),
        "orders": ("content", ("id",)),
    }


def test_a_link_s_document_says_it_of_single_tables(agent: FakeAgent, admin: Caller) -> None:
    entry: dict[str, Any] = {"source": "public.lines", "appendOnly": True}
    admin.call("sync/link/apply", {"document": document(tables=["public.orders", entry])})
    assert published(agent) == {"lines": ((), True, 1), "orders": ((), False, 1)}
    assert subscribed(agent) == {"lines": ((), True, 1), "orders": ((), False, 1)}
    again = admin.call("sync/link/apply", {"document": document(tables=["public.orders", entry])})
    assert (again["changed"], again["reloaded"]) == ([], [])
    keyed = admin.call(
        "sync/link/apply",
        {"document": document(tables=["public.orders", {**entry, "appendOnly": None, "key": ["id"]}])},
    )
    assert [one["source"] for one in keyed["reloaded"]] == ["public.lines"]
    assert published(agent)["lines"] == (("id",), False, 2)
    refused = admin.refused("sync/link/apply", {"document": document(tables=[{**entry, "key": ["id"]}])})
    assert refused["code"] == 422


def test_simplified_sync_includes_them_on_request(agent: FakeAgent, admin: Caller) -> None:
    admin.call("sync/link/apply", {"document": document(tables=["public.orders"])})
    (shop, _), (copy, _) = (
        entries(admin, path, parentIdIsNull=True, search=name)[0]
        for path, name in ((SOURCES, "postgres"), (TARGETS, "mysql"))
    )
    start = {"source": [f"{shop}/public"], "target": f"{copy}/copy", "name": "easy", "names": {"prefix": "ods_"}}
    record = admin.call("simplify/sync/start", {**start, "appendOnly": True})
    assert {one["table"]: one["done"] for one in record["results"]}["public.lines"] is True
    document_of_link = admin.call("sync/link/get", {"id": record["linkId"]})["document"]
    assert {one["source"]: one.get("appendOnly") for one in document_of_link["tables"]} == {
        "public.orders": None,
        "public.lines": True,
    }


def test_computations_need_a_key(agent: FakeAgent, admin: Caller) -> None:
    listening(agent)
    node = new_node(admin)
    asked = definition(admin, node, new_customer(admin, "sums", clientType="stream"))
    admin.call("publish/table/withdraw", {"nodeMaster": node, "tables": [asked["inputs"][1]["table"]]})
    asked["inputs"][1]["table"] = added(admin, node, APPENDED)["public.lines"]
    refused = admin.refused("stream/computation/add", asked)
    assert refused["data"]["error"] == "computation-input-keyless"
