"""Unbound tables keep their position for a week: subscribed again at their master, they resume there."""

from datetime import timedelta
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import (
    new_customer,
    new_master,
    outcome,
    sheet,
    skips_left,
    subscribe,
    tasks,
)
from zcbus.model.states import SyncState

ORDERS_NAME = "public.orders"


@pytest.fixture
def place(agent: FakeAgent, admin: Caller) -> tuple[str, dict[str, str]]:
    """A master with two tables that apply changes, and the published tables' ids."""
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    master = new_master(admin, new_customer(admin), node, channelCount=2)
    subscribe(admin, master, list(ids.values()))
    agent.run_services()
    return master, ids


def unbound(agent: FakeAgent, admin: Caller, state: SyncState, **figures: Any) -> dict[str, Any]:
    """The orders as they were when they were unbound in that state."""
    agent.report_tables(state, [ORDERS_NAME], **figures)
    before = next(row for row in sheet(admin) if row["source"] == ORDERS_NAME)
    admin.call("subscribe/table/limit", {"tables": [before["id"]], "errorLimit": 7, "dmlSkip": 5, "ddlSkip": 2})
    assert outcome(admin.call("subscribe/table/unbind", {"tables": [before["id"]]})) == {ORDERS_NAME: (True, "")}
    return before


def again(admin: Caller, master: str, published: str, **asked: Any) -> dict[str, Any]:
    """The orders, subscribed once more."""
    assert outcome(subscribe(admin, master, [published], **asked)) == {ORDERS_NAME: (True, "")}
    return next(row for row in sheet(admin) if row["source"] == ORDERS_NAME)


def after_days(agent: FakeAgent, days: int) -> Caller:
    """The administrator after this many days: sessions have ended by then."""
    agent.plane.clock.advance(timedelta(days=days))
    return Caller(agent.plane, agent.plane.sign_in("admin"))


def offered(admin: Caller, master: str) -> list[bool]:
    records = admin.call("subscribe/table/candidate/page", {"controlId": master})["records"]
    return [row["unboundAt"] is not None for row in records]


def test_a_table_resumes_with_its_position_and_its_settings(
    agent: FakeAgent, admin: Caller, place: tuple[str, dict[str, str]]
) -> None:
    master, ids = place
    before = unbound(agent, admin, SyncState.INCREMENTAL_RUNNING, load_finished_at=agent.plane.clock.now())
    assert offered(admin, master) == [True]
    assert {one.id for task in tasks(agent) for one in task.tables}.isdisjoint({before["id"]})
    admin = after_days(agent, 6)
    after = again(admin, master, ids[ORDERS_NAME])
    kept = ("id", "channelId", "target", "version", "where", "columns")
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert (after["errorLimit"], skips_left(after)) == (7, (5, 2))
    (ordered,) = (one for task in tasks(agent) for one in task.tables if one.id == before["id"])
    assert ordered.generation == before["version"]
    # It was resumed since: unbound before it was loaded, it has no earlier position to return to.
    admin.call("subscribe/table/reset", {"tables": [after["id"]]})
    admin.call("subscribe/table/unbind", {"tables": [after["id"]]})
    assert offered(admin, master) == [False]


@pytest.mark.wide
@pytest.mark.parametrize("why", ["not wanted", "too late", "never loaded", "another channel"])
def test_a_table_bound_again_under_other_conditions_loads_again(
    agent: FakeAgent, admin: Caller, place: tuple[str, dict[str, str]], why: str
) -> None:
    master, ids = place
    state = SyncState.FULL_RUNNING if why == "never loaded" else SyncState.INCREMENTAL_RUNNING
    loaded = None if why == "never loaded" else agent.plane.clock.now()
    before = unbound(agent, admin, state, load_finished_at=loaded)
    if why == "too late":
        admin = after_days(agent, 8)
    asked: dict[str, Any] = {"goOn": False} if why == "not wanted" else {}
    if why == "another channel":
        channels = admin.call("subscribe/channel/page", {"controlId": master})["records"]
        asked["channelId"] = next(row["id"] for row in channels if row["id"] != before["channelId"])
    assert offered(admin, master) == [why in ("not wanted", "another channel")]
    after = again(admin, master, ids[ORDERS_NAME], **asked)
    assert after["id"] != before["id"]
    assert (after["state"], after["dmlSkip"]) == ("uninitialized", 0)


def test_the_target_of_an_unbound_table_may_be_taken(
    agent: FakeAgent, admin: Caller, place: tuple[str, dict[str, str]]
) -> None:
    master, ids = place
    before = unbound(agent, admin, SyncState.INCREMENTAL_RUNNING, load_finished_at=agent.plane.clock.now())
    customer, node = before["customerId"], before["nodeMaster"]
    (database,) = admin.call("subscribe/database/page", {"customerId": customer})["records"]
    other = new_master(admin, (customer, database["id"]), node, "other")
    again(admin, other, ids[ORDERS_NAME])
    refused = outcome(subscribe(admin, master, [ids[ORDERS_NAME]]))
    assert refused == {ORDERS_NAME: (False, "Another table is replicated to that target already")}
