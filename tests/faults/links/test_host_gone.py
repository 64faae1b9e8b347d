"""A host hangs or dies while its services run: they resume on another host, nothing lost or doubled, no two at once."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.servers.base import Server
from tests.servers.kafka import Broker
from tests.support.platform import Platform, side
from tests.support.processes import descendants, kill, wait_until, workers
from zcbus.kit.bus_settings import BusSettings

pytestmark = [pytest.mark.server, pytest.mark.wide, pytest.mark.timeout(300)]


class Host:
    """`zcbus agent` in a data folder of its own."""

    def __init__(self, platform: Platform, folder: Path, bus: BusSettings) -> None:
        folder.mkdir()
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("ZCBUS_")},
            **bus.environment(),
            "ZCBUS_DATA_DIR": str(folder),
        }
        command = [sys.executable, "-m", "zcbus.cli", "agent", "--url", platform.url, "--join", platform.join_token()]
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def workers(self) -> set[int]:
        return set(workers(self.process.pid))

    def hang(self) -> None:
        """The agent alone: its workers must end by themselves."""
        kill(self.process.pid, signal.SIGSTOP)

    def die(self) -> None:
        """All at once, as when the power fails."""
        for pid in (self.process.pid, *descendants(self.process.pid)):
            kill(pid)

    def stop(self) -> None:
        kill(self.process.pid, signal.SIGCONT)
        self.process.terminate()
        self.process.wait(60)


@contextlib.contextmanager
def control_plane_alone(folder: Path, bus: BusSettings) -> Iterator[Platform]:
    platform = Platform(folder, bus=bus.address)
    process = platform.run("serve", "--no-agent")
    try:
        token = folder / "agent-token"
        wait_until(lambda: token.exists() and platform.answers(), 90, "the control plane answers")
        yield platform
    finally:
        process.terminate()
        process.wait(60)


class Watch:
    """Looks all the time whether both hosts have workers, and notes when the second has both."""

    def __init__(self, hosts: list[Host]) -> None:
        self.overlaps = 0
        self.moved_at: float | None = None
        self._hosts = hosts
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _look(self) -> None:
        while not self._ended.wait(0.02):
            first, second = (host.workers() for host in self._hosts)
            self.overlaps += bool(first and second)
            if self.moved_at is None and len(second) == 2:
                self.moved_at = time.monotonic()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()


@pytest.mark.soak(but=["hangs"])
@pytest.mark.parametrize("fault", [Host.hang, Host.die], ids=["hangs", "dies"])
def test_services_of_a_lost_host_resume_on_another(
    fault: Callable[[Host], None], kafka_broker: Broker, postgres_server: Server, tmp_path: Path
) -> None:
    source, target = postgres_server.fresh_database("src"), postgres_server.fresh_database("dst")
    postgres_server.execute("CREATE TABLE t (id integer PRIMARY KEY, n integer NOT NULL)", source)
    bus = kafka_broker.settings(f"test-{uuid.uuid4().hex[:12]}")
    sides = {"source": side(postgres_server, source), "target": side(postgres_server, target)}
    with contextlib.ExitStack() as stack:
        platform = stack.enter_context(control_plane_alone(tmp_path / "control", bus))
        hosts = [Host(platform, tmp_path / name, bus) for name in ("one", "two")]
        for host in hosts:
            stack.callback(host.stop)
        wait_until(lambda: _agents(platform) == 2, 60, "both hosts are known")
        platform.apply({"link": "moving", **sides, "tables": ["public.t"]})
        platform.wait("moving", "incremental-running")
        wait_until(lambda: _agents(platform, "leased") == 2, 60, "the hosts follow leased orders")
        gone = next(host for host in hosts if host.workers())
        [other] = [host for host in hosts if host is not gone]
        watch = Watch([gone, other])
        stack.callback(watch.end)
        begun = time.monotonic()
        fault(gone)
        for number in range(1, 120):
            postgres_server.execute(f"INSERT INTO t VALUES ({number}, 1)", source)
            postgres_server.execute(f"UPDATE t SET n = n + {number} WHERE id % 7 = {number % 7}", source)
        wait_until(lambda: watch.moved_at, 120, "the other host has the services")
        print(f"moved within {(watch.moved_at or 0) - begun:.1f} s")
        rows = "SELECT id, n FROM t ORDER BY id"
        expected = postgres_server.rows(rows, source)
        wait_until(lambda: postgres_server.rows(rows, target) == expected, 60, "both sides are the same")
        kill(gone.process.pid, signal.SIGCONT)
        postgres_server.execute("INSERT INTO t VALUES (1000, 0)", source)
        wait_until(lambda: (1000, 0) in postgres_server.rows(rows, target), 60, "it resumes")
        watch.end()
        assert watch.overlaps == 0
        with platform.api() as api:
            api.call("sync/link/delete", {"name": "moving"})


def _agents(platform: Platform, which: str = "true") -> int:
    """How many the control plane knows; `leased`: that said so of themselves."""
    with contextlib.closing(sqlite3.connect(platform.data_dir / "zcbus.db", timeout=30)) as store:
        number: int = store.execute(f"SELECT count(*) FROM agent WHERE {which}").fetchone()[0]
    return number
