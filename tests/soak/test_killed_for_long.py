"""Each pair with workers killed at a mean of one a second, for SOAK_KILL_SECONDS, ten minutes unless told otherwise.

A kill meets whichever worker there is, also one that has hardly started. Recovery is the time from a kill to the first
row in the target that was written after it.
"""

import os
import random
import time
from pathlib import Path

import pytest

from tests.faults.links.recovery import Recovery
from tests.faults.links.situation import LINK, PAIRS, Situation
from tests.servers.base import Server
from tests.support.platform import running_platform
from tests.support.processes import wait_until

KILL_SECONDS = float(os.environ.get("SOAK_KILL_SECONDS", "600"))
MOST_ROWS = 20_000
PAUSE = 0.02
"""Between two transactions: workers that are killed as soon as they run get behind whatever the pace."""
CATCH_UP_SECONDS = 600

pytestmark = [pytest.mark.fault, pytest.mark.timeout(KILL_SECONDS + 1800)]


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=lambda name: name.split("_")[0])
def test_nothing_is_lost_or_doubled(source: str, target: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    servers: tuple[Server, Server] = (request.getfixturevalue(source), request.getfixturevalue(target))
    with running_platform(tmp_path / "var") as platform:
        situation = Situation(platform, *servers, seed=13, most_rows=MOST_ROWS, pause=PAUSE)
        situation.link()
        platform.wait(LINK, "incremental-running")
        situation.writer.start()
        recovery = Recovery(situation)
        try:
            kills = _kill(situation, recovery, random.Random(f"{source} {target}"))
            wait_until(lambda: not recovery.waiting, CATCH_UP_SECONDS, "changes flow after the last kill")
        finally:
            situation.writer.stop()
            recovery.close()
        situation.expect_equal(300)
        written = situation.writer.changes
        print(
            f"\n{kills} kills in {KILL_SECONDS:.0f} s, {written} changes of rows; recovery {recovery.summary()};"
            f" load {os.getloadavg()[1]:.0f}",
            flush=True,
        )
        wait_until(lambda: situation.applied() >= written, 60, f"{written} changes are counted")
        assert situation.applied() == written


def _kill(situation: Situation, recovery: Recovery, chance: random.Random) -> int:
    kills, until = 0, time.monotonic() + KILL_SECONDS
    while time.monotonic() < until:
        time.sleep(chance.expovariate(1.0))  # the random moment is the point, at a mean of one a second
        if situation.platform.kill("worker", chance.randrange(2)) is not None:
            recovery.struck()
            kills += 1
    return kills
