"""Peak memory of the workers where much comes at once: one huge transaction, very wide rows, one very large row.

The kernel's high-water mark of each worker is set back before each case.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.servers.base import Server
from tests.support.platform import Platform, running_platform, side
from tests.support.processes import descendants

from bench.databases import ROWS, SOURCE, TARGET, make_databases, running_servers, schema_of
from bench.report import Result

_LIMIT_MB = 512
_LINK = "memory"
_LARGE = "the limit for each worker"
_WIDE_COLUMNS = 300
_WAIT = 600.0


def run() -> Iterator[Result]:
    """From each sort of server to the same sort, all tables in one link."""
    with running_servers() as servers:
        for name, server in servers.all().items():
            yield from _on(server, name)


def _on(server: Server, name: str) -> Iterator[Result]:
    make_databases(server)
    for statement in _TABLES[server.kind]:
        server.execute(statement, SOURCE)
    rows = 5 * ROWS
    cases = {
        f"a transaction of {rows:,} rows": "huge",
        f"{ROWS // 20:,} rows of {_WIDE_COLUMNS} columns": "wide",
        "a row with a text of 64 MiB": "large",
        "a row with a binary value of 64 MiB": "largebytes",
    }
    numbers = {"huge": rows, "wide": ROWS // 20}
    with (
        tempfile.TemporaryDirectory(prefix="zcbus-bench-") as folder,
        running_platform(Path(folder) / "var") as platform,
    ):
        _start_link(platform, server)
        for case, table in cases.items():
            values = _VALUES[server.kind][table]
            statement = f"INSERT INTO {table} SELECT {values} FROM {_numbers(server, numbers.get(table, 1))}"
            yield from _case(platform, server, f"{name}: {case}", table, statement)


def _numbers(server: Server, last: int) -> str:
    if server.kind == "postgresql":
        return f"generate_series(1, {last}) i"
    return f"(SELECT seq AS i FROM seq_1_to_{last}) n"


_COLUMNS = range(_WIDE_COLUMNS - 1)
_TABLES = {
    "postgresql": (
        "CREATE TABLE huge (id bigint PRIMARY KEY, name text, number int)",
        f"CREATE TABLE wide (id bigint PRIMARY KEY, {', '.join(f'c{n} text' for n in _COLUMNS)})",
        "CREATE TABLE large (id bigint PRIMARY KEY, body text)",
        "CREATE TABLE largebytes (id bigint PRIMARY KEY, body bytea)",
    ),
    "mysql": (
        "CREATE TABLE huge (id bigint PRIMARY KEY, name varchar(64), number int)",
        f"CREATE TABLE wide (id bigint PRIMARY KEY, {', '.join(f'c{n} varchar(16) CHARSET ascii' for n in _COLUMNS)})",
        "CREATE TABLE large (id bigint PRIMARY KEY, body longtext)",
        "CREATE TABLE largebytes (id bigint PRIMARY KEY, body longblob)",
    ),
}
_VALUES = {
    "postgresql": {
        "huge": "i, md5(i::text), i % 1000",
        "wide": f"i, {', '.join(f'md5((i + {n})::text)' for n in _COLUMNS)}",
        "large": "i, repeat(md5('x'), 64 * 32768)",
        "largebytes": "i, decode(repeat(md5('x'), 64 * 65536), 'hex')",
    },
    "mysql": {
        "huge": "i, md5(i), i % 1000",
        "wide": f"i, {', '.join(f'left(md5(i + {n}), 16)' for n in _COLUMNS)}",
        "large": "i, repeat(md5('x'), 64 * 32768)",
        "largebytes": "i, repeat(unhex(md5('x')), 64 * 65536)",
    },
}


def _start_link(platform: Platform, server: Server) -> None:
    platform.apply(
        {
            "link": _LINK,
            "source": side(server, SOURCE),
            "target": side(server, TARGET),
            "tables": [f"{schema_of(server)}.*"],
            "load": "full+incremental",
            "clean": "drop",
        }
    )
    platform.wait(_LINK, "incremental-running")


def _case(platform: Platform, server: Server, case: str, table: str, statement: str) -> Iterator[Result]:
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
