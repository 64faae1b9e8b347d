"""Links from their document to their end, with an agent that speaks the real protocol."""

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent, Refused, host_token
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from zcbus.control.features.subscribe.errors import ChannelNameTakenError, MasterLimitError
from zcbus.control.features.subscribe.service import MASTERS_PER_NODE, create_channel, create_master
from zcbus.control.store.tables import metadata
from zcbus.control.store.tables.audit import audit_record
from zcbus.control.store.tables.subscribe import master
from zcbus.model.states import PublishState, ServiceState, SyncState
from zcbus.protocol.agent import ServiceReports
from zcbus.protocol.answers import Finding
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import ChangeCounts, FeedReport, PublishTableReport, ServiceReport
from zcbus.protocol.requests import DropSource, DropTarget
from zcbus.protocol.tasks import PublishTask, SubscribeTask

NAME = {"name": "shop"}


@pytest.fixture
def link(admin: Caller, agent: FakeAgent) -> dict[str, Any]:
    """A link with two tables that is to run and has no report yet."""
    applied: dict[str, Any] = admin.call("sync/link/apply", {"document": document()})
    return applied


def states(admin: Caller) -> tuple[str, dict[str, str]]:
    status = admin.call("sync/link/status", NAME)
    return status["state"], {table["source"]: table["state"] for table in status["tables"]}


def bring_up(agent: FakeAgent) -> None:
    agent.run_services()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, rows_loaded=10, rows_per_second=5.0, lag_ms=40)


def test_a_json_topic_reaches_the_agent_and_belongs_to_one_link(
    link: dict[str, Any], agent: FakeAgent, admin: Caller
) -> None:
    changed = admin.call("sync/link/apply", {"document": document(jsonTopic="shop.changes")})
    assert changed["changed"] == ["jsonTopic"]
    assert json_topic(agent) == "shop.changes"
    assert admin.call("sync/link/export", NAME)["document"]["jsonTopic"] == "shop.changes"
    other = document(link="other", jsonTopic="shop.changes")
    assert admin.refused("sync/link/apply", {"document": other})["message"].startswith("JSON topic shop.changes")
    feed = FeedReport(name="shop.changes", messages=3, reason=Reason(code="bus-away", facts={"detail": "gone"}))
    now = admin.plane.clock.now()
    service = agent.order(PublishTask).service
    report = ServiceReport(state="running", progress=1, feed=feed, at=now)
    agent.sync(reports=(ServiceReports(service=service, reports=(report,)),))
    (entry,) = [one for one in admin.call("container/service/list", {}) if one["type"] == "publish"]
    assert (entry["feed"]["messages"], entry["feed"]["reason"]["code"]) == (3, "bus-away")
    assert admin.call("sync/link/apply", {"document": document()})["changed"] == ["jsonTopic"]
    assert json_topic(agent) == ""


def test_the_number_of_appliers_of_a_link_reaches_the_agent(
    link: dict[str, Any], agent: FakeAgent, admin: Caller
) -> None:
    assert agent.order(SubscribeTask).task.apply_lanes == 1
    assert admin.call("sync/link/apply", {"document": document(lanes=4)})["changed"] == ["lanes"]
    agent.sync()
    assert agent.order(SubscribeTask).task.apply_lanes == 4
    assert admin.call("sync/link/export", NAME)["document"]["lanes"] == 4
    assert admin.call("sync/link/apply", {"document": document()})["changed"] == ["lanes"]
    agent.sync()
    assert agent.order(SubscribeTask).task.apply_lanes == 1


def json_topic(agent: FakeAgent) -> str:
    """The desired state in the agent's newest order."""
    task = agent.order(PublishTask).task
    assert isinstance(task, PublishTask)
    return task.json_topic


def test_a_new_link_becomes_orders_for_the_agent(link: dict[str, Any], agent: FakeAgent) -> None:
    assert link["created"]
    assert link["added"] == [
        {"source": "public.orders", "target": "copy.orders"},
        {"source": "public.lines", "target": "copy.lines"},
    ]
    publish, subscribe = agent.order(PublishTask), agent.order(SubscribeTask)
    assert (publish.desired, subscribe.desired) == ("running", "running")
    assert isinstance(publish.task, PublishTask)
    assert isinstance(subscribe.task, SubscribeTask)
    assert publish.task.source.secrets["password"].get_secret_value() == "secret-1"
    assert subscribe.task.node == publish.task.node
    assert {table.published for table in subscribe.task.tables} == {table.id for table in publish.task.tables}
    assert {table.generation for table in (*publish.task.tables, *subscribe.task.tables)} == {1}
    # One agent works on both sides, without other readers of the tables.
    assert all(table.direct for table in (*publish.task.tables, *subscribe.task.tables))
    assert subscribe.task.source == publish.task.source


def test_status_has_the_shape_of_the_contract(link: dict[str, Any], agent: FakeAgent, admin: Caller) -> None:
    bring_up(agent)
    status = admin.call("sync/link/status", NAME)
    assert set(status) == {"name", "state", "pace", "stale", "asOf", "tables", "reason", "warnings"}
    assert (status["reason"], status["warnings"]) == (None, [])
    assert not status["stale"]
    assert status["state"] == "incremental-running"
    assert status["tables"][0] == {
        "source": "public.lines",
        "target": "copy.lines",
        "state": "incremental-running",
        "rowsLoaded": 10,
        "inserts": 0,
        "updates": 0,
        "deletes": 0,
        "lagMs": 40,
        "pace": "busy",
        "errors": 0,
        "reason": None,
    }


def test_idle_busy_and_behind_are_three_words(link: dict[str, Any], agent: FakeAgent, admin: Caller) -> None:
    agent.run_services()
    for lag, rate, pace in ((0, 0.0, "idle"), (0, 5.0, "busy"), (60_001, 5.0, "behind"), (None, 0.0, None)):
        agent.report_tables(SyncState.INCREMENTAL_RUNNING, rows_loaded=10, rows_per_second=rate, lag_ms=lag)
        status = admin.call("sync/link/status", NAME)
        # Of the table alone it is not known whether any of its own changes wait: it applies some.
        assert [status["pace"], *(table["pace"] for table in status["tables"])] == [
            pace,
            *["busy" if pace == "behind" else pace] * 2,
        ]
        assert admin.call("sync/link/page")["records"][0]["pace"] == pace
        assert admin.call("sync/task/page")["records"][0]["pace"] == pace


def test_an_idle_table_of_a_channel_that_is_behind_is_idle(
    link: dict[str, Any], agent: FakeAgent, admin: Caller
) -> None:
    """The lag is the channel's: what waits for a table is counted."""
    agent.run_services()
    now = agent.plane.clock.now()
    running = PublishState.INCREMENTAL_RELEASE
    agent.report_published(
        lambda table, generation: PublishTableReport(
            table=table, state=running, generation=generation, epoch=7, changes=100, at=now
        )
    )
    for table, handled in (("public.orders", 60), ("public.lines", 100)):
        counts = ChangeCounts(handled=handled, epoch=7)
        agent.report_tables(SyncState.INCREMENTAL_RUNNING, [table], lag_ms=90_000, rows_loaded=10, counts=counts)
    paces = {"public.orders": "behind", "public.lines": "idle"}
    status = admin.call("sync/link/status", NAME)
    assert {table["source"]: table["pace"] for table in status["tables"]} == paces
    task = admin.call("sync/task/page")["records"][0]["id"]
    for call, asked in (("sync/task/table/page", {"id": task}), ("subscribe/table/page", {})):
        assert {row["source"]: row["pace"] for row in admin.call(call, asked)["records"]} == paces


def test_pause_stops_apply_alone_and_resume_continues(link: dict[str, Any], agent: FakeAgent, admin: Caller) -> None:
    bring_up(agent)
    assert admin.call("sync/link/pause", NAME)["state"] == "stopping"
    assert (agent.order(PublishTask).desired, agent.order(SubscribeTask).desired) == ("running", "stopped")
    agent.run_services()
    state, tables = states(admin)
    assert (state, set(tables.values())) == ("suspended", {"suspended"})
    # Nothing is measured while nothing runs.
    assert [table["lagMs"] for table in admin.call("sync/link/status", NAME)["tables"]] == [None, None]
    assert admin.call("sync/link/page")["records"][0]["actions"] == ["resume", "stop", "edit", "delete"]
    admin.call("sync/link/resume", NAME)
    agent.run_services(ServiceState.STARTING)
    assert states(admin)[0] == "starting"
    bring_up(agent)
    assert states(admin)[0] == "incremental-running"


def test_stop_stops_both_services_and_start_runs_them(link: dict[str, Any], agent: FakeAgent, admin: Caller) -> None:
    bring_up(agent)
    admin.call("sync/link/stop", NAME)
    assert (agent.order(PublishTask).desired, agent.order(SubscribeTask).desired) == ("stopped", "stopped")
    agent.run_services()
    assert states(admin)[0] == "stopped"
    assert admin.refused("sync/link/pause", NAME)["data"]["error"] == "link-action-refused"
    assert admin.call("sync/link/stop", NAME)["state"] == "stopped"
    # `zcbus link` has no action of its own to start a stopped link.
    admin.call("sync/link/resume", NAME)
    bring_up(agent)
    assert states(admin)[0] == "incremental-running"


def test_a_service_that_cannot_run_puts_the_link_in_error_until_a_restart(
    link: dict[str, Any], agent: FakeAgent, admin: Caller
) -> None:
    reason = Reason(code="access-denied", facts={"address": "db.example:5432", "user": "u", "detail": "no"})
    agent.run_services(ServiceState.ABNORMAL, reason)
    record = admin.call("sync/link/get", NAME)
    assert record["state"] == "error"
    assert record["reason"]["text"] == "The database db.example:5432 refuses user u: no"
    assert record["reason"]["remedy"]
    restart = agent.order(PublishTask).restart
    admin.call("sync/link/start", NAME)
    assert agent.order(PublishTask).restart == restart + 1


def test_deleting_leaves_no_row_and_has_the_agent_clean_up(
    link: dict[str, Any], agent: FakeAgent, admin: Caller, plane: ControlPlane
) -> None:
    bring_up(agent)
    attempts = 0

    def fail_first(_request: object) -> Any:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            raise Refused("source-unavailable", kind="postgresql", address="h:1", detail="away")
        return agent.database.handlers()["drop-source"](None)

    agent.handlers["drop-source"] = fail_first
    assert admin.call("sync/link/delete", NAME)["name"] == "shop"
    for _ in range(3):
        agent.sync()
    plane.clock.advance(timedelta(seconds=3))
    for _ in range(3):
        agent.sync()
    assert attempts == 2
    kinds = [type(put.request) for put in agent.asked]
    assert kinds.count(DropTarget) == 1
    assert kinds.count(DropSource) == 2
    assert agent.orders is not None
    assert agent.orders.orders == ()
    assert rows_left(plane) == {}
    assert admin.call("sync/link/page")["total"] == 0
    # The name is free again.
    assert admin.call("sync/link/apply", {"document": document()})["created"]


def rows_left(plane: ControlPlane) -> dict[str, int]:
    names = [
        "sync_link", "sync_task", "channel", "master", "customer", "subscribed_table", "published_table",
        "publish_node", "service", "service_attempt", "data_source", "agent_request",
    ]  # fmt: skip
    with plane.services.database.read() as connection:
        counts = {
            name: connection.execute(sa.select(sa.func.count()).select_from(metadata.tables[name])).scalar_one()
            for name in names
        }
    return {name: count for name, count in counts.items() if count}


def test_applying_again_changes_nothing(link: dict[str, Any], agent: FakeAgent, admin: Caller) -> None:
    agent.sync()
    assert agent.orders is not None
    version = agent.orders.version
    again = admin.call("sync/link/apply", {"document": document()})
    assert (again["created"], again["changed"], again["added"], again["removed"]) == (False, [], [], [])
    agent.sync()
    assert agent.orders.version == version


def test_an_exported_link_has_no_secrets_and_changes_nothing_when_applied(
    link: dict[str, Any], agent: FakeAgent, admin: Caller
) -> None:
    mapping = {"source": "public.orders", "target": "copy.bestellungen", "columns": {"id": "id", "a": "b"}}
    admin.call("sync/link/apply", {"document": document(tables=["public.lines", mapping])})
    exported = admin.call("sync/link/export", NAME)["document"]
    assert "secret-1" not in str(exported)
    assert exported["source"]["password"] == {"env": "SHOP_SOURCE_PASSWORD"}
    assert "" not in (*exported["source"].values(), *exported["target"].values())
    assert exported["tables"] == ["public.lines", mapping]
    for side in ("source", "target"):
        exported[side].pop("password")
    again = admin.call("sync/link/apply", {"document": exported})
    assert (again["changed"], again["added"], again["removed"], again["reloaded"]) == ([], [], [], [])


def test_a_changed_document_adds_removes_and_reloads_tables(
    link: dict[str, Any], agent: FakeAgent, admin: Caller
) -> None:
    bring_up(agent)
    changed = document(
        tables=["public.audit_log", {"source": "public.orders", "target": "copy.orders2", "key": ["id"]}], clean="drop"
    )
    applied = admin.call("sync/link/apply", {"document": changed})
    assert set(applied["changed"]) == {"tables", "clean"}
    assert applied["added"] == [{"source": "public.audit_log", "target": "copy.audit_log"}]
    assert applied["removed"] == [{"source": "public.lines", "target": "copy.lines"}]
    assert applied["reloaded"] == [{"source": "public.orders", "target": "copy.orders2"}]
    assert applied["version"] == 2
    task = agent.order(SubscribeTask).task
    assert isinstance(task, SubscribeTask)
    orders = next(table for table in task.tables if table.source.table == "orders")
    assert (orders.generation, orders.key, orders.clean, orders.target.table) == (2, ("id",), "drop", "orders2")
    publish = agent.order(PublishTask).task
    assert isinstance(publish, PublishTask)
    assert {table.source.table: table.generation for table in publish.tables} == {"orders": 2, "audit_log": 1}


def test_targets_can_be_swapped(link: dict[str, Any], agent: FakeAgent, admin: Caller) -> None:
    swapped = [
        {"source": "public.orders", "target": "copy.lines"},
        {"source": "public.lines", "target": "copy.orders"},
    ]
    admin.call("sync/link/apply", {"document": document(tables=swapped)})
    tables = {row["source"]: row["target"] for row in admin.call("sync/link/status", NAME)["tables"]}
    assert tables == {"public.orders": "copy.lines", "public.lines": "copy.orders"}


def test_a_password_left_out_stays_and_goes_nowhere_else(link: dict[str, Any], agent: FakeAgent, admin: Caller) -> None:
    unchanged = document()
    unchanged["source"].pop("password")
    assert admin.call("sync/link/apply", {"document": unchanged})["changed"] == []
    elsewhere = document()
    elsewhere["source"] = {**unchanged["source"], "host": "thief.example"}
    assert admin.refused("sync/link/apply", {"document": elsewhere})["data"]["error"] == "password-needed"
    moved = document()
    moved["source"]["host"] = "db2.example"
    assert admin.call("sync/link/apply", {"document": moved})["changed"] == ["source"]
    task = agent.order(PublishTask).task
    assert isinstance(task, PublishTask)
    assert task.source.options["host"] == "db2.example"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"tables": ["nowhere.*"]}, "link-has-no-tables"),
        ({"tables": [{"source": "public.gone"}]}, "link-tables-missing"),
        (
            {"tables": ["public.lines", {"source": "public.orders", "target": "copy.lines"}]},
            "link-target-twice",
        ),
        ({"source": {**document()["source"], "kind": "hive"}}, "kind-unsupported"),
        ({"source": {**document()["source"], "host": "a,b"}}, "option-invalid"),
        ({"source": {**document()["source"], "port": 0}}, "option-invalid"),
        ({"source": {**document()["source"], "tls": "maybe"}}, "option-invalid"),
        ({"source": {**document()["source"], "colour": "red"}}, "option-invalid"),
        ({"source": {**document()["source"], "user": ""}}, "option-missing"),
        ({"source": {**document()["source"], "options": "-c x=y"}}, "option-invalid"),
        ({"container": "nowhere"}, "container-unknown"),
    ],
)
def test_a_wrong_document_changes_nothing(
    agent: FakeAgent, admin: Caller, plane: ControlPlane, change: dict[str, Any], error: str
) -> None:
    refused = admin.refused("sync/link/apply", {"document": document(**change)})
    assert (refused["data"]["error"], refused["code"]) == (error, 300)
    assert rows_left(plane) == {}


@pytest.mark.parametrize(
    "change",
    [
        {"tabels": []},
        {"tables": []},
        {"tables": ["!public.*"]},
        {"tables": [{"source": "public.orders", "columns": {"a": "x", "b": "x"}}]},
        {"tables": [{"source": "public.orders", "target": "copy." + "x" * 129}]},
        {"tables": [{"source": "public.orders"}, {"source": "public.orders"}]},
        {"link": " "},
        {"threads": 101},
        {"lanes": 17},
        {"load": "half"},
    ],
)
def test_a_malformed_document_is_named_by_its_fields(admin: Caller, change: dict[str, Any]) -> None:
    refused = admin.refused("sync/link/apply", {"document": document(**change)})
    assert refused["code"] == 422
    assert refused["data"]["fields"]


def test_findings_block_when_they_are_errors(agent: FakeAgent, admin: Caller, plane: ControlPlane) -> None:
    error = Finding(level="error", table="public.orders", reason=Reason(code="table-without-key", facts={"table": "o"}))
    warning = Finding(level="warning", reason=Reason(code="target-exists", facts={"target": "copy.lines"}))
    agent.database.findings = (warning, error)
    report = admin.call("sync/link/precheck", {"document": document()})
    assert (report["ok"], [finding["level"] for finding in report["findings"]]) == (False, ["error", "warning"])
    assert report["findings"][0]["text"].startswith("Table o has neither")
    assert report["findings"][0]["remedy"]
    refused = admin.refused("sync/link/apply", {"document": document()}, "zh")
    assert refused["data"]["error"] == "precheck-failed"
    assert refused["message"].startswith("预检查发现 1 个错误")
    assert rows_left(plane) == {}
    agent.database.findings = (warning,)
    applied = admin.call("sync/link/apply", {"document": document()})
    assert [finding["code"] for finding in applied["findings"]] == ["target-exists"]
    reason = Reason(code="table-left-out", facts={"table": "public.kept", "reason": "system-versioned"})
    agent.database.left_out = (Finding(level="warning", table="public.kept", reason=reason),)
    (named,) = admin.call("sync/link/apply", {"document": document()})["findings"]
    assert named["text"] == "Table public.kept matches a pattern and is left out: it is a system-versioned table"
    assert admin.call("sync/link/precheck", {"document": document()})["findings"] == [named]


def test_an_error_of_the_agent_reaches_the_caller(agent: FakeAgent, admin: Caller) -> None:
    def away(_request: object) -> Any:
        raise Refused("source-unavailable", kind="postgresql", address="db.example:5432", detail="refused")

    agent.handlers["resolve-tables"] = away
    refused = admin.refused("sync/link/apply", {"document": document()})
    assert refused["data"]["error"] == "source-unavailable"
    assert refused["message"] == "The source postgresql db.example:5432 cannot be reached: refused"


def done(admin: Caller, verb: str, *tables: str) -> dict[str, bool]:
    """The result of each table."""
    results = admin.call(f"sync/link/table/{verb}", {**NAME, "tables": tables})
    return {one["table"]: one["done"] for one in results}


def test_tables_are_reloaded_suspended_and_resumed_alone(link: dict[str, Any], agent: FakeAgent, admin: Caller) -> None:
    bring_up(agent)
    assert done(admin, "reload", "public.orders") == {"public.orders": True}
    assert states(admin)[1] == {"public.orders": "full-allowed", "public.lines": "incremental-running"}
    publish, subscribe = agent.order(PublishTask).task, agent.order(SubscribeTask).task
    assert isinstance(publish, PublishTask)
    assert isinstance(subscribe, SubscribeTask)
    for tables in (publish.tables, subscribe.tables):
        assert {table.source.table: table.generation for table in tables} == {"orders": 2, "lines": 1}
    agent.report_tables(SyncState.INCREMENTAL_RUNNING)
    assert states(admin)[1]["public.orders"] == "incremental-running"
    assert done(admin, "suspend", "public.lines") == {"public.lines": True}
    assert done(admin, "suspend", "public.lines") == {"public.lines": True}
    assert admin.logged_before() == {}  # asked for already, so nothing changed
    agent.report_tables(SyncState.SUSPENDED, ["public.lines"])
    assert done(admin, "resume", "public.lines") == {"public.lines": True}
    subscribe = agent.order(SubscribeTask).task
    assert isinstance(subscribe, SubscribeTask)
    assert not any(table.suspended for table in subscribe.tables)


def test_a_command_refused_for_one_table_reaches_the_others(
    link: dict[str, Any], agent: FakeAgent, admin: Caller
) -> None:
    bring_up(agent)
    done(admin, "suspend", "public.lines")
    agent.report_tables(SyncState.SUSPENDED, ["public.lines"])
    asked = {**NAME, "tables": ["public.orders", "public.lines", "public.nix"]}
    results = {one["table"]: one["reason"] for one in admin.call("sync/link/table/resume", asked)}
    assert results == {
        "public.orders": "Table public.orders is incremental running; resume is not possible",
        "public.lines": "",
        "public.nix": "Subscribed table not found",
    }
    task = agent.order(SubscribeTask).task
    assert isinstance(task, SubscribeTask)
    assert not any(table.suspended for table in task.tables)
    newest = admin.call("monitor/operation-log/page", {"size": 20})["records"][0]
    kept = admin.call("monitor/operation-log/get", {"id": newest["id"]})["after"]
    assert (kept["tables"], list(kept["refused"])) == (["public.lines"], ["public.orders", "public.nix"])


def test_a_failed_table_is_counted_and_the_link_runs_on(link: dict[str, Any], agent: FakeAgent, admin: Caller) -> None:
    bring_up(agent)
    reason = Reason(code="row-refused", facts={"table": "copy.lines", "detail": "Duplicate entry"})
    agent.report_tables(SyncState.INCREMENTAL_ERROR, ["public.lines"], reason=reason, errors=1)
    record = admin.call("sync/link/page")["records"][0]
    assert (record["state"], record["tables"]["error"], record["tables"]["running"]) == ("incremental-running", 1, 1)
    line = admin.call("sync/link/status", NAME)["tables"][0]
    assert line["reason"] == "The target refuses rows of table copy.lines: Duplicate entry"
    admin.call("sync/link/table/resume", {**NAME, "tables": ["public.lines"]})
    task = agent.order(SubscribeTask).task
    assert isinstance(task, SubscribeTask)
    assert {table.source.table: table.retry for table in task.tables} == {"orders": 0, "lines": 1}
    agent.report_tables(SyncState.INCREMENTAL_ERROR, reason=reason)
    assert states(admin)[0] == "error"


def test_a_table_that_cannot_be_published_has_the_reason_in_its_state(
    link: dict[str, Any], agent: FakeAgent, admin: Caller, plane: ControlPlane
) -> None:
    agent.run_services()
    reason = Reason(code="table-without-key", facts={"table": "public.orders"})
    agent.report_published(
        lambda table, generation: PublishTableReport(
            table=table,
            state=PublishState.NO_PRIMARY_KEY,
            reason=reason,
            generation=generation,
            at=plane.clock.now(),
        )
    )
    status = admin.call("sync/link/status", NAME)
    assert {table["state"] for table in status["tables"]} == {"error"}
    assert "neither a primary key" in status["tables"][0]["reason"]
    restart = agent.order(PublishTask).restart
    admin.call("sync/link/table/resume", {**NAME, "tables": ["public.orders"]})
    assert agent.order(PublishTask).restart == restart + 1


def test_figures_grow_stale_when_the_agent_is_silent(
    link: dict[str, Any], agent: FakeAgent, admin: Caller, plane: ControlPlane
) -> None:
    bring_up(agent)
    assert not admin.call("sync/link/get", NAME)["stale"]
    agent.rest()
    plane.clock.advance(timedelta(seconds=11))
    record = admin.call("sync/link/get", NAME)
    assert record["stale"]
    assert all(service["stale"] for service in record["services"])
    assert record["lagMs"] is None
    status = admin.call("sync/link/status", NAME)
    assert status["stale"]
    assert [table["lagMs"] for table in status["tables"]] == [None, None]


def test_desired_and_observed_and_attempts_are_shown_apart(
    link: dict[str, Any], agent: FakeAgent, admin: Caller
) -> None:
    agent.run_services(ServiceState.RESTARTING, Reason(code="crashed", facts={"exit": "signal 9"}))
    agent.attempt(SubscribeTask, "signal 9")
    agent.attempt(SubscribeTask, "signal 9")
    services = {service["type"]: service for service in admin.call("container/service/list")}
    assert (services["subscribe"]["desired"], services["subscribe"]["observed"]) == ("running", "restarting")
    assert [attempt["result"] for attempt in services["subscribe"]["attempts"]] == ["signal 9"]
    assert services["subscribe"]["progress"] == 3


def test_a_tenant_sees_and_changes_only_its_own(
    link: dict[str, Any], agent: FakeAgent, admin: Caller, plane: ControlPlane
) -> None:
    add_user(plane, "south", "administrator", "south")
    other = Caller(plane, plane.sign_in("south"))
    assert other.call("sync/link/page")["total"] == 0
    assert other.call("sync/task/page")["total"] == 0
    assert other.call("container/service/list") == []
    for path in ("get", "status", "pause", "delete", "export"):
        for choice in (NAME, {"id": link["id"]}):
            assert other.refused(f"sync/link/{path}", choice)["code"] == 404
    stored = {"linkId": link["id"], "side": "source"}
    assert other.refused("dynamic/datasource/test-db-parameter", stored)["code"] == 404
    # The same name in another tenant is another link.
    assert other.call("sync/link/apply", {"document": document()})["created"]
    assert admin.call("sync/link/page")["total"] == 2
    assert admin.call("sync/link/get", NAME)["id"] == link["id"]


def test_a_viewer_changes_nothing(link: dict[str, Any], agent: FakeAgent, plane: ControlPlane) -> None:
    add_user(plane, "watcher", "ordinary")
    watcher = Caller(plane, plane.sign_in("watcher"))
    assert watcher.call("sync/link/page")["total"] == 1
    for path, body in (
        ("sync/link/pause", NAME),
        ("sync/link/delete", NAME),
        ("sync/link/apply", {"document": document()}),
        ("sync/link/table/reload", {**NAME, "tables": ["public.orders"]}),
        ("dynamic/datasource/test-db-parameter", document()["source"]),
    ):
        assert watcher.refused(path, body)["code"] == 40103, path
    add_user(plane, "keeper", "maintainer")
    keeper = Caller(plane, plane.sign_in("keeper"))
    assert keeper.call("sync/link/pause", NAME)["desired"] == "suspended"
    assert keeper.refused("sync/link/apply", {"document": document()})["code"] == 40103


def test_a_link_of_a_lost_agent_is_removed_by_another_agent(
    link: dict[str, Any], agent: FakeAgent, admin: Caller, plane: ControlPlane
) -> None:
    bring_up(agent)
    agent.rest()
    plane.clock.advance(timedelta(seconds=11))
    admin.call("sync/link/delete", NAME)
    other = FakeAgent(plane, host_token(plane, "other"), name="other")
    other.register()
    other.sync()
    assert {type(put.request) for put in other.asked} == {DropSource, DropTarget}
    other.stop()


def test_masters_and_channels_keep_to_the_specifications_limits(
    link: dict[str, Any], agent: FakeAgent, plane: ControlPlane
) -> None:
    now = plane.clock.now()
    with plane.services.database.read() as connection:
        one = connection.execute(sa.select(master)).one()
        container_id = connection.execute(sa.select(metadata.tables["container"].c.id)).scalar_one()
    another = {"customer_id": one.customer_id, "node_id": one.node_id, "now": now}
    with plane.services.database.write() as connection:
        for number in range(MASTERS_PER_NODE - 1):
            create_master(connection, name=f"m{number}", **another)
        with pytest.raises(MasterLimitError) as limit:
            create_master(connection, name="one too many", **another)
        with pytest.raises(ChannelNameTakenError) as taken:
            create_channel(
                connection,
                tenant_id="default",
                container_id=container_id,
                master_id=one.id,
                name="shop",
                load_threads=2,
                apply_lanes=1,
                now=now,
            )
    assert (limit.value.wire_code, taken.value.wire_code) == (60100, 60101)


def test_the_operation_log_keeps_what_was_done_and_no_secret(
    link: dict[str, Any], agent: FakeAgent, admin: Caller, plane: ControlPlane
) -> None:
    admin.call("sync/link/pause", NAME)
    admin.call("sync/link/delete", NAME)
    with plane.services.database.read() as connection:
        rows = connection.execute(audit_record.select().order_by(audit_record.c.id)).all()
    about = [row for row in rows if row.subject == "shop"]
    assert [row.action for row in about] == ["sync-link_apply_document", "sync-link_pause", "sync-link_delete"]
    assert (about[1].before["desired"], about[1].after["desired"]) == ("running", "suspended")
    assert about[2].before["source"]["host"] == "db.example"
    assert "secret-1" not in str([(row.before, row.after) for row in rows])


def test_no_secret_is_stored_readable(link: dict[str, Any], agent: FakeAgent, plane: ControlPlane) -> None:
    with plane.services.database.read() as connection:
        for table in metadata.sorted_tables:
            assert "secret-1" not in str(connection.execute(table.select()).all()), table.name
