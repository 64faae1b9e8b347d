"""Data flows while the control plane is away for long: SOAK_AWAY_SECONDS, five minutes by default."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.faults.links.situation import LINK, Situation
from tests.servers.base import Server
from tests.support.platform import running_platform
from tests.support.processes import descendants, kill, wait_until

AWAY_SECONDS = float(os.environ.get("SOAK_AWAY_SECONDS", "300"))

pytestmark = [pytest.mark.fault, pytest.mark.timeout(AWAY_SECONDS + 600)]


def test_data_flows_while_the_control_plane_is_away(
    tmp_path: Path, postgres_server: Server, mariadb_server: Server
) -> None:
    with running_platform(tmp_path / "var") as platform:
        situation = Situation(platform, postgres_server, mariadb_server, seed=11)
        situation.link()
        platform.wait(LINK, "incremental-running")
        # The launcher would start the control plane again, and its end is the agent's.
        everything = [platform.pid, *descendants(platform.pid)]
        for pid in everything:
            kill(pid)
        agent = platform.run("agent")
        situation.writer.start()
        longest = _expect_flow(situation)
        print(f"away for {AWAY_SECONDS:.0f} s; the longest wait for a change was {longest:.2f} s", flush=True)
        situation.writer.stop()
        situation.expect_equal()

        control = platform.run("serve", "--no-agent")
        try:
            wait_until(platform.answers, 120, "the control plane is back")
            platform.wait(LINK, "incremental-running")
        finally:
            for process in (agent, control):
                process.send_signal(signal.SIGTERM)
                process.wait(90)


def _expect_flow(situation: Situation) -> float:
    """Changes arrive all the while; returns the longest pause in seconds, the agent's start left out."""
    situation.expect_flow(120)
    longest, ends = 0.0, time.monotonic() + AWAY_SECONDS
    while time.monotonic() < ends:
        longest = max(longest, situation.expect_flow())
    return longest
