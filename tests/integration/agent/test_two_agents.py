"""Two agents with data folders of their own, as on two hosts, share a Kafka broker: one publishes, one subscribes."""

import os
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tests.servers.base import Server
from tests.servers.kafka import Broker
from tests.support.kafka_wire import FETCH, PRODUCE, clients
from tests.support.platform import Platform, running_platform, side
from tests.support.processes import wait_until
from tests.support.proxy import Proxy

from zcbus.bus.open import open_bus
from zcbus.kit.bus_settings import BusSettings
from zcbus.protocol.requests import AGENT_LOG

pytestmark = [pytest.mark.server, pytest.mark.timeout(300)]


@contextmanager
def second_agent(platform: Platform, data_dir: Path, bus: BusSettings) -> Iterator[None]:
    """`zcbus agent` in a data folder of its own."""
    data_dir.mkdir()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("ZCBUS_")},
        **bus.environment(),
        "ZCBUS_DATA_DIR": str(data_dir),
    }
    with (data_dir / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "zcbus.cli", "agent", "--url", platform.url, "--join", platform.join_token()],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


def _give_services(platform: Platform, publisher: Path, subscriber: Path) -> None:
    """Say which host runs what."""
    with platform.api() as api:
        for kind, folder in (("publish", publisher), ("subscribe", subscriber)):
            [service] = api.call("container/cluster/customer/page", {"type": kind})["records"]
            host = (folder / "agent" / "id").read_text().strip()
            placement = {"ids": [service["id"]], "deviceId": host, "pinned": True}
            [result] = api.call("container/service/place", placement)
            assert result["done"], result


def _knows_agents(platform: Platform, count: int) -> bool:
    with closing(sqlite3.connect(platform.data_dir / "zcbus.db", timeout=30)) as store:
        return bool(store.execute("SELECT count(*) >= ? FROM agent", (count,)).fetchone()[0])


def _give_properties(platform: Platform) -> None:
    """Give the container's producers and consumers names of their own, and its services smaller batches."""
    with platform.api() as api:
        container = api.call("container/list", {})[0]["id"]
        for sort in ("push", "client"):
            properties = [{"name": "client.id", "value": f"ours-{sort}"}]
            change = {"containerid": container, "kafkaType": sort, "properties": properties}
            api.call("container/cluster/customer/editKafkaProperties", change)
        batch = {"module": "batch", "properties": [{"name": "records", "value": 9}]}
        change = {"modifyType": "add", "containerId": container, "modulelist": [batch]}
        api.call("container/cluster/customer/addAndUpdateProperties", change)


def _workers_say(folders: tuple[Path, ...], text: str) -> bool:
    """Whether the log of a service's process contains a text."""
    logs = [path for folder in folders for path in (folder / "logs").glob("*.log") if path.stem != AGENT_LOG]
    return any(text in path.read_text() for path in logs)


def _expect_clients(wire: Proxy | None, expected: set[tuple[int, str]]) -> None:
    """The broker is spoken to by clients that call themselves so; a broker that is not ours does not show that."""
    if wire is not None:
        wait_until(lambda: expected <= clients(wire), 60, f"{expected} have called")


def _services_run(folder: Path) -> int:
    """How many services the host of a data folder has run: each has a log next to the agent's."""
    return len([path for path in (folder / "logs").glob("*.log") if path.stem != AGENT_LOG])


@pytest.mark.soak
def test_a_link_between_two_agents(kafka_broker: Broker, postgres_server: Server, tmp_path: Path) -> None:
    source, target = postgres_server.fresh_database("src"), postgres_server.fresh_database("dst")
    postgres_server.execute("CREATE TABLE t (id integer PRIMARY KEY, name text)", source)
    postgres_server.execute("INSERT INTO t SELECT n, 'row ' || n FROM generate_series(1, 500) n", source)
    bus = kafka_broker.watched(f"test-{uuid.uuid4().hex[:12]}")
    document = {
        "link": "across",
        "source": side(postgres_server, source),
        "target": side(postgres_server, target),
        "tables": ["public.t"],
    }
    one, two = tmp_path / "one", tmp_path / "two"
    with running_platform(one, bus=bus.address) as platform, second_agent(platform, two, bus):
        wait_until(lambda: _knows_agents(platform, 2), 60, "both agents are known")
        with platform.api() as api:
            api.call("sync/link/apply", {"document": document, "start": False})
        _give_services(platform, one, two)
        assert platform.run("link", "start", "across").wait(60) == 0
        platform.wait("across", "incremental-running")
        postgres_server.execute("INSERT INTO t VALUES (1000, 'later')", source)
        postgres_server.execute("DELETE FROM t WHERE id <= 100", source)
        expected = [(401, 1000)]
        wait_until(
            lambda: postgres_server.rows("SELECT count(*)::int, max(id) FROM t", target) == expected,
            60,
            "the changes have come across",
        )
        assert [_services_run(folder) for folder in (one, two)] == [1, 1]
        _give_properties(platform)
        wait_until(lambda: _workers_say((one, two), '"batch_records": 9'), 60, "a service has the container's property")
        postgres_server.execute("INSERT INTO t VALUES (1001, 'with the property')", source)
        expected = [(402, 1001)]
        wait_until(
            lambda: postgres_server.rows("SELECT count(*)::int, max(id) FROM t", target) == expected,
            60,
            "changes come across with the container's properties",
        )
        _expect_clients(kafka_broker.wire, {(PRODUCE, "ours-push"), (FETCH, "ours-client")})
        with platform.api() as api:
            api.call("sync/link/delete", {"name": "across"})
        slots = "SELECT count(*)::int FROM pg_replication_slots WHERE database = %s"
        wait_until(lambda: postgres_server.rows(slots, None, (source,)) == [(0,)], 90, "the source is free again")
    assert not (one / "bus").exists()
    assert not (two / "bus").exists()
    left = open_bus(bus, tmp_path)
    assert left.topics() == []
    left.close()
