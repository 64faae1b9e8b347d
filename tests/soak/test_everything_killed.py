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
from tests.faults.links.situation import PAIRS, Situation
from tests.servers.base import Server
from tests.servers.kafka import KafkaServer
from tests.soak.written import written_link
from tests.support.buses import remove_topics
from tests.support.platform import Platform
from zcbus.bus.open import open_bus

KILL_SECONDS = float(os.environ.get("SOAK_KILL_SECONDS", "600"))
PROCESSES = ("worker", "agent", "fork-server", "control")

Fault = Callable[[], bool]
"""Whether there was something to kill."""

pytestmark = [pytest.mark.fault, pytest.mark.timeout(KILL_SECONDS + 1800)]


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=lambda name: name.split("_")[0])
def test_on_the_embedded_bus(source: str, target: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    servers: tuple[Server, Server] = (request.getfixturevalue(source), request.getfixturevalue(target))
    with written_link(tmp_path, servers) as (situation, recovery):
        _kill(_faults(situation, recovery, None), recovery, random.Random(f"{source} {target}"))


def test_on_kafka(postgres_server: Server, mariadb_server: Server, kafka_broker: KafkaServer, tmp_path: Path) -> None:
    if not isinstance(kafka_broker, KafkaServer):
        pytest.skip("a broker that is not ours is not killed")
    bus = kafka_broker.settings(f"test-{uuid.uuid4().hex[:12]}")
    servers: tuple[Server, Server] = (postgres_server, mariadb_server)
    try:
        with written_link(tmp_path, servers, bus=bus.address) as (situation, recovery):
            _kill(_faults(situation, recovery, kafka_broker), recovery, random.Random("kafka"))
    finally:
        remove_topics(open_bus(bus, tmp_path))


def _kill(faults: dict[str, list[Fault]], recovery: Recovery, chance: random.Random) -> None:
    """Prints how many there were of each."""
    kills, until = dict.fromkeys(faults, 0), time.monotonic() + KILL_SECONDS
    while time.monotonic() < until:
        time.sleep(chance.expovariate(1.0))  # the random moment is the point here
        what = chance.choice(list(faults))
        if chance.choice(faults[what])():
            recovery.struck()
            kills[what] += 1
    print(f"\n{kills} in {KILL_SECONDS:.0f} s", flush=True)


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
