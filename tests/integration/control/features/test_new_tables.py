"""Tables that the source got, or gave another name, after its link was made."""

from typing import Any

import pytest
import sqlalchemy as sa

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.test_publish import ORDERS, added, new_node
from tests.integration.control.features.test_subscribe import new_customer, new_master, subscribe
from tests.integration.control.features.test_subscribe import tasks as subscribe_tasks
from tests.support.control_plane import ControlPlane
from zcbus.control.features.sync_link.new_table_watch import add_new_tables
from zcbus.control.features.sync_link.renaming import follow_renamed_tables
from zcbus.control.store.tables.audit import audit_record
from zcbus.model.states import PublishState
from zcbus.protocol.answers import Finding
from zcbus.protocol.base import Reason, TableRef
from zcbus.protocol.reports import PublishTableReport
from zcbus.protocol.tasks import Begin, PublishTask, SubscribeTask

NAME = {"name": "shop"}


def make(agent: FakeAgent, *tables: str) -> None:
    """The source has these further tables."""
    agent.database.tables = (*agent.database.tables, *(("public", table) for table in tables))


def carried(agent: FakeAgent) -> set[str]:
    task = agent.order(PublishTask).task
    assert isinstance(task, PublishTask)
    return {table.source.table for table in task.tables}


def found(admin: Caller) -> list[str]:
    return [table["source"] for table in admin.call("sync/link/table/find-new", NAME)["tables"]]


def test_new_tables_that_match_a_links_patterns_are_found_and_added(agent: FakeAgent, admin: Caller) -> None:
    admin.call("sync/link/apply", {"document": document(tables=["public.*", "!public.audit_log"])})
    assert found(admin) == []
    make(agent, "returns", "carts")
    assert found(admin) == ["public.returns", "public.carts"]
    done = admin.call("sync/link/table/take-in", {**NAME, "tables": ["public.carts"]})
    assert ([table["source"] for table in done["added"]], done["changed"]) == (["public.carts"], [])
    assert carried(agent) == {"orders", "lines", "carts"}
    assert found(admin) == ["public.returns"]
    refused = admin.refused("sync/link/table/take-in", {**NAME, "tables": ["public.nothing"]})
    assert refused["data"]["error"] == "link-tables-missing"


def test_a_link_that_names_its_tables_keeps_what_it_took_in(agent: FakeAgent, admin: Caller) -> None:
    admin.call("sync/link/apply", {"document": document(tables=["public.orders"])})
    assert found(admin) == ["public.lines", "public.audit_log"]
    admin.call("sync/link/table/take-in", {**NAME, "tables": ["public.lines"]})
    assert admin.call("sync/link/export", NAME)["document"]["tables"] == ["public.orders", "public.lines"]
    again = admin.call("sync/link/apply", {"document": document(tables=["public.orders", "public.lines"])})
    assert (again["changed"], again["added"], again["removed"]) == ([], [], [])


@pytest.mark.parametrize("sound", [True, False])
def test_new_tables_come_in_by_themselves_unless_something_speaks_against_them(
    agent: FakeAgent, admin: Caller, plane: ControlPlane, sound: bool
) -> None:
    wanted: dict[str, Any] = document(tables=["public.orders"], newTables=["public.returns"])
    admin.call("sync/link/apply", {"document": wanted})
    agent.run_services()
    make(agent, "returns", "other")
    wrong = Finding(level="error", table="public.returns", reason=Reason(code="table-without-key", facts={}))
    agent.database.findings = () if sound else (wrong,)
    add_new_tables(plane.services)
    assert carried(agent) == ({"orders", "returns"} if sound else {"orders"})
    with plane.services.database.read() as store:
        taken = store.execute(sa.select(audit_record).where(audit_record.c.action == "sync-link.take-in")).all()
    assert [row.after for row in taken] == ([{"tables": ["public.returns"]}] if sound else [])


def renamed(agent: FakeAgent, old: str, new: str) -> None:
    """Publishing says that a table has another name in the source."""
    task = agent.order(PublishTask).task
    assert isinstance(task, PublishTask)
    (concerned,) = [table.id for table in task.tables if table.source.table == old]
    facts = {"table": f"public.{old}", "reason": "table-renamed", "new_schema": "public", "new_table": new}
    agent.report_published(
        lambda table, generation: PublishTableReport(
            table=table,
            state=PublishState.PUBLISH_FAILED if table == concerned else PublishState.INCREMENTAL_RELEASE,
            reason=Reason(code="table-refused", facts=facts) if table == concerned else None,
            generation=generation,
            at=agent.plane.clock.now(),
        )
    )


@pytest.mark.parametrize(("ddl", "follows"), [("follow", True), ("stop", False)])
def test_a_renamed_table_is_loaded_into_a_shadow_table_under_its_new_name(
    agent: FakeAgent, admin: Caller, plane: ControlPlane, ddl: str, follows: bool
) -> None:
    named = {"source": "public.orders", "columns": ["id", "total"]}
    admin.call("sync/link/apply", {"document": document(ddl=ddl, tables=["public.*", "!public.audit_log", named])})
    agent.run_services()
    renamed(agent, "orders", "sales")
    follow_renamed_tables(plane.services)
    assert carried(agent) == ({"sales", "lines"} if follows else {"orders", "lines"})
    if not follows:
        return
    task = agent.order(SubscribeTask).task
    assert isinstance(task, SubscribeTask)
    (table,) = [one for one in task.tables if one.source.table == "sales"]
    assert (table.target, table.generation) == (TableRef(schema_name="copy", table="orders"), 2)
    assert table.begin == Begin(mode="full", beside=True)
    assert agent.order(PublishTask).task.tables[1].generation == 2  # type: ignore[union-attr]
    make(agent, "sales")
    again = admin.call("sync/link/export", NAME)["document"]["tables"]
    assert again[:2] == ["public.*", "!public.audit_log"]
    assert [one["source"] for one in again[2:]] == ["public.sales"]
    assert again[2]["columns"] == ["id", "total"]
    with plane.services.database.read() as store:
        done = store.execute(sa.select(audit_record).where(audit_record.c.action == "sync-link.follow-renamed")).all()
    assert [(row.before, row.after) for row in done] == [({"table": "public.orders"}, {"table": "public.sales"})]


@pytest.mark.wide
@pytest.mark.parametrize("ddl", ["follow", "stop"])
def test_all_readers_of_a_renamed_table_follow_or_none_does(agent: FakeAgent, admin: Caller, ddl: str) -> None:
    node = new_node(admin)
    ids = list(added(admin, node, ORDERS).values())
    for schema, mode in (("copy", "follow"), ("archive", ddl)):
        master = new_master(admin, new_customer(admin, schema), node, schema=schema, ddl=mode)
        subscribe(admin, master, ids)
    agent.run_services()
    renamed(agent, "orders", "sales")
    follow_renamed_tables(agent.plane.services)
    assert carried(agent) == ({"sales"} if ddl == "follow" else {"orders"})
    agent.sync()
    ordered = [one for task in subscribe_tasks(agent) for one in task.tables]
    assert {(one.target.schema_name, one.target.table) for one in ordered} == {
        ("copy", "orders"),
        ("archive", "orders"),
    }
    if ddl == "follow":
        assert {(one.source.table, one.generation, one.begin) for one in ordered} == {
            ("sales", 2, Begin(mode="full", beside=True))
        }
        assert agent.order(PublishTask).task.tables[0].generation == 2  # type: ignore[union-attr]
