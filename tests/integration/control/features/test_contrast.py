"""Comparisons are ordered of a contrast service and shown with the data sheet; the agent is asked for their results."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import new_customer, new_master, outcome, sheet, subscribe
from zcbus.kit.clock import SystemClock
from zcbus.model.comparison import ComparisonState, Difference, DifferenceKind, RepairState
from zcbus.protocol.agent import ServiceReports
from zcbus.protocol.comparison_requests import (
    DifferenceLines,
    ListDifferences,
    PreviewRepair,
    RepairPreview,
    RepairStatement,
)
from zcbus.protocol.reports import ComparisonReport
from zcbus.protocol.tasks import ComparisonTask, WantedComparison

UNDER_WAY = "Re-compare is not allowed while a comparison is under way: wait until it is over"
REPAIR_FIRST = "Re-compare is not allowed while differences wait: repair or discard them first"
REPAIRING = "A repair is under way: wait until it is over"
NOT_OVER = "Repair is not allowed while a comparison is under way: wait until it is over"
ABNORMAL = "Repair is not allowed after a comparison that failed: compare again"
NOTHING = "No difference can be repaired"
FOUND: dict[str, Any] = {"state": ComparisonState.DONE, "different": 3, "repair_state": RepairState.ALLOWED}

RULES: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"state": ComparisonState.ALLOWED}, {"compare": UNDER_WAY, "repair": NOT_OVER}),
    ({"state": ComparisonState.COMPARING}, {"compare": UNDER_WAY, "repair": NOT_OVER}),
    ({"state": ComparisonState.SETTLING}, {"compare": UNDER_WAY, "repair": NOT_OVER}),
    ({"state": ComparisonState.ERROR, "different": 3}, {"repair": ABNORMAL}),
    ({"state": ComparisonState.STOPPED, "different": 3}, {"repair": NOTHING}),
    ({"state": ComparisonState.DONE}, {"repair": NOTHING}),
    (FOUND, {"compare": REPAIR_FIRST}),
    ({**FOUND, "repair_state": RepairState.REPAIRING}, {"compare": REPAIRING, "repair": REPAIRING}),
    ({**FOUND, "repair_state": RepairState.ERROR}, {}),
]
"""A service's report, and why comparing again or repairing is refused then."""


def task(agent: FakeAgent) -> ComparisonTask:
    agent.sync()
    assert agent.orders is not None
    (found,) = (order.task for order in agent.orders.orders if isinstance(order.task, ComparisonTask))
    return found


def report(agent: FakeAgent, wanted: WantedComparison, state: ComparisonState, **values: Any) -> None:
    reported = ComparisonReport(
        table=wanted.id, number=wanted.number, repair=wanted.repair, state=state, at=SystemClock().now(), **values
    )
    agent.sync(reports=(ServiceReports(service=task(agent).service, reports=(reported,)),))


def ask_differences(request: ListDifferences) -> DifferenceLines:
    assert (request.kinds, request.search, request.offset) == ((DifferenceKind.DIFFERENT,), "7", 20)
    line = Difference(DifferenceKind.DIFFERENT, ("7",), {"id": "7", "v": "a"}, {"id": "7", "v": None}, ("v",))
    return DifferenceLines(columns=("id", "v"), key=("id",), lines=(line,), total=21)


def preview_repair(request: PreviewRepair) -> RepairPreview:
    (wanted,) = request.task.comparisons
    assert (wanted.number, request.limit, request.task.source.kind) == (1, 50, "postgresql")
    statement = RepairStatement(kind=DifferenceKind.EXTRA, key=("7",), statement="DELETE FROM t WHERE id = 7")
    return RepairPreview(settings=("SET TimeZone = 'UTC'",), statements=(statement,), examined=21, total=21)


def test_a_table_is_compared_shown_and_repaired(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    customer = new_customer(admin)
    master = new_master(admin, customer, node)
    subscribe(admin, master, list(ids.values()))
    _, orders = sheet(admin, controlId=master)
    assert orders["comparison"] is None
    choice = {"tables": [orders["id"]]}
    assert outcome(admin.call("subscribe/table/compare/repair", choice)) == {"public.orders": (False, NOTHING)}
    order = {**choice, "method": "strict", "columns": ["price", "note", "price"], "rounds": 5}
    assert outcome(admin.call("subscribe/table/compare", order)) == {"public.orders": (True, "")}
    assert outcome(admin.call("subscribe/table/compare", choice)) == {"public.orders": (False, UNDER_WAY)}

    agent.sync()
    (service,) = admin.call("container/cluster/customer/page", {"type": "contrast"})["records"]
    assert (service["type"], service["customerid"], service["nodeId"]) == ("contrast", customer[0], node)
    reported = task(agent)
    (wanted,) = reported.comparisons
    assert (wanted.table.id, wanted.number, wanted.method, wanted.rounds) == (orders["id"], 1, "strict", 5)
    assert wanted.columns == ("price", "note")
    assert reported.source.kind == "postgresql"

    report(agent, wanted, ComparisonState.COMPARING, rows_total=100, rows_compared=40)
    (shown,) = [row["comparison"] for row in sheet(admin, controlId=master) if row["id"] == orders["id"]]
    assert (shown["state"], shown["rowsCompared"], shown["actions"]) == ("comparing", 40, ["stop"])
    report(agent, wanted, ComparisonState.DONE, missing=1, different=20, repair_state=RepairState.ALLOWED)
    (shown,) = [row["comparison"] for row in sheet(admin, controlId=master) if row["id"] == orders["id"]]
    assert (shown["differences"], shown["repairState"]) == (21, "allowed")
    assert shown["actions"] == ["repair", "discard"]

    agent.handlers["list-differences"] = ask_differences
    asked = {"table": orders["id"], "kind": ["different"], "search": "7", "current": 2, "size": 20}
    page = admin.call("subscribe/table/compare/difference/page", asked)
    assert (page["columns"], page["key"], page["total"]) == (["id", "v"], ["id"], 21)
    assert page["records"] == [
        {"kind": "different", "key": ["7"], "source": ["7", "a"], "target": ["7", None], "differing": ["v"]}
    ]

    agent.handlers["preview-repair"] = preview_repair
    shown = admin.call("subscribe/table/compare/repair/preview", {"table": orders["id"], "rows": 50})
    assert shown == {
        "settings": ["SET TimeZone = 'UTC'"],
        "statements": [{"kind": "extra", "key": ["7"], "statement": "DELETE FROM t WHERE id = 7"}],
        "examined": 21,
        "total": 21,
        "cut": False,
    }

    assert outcome(admin.call("subscribe/table/compare/repair", choice)) == {"public.orders": (True, "")}
    assert outcome(admin.call("subscribe/table/compare", choice)) == {"public.orders": (False, REPAIRING)}
    (wanted,) = task(agent).comparisons
    assert wanted.repair == 1
    report(agent, wanted, ComparisonState.DONE, repaired=21, repair_state=RepairState.DONE)
    assert outcome(admin.call("subscribe/table/compare", choice)) == {"public.orders": (True, "")}
    assert [(one.number, one.repair) for one in task(agent).comparisons] == [(2, 0)]
    # Reports of the previous comparison do not count for the new one.
    report(agent, wanted, ComparisonState.DONE, different=3)
    (shown,) = [row["comparison"] for row in sheet(admin, controlId=master) if row["id"] == orders["id"]]
    assert (shown["state"], shown["differences"]) == ("allowed-to-compare", 0)
    assert outcome(admin.call("subscribe/table/compare/stop", choice)) == {"public.orders": (True, "")}
    assert task(agent).comparisons[0].stopped


@pytest.mark.wide
def test_the_server_refuses_what_is_not_allowed_and_says_why(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS)
    master = new_master(admin, new_customer(admin), node)
    subscribe(admin, master, list(ids.values()))
    choice = {"tables": [sheet(admin, controlId=master)[0]["id"]]}
    admin.call("subscribe/table/compare", choice)
    (wanted,) = task(agent).comparisons
    for reported, refusals in RULES:
        report(agent, wanted, **reported)
        shown = sheet(admin, controlId=master)[0]["comparison"]
        assert {action: shown["refusals"].get(action) for action in refusals} == refusals
        assert {"compare", "repair"} - refusals.keys() == {"compare", "repair"} & set(shown["actions"])
        for action, reason in refusals.items():
            path = "subscribe/table/compare" if action == "compare" else f"subscribe/table/compare/{action}"
            assert outcome(admin.call(path, choice)) == {"public.orders": (False, reason)}
    assert task(agent).comparisons == (wanted,)


def test_differences_are_dismissed_so_that_another_comparison_may_begin(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS)
    master = new_master(admin, new_customer(admin), node)
    subscribe(admin, master, list(ids.values()))
    choice = {"tables": [sheet(admin, controlId=master)[0]["id"]]}
    admin.call("subscribe/table/compare", choice)
    (wanted,) = task(agent).comparisons
    report(agent, wanted, **FOUND)
    assert outcome(admin.call("subscribe/table/compare/discard", choice)) == {"public.orders": (True, "")}
    shown = sheet(admin, controlId=master)[0]["comparison"]
    assert (shown["state"], shown["differences"], shown["actions"]) == ("stopped", 0, ["compare"])
    assert [(one.number, one.stopped) for one in task(agent).comparisons] == [(2, True)]
    refused = outcome(admin.call("subscribe/table/compare/discard", choice))
    assert refused == {"public.orders": (False, "No differences wait for repair")}
    assert outcome(admin.call("subscribe/table/compare", choice)) == {"public.orders": (True, "")}
    assert [(one.number, one.stopped) for one in task(agent).comparisons] == [(3, False)]


@pytest.mark.wide
def test_a_stopped_comparison_ends_at_once_on_any_host(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS)
    master = new_master(admin, new_customer(admin), node)
    subscribe(admin, master, list(ids.values()))
    choice = {"tables": [sheet(admin, controlId=master)[0]["id"]]}
    admin.call("subscribe/table/compare", choice)
    (wanted,) = task(agent).comparisons
    report(agent, wanted, ComparisonState.COMPARING, rows_total=100, rows_compared=40)
    assert outcome(admin.call("subscribe/table/compare/stop", choice)) == {"public.orders": (True, "")}
    shown = sheet(admin, controlId=master)[0]["comparison"]
    assert (shown["state"], shown["actions"]) == ("stopped", ["compare"])
    assert outcome(admin.call("subscribe/table/compare", choice)) == {"public.orders": (True, "")}
    assert [(one.number, one.stopped) for one in task(agent).comparisons] == [(2, False)]
    # One that ended before its service got the stop is reported as it ended.
    (wanted,) = task(agent).comparisons
    report(agent, wanted, ComparisonState.SETTLING)
    assert outcome(admin.call("subscribe/table/compare/stop", choice)) == {"public.orders": (True, "")}
    report(agent, wanted, **FOUND)
    shown = sheet(admin, controlId=master)[0]["comparison"]
    assert (shown["state"], shown["differences"]) == ("comparison-done", 3)


def test_numbers_of_rows_are_compared_and_never_repaired(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    master = new_master(admin, new_customer(admin), node)
    subscribe(admin, master, list(ids.values()))
    lines, orders = sheet(admin, controlId=master)
    choice = {"tables": [orders["id"]]}
    assert outcome(admin.call("subscribe/table/compare", {**choice, "method": "count"})) == {
        "public.orders": (True, "")
    }
    (wanted,) = task(agent).comparisons
    assert (wanted.method, wanted.columns) == ("count", ())
    report(agent, wanted, ComparisonState.DONE, missing=3)
    (shown,) = [row["comparison"] for row in sheet(admin, controlId=master) if row["id"] == orders["id"]]
    assert (shown["method"], shown["differences"], shown["actions"]) == ("count", 3, ["compare"])
    assert admin.refused("subscribe/table/compare/repair", choice)["code"] == 60102
    both = outcome(admin.call("subscribe/table/compare/repair", {"tables": [lines["id"], orders["id"]]}))
    assert both["public.orders"] == (False, "Only a comparison of contents, strict or not, can be repaired")


def test_the_service_is_added_moved_and_removed_like_every_other(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    customer = new_customer(admin)
    master = new_master(admin, customer, node)
    container = admin.call("container/cluster/getAll", {"current": 1, "size": 100})["records"][0]["id"]
    addition = {"type": "contrast", "logLevel": "debug", "nodeids": [customer[0]], "containerid": container}
    free = {"type": "contrast", "customerType": "", "freeOnly": True}
    assert [one["id"] for one in admin.call("container/cluster/customer/getnodeidorcustomerid", free)] == [customer[0]]
    (made,) = admin.call("container/cluster/customer/add", addition)
    assert made["done"]
    assert admin.call("container/cluster/customer/getnodeidorcustomerid", free) == []
    (again,) = admin.call("container/cluster/customer/add", addition)
    assert not again["done"]
    change = {"ids": [made["id"]], "status": "started", "forcestatus": False}
    assert [one["done"] for one in admin.call("container/cluster/customer/modfiystatus", change)] == [True]
    assert task(agent).comparisons == ()
    admin.call("subscribe/control/delete", {"controlId": master})
    agent.sync()
    assert admin.call("container/cluster/customer/page", {"type": "contrast"})["records"] == []
