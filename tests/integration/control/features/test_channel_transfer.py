"""Channel transfer and rebalance: previewed, then done; the agent gets each table's former channels."""

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import (
    new_customer,
    new_master,
    outcome,
    sheet,
    subscribe,
    tasks,
)
from zcbus.model.states import SyncState


def channels_of(admin: Caller, master: str) -> dict[str, str]:
    asked = {"controlId": master, "sort": "name", "order": "asc"}
    return {row["name"]: row["id"] for row in admin.call("subscribe/channel/page", asked)["records"]}


def test_a_table_goes_to_another_channel_and_back(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    customer = new_customer(admin)
    master = new_master(admin, customer, node, channelCount=2)
    other = channels_of(admin, new_master(admin, customer, node, "other"))["other"]
    first, second = channels_of(admin, master).values()
    subscribe(admin, master, list(ids.values()), channelId=first)
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, inserts=40)
    lines, orders = sheet(admin, controlId=master)
    choice = {"tables": [orders["id"]], "channelId": second}
    assert admin.refused("subscribe/table/transfer", {"tables": [], "channelId": second})["code"] == 422
    assert admin.refused("subscribe/table/transfer", {"tables": [orders["id"]]})["code"] == 422
    plan = admin.call("subscribe/table/transfer/preview", choice)
    assert [(m["table"], m["fromChannelName"], m["channelName"]) for m in plan["moves"]] == [
        ("public.orders", "m-1", "m-2")
    ]
    assert [(c["name"], c["tablesBefore"], c["tablesAfter"]) for c in plan["channels"]] == [
        ("m-1", 2, 1),
        ("m-2", 0, 1),
    ]
    assert sheet(admin, channelId=second) == [], "a preview changes nothing"
    assert outcome(admin.call("subscribe/table/transfer", choice)) == {"public.orders": (True, "")}
    assert outcome(admin.call("subscribe/table/transfer", choice)) == {
        "public.orders": (False, "The table is on the target channel already")
    }
    elsewhere = {"tables": [orders["id"]], "channelId": other}
    assert outcome(admin.call("subscribe/table/transfer", elsewhere))["public.orders"][0] is False
    by_channel = {
        task.subscription: {one.id: (one.moves, one.came_from) for one in task.tables} for task in tasks(agent)
    }
    assert by_channel[second] == {orders["id"]: (1, (first,))}
    assert by_channel[first] == {lines["id"]: (0, ())}
    # Until the new channel reports the table it is not shown as running, and its old position is kept.
    (moved,) = sheet(admin, channelId=second)
    assert (moved["state"], moved["inserts"]) == ("incremental-allowed", 40)
    assert outcome(admin.call("subscribe/table/transfer", {"tables": [lines["id"]], "channelId": second}))[
        "public.lines"
    ][0]
    assert admin.refused("subscribe/channel/delete", {"channelId": first})["data"]["error"] == "channel-action-refused"
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, inserts=41)
    assert [row["state"] for row in sheet(admin, channelId=second)] == ["incremental-running"] * 2
    back = {"tables": [orders["id"]], "channelId": first}
    assert outcome(admin.call("subscribe/table/transfer", back)) == {"public.orders": (True, "")}
    assert outcome(admin.call("subscribe/table/transfer", choice)) == {"public.orders": (True, "")}
    (moves,) = ((one.moves, one.came_from) for task in tasks(agent) for one in task.tables if one.id == orders["id"])
    assert moves == (3, (first,)), "any channel that may still have it is asked"
    agent.report_tables(SyncState.INCREMENTAL_RUNNING)
    assert admin.call("subscribe/channel/delete", {"channelId": first}) == "m-1"


def test_a_rebalance_is_shown_and_then_done(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    master = new_master(admin, new_customer(admin), node, channelCount=2)
    first, second = channels_of(admin, master).values()
    subscribe(admin, master, list(ids.values()), channelId=first)
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, ["public.orders"], inserts=90)
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, ["public.lines"], updates=90)
    asked = {"controlId": master, "mode": "incremental"}
    assert admin.refused("subscribe/control/rebalance/preview", {**asked, "upper": 99})["code"] == 422
    assert admin.refused("subscribe/control/rebalance/preview", {**asked, "lower": 101})["code"] == 422
    assert admin.call("subscribe/control/rebalance/preview", {**asked, "mode": "full"})["moves"] == []
    plan = admin.call("subscribe/control/rebalance/preview", asked)
    assert plan["reached"]
    assert [(c["loadBefore"], c["loadAfter"]) for c in plan["channels"]] == [(180, 90), (0, 90)]
    (move,) = plan["moves"]
    order = {
        "controlId": master,
        "moves": [{"table": move["id"], "fromChannelId": move["fromChannelId"], "channelId": move["channelId"]}],
    }
    assert [one["done"] for one in admin.call("subscribe/control/rebalance", order)] == [True]
    assert [row["id"] for row in sheet(admin, channelId=second)] == [move["id"]]
    (again,) = admin.call("subscribe/control/rebalance", order)
    assert (again["done"], again["reason"]) == (
        False,
        "The table was moved to another channel meanwhile: preview again",
    )
    # A stopped channel neither gives nor takes.
    admin.call("subscribe/channel/stop", {"channelId": second})
    agent.report_tables(SyncState.INCREMENTAL_RUNNING)
    assert admin.call("subscribe/control/rebalance/preview", asked)["moves"] == []
