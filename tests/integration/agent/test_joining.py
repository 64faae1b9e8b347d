"""A host joins with the command that the console shows, and from then on needs none."""

import asyncio
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.control_plane import ControlPlane, control_plane
from tests.support.processes import wait_until

from zcbus.agent.identity import own_id
from zcbus.agent.main import Agent, AgentOptions
from zcbus.agent.order_store import OrderStore
from zcbus.cli import fork_server
from zcbus.cli.http import ApiError
from zcbus.cli.joining import agent_options
from zcbus.cli.main import build_parser
from zcbus.control.platform.host_tokens import ROTATED_AFTER
from zcbus.kit.forking.client import ForkServer
from zcbus.kit.settings import load_settings
from zcbus.protocol.agent import Orders


@pytest.fixture
def plane(tmp_path: Path) -> Iterator[ControlPlane]:
    with control_plane(tmp_path) as running:
        yield running


def _call(plane: ControlPlane, path: str, body: Any) -> Any:
    answer = plane.post(f"container/cluster/{path}", body, plane.local_token()).json()
    assert answer["code"] == 200, answer
    return answer["data"]


def _options(plane: ControlPlane, folder: Path, *arguments: str) -> AgentOptions:
    settings = load_settings({"ZCBUS_DATA_DIR": str(folder)})
    return agent_options(build_parser().parse_args(["agent", *arguments]), settings)


@contextmanager
def _running(options: AgentOptions) -> Iterator[None]:
    """An agent on a thread of its own."""
    started = threading.Event()
    held: list[Any] = []

    async def run() -> None:
        agent = Agent(options, ForkServer(fork_server.COMMAND))
        held.extend((agent, asyncio.get_running_loop()))
        started.set()
        await agent.run()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    assert started.wait(20)
    try:
        yield
    finally:
        held[1].call_soon_threadsafe(held[0].stop)
        thread.join(30)


def test_a_host_joins_and_is_measured(plane: ControlPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZCBUS_TOKEN", raising=False)
    monkeypatch.delenv("ZCBUS_URL", raising=False)
    offer = _call(plane, "add", {"containerName": "east", "displayName": "East"})
    folder = tmp_path / "host"
    joined = _options(plane, folder, "--url", plane.address, "--join", offer["token"])
    assert (joined.container, joined.url) == ("east", plane.address)
    kept = folder / "agent" / "membership"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert offer["token"] not in kept.read_text()
    # The same command again, and none at all, are as good.
    assert _options(plane, folder, "--url", plane.address, "--join", offer["token"]) == joined
    assert _options(plane, folder) == joined
    with pytest.raises(ApiError, match="join token"):
        _options(plane, tmp_path / "other", "--url", plane.address, "--join", offer["token"])

    def host() -> Any:
        agents = _call(plane, "customer/getContainerInfo", {"id": offer["id"]})["agents"]
        return agents[0] if agents else {}

    with _running(joined):
        wait_until(lambda: host().get("memoryTotal"), 30, "the host is measured")
        found = host()
    assert found["alive"]
    assert 0 <= found["cpuPercent"] <= 100
    assert 0 < found["memoryUsed"] < found["memoryTotal"]
    assert 0 < found["diskUsed"] < found["diskTotal"]
    assert found["bus"] == ""


@pytest.mark.wide
def test_an_agent_uses_newer_tokens_and_stops_once_its_host_is_removed(
    plane: ControlPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ZCBUS_TOKEN", raising=False)
    offer = _call(plane, "add", {"containerName": "east", "displayName": "East"})
    folder = tmp_path / "host"
    joined = _options(plane, folder, "--url", plane.address, "--join", offer["token"])
    kept = folder / "agent" / "token"

    def refused() -> bool:
        answer = plane.post("agent/news", {"agent": own_id(folder / "agent")}, joined.token)
        return answer.json()["code"] in (401, 40103)

    with _running(joined):
        wait_until(lambda: _hosts(plane, offer), 30, "the host is known")
        plane.clock.advance(ROTATED_AFTER)
        wait_until(kept.exists, 30, "a newer token is kept")
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        wait_until(refused, 30, "the first token ends")
    with _running(joined):  # with the newer token, which is kept
        wait_until(lambda: _hosts(plane, offer)[0]["alive"], 30, "the host is back")
    plane.clock.advance(timedelta(minutes=1))
    host = _hosts(plane, offer)[0]["id"]
    assert plane.post("container/host/delete", {"deviceId": host}, plane.local_token()).json()["code"] == 200
    held = OrderStore(folder / "agent")
    held.save(orders := Orders(version="old", orders=()), orders)
    with _running(joined):
        wait_until(lambda: _version(folder) == "host-removed", 30, "nothing is to run on the host")
    assert _hosts(plane, offer) == []


def _hosts(plane: ControlPlane, offer: Any) -> Any:
    return _call(plane, "customer/getContainerInfo", {"id": offer["id"]})["agents"]


def _version(folder: Path) -> str:
    held = OrderStore(folder / "agent").load()
    return held.version if held else ""
