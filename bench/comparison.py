"""Comparing a table with its source, a hundred rows of which differ, against reading both sides and nothing more.

Ours is what a person gets who presses "compare": from the call until the service has the result, with orders and with
the rows that differ read again once the link has caught up.
"""

import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from tests.servers.base import Server
from tests.support.platform import Platform, running_platform
from tests.support.processes import wait_until

from bench import peers
from bench.databases import (
    ROWS,
    SOURCE,
    TARGET,
    Servers,
    make_databases,
    make_table,
    mariadb,
    pipe,
    psql,
    running_servers,
)
from bench.full_load import only_table, start_link
from bench.report import Result
from bench.timing import compare, seconds
from zcbus.cli.http import Api

_ROWS = ROWS * 5
_DIFFERENT = 100
_SPOIL = f"UPDATE orders SET price = price + 1 WHERE id % {_ROWS // _DIFFERENT} = 5"
_PAIRS = (("PostgreSQL", "PostgreSQL"), ("PostgreSQL", "MariaDB"))
_SECONDS = 600
_PAUSE = 0.5
"""Between two questions: each takes some milliseconds of the processors that the comparison is at work on."""


def run() -> Iterator[Result]:
    """The pairs that the servers allow."""
    with running_servers() as servers, tempfile.TemporaryDirectory(prefix="zcbus-bench-") as folder:
        for server in servers.all().values():
            make_databases(server)
        make_table(servers.postgresql, SOURCE, _ROWS)
        with running_platform(Path(folder) / "var") as platform:
            yield from _pairs(servers, platform)


def _pairs(servers: Servers, platform: Platform) -> Iterator[Result]:
    for source_name, target_name in _PAIRS:
        if not {source_name, target_name} <= servers.all().keys():
            continue
        source, target = servers.all()[source_name], servers.all()[target_name]
        link = f"{source.kind}-{target.kind}"
        start_link(platform, link, source, target)
        _spoil(target)
        with platform.api() as api:
            yield from compare(
                "comparison",
                f"{source_name} ⟷ {target_name}",
                "rows",
                _ROWS,
                partial(_compare, api),
                {"two plain reads": partial(_read_both, source, target), **peers.reladiff(source, target, _DIFFERENT)},
            )
            api.call("sync/link/delete", {"name": link})


def _spoil(target: Server) -> None:
    target.execute(_SPOIL, TARGET)
    if target.kind == "postgresql":
        target.execute("VACUUM ANALYZE orders", TARGET)


def _compare(api: Api) -> float:
    """Finds exactly what was spoilt."""
    before = only_table(api)["comparison"]
    if before is not None and before["repairState"] == "allowed":
        _order(api, "compare/discard")
        _wait_for(api, "stopped")

    called = time.time()
    _order(api, "compare")
    _wait_for(api, "comparison-done")
    found = only_table(api)["comparison"]
    assert (found["different"], found["differences"], found["unsettled"]) == (_DIFFERENT, _DIFFERENT, 0), found
    assert found["rowsCompared"] == _ROWS, found
    return datetime.fromisoformat(found["finishedAt"]).timestamp() - called


def _order(api: Api, action: str) -> None:
    (result,) = api.call(f"subscribe/table/{action}", {"tables": [only_table(api)["id"]]})
    assert result["done"], result


def _wait_for(api: Api, state: str) -> None:
    def reached() -> bool:
        comparison = only_table(api)["comparison"]
        return comparison is not None and comparison["state"] == state

    wait_until(reached, _SECONDS, f"the comparison is {state}", pause=_PAUSE)


def _read_both(source: Server, target: Server) -> float:
    """Side by side, as the comparison reads."""
    readers = [threading.Thread(target=pipe, args=(_read(*side),)) for side in ((source, SOURCE), (target, TARGET))]

    def work() -> None:
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()

    return seconds(work)


def _read(server: Server, database: str) -> list[str]:
    if server.kind == "postgresql":
        return psql(server, database, "COPY orders TO STDOUT")
    return mariadb(server, database, "--quick", "--batch", "--skip-column-names", "--execute=SELECT * FROM orders")
