"""SOAK_OUTAGES outages of source or target, a hundred by default, of 1 to 60 s each.

Half of a hundred for each of two pairs, so that either kind of server is a source and a target that goes away. Short
outages are as many as long ones by their order of size. Recovery is the time from an outage's end to the first row in
the target that was written after it.
"""

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.faults.links.recovery import Recovery
from tests.faults.links.situation import LINK
from tests.servers.base import Server
from tests.soak.written import written_link
from tests.support.processes import wait_until
from tests.support.proxy import Proxy

OUTAGES = int(os.environ.get("SOAK_OUTAGES", "100"))
PAIRS = [("postgres_server", "mariadb_server"), ("mariadb_server", "postgres_server")]
SHORTEST, LONGEST = 1.0, 60.0
MAX_RECOVERY_SECONDS = 300.0
"""However much else the machine has to do."""

pytestmark = [pytest.mark.fault, pytest.mark.timeout(OUTAGES * 90 + 900)]


@dataclass(frozen=True)
class Side:
    """A server and the way to it."""

    server: Server
    proxy: Proxy

    def killed(self, seconds: float) -> None:
        self.server.kill()
        time.sleep(seconds)  # the outage itself, here and below
        self.server.start()

    def stopped(self, seconds: float) -> None:
        self.server.stop()
        time.sleep(seconds)
        self.server.start()

    def unreachable(self, seconds: float) -> None:
        self.proxy.refuses = True
        self.proxy.reset_all()
        time.sleep(seconds)
        self.proxy.refuses = False

    def silent(self, seconds: float) -> None:
        self.proxy.silent = True
        self.proxy.lose_all()
        time.sleep(seconds)
        self.proxy.silent = False

    @property
    def outages(self) -> list[Callable[[float], None]]:
        return [self.killed, self.stopped, self.unreachable, self.silent]


@contextmanager
def ways(*servers: Server) -> Iterator[list[Side]]:
    """The servers behind proxies of their own."""
    sides = [Side(server, Proxy(server.port)) for server in servers]
    yield sides
    for side in sides:
        side.proxy.close()


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=lambda name: name.split("_")[0])
def test_a_link_resumes_by_itself_after_outages(
    source: str, target: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    servers: tuple[Server, Server] = (request.getfixturevalue(source), request.getfixturevalue(target))
    chance = random.Random(f"{source} {target}")
    with (
        ways(*servers) as (behind_source, behind_target),
        written_link(tmp_path, servers, (behind_source.proxy.port, behind_target.proxy.port)) as (situation, recovery),
    ):
        for _ in range(OUTAGES // len(PAIRS)):
            side = chance.choice((behind_source, behind_target))
            _one_outage(chance.choice(side.outages), recovery, chance)
        status = situation.platform.wait(LINK, "incremental-running")
        assert all(not table["reason"] for table in status["tables"]), status
        print(f"\n{len(recovery.seconds)} outages", flush=True)


def _one_outage(outage: Callable[[float], None], recovery: Recovery, chance: random.Random) -> None:
    seconds = SHORTEST * (LONGEST / SHORTEST) ** chance.random()
    outage(seconds)
    recovery.struck()
    what = f"changes flow after {outage.__qualname__} for {seconds:.1f} s"
    wait_until(lambda: not recovery.waiting, MAX_RECOVERY_SECONDS, what)
    print(f"{what}: {recovery.seconds[-1]:.1f} s", flush=True)
