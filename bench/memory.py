"""Peak memory of the workers where much comes at once: one huge transaction, very wide rows, one very large row.

The kernel's high-water mark of each worker is set back before each case.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.servers.base import Server
from tests.servers.postgresql import PostgreSQLServer
from tests.support.platform import Platform, running_platform, side
from tests.support.processes import descendants

from bench.databases import ROWS, SOURCE, TARGET, make_databases, make_table, running_servers
from bench.report import Result

_LIMIT_MB = 512
_LINK = "memory"
_LARGE = "the limit for each worker"
_WIDE_COLUMNS = 300
_WAIT = 600.0


def run() -> Iterator[Result]:
    """PostgreSQL to PostgreSQL, all tables in one link."""
    with running_servers(mariadb=False) as servers, tempfile.TemporaryDirectory(prefix="zcbus-bench-") as folder:
        server = servers.postgresql
        make_databases(server)
        _make_tables(server)
        with running_platform(Path(folder) / "var") as platform:
            _start_link(platform, server)
            rows = 5 * ROWS
            huge = f"INSERT INTO huge SELECT i, md5(i::text), i % 1000 FROM generate_series(1, {rows}) i"
            yield from _case(platform, server, f"a transaction of {rows:,} rows", "huge", huge)
            values = ", ".join(f"md5((i + {n})::text)" for n in range(_WIDE_COLUMNS - 1))
            wide = f"INSERT INTO wide SELECT i, {values} FROM generate_series(1, {ROWS // 20}) i"
            yield from _case(platform, server, f"{ROWS // 20:,} rows of {_WIDE_COLUMNS} columns", "wide", wide)
            large = "INSERT INTO large SELECT 1, repeat(md5('x'), 64 * 32768)"
            yield from _case(platform, server, "a row with a text of 64 MiB", "large", large)
            binary = "INSERT INTO largebytes SELECT 1, decode(repeat(md5('x'), 64 * 65536), 'hex')"
            yield from _case(platform, server, "a row with a binary value of 64 MiB", "largebytes", binary)


def _make_tables(server: PostgreSQLServer) -> None:
    make_table(server, SOURCE)
    server.execute("CREATE TABLE huge (id bigint PRIMARY KEY, name text, number int)", SOURCE)
    columns = ", ".join(f"c{n} text" for n in range(_WIDE_COLUMNS - 1))
    server.execute(f"CREATE TABLE wide (id bigint PRIMARY KEY, {columns})", SOURCE)
    server.execute("CREATE TABLE large (id bigint PRIMARY KEY, body text)", SOURCE)
    server.execute("CREATE TABLE largebytes (id bigint PRIMARY KEY, body bytea)", SOURCE)


def _start_link(platform: Platform, server: Server) -> None:
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


def _case(platform: Platform, server: PostgreSQLServer, case: str, table: str, statement: str) -> Iterator[Result]:
    for pid in platform.processes("worker"):
        Path(f"/proc/{pid}/clear_refs").write_text("5")
    server.execute(statement, SOURCE)
    expected = server.rows(f"SELECT count(*) FROM {table}", SOURCE)
    deadline = time.monotonic() + _WAIT
    while server.rows(f"SELECT count(*) FROM {table}", TARGET) != expected:
        assert time.monotonic() < deadline, f"{case}: did not arrive{platform.worker_logs()}"
        time.sleep(0.2)
    for service, peak in sorted(_peaks(platform).items()):
        yield Result("memory", f"{case}: {service}", peak, "MB peak", _LARGE, peak / _LIMIT_MB)


def _peaks(platform: Platform) -> dict[str, float]:
    """Peak resident memory in MB since it was set back, by what the worker does."""
    peaks: dict[str, float] = {}
    for pid in descendants(platform.pid):
        if pid not in platform.processes("worker"):
            continue
        status = Path(f"/proc/{pid}/status").read_text()
        peak = next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM"))
        peaks[_kind(pid)] = max(peak, peaks.get(_kind(pid), 0.0))
    return peaks


def _kind(pid: int) -> str:
    """A worker's threads and arguments do not tell which it is; the topic that it writes does."""
    opened = Path(f"/proc/{pid}/fd").iterdir()
    names = [str(link.readlink()) for link in opened]
    return "publish" if any(name.endswith("writer.lock") for name in names) else "subscribe"
