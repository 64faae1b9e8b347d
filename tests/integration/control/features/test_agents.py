"""Registration of agents, and their orders."""

import itertools
import threading
import time
from datetime import timedelta
from typing import Any

import httpx
import pytest

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent, fake_agent, host_token
from tests.support.control_plane import ControlPlane
from zcbus.control.bootstrap import prepare
from zcbus.control.features.agent_gateway import service
from zcbus.control.features.container.start import ensure_agent_token
from zcbus.control.features.datasource import repository as data_sources
from zcbus.control.features.publish import service as publish
from zcbus.control.platform.agent_requests import remove_expired
from zcbus.protocol.agent import SyncRequest
from zcbus.protocol.tasks import PublishTask


def test_only_agents_may_register_and_sync(plane: ControlPlane, admin: Caller) -> None:
    body = SyncRequest(agent="x", at=plane.clock.now()).model_dump(mode="json")
    assert plane.post("agent/sync", body, admin.token).json()["code"] == 40103
    assert plane.post("agent/sync", body).status_code == 401
    token = ensure_agent_token(plane.services)
    # An agent can do nothing else.
    assert plane.post("sync/link/page", {}, token).json()["code"] == 40103
    unregistered = plane.post("agent/sync", body, token)
    assert (unregistered.status_code, unregistered.json()["data"]["error"]) == (404, "agent-unknown")


def test_the_hosts_own_token_is_kept_and_mended(plane: ControlPlane) -> None:
    path = plane.data_dir / "agent-token"
    token = path.read_text("utf-8").strip()
    assert path.stat().st_mode & 0o777 == 0o600
    prepare(plane.services)
    assert path.read_text("utf-8").strip() == token
    path.write_text("not-known-here\n")
    prepare(plane.services)
    assert path.read_text("utf-8").strip() not in (token, "not-known-here")
    assert path.stat().st_mode & 0o777 == 0o600


def test_another_containers_token_gets_no_orders(plane: ControlPlane, admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document()})
    admin.call("container/cluster/add", {"containerName": "other", "displayName": "Other"})
    other = host_token(plane, "stranger", container="other")
    stranger = FakeAgent(plane, other, name="stranger")
    assert stranger.register().status_code == 403
    body = SyncRequest(agent=agent.name, at=plane.clock.now()).model_dump(mode="json")
    assert plane.post("agent/sync", body, other).status_code == 403
    stranger.stop()


def test_a_link_stays_with_the_agent_that_took_it(plane: ControlPlane, admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document()})
    agent.sync()
    assert agent.orders is not None
    assert len(agent.orders.orders) == 2
    second = FakeAgent(plane, host_token(plane, "second"), name="second")
    assert second.register().status_code == 200
    assert second.sync().orders == second.orders
    assert second.orders is not None
    assert second.orders.orders == ()
    second.stop()


def test_orders_are_sent_only_when_they_changed(plane: ControlPlane, admin: Caller, agent: FakeAgent) -> None:
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    agent.sync()
    assert agent.sync().orders is None
    admin.call("sync/link/stop", {"name": "shop"})
    assert agent.sync().orders is not None
    assert agent.sync().orders is None


def test_a_waiting_agent_is_notified_of_orders_and_questions(
    plane: ControlPlane, admin: Caller, agent: FakeAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Any] = []

    def wait() -> None:
        answer = httpx.post(
            f"{plane.address}/api/zcbus/agent/news", json={"agent": agent.name}, headers=token, timeout=60
        )
        heard.append(answer.json()["data"])

    token = {"ZCBUS-TOKEN": agent.token}
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()  # its syncs may place services, which notifies it
    monkeypatch.setattr(service, "EVENT_POLL_SECONDS", 0.01)
    wait()
    assert heard == [{"happened": False}]
    monkeypatch.setattr(service, "EVENT_POLL_SECONDS", 50.0)
    waiting = threading.Thread(target=wait)
    waiting.start()
    deadline = time.monotonic() + 60
    calls = itertools.cycle(("stop", "start"))
    while waiting.is_alive() and time.monotonic() < deadline:  # an event before it waits comes with the next sync
        admin.call(f"sync/link/{next(calls)}", {"name": "shop"})
        waiting.join(0.2)
    assert heard[1:] == [{"happened": True}]


def test_orders_that_change_while_they_are_read_come_with_the_next_sync(
    admin: Caller, agent: FakeAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading them blocks no writer: with SQLite only one can write at a time."""
    admin.call("sync/link/apply", {"document": document()})
    agent.rest()
    assert agent.order(PublishTask).desired == "running"
    read = publish.outlines_of
    overtaken: list[bool] = []

    def be_overtaken_and_read(*arguments: Any) -> Any:
        monkeypatch.undo()
        stop = threading.Thread(target=admin.call, args=("sync/link/stop", {"name": "shop"}))
        stop.start()
        stop.join(30)
        overtaken.append(not stop.is_alive())
        return read(*arguments)

    monkeypatch.setattr(publish, "outlines_of", be_overtaken_and_read)
    agent.orders = None
    received_orders = agent.sync().orders
    assert overtaken == [True]
    assert received_orders is not None
    assert {order.desired for order in received_orders.orders} == {"running"}
    assert agent.order(PublishTask).desired == "stopped"


def test_questions_whose_asker_is_gone_are_forgotten(plane: ControlPlane, admin: Caller) -> None:
    with fake_agent(plane) as agent:
        admin.call("sync/link/apply", {"document": document()})
        agent.run_services()
    admin.call("sync/link/delete", {"name": "shop"})
    plane.clock.advance(timedelta(days=8))
    remove_expired(plane.services)
    token = (plane.data_dir / "agent-token").read_text("utf-8").strip()
    late = FakeAgent(plane, token)
    late.register()
    late.sync()
    assert late.asked == []
    late.stop()


def test_a_link_that_is_deleted_while_orders_are_read_has_none(
    agent: FakeAgent, admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On PostgreSQL each query of a sync sees the data committed before it.
    monkeypatch.setattr(data_sources, "select_known", lambda _connection, _ids: [])
    admin.call("sync/link/apply", {"document": document()})
    agent.sync()
    assert agent.orders is not None
    assert agent.orders.orders == ()
