"""The Kafka broker is away or unreachable while a link runs: the link reports the reason and resumes by itself."""

import os
import random
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.links.situation import LINK, Situation
from tests.servers.base import Server
from tests.servers.kafka import Broker, KafkaServer
from tests.support.buses import remove_topics
from tests.support.platform import Platform, running_platform
from tests.support.proxy import Proxy
from zcbus.bus.open import open_bus
from zcbus.kit.bus_settings import BusSettings

pytestmark = [pytest.mark.server, pytest.mark.fault, pytest.mark.timeout(400)]
AWAY_SECONDS = float(os.environ.get("SOAK_BROKER_AWAY_SECONDS", "5"))
SILENT_SECONDS = [float(seconds) for seconds in os.environ.get("SOAK_BROKER_SILENT_SECONDS", "1").split(",")]
"""How long the broker is unreachable; the connections of before stay dead for good."""
NOTICED_SECONDS = 30
"""The project's goal for a stall."""
BACK_SECONDS = 15
"""The project's goal for when changes flow again."""
PROCESSES = ("worker", "agent", "fork-server")


@pytest.fixture
def broker(kafka_broker: Broker) -> KafkaServer:
    if not isinstance(kafka_broker, KafkaServer):
        pytest.skip("a broker that is not ours is neither killed nor cut off")
    return kafka_broker


@pytest.mark.soak
def test_everything_is_killed_while_the_broker_is_away(
    broker: KafkaServer, postgres_server: Server, mariadb_server: Server, tmp_path: Path
) -> None:
    with running(broker.settings, (postgres_server, mariadb_server), tmp_path) as situation:
        chance = random.Random(5)
        broker.kill()
        until = time.monotonic() + AWAY_SECONDS
        while (left := until - time.monotonic()) > 0:
            situation.platform.kill(chance.choice(PROCESSES), chance.choice((0, 1)))
            time.sleep(min(left, chance.uniform(0.5, 2.0)))  # the random moment is the point here
        broker.start()
        print(f"\nflows after {situation.expect_flow(BACK_SECONDS):.1f} s")


@pytest.mark.soak
@pytest.mark.parametrize("seconds", SILENT_SECONDS)
def test_a_link_resumes_after_its_broker_was_silent(
    seconds: float, broker: KafkaServer, postgres_server: Server, mariadb_server: Server, tmp_path: Path
) -> None:
    assert broker.wire is not None
    with running(broker.watched, (postgres_server, mariadb_server), tmp_path) as situation:
        drop_traffic(broker.wire, seconds)
        if seconds >= NOTICED_SECONDS:
            assert waits_for_bus(situation.platform) == 2
        print(f"\nflows after {situation.expect_flow(BACK_SECONDS):.1f} s")


@contextmanager
def running(
    settings: Callable[[str], BusSettings], servers: tuple[Server, Server], folder: Path
) -> Iterator[Situation]:
    """A link under changes; in the end both sides are equal."""
    bus = settings(f"test-{uuid.uuid4().hex[:12]}")
    try:
        with running_platform(folder / "var", bus=bus.address) as platform:
            situation = Situation(platform, *servers, seed=17, most_rows=5_000, pause=0.02)
            situation.link()
            platform.wait(LINK, "incremental-running")
            situation.writer.start()
            try:
                situation.expect_flow()
                yield situation
            finally:
                situation.writer.stop()
            situation.expect_equal()
    finally:
        remove_topics(open_bus(bus, folder))


def drop_traffic(wire: Proxy, seconds: float) -> None:
    """Nothing gets through on any connection, and never again on those of now."""
    wire.silent = True
    try:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            wire.lose_all()
            time.sleep(0.05)
    finally:
        wire.silent = False


def waits_for_bus(platform: Platform) -> int:
    """How many services say that the bus is away."""
    with platform.api() as api:
        services = api.call("container/service/list", {})
    return sum("bus-away" in str(service) for service in services)
