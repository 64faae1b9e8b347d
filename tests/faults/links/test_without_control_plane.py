"""An agent without a control plane, also at its own start, continues with its stored orders."""

import signal
from pathlib import Path

import pytest

from tests.faults.links.situation import LINK, Situation
from tests.servers.base import Server
from tests.support.platform import Platform, running_platform
from tests.support.processes import alive, descendants, kill, wait_until, workers

pytestmark = [pytest.mark.fault, pytest.mark.timeout(300)]


def test_an_agent_alone_starts_its_services_again(tmp_path: Path, postgres_server: Server) -> None:
    with running_platform(tmp_path / "var") as platform:
        situation = Situation(platform, postgres_server, postgres_server, seed=9)
        situation.link()
        platform.wait(LINK, "incremental-running")
        _kill_everything(platform)
        situation.writer.start()
        agent = platform.run("agent")
        try:
            situation.expect_flow()
            below = list(descendants(agent.pid))
            assert len(workers(agent.pid)) == 2
            situation.writer.stop()
            situation.expect_equal()
        finally:
            agent.send_signal(signal.SIGTERM)
            assert agent.wait(60) == 0
        assert not any(alive(pid) for pid in below)


def _kill_everything(platform: Platform) -> None:
    everything = [platform.pid, *descendants(platform.pid)]
    for pid in everything:
        kill(pid)
    wait_until(lambda: not any(alive(pid) for pid in everything), 10, "every process is gone")
