"""Each pair with workers killed at a mean of one a second, for SOAK_KILL_SECONDS, ten minutes by default.

A kill meets whichever worker there is, also one that has hardly started. Recovery is the time from a kill to the first
row in the target that was written after it.
"""

import os
import random
import time
from pathlib import Path

import pytest

from tests.faults.links.recovery import Recovery
from tests.faults.links.situation import PAIRS, Situation
from tests.servers.base import Server
from tests.soak.written import written_link
from tests.support.processes import wait_until

KILL_SECONDS = float(os.environ.get("SOAK_KILL_SECONDS", "600"))

pytestmark = [pytest.mark.fault, pytest.mark.timeout(KILL_SECONDS + 1800)]


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=lambda name: name.split("_")[0])
def test_kills_lose_and_repeat_no_change(
    source: str, target: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    servers: tuple[Server, Server] = (request.getfixturevalue(source), request.getfixturevalue(target))
    with written_link(tmp_path, servers) as (situation, recovery):
        kills = _kill(situation, recovery, random.Random(f"{source} {target}"))
        print(f"\n{kills} kills in {KILL_SECONDS:.0f} s", flush=True)
        wait_until(lambda: not recovery.waiting, KILL_SECONDS, "changes flow after the last kill")
        situation.writer.stop()
        written = situation.writer.changes
        wait_until(lambda: situation.applied() >= written, 300, f"{written} changes are counted")
        assert situation.applied() == written


def _kill(situation: Situation, recovery: Recovery, chance: random.Random) -> int:
    kills, until = 0, time.monotonic() + KILL_SECONDS
    while time.monotonic() < until:
        time.sleep(chance.expovariate(1.0))  # the random moment is the point, at a mean of one a second
        if situation.platform.kill("worker", chance.randrange(2)) is not None:
            recovery.struck()
            kills += 1
    return kills
