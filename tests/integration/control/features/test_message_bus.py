"""Topics of the bus: what an agent measures on a real embedded bus, joined with nodes, readers and rights."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent, Refused, fake_agent
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.test_publish import new_node
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ControlPlane
from tests.support.frames import CHANGES, inserted
from zcbus.bus.contract import Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.topics import emitted_topic, full_topic, real_topic, state_topic, versions_topic
from zcbus.engine.requests import answer
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.errors import ZcbusError
from zcbus.model.changes import Frame, HeartbeatFrame
from zcbus.model.frames import encode_frame
from zcbus.model.position import Position
from zcbus.model.states import SyncState
from zcbus.protocol.agent import ServiceReports
from zcbus.protocol.base import Message
from zcbus.protocol.reports import ServiceReport
from zcbus.protocol.tasks import PublishTask, SubscribeTask

ZBMQ = "system/zbmq"
QUESTIONS = ("list-bus-topics", "measure-topics", "read-records", "read-record", "delete-topic")
Write = Callable[..., None]


@pytest.fixture
def agent(plane: ControlPlane, tmp_path: Path) -> Iterator[FakeAgent]:
    """An agent that answers about the bus as the real one does, from an embedded bus."""
    with fake_agent(plane, bus="") as running:
        running.handlers |= dict.fromkeys(QUESTIONS, lambda request: _answer(request, tmp_path))
        yield running


def _answer(request: Any, data_dir: Path) -> Message:
    try:
        return answer(request, data_dir, BusSettings())
    except ZcbusError as error:
        raise Refused(error.code, **{name: str(fact) for name, fact in error.facts.items()}) from error


@pytest.fixture
def write(plane: ControlPlane, tmp_path: Path) -> Write:
    """Append frames to a topic, as if `age` had passed since."""

    def append(topic: str, *frames: Frame, age: timedelta = timedelta(0)) -> None:
        moment = int((plane.clock.now() - age).timestamp() * 1000)
        with (
            closing(EmbeddedBus(tmp_path / "bus", now=lambda: moment)) as bus,
            bus.writer(topic, Retention()) as writer,
        ):
            for frame in frames:
                writer.append(encode_frame(frame))

    return append


def beat(number: int) -> Frame:
    return HeartbeatFrame(Position(0, number), number)


def bus_of(admin: Caller) -> dict[str, str]:
    (bus,) = admin.call(f"{ZBMQ}/bus/list", {})
    assert (bus["kind"], bus["hosts"], bus["reachable"]) == ("embedded", ["here"], True)
    return {"containerId": bus["containerId"]}


def topics(caller: Caller, bus: dict[str, str], **asked: Any) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = caller.call(f"{ZBMQ}/topic/page", {**bus, **asked})["records"]
    return records


def names(caller: Caller, bus: dict[str, str], **asked: Any) -> list[str]:
    return [topic["name"] for topic in topics(caller, bus, **asked)]


def node_of(agent: FakeAgent) -> tuple[str, str]:
    """The only publish node, and its table public.orders."""
    task = agent.order(PublishTask).task
    assert isinstance(task, PublishTask)
    return task.node, next((table.id for table in task.tables if table.source.table == "orders"), "")


def report_needs(agent: FakeAgent, offset: int) -> None:
    """The channel reports the first record that it still needs."""
    order, (node, _) = agent.order(SubscribeTask), node_of(agent)
    report = ServiceReport(state="running", progress=4, needs={node: offset}, at=agent.plane.clock.now())
    agent.sync(reports=(ServiceReports(service=order.service, reports=(report,)),))


@pytest.fixture
def link(admin: Caller, agent: FakeAgent) -> FakeAgent:
    """A link with two loaded tables whose services run."""
    admin.call("sync/link/apply", {"document": document()})
    agent.run_services()
    now = agent.plane.clock.now()
    agent.report_tables(SyncState.INCREMENTAL_RUNNING, load_started_at=now, load_finished_at=now)
    return agent


def test_topics_are_shown_with_their_nodes_and_tables(link: FakeAgent, admin: Caller, write: Write) -> None:
    bus, (node, table) = bus_of(admin), node_of(link)
    write(real_topic(node), *map(beat, range(30)), age=timedelta(hours=2))
    write(real_topic(node), *map(beat, range(60)))
    write(full_topic(node, table, 1), CHANGES)
    write(state_topic(node), beat(0))
    write("real/forgotten", beat(0))
    page = admin.call(f"{ZBMQ}/topic/page", {**bus, "sort": "records", "order": "desc"})
    assert page["total"] == 4
    assert page["sizeBytes"] == sum(topic["sizeBytes"] for topic in page["records"])
    assert 0 < page["diskFreeBytes"] <= page["diskTotalBytes"]
    real = page["records"][0]
    assert (real["name"], real["role"], real["nodeName"]) == (real_topic(node), "real", "shop")
    assert (real["records"], real["partitions"], real["retentionHours"]) == (90, 1, 72)
    assert real["recordsPerSecond"] == pytest.approx(60 / 300)
    assert real["actions"] == ["records", "retention", "delete"]
    (full,) = topics(admin, bus, role=["full"])
    assert (full["table"], full["generation"], full["current"]) == ("public.orders", 1, True)
    (state,) = topics(admin, bus, role=["state"])
    assert (state["actions"], state["retentionHours"]) == ([], None)
    assert names(admin, bus, search="public.OR") == [full_topic(node, table, 1)]
    assert names(admin, bus, search="SHOP", sort="name", order="asc", size=1) == [full_topic(node, table, 1)]
    (lost,) = topics(admin, bus, ownerless=True)
    assert (lost["name"], lost["nodeName"], lost["actions"]) == ("real/forgotten", "", ["records", "delete"])


def test_readers_and_how_far_they_are(link: FakeAgent, admin: Caller, write: Write) -> None:
    bus, (node, _) = bus_of(admin), node_of(link)
    write(real_topic(node), *map(beat, range(50)))
    (real,) = topics(admin, bus)
    assert (real["readers"], real["unknownReaders"], real["behindRecords"]) == (1, 1, None)
    report_needs(link, 20)
    (real,) = topics(admin, bus)
    assert (real["readers"], real["unknownReaders"], real["behindRecords"]) == (1, 0, 30)
    assert real["sizeBytes"] / 2 < real["behindBytes"] < real["sizeBytes"]
    # A restarted service that does not know yet where it is still needs what it needed.
    link.run_services()
    detail = admin.call(f"{ZBMQ}/topic/get", {**bus, "topic": real_topic(node)})
    (reader,) = detail["readers"]
    assert (reader["kind"], reader["offset"], reader["behindRecords"]) == ("channel", 20, 30)
    assert (reader["tables"], reader["loading"], reader["expired"]) == (2, 0, False)
    assert reader["asOf"] is not None
    assert (detail["replicas"], detail["inSync"]) == (1, 1)
    assert detail["diskBytes"] >= detail["topic"]["sizeBytes"]


def test_tables_that_load_are_readers_of_full_topics(admin: Caller, agent: FakeAgent, write: Write) -> None:
    admin.call("sync/link/apply", {"document": document()})
    bus, (node, table) = bus_of(admin), node_of(agent)
    agent.run_services()
    agent.report_tables(SyncState.FULL_RUNNING, rows_loaded=3, rows_total=10, load_started_at=agent.plane.clock.now())
    topic = full_topic(node, table, 1)
    write(topic, CHANGES)
    (reader,) = admin.call(f"{ZBMQ}/topic/get", {**bus, "topic": topic})["readers"]
    assert (reader["kind"], reader["rowsLoaded"], reader["rowsTotal"]) == ("load", 3, 10)
    refused = admin.refused(f"{ZBMQ}/topic/delete", {**bus, "topic": topic, "typed": topic})
    assert refused["data"]["error"] == "bus-topic-being-loaded"
    assert "orders" in refused["message"]
    assert admin.call(f"{ZBMQ}/topic/preview", {**bus, "topic": topic})["refused"] == refused["message"]


def test_records_are_looked_into(link: FakeAgent, admin: Caller, write: Write) -> None:
    bus, (node, _) = bus_of(admin), node_of(link)
    write(real_topic(node), beat(1), CHANGES, beat(2))
    chosen = {**bus, "topic": real_topic(node)}
    page = admin.call(f"{ZBMQ}/record/page", {**chosen, "size": 2})
    assert ([one["offset"] for one in page["records"]], page["total"], page["nextOffset"]) == ([2, 1], 3, 3)
    (found,) = admin.call(f"{ZBMQ}/record/page", {**chosen, "changesOnly": True})["records"]
    assert (found["offset"], found["kind"], found["position"]) == (1, "changes", "0/46")
    assert found["tables"][0]["name"] == "hr.people"
    assert "Ann" not in str(page)
    later = (link.plane.clock.now() + timedelta(minutes=1)).isoformat()
    assert admin.call(f"{ZBMQ}/record/page", {**chosen, "since": later})["total"] == 0
    detail = admin.call(f"{ZBMQ}/record/get", {**chosen, "offset": 1})
    assert admin.logged_subject() == real_topic(node)
    assert (detail["total"], detail["valuesShown"], len(detail["rows"])) == (3, True, 3)
    # The node publishes no hr.people, so nothing is known of what would mask it.
    assert {cell["state"] for row in detail["rows"] for cell in row["cells"]} <= {"masked", "null", "unchanged"}
    assert admin.refused(f"{ZBMQ}/record/get", {**chosen, "offset": 9})["data"]["error"] == "offset-expired"
    write(state_topic(node), beat(0))
    refused = admin.refused(f"{ZBMQ}/record/page", {**bus, "topic": state_topic(node)})
    assert refused["data"]["error"] == "bus-records-not-shown"


def test_values_need_a_right_of_their_own_and_masks_hold_for_all(
    link: FakeAgent, admin: Caller, write: Write, plane: ControlPlane
) -> None:
    bus, (node, _) = bus_of(admin), node_of(link)
    write(real_topic(node), inserted("public", "orders"))
    chosen = {**bus, "topic": real_topic(node), "offset": 0}
    shown = admin.call(f"{ZBMQ}/record/get", chosen)
    assert [cell["text"] for cell in shown["rows"][0]["cells"]] == ["1", "Ann"]
    permissions = [{"menuKey": "system/zbmq-management", "operations": ["view"]}]
    role = {"code": "bus", "nameZh": "总线", "nameEn": "Bus", "permissions": permissions}
    admin.call("account/role/add", role)
    add_user(plane, "looker", "bus")
    looker = Caller(plane, plane.sign_in("looker"))
    hidden = looker.call(f"{ZBMQ}/record/get", chosen)
    assert (hidden["valuesShown"], hidden["total"]) == (False, 1)
    assert [column["name"] for column in hidden["columns"]] == ["id", "name"]
    assert {cell["state"] for cell in hidden["rows"][0]["cells"]} == {"hidden"}
    assert "Ann" not in str(hidden)


def test_another_retention_says_first_what_it_removes(link: FakeAgent, admin: Caller, write: Write) -> None:
    bus, (node, table) = bus_of(admin), node_of(link)
    write(real_topic(node), *map(beat, range(40)), age=timedelta(hours=30))
    write(real_topic(node), *map(beat, range(10)), age=timedelta(hours=1))
    write(full_topic(node, table, 1), CHANGES, age=timedelta(hours=30))
    report_needs(link, 15)
    chosen = {**bus, "topic": real_topic(node)}
    preview = admin.call(f"{ZBMQ}/retention/preview", {**chosen, "retentionHours": 24})
    assert (preview["presentHours"], preview["removedRecords"]) == (72, 40)
    assert [(one["name"], one["records"]) for one in preview["losing"]] == [("shop", 25)]
    assert preview["expiring"] == ["public.orders"]
    report_needs(link, 45)
    assert admin.call(f"{ZBMQ}/retention/preview", {**chosen, "retentionHours": 24})["losing"] == []
    longer = admin.call(f"{ZBMQ}/retention/preview", {**chosen, "retentionHours": 240})
    assert (longer["removedRecords"], longer["losing"], longer["expiring"]) == (0, [], [])
    admin.call(f"{ZBMQ}/retention/edit", {**chosen, "retentionHours": 240})
    assert admin.logged_before() == {"retention_hours": 72}
    task = link.order(PublishTask).task
    assert isinstance(task, PublishTask)
    assert task.retention_hours == 240
    assert admin.refused(f"{ZBMQ}/retention/edit", {**chosen, "retentionHours": 0})["code"] == 422
    with_data_only = {**bus, "topic": state_topic(node), "retentionHours": 1}
    assert admin.refused(f"{ZBMQ}/retention/edit", with_data_only)["code"] == 404


def test_a_topic_is_deleted_once_its_node_is_stopped_and_its_name_typed(
    admin: Caller, agent: FakeAgent, write: Write
) -> None:
    node = new_node(admin)
    agent.run_services()
    bus, topic = bus_of(admin), real_topic(node)
    write(topic, beat(0))
    write(versions_topic(node), beat(0))
    request = {**bus, "topic": topic, "typed": topic}
    running = admin.refused(f"{ZBMQ}/topic/delete", request)
    assert running["data"]["error"] == "bus-topic-in-use"
    assert admin.call(f"{ZBMQ}/topic/preview", {**bus, "topic": topic})["refused"] == running["message"]
    admin.call("publish/node/stop", {"nodeMaster": node})
    agent.run_services()
    preview = admin.call(f"{ZBMQ}/topic/preview", {**bus, "topic": topic})
    assert (preview["refused"], preview["records"], preview["nodeName"]) == ("", 1, "shop")
    untyped = admin.refused(f"{ZBMQ}/topic/delete", {**request, "typed": "real"})
    assert untyped["data"]["error"] == "bus-topic-not-typed"
    internal = {**bus, "topic": versions_topic(node), "typed": versions_topic(node)}
    assert admin.refused(f"{ZBMQ}/topic/delete", internal)["data"]["error"] == "bus-topic-of-node"
    write(emitted_topic("1"), beat(0))
    kept = {**bus, "topic": emitted_topic("1"), "typed": emitted_topic("1")}
    assert admin.refused(f"{ZBMQ}/topic/delete", kept)["data"]["error"] == "bus-topic-of-target"
    assert names(admin, bus, role=["real"]) == [topic]
    admin.call(f"{ZBMQ}/topic/delete", request)
    assert admin.logged_subject() == topic
    assert admin.logged_before()["records"] == 1
    assert names(admin, bus, role=["real"]) == []
    assert admin.refused(f"{ZBMQ}/topic/delete", request)["code"] == 404


def test_another_tenants_topics_do_not_exist(link: FakeAgent, admin: Caller, write: Write) -> None:
    bus, (node, _) = bus_of(admin), node_of(link)
    write(real_topic(node), beat(0))
    write("real/forgotten", beat(0))
    stranger = administrator_of(admin.plane, "elsewhere")
    assert names(stranger, bus) == []
    for topic in (real_topic(node), "real/forgotten"):
        chosen = {**bus, "topic": topic}
        for path, more in (
            ("topic/get", {}),
            ("topic/preview", {}),
            ("topic/delete", {"typed": topic}),
            ("record/page", {}),
            ("record/get", {"offset": 0}),
            ("retention/preview", {"retentionHours": 1}),
            ("retention/edit", {"retentionHours": 1}),
        ):
            assert stranger.refused(f"{ZBMQ}/{path}", {**chosen, **more})["code"] == 404, path
    assert names(admin, bus, sort="name", order="asc") == [real_topic(node), "real/forgotten"]
    unknown = admin.refused(f"{ZBMQ}/topic/page", {"containerId": "none"})
    assert unknown["data"]["error"] == "container-unknown"
