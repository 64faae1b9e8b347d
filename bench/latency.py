"""From commit to commit: how long after its commit in the source a change is committed in the target.

Both databases are on one server, which keeps the time of every commit (`track_commit_timestamp`): one clock, and nobody
has to ask while it runs. The writer's commits do not wait for the disk, else the disk would set the rate.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.servers.postgresql import PostgreSQLServer
from tests.support.platform import Platform, running_platform, side

from bench.databases import SOURCE, TARGET, make_databases, running_servers
from bench.report import Result

_SECONDS = float(os.environ.get("BENCH_LATENCY_SECONDS", "20"))
_RATES = ((1000, 1), (5000, 5))
"""Changes a second, changes a transaction."""
_PERCENTILES = (50, 95, 99)
_LINK = "latency"
_TICK = 0.01
_TABLE = "CREATE TABLE ticks (id bigint PRIMARY KEY, rate int NOT NULL, v text)"
_INSERT = "INSERT INTO ticks SELECT i, %s, md5(i::text) FROM generate_series(%s::bigint, %s) i"


def run() -> Iterator[Result]:
    """PostgreSQL to PostgreSQL at each rate."""
    with running_servers(mariadb=False) as servers, tempfile.TemporaryDirectory(prefix="zcbus-bench-") as folder:
        server = servers.postgresql
        make_databases(server)
        server.execute(_TABLE, SOURCE)
        with running_platform(Path(folder) / "var") as platform:
            _start_link(platform, server)
            first = 1
            for rate, size in _RATES:
                last = _write(server, first, rate, size)
                _wait_for(server, last)
                yield from _figures(server, rate, last - first + 1)
                first = last + 1


def _start_link(platform: Platform, server: PostgreSQLServer) -> None:
    platform.apply(
        {
            "link": _LINK,
            "source": side(server, SOURCE),
            "target": side(server, TARGET),
            "tables": ["public.*"],
            "load": "full+incremental",
            "clean": "drop",
        }
    )
    platform.wait(_LINK, "incremental-running")


def _write(server: PostgreSQLServer, first: int, rate: int, size: int) -> int:
    """Commit transactions of `size` rows at the rate; returns the last row's id. Falling behind is made up for."""
    begun, number = time.monotonic(), first
    with server.connect(SOURCE) as connection:
        connection.execute("SET synchronous_commit = off")
        while (gone := time.monotonic() - begun) < _SECONDS:
            while number - first < gone * rate:
                connection.execute(_INSERT, [rate, number, number + size - 1])
                number += size
            time.sleep(_TICK)
    return number - 1


def _wait_for(server: PostgreSQLServer, last: int) -> None:
    deadline = time.monotonic() + 120
    while not server.rows("SELECT 1 FROM ticks WHERE id = %s", TARGET, [last]):
        assert time.monotonic() < deadline, "the changes did not arrive"
        time.sleep(0.1)


def _figures(server: PostgreSQLServer, rate: int, expected: int) -> Iterator[Result]:
    query = "SELECT id, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 FROM ticks WHERE rate = %s"
    committed = dict(server.rows(query, SOURCE, [rate]))
    applied = dict(server.rows(query, TARGET, [rate]))
    assert len(committed) == expected
    assert committed.keys() == applied.keys()
    delays = sorted(applied[row] - committed[row] for row in committed)
    reached = expected / (max(committed.values()) - min(committed.values()))
    case = f"PostgreSQL → bus → PostgreSQL, {rate:,} changes/s"
    yield Result("latency", f"{case}: reached", reached, "changes/s", None, None)
    for percent in _PERCENTILES:
        delay = delays[min(len(delays) * percent // 100, len(delays) - 1)]
        yield Result("latency", f"{case}: p{percent}", delay * 1000, "ms", None, None)
