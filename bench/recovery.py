"""After a kill, how soon changes flow again: of a worker, the agent, the source, the target, while changes come.

The time runs from the kill until the first row that was written to the source after it is committed in the target. Both
servers keep the time of every commit (`track_commit_timestamp`) by the one clock of the machine. A killed server is
started again at once; how long it takes until it answers is a part of the time, and told beside it.
"""

import contextlib
import math
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psycopg
from tests.servers.postgresql import PostgreSQLServer
from tests.support.platform import Platform, running_platform, side
from tests.support.processes import alive, wait_until

from bench.databases import POSTGRESQL_SETTINGS, SOURCE, TARGET
from bench.report import Result

_KILLS = int(os.environ.get("BENCH_KILLS", "20"))
"""Of each."""
_RATE, _SIZE = 1000, 5
"""Changes a second, changes a transaction."""
_LIMITS = {"p95": 5000, "at most": 15_000}
"""Milliseconds that the project aims at."""
_PAUSE_SECONDS = (0.5, 3.0)
"""Between two kills, so that they meet the link at any moment of its work."""
_LINK = "recovery"
_TICK = 0.005
_WAIT = 120.0
_TABLE = "CREATE TABLE ticks (id bigint PRIMARY KEY, v text)"
_INSERT = "INSERT INTO ticks SELECT i, md5(i::text) FROM generate_series(%s::bigint, %s) i"
_FIRST_BEHIND = """
SELECT min(id) FROM ticks WHERE id >= %s AND pg_xact_commit_timestamp(xmin) > to_timestamp(%s::float8)
"""
_COMMITTED = "SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 FROM ticks WHERE id = %s"


@dataclass(frozen=True, slots=True)
class _Death:
    """One kill, by the machine's clock."""

    begun: float
    gone: float
    """Nothing of what was killed runs any more."""
    server_back: float | None = None
    """A server that was killed answers again."""


@dataclass(frozen=True, slots=True)
class _Recovery:
    """Milliseconds from the kill on."""

    total: float
    server: float | None
    """What the killed server itself took of it."""


def run() -> Iterator[Result]:
    """PostgreSQL to PostgreSQL, a server for each."""
    with _server(SOURCE) as source, _server(TARGET) as target, tempfile.TemporaryDirectory(prefix="zcbus-bench-") as at:
        source.execute(_TABLE, SOURCE)
        with running_platform(Path(at) / "var") as platform, _Writer(source) as writer:
            _start_link(platform, source, target)
            yield from _kill_all(_Scene(platform, source, target, writer))


@contextlib.contextmanager
def _server(database: str) -> Iterator[PostgreSQLServer]:
    server = PostgreSQLServer(16, POSTGRESQL_SETTINGS)
    try:
        server.create_database(database)
        yield server
    finally:
        server.remove()


def _start_link(platform: Platform, source: PostgreSQLServer, target: PostgreSQLServer) -> None:
    platform.apply(
        {
            "link": _LINK,
            "source": side(source, SOURCE),
            "target": side(target, TARGET),
            "tables": ["public.*"],
            "load": "full+incremental",
            "clean": "drop",
        }
    )
    platform.wait(_LINK, "incremental-running")


class _Writer:
    """Keeps the rate up in a thread of its own. While the source is away nothing is written, nor made up for later."""

    def __init__(self, server: PostgreSQLServer) -> None:
        self._server = server
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self.next_id = 1

    def __enter__(self) -> "_Writer":
        self._thread.start()
        return self

    def __exit__(self, *details: object) -> None:
        self._stop.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._stop.is_set():
            with contextlib.suppress(psycopg.Error), self._server.connect(SOURCE) as connection:
                self._write(connection)
            self._stop.wait(_TICK)

    def _is_behind(self, first: int, begun: float) -> bool:
        """On a busy machine always: then it ends when it is told to."""
        return not self._stop.is_set() and self.next_id - first < (time.monotonic() - begun) * _RATE

    def _write(self, connection: psycopg.Connection[object]) -> None:
        begun, first = time.monotonic(), self.next_id
        while not self._stop.wait(_TICK):
            while self._is_behind(first, begun):
                # Counted before: whether a commit whose answer was lost took place is not known.
                number, self.next_id = self.next_id, self.next_id + _SIZE
                connection.execute(_INSERT, [number, number + _SIZE - 1])


@dataclass(frozen=True, slots=True)
class _Scene:
    """A link under load."""

    platform: Platform
    source: PostgreSQLServer
    target: PostgreSQLServer
    writer: _Writer

    def kill_worker(self) -> _Death:
        """The one that runs longest: publisher and subscriber in turn."""
        wait_until(lambda: len(self.platform.processes("worker")) == 2, _WAIT, "both workers run")
        begun = time.time()
        self.platform.kill("worker")
        return _Death(begun, time.time())

    def kill_agent(self) -> _Death:
        """Its workers die with it."""
        workers = self.platform.processes("worker")
        begun = time.time()
        self.platform.kill("agent")
        wait_until(lambda: not any(alive(pid) for pid in workers), _WAIT, "the agent's workers are gone", 0.001)
        return _Death(begun, time.time())

    def kill_source(self) -> _Death:
        return _kill_server(self.source)

    def kill_target(self) -> _Death:
        return _kill_server(self.target)

    def recovery(self, kill: Callable[[], _Death]) -> _Recovery:
        """Kill, and wait until what was written since has begun to arrive."""
        before = self.writer.next_id
        death = kill()
        row = _patiently(lambda: _single(self.source, SOURCE, _FIRST_BEHIND, before, death.gone), "a row is written")
        arrived = _patiently(lambda: _single(self.target, TARGET, _COMMITTED, row), f"row {row:.0f} arrives")
        server = None if death.server_back is None else (death.server_back - death.begun) * 1000
        return _Recovery((arrived - death.begun) * 1000, server)


def _kill_server(server: PostgreSQLServer) -> _Death:
    begun = time.time()
    server.kill()
    gone = time.time()
    server.start()
    return _Death(begun, gone, time.time())


def _single(server: PostgreSQLServer, database: str, query: str, *values: object) -> float | None:
    """The one value that a query gives; None: none, or the server does not answer yet."""
    with contextlib.suppress(psycopg.Error):
        rows = server.rows(query, database, values)
        return None if not rows or rows[0][0] is None else float(rows[0][0])
    return None


def _patiently(look: Callable[[], float | None], what: str) -> float:
    deadline = time.monotonic() + _WAIT
    while (found := look()) is None:
        assert time.monotonic() < deadline, f"not within {_WAIT:.0f} s: {what}"
        time.sleep(0.05)
    return found


def _kill_all(scene: _Scene) -> Iterator[Result]:
    chance = Random(_LINK)
    victims = {
        "worker": scene.kill_worker,
        "agent": scene.kill_agent,
        "source": scene.kill_source,
        "target": scene.kill_target,
    }
    for name, kill in victims.items():
        recoveries = []
        for _ in range(_KILLS):
            time.sleep(chance.uniform(*_PAUSE_SECONDS))
            recoveries.append(scene.recovery(kill))
        yield from _figures(f"{name} killed {_KILLS} times", recoveries)


def _figures(case: str, recoveries: list[_Recovery]) -> Iterator[Result]:
    case = f"{case} at {_RATE:,} changes/s"
    totals = sorted(one.total for one in recoveries)
    for name, figure in (("p50", _percentile(totals, 50)), ("p95", _percentile(totals, 95)), ("at most", totals[-1])):
        limit = _LIMITS.get(name)
        against, ratio = (f"at most {limit:,} ms", figure / limit) if limit else (None, None)
        yield Result("recovery", f"{case}: {name}", figure, "ms", against, ratio)
    servers = sorted(one.server for one in recoveries if one.server is not None)
    if servers:
        yield Result(
            "recovery", f"{case}: of it the server's own start, p50", _percentile(servers, 50), "ms", None, None
        )


def _percentile(ordered: list[float], percent: int) -> float:
    return ordered[math.ceil(len(ordered) * percent / 100) - 1]
