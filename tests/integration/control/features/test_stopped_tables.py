"""Publishing single tables is stopped, and starts again where their full data is ordered."""

from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import LINES, ORDERS, added, new_node, report, tables
from tests.integration.control.features.test_subscribe import new_customer, new_master, sheet, subscribe
from zcbus.model.states import PublishState, SyncState
from zcbus.protocol.answers import StartPosition
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import PublishTableReport
from zcbus.protocol.tasks import PublishedTable, PublishTask, SubscribedTable, SubscribeTask

STOPPED = Reason(code="publication-stopped", facts={"table": "public.orders"})


def published(agent: FakeAgent) -> dict[str, PublishedTable]:
    task = agent.order(PublishTask).task
    assert isinstance(task, PublishTask)
    return {table.source.table: table for table in task.tables}


def subscribed(agent: FakeAgent) -> dict[str, SubscribedTable]:
    task = agent.order(SubscribeTask).task
    assert isinstance(task, SubscribeTask)
    return {table.source.table: table for table in task.tables}


def follow(agent: FakeAgent) -> None:
    """Report as a publish service that captures tables that are not stopped."""
    wanted, now = {table.id: table for table in published(agent).values()}, agent.plane.clock.now()
    agent.report_published(
        lambda table, generation: PublishTableReport(
            table=table,
            state=PublishState.PUBLISH_STOPPED if wanted[table].stopped else PublishState.INCREMENTAL_RELEASE,
            reason=STOPPED if wanted[table].stopped else None,
            generation=generation,
            at=now,
        )
    )


def row_of(rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(row for row in rows if name in (row.get("table"), row.get("source")))


@pytest.fixture
def received(agent: FakeAgent, admin: Caller) -> tuple[str, dict[str, str]]:
    """A node, and its tables' ids, which a subscriber applies."""
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    receive(agent, admin, node, ids)
    return node, ids


def receive(agent: FakeAgent, admin: Caller, node: str, ids: dict[str, str], **settings: Any) -> None:
    subscribe(admin, new_master(admin, new_customer(admin), node, **settings), list(ids.values()))
    agent.run_services()
    follow(agent)
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, rows_loaded=3)


def stop(admin: Caller, node: str, *ids: str) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = admin.call("publish/table/stop", {"nodeMaster": node, "tables": ids})
    return results


def test_subscribers_of_a_stopped_table_get_an_error_and_load_it_again(
    received: tuple[str, dict[str, str]], agent: FakeAgent, admin: Caller
) -> None:
    node, ids = received
    assert row_of(tables(admin, node), "orders")["actions"] == ["stop"]
    (result,) = stop(admin, node, ids["public.orders"])
    assert result["done"]
    assert {name: table.stopped for name, table in published(agent).items()} == {"orders": True, "lines": False}
    follow(agent)
    shown = row_of(tables(admin, node), "orders")
    assert (shown["state"], shown["actions"]) == ("publish-stopped", [])
    orders, lines = row_of(sheet(admin), "public.orders"), row_of(sheet(admin), "public.lines")
    assert (orders["state"], lines["state"]) == ("full-info-expired", "incremental-running")
    assert "was stopped" in orders["reason"]["text"]
    assert "start full for it" in orders["reason"]["remedy"]
    assert "reload" in orders["actions"]
    assert "accept-gap" not in orders["actions"]
    # The stop dropped its position: it cannot simply resume.
    assert subscribed(agent)["orders"].generation == 2
    admin.call("subscribe/table/start-full", {"tables": [orders["id"]]})
    again = published(agent)["orders"]
    assert (again.stopped, again.generation) == (False, subscribed(agent)["orders"].generation)
    follow(agent)
    assert row_of(sheet(admin), "public.orders")["state"] == "full-allowed"
    assert row_of(tables(admin, node), "orders")["state"] == "incremental-release"


def test_a_table_without_load_resumes_with_an_accepted_gap(agent: FakeAgent, admin: Caller) -> None:
    agent.handlers["resolve-start"] = lambda _: StartPosition(
        offset=17, record_time=5, first_offset=0, next_offset=20, counted_to=20, tables=()
    )
    node = new_node(admin)
    ids = added(admin, node, ORDERS)
    receive(agent, admin, node, ids, startFull=False)
    stop(admin, node, ids["public.orders"])
    follow(agent)
    orders = row_of(sheet(admin), "public.orders")
    admin.call("subscribe/table/accept-gap", {"tables": [orders["id"]]})
    again = published(agent)["orders"]
    assert (again.stopped, again.gap, again.generation) == (False, 1, 1)


def test_a_table_that_was_unbound_before_it_was_stopped_starts_again(
    received: tuple[str, dict[str, str]], agent: FakeAgent, admin: Caller
) -> None:
    node, ids = received
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, load_finished_at=admin.plane.clock.now())
    orders = row_of(sheet(admin), "public.orders")
    assert admin.call("subscribe/table/unbind", {"tables": [orders["id"]]})[0]["done"]
    asked = {"controlId": orders["controlId"]}
    (offered,) = admin.call("subscribe/table/candidate/page", asked)["records"]
    assert offered["unboundAt"] is not None
    stop(admin, node, ids["public.orders"])
    (offered,) = admin.call("subscribe/table/candidate/page", asked)["records"]
    assert offered["unboundAt"] is None


def test_a_table_without_subscribers_is_published_again_with_its_full_data(agent: FakeAgent, admin: Caller) -> None:
    node = new_node(admin)
    ids = added(admin, node, ORDERS, LINES)
    follow(agent)
    first, second = stop(admin, node, ids["public.orders"]), stop(admin, node, ids["public.orders"])
    assert [(one["done"], one["code"]) for one in (*first, *second)] == [(True, ""), (True, "nothing-to-do")]
    follow(agent)
    shown = row_of(tables(admin, node), "orders")
    assert (shown["state"], shown["actions"]) == ("publish-stopped", ["publish-again", "set-key", "withdraw"])
    admin.call("publish/table/publish-again", {"nodeMaster": node, "tables": [ids["public.orders"]]})
    assert {name: table.stopped for name, table in published(agent).items()} == {"orders": False, "lines": False}
    report(agent, PublishState.INCREMENTAL_RELEASE)
    assert row_of(tables(admin, node), "orders")["actions"] == ["stop", "publish-again", "set-key", "withdraw"]
