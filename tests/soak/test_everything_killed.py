"""Whatever a link needs is killed at a mean of one a second, for SOAK_KILL_SECONDS: a worker, the agent, a fork server,
the control plane, the source, the target, the broker.

Servers are started again at once. Recovery is the time from the kill to the first row in the target that was written
after it; it counts from when every server answers again.
"""

import os
import random
import time
import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.faults.links.recovery import Recovery
from tests.faults.links.situation import LINK, PAIRS, Situation
from tests.servers.base import Server
from tests.servers.kafka import KafkaServer
from tests.support.buses import remove_topics
from tests.support.platform import Platform, running_platform
from tests.support.processes import wait_until
from zcbus.bus.open import open_bus

KILL_SECONDS = float(os.environ.get("SOAK_KILL_SECONDS", "600"))
MOST_ROWS = 20_000
PAUSE = 0.02
"""Between two transactions."""
CATCH_UP_SECONDS = 600
PROCESSES = ("worker", "agent", "fork-server", "control")

Fault = Callable[[], bool]
"""Whether there was something to kill."""

pytestmark = [pytest.mark.fault, pytest.mark.timeout(KILL_SECONDS + 1800)]


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=lambda name: name.split("_")[0])
def test_on_the_embedded_bus(source: str, target: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    servers: tuple[Server, Server] = (request.getfixturevalue(source), request.getfixturevalue(target))
    _kill_and_compare(servers, tmp_path, random.Random(f"{source} {target}"))


def test_on_kafka(postgres_server: Server, mariadb_server: Server, kafka_broker: KafkaServer, tmp_path: Path) -> None:
    if not isinstance(kafka_broker, KafkaServer):
        pytest.skip("a broker that is not ours is not killed")
    bus = kafka_broker.settings(f"test-{uuid.uuid4().hex[:12]}")
    servers: tuple[Server, Server] = (postgres_server, mariadb_server)
    try:
        _kill_and_compare(servers, tmp_path, random.Random("kafka"), kafka_broker, bus=bus.address)
    finally:
        remove_topics(open_bus(bus, tmp_path))


def _kill_and_compare(
    servers: tuple[Server, Server],
    folder: Path,
    chance: random.Random,
    broker: KafkaServer | None = None,
    **settings: str,
) -> None:
    with running_platform(folder / "var", **settings) as platform:
        situation = Situation(platform, *servers, seed=17, most_rows=MOST_ROWS, pause=PAUSE)
        situation.link()
        platform.wait(LINK, "incremental-running")
        situation.writer.start()
        recovery = Recovery(situation)
        try:
            kills = _kill(_faults(situation, recovery, broker), recovery, chance)
            wait_until(lambda: not recovery.waiting, CATCH_UP_SECONDS, "changes flow after the last kill")
        finally:
            situation.writer.stop()
            recovery.close()
        situation.expect_equal(300)
        print(
            f"\n{kills} in {KILL_SECONDS:.0f} s, {situation.writer.changes} changes of rows;"
            f" recovery {recovery.summary()}; load {os.getloadavg()[1]:.0f}",
            flush=True,
        )


def _kill(faults: dict[str, list[Fault]], recovery: Recovery, chance: random.Random) -> dict[str, int]:
    """Returns how many there were of each."""
    kills, until = dict.fromkeys(faults, 0), time.monotonic() + KILL_SECONDS
    while time.monotonic() < until:
        time.sleep(chance.expovariate(1.0))  # the random moment is the point here
        what = chance.choice(list(faults))
        if chance.choice(faults[what])():
            recovery.struck()
            kills[what] += 1
    return kills


def _faults(situation: Situation, recovery: Recovery, broker: KafkaServer | None) -> dict[str, list[Fault]]:
    platform = situation.platform
    servers = {"source": situation.source, "target": situation.target} | ({"broker": broker} if broker else {})
    processes = {
        command: [partial(_kill_process, platform, command, which) for which in (0, 1)] for command in PROCESSES
    }
    return processes | {name: [partial(_kill_server, server, recovery)] for name, server in servers.items()}


def _kill_process(platform: Platform, command: str, which: int) -> bool:
    return platform.kill(command, which) is not None


def _kill_server(server: Server | KafkaServer, recovery: Recovery) -> bool:
    server.kill()
    server.start()
    recovery.begin_again()
    return True
