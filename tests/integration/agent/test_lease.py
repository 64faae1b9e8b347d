"""Services that another host may take over run no longer than the control plane lets them."""

import asyncio
from pathlib import Path

import pytest
from tests.integration.agent.test_service import order, until

from zcbus.agent import lease, main
from zcbus.agent.control_client import ControlClient
from zcbus.agent.main import Agent, AgentOptions
from zcbus.cli import fork_server
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.forking.client import ForkServer
from zcbus.protocol.agent import Orders, SyncRequest, SyncResponse

LEASE_SECONDS = 30.0


class LateControlPlane:
    """Grants a lease and a service on it; each answer takes longer on its way than the lease lasts."""

    def __init__(self) -> None:
        self.uptime = 1000.0
        self.heard: list[SyncRequest] = []

    async def sync(self, message: SyncRequest) -> SyncResponse:
        self.heard.append(message)
        self.uptime += LEASE_SECONDS + 1
        return SyncResponse(orders=Orders(version="1", orders=(order(leased=True),)), lease_s=LEASE_SECONDS)

    async def nothing(self, *_: object) -> None:
        await asyncio.sleep(0)


def test_a_lease_counts_from_the_question_and_not_from_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plane = LateControlPlane()
    monkeypatch.setattr(ControlClient, "sync", lambda _, message: plane.sync(message))
    monkeypatch.setattr(ControlClient, "register", plane.nothing)
    for module in (lease, main):
        monkeypatch.setattr(module, "uptime", lambda: plane.uptime)

    async def run() -> None:
        options = AgentOptions(tmp_path, BusSettings(), "http://127.0.0.1:1", "", "")
        agent = Agent(options, ForkServer(fork_server.COMMAND))
        running = asyncio.create_task(agent.run())
        await until(lambda: any(message.statuses and message.statuses[0].reason for message in plane.heard))
        agent.stop()
        await running

    asyncio.run(run())
    statuses = [status for message in plane.heard for status in message.statuses]
    assert {status.reason.code for status in statuses if status.reason} == {"lease-over"}
    assert {status.pid for status in statuses} == {None}
