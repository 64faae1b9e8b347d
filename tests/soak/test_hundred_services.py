"""A hundred services on one agent: started, at work, stopped and started together, nothing left over."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.servers.base import Server
from tests.support.platform import Platform, running_platform, side
from tests.support.processes import alive, descendants, wait_until

pytestmark = [pytest.mark.fault, pytest.mark.timeout(3000)]

LINKS = 50
"""Each has a publishing and a subscribing service."""
ROWS = 100
_CALLS = "container/cluster/customer"


@pytest.fixture
def databases(mariadb_server: Server) -> Iterator[tuple[str, str]]:
    """Source and target, on a server that takes the connections of a hundred services."""
    before = mariadb_server.rows("SELECT @@max_connections")[0][0]
    mariadb_server.execute("SET GLOBAL max_connections = 2000")
    try:
        yield mariadb_server.fresh_database("src"), mariadb_server.fresh_database("dst")
    finally:
        mariadb_server.execute(f"SET GLOBAL max_connections = {before}")


def test_a_hundred_services_start_work_and_stop(
    tmp_path: Path, mariadb_server: Server, databases: tuple[str, str]
) -> None:
    source, target = databases
    for number in range(LINKS):
        mariadb_server.execute(f"CREATE TABLE t{number} (id int PRIMARY KEY, v int)", source)
        rows = ", ".join(f"({row}, {number})" for row in range(ROWS))
        mariadb_server.execute(f"INSERT INTO t{number} VALUES {rows}", source)
    with running_platform(tmp_path / "var") as platform:
        _say("links applied", _timed(lambda: _apply(platform, mariadb_server, source, target)))
        _say("all loaded and streaming", _timed(lambda: _expect(platform, "normal", 1200)))
        _expect_everywhere(mariadb_server, target, ROWS)
        _write(mariadb_server, source, ROWS)
        _say("a change in each", _timed(lambda: _expect_everywhere(mariadb_server, target, ROWS + 1)))

        _say("stopped", _timed(lambda: _order(platform, "stopped", "stopped")))
        assert not platform.processes("worker")
        _write(mariadb_server, source, ROWS + 1)
        _say("started", _timed(lambda: _order(platform, "started", "normal")))
        _expect_everywhere(mariadb_server, target, ROWS + 2)
        everything = list(descendants(platform.pid))
    wait_until(lambda: not any(alive(pid) for pid in everything), 60, "no process is left over")


def _apply(platform: Platform, server: Server, source: str, target: str) -> None:
    for number in range(LINKS):
        platform.apply(
            {
                "link": f"link-{number:02}",
                "source": side(server, source),
                "target": side(server, target),
                "tables": [f"t{number}"],
                "load": "full+incremental",
                "clean": "drop",
            }
        )


def _services(platform: Platform) -> list[dict[str, Any]]:
    with platform.api() as api:
        page = api.call(f"{_CALLS}/page", {"current": 1, "size": 1000})
    return list(page["records"])


def _expect(platform: Platform, status: str, seconds: float) -> None:
    """All hundred are seen so."""

    def reached() -> bool:
        found = [service["state"] for service in _services(platform)]
        return len(found) == 2 * LINKS and set(found) == {status}

    wait_until(reached, seconds, f"all services are {status}", pause=1.0)


def _order(platform: Platform, wanted: str, seen: str) -> None:
    ids = [service["id"] for service in _services(platform)]
    with platform.api() as api:
        results = api.call(f"{_CALLS}/modfiystatus", {"status": wanted, "ids": ids})
    assert [result["error"] for result in results if result["error"]] == []
    _expect(platform, seen, 1200)


def _write(server: Server, database: str, row: int) -> None:
    for number in range(LINKS):
        server.execute(f"INSERT INTO t{number} VALUES ({row}, 0)", database)


def _expect_everywhere(server: Server, database: str, rows: int) -> None:
    union = " UNION ALL ".join(f"SELECT count(*) AS n FROM t{number}" for number in range(LINKS))
    wait_until(
        lambda: server.rows(f"SELECT min(n), max(n) FROM ({union}) counts", database)[0] == (rows, rows),
        600,
        f"every table has {rows} rows",
        pause=1.0,
    )


def _timed(work: Any) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


def _say(what: str, seconds: float) -> None:
    print(f"{2 * LINKS} services, {what}: {seconds:.1f} s", flush=True)
