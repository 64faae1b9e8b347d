"""Full loads of the four pairs by a running link, against the databases' own fastest pipes.

Ours is what a person gets who presses "reload": from the call until the table is live again, with orders, reports,
target table made anew. "At work" leaves out the order's way to the worker, which has no part in how fast rows move.

The peers get the target table made beforehand, with its primary key, outside of their time. `mariadb --quick | COPY`
takes a text that says NULL for a null; the other peer of that pair tells them apart: there the server escapes texts.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from tests.servers.base import Server
from tests.support.platform import Platform, running_platform, side
from tests.support.processes import wait_until

from bench.databases import (
    LOADED_ROWS,
    MANY_ROWS,
    PEER_TARGET,
    SOURCE,
    TARGET,
    Servers,
    make_databases,
    make_table,
    mariadb,
    pipe,
    psql,
    running_servers,
    schema_of,
)
from bench.loaders import loaders
from bench.report import Result
from bench.timing import Measure, compare, seconds
from zcbus.cli.http import Api

_PAUSE = 0.2
"""Between two questions whether it is live: each takes some milliseconds of the processors that it is made on."""

Peers = Callable[[Server, Server], dict[str, Measure]]
"""Those of a pair."""


def run() -> Iterator[Result]:
    """All pairs that the servers allow."""
    yield from _run("full-load", LOADED_ROWS, _peers)


def run_beside_loaders() -> Iterator[Result]:
    """The same beside the loaders that people use."""
    yield from _run("loaders", MANY_ROWS, loaders)


def _run(suite: str, rows: int, peers: Peers) -> Iterator[Result]:
    with running_servers() as servers, tempfile.TemporaryDirectory(prefix="zcbus-bench-") as folder:
        for server in servers.all().values():
            make_databases(server)
            make_table(server, SOURCE, rows)
        with running_platform(Path(folder) / "var") as platform:
            yield from _pairs(servers, platform, suite, rows, peers)


def _pairs(servers: Servers, platform: Platform, suite: str, rows: int, peers: Peers) -> Iterator[Result]:
    for source_name, source in servers.all().items():
        for target_name, target in servers.all().items():
            link, case = f"{source.kind}-{target.kind}", f"{source_name} → {target_name}"
            start_link(platform, link, source, target)
            at_work: list[float] = []
            reload = partial(_reload, platform, link, at_work)
            for result in compare(suite, case, "rows", rows, reload, peers(source, target)):
                yield result
                yield _at_work(result, rows, at_work)
            _check(source, target)
            with platform.api() as api:
                api.call("sync/link/delete", {"name": link})


def start_link(platform: Platform, link: str, source: Server, target: Server) -> None:
    """Loads `orders` anew, and goes on with its changes."""
    platform.apply(
        {
            "link": link,
            "source": side(source, SOURCE),
            "target": side(target, TARGET),
            "tables": [f"{schema_of(source)}.orders"],
            "load": "full+incremental",
            "clean": "drop",
        }
    )
    platform.wait(link, "incremental-running", 300)


def _reload(platform: Platform, link: str, at_work: list[float]) -> float:
    """Seconds from the call; those since the worker has begun are added to `at_work`."""
    with platform.api() as api:
        tables = [table["source"] for table in _tables(api, link)]

        def work() -> None:
            api.call("sync/link/table/reload", {"name": link, "tables": tables})
            wait_until(lambda: _is_live(api, link), 300, "the table is live", pause=_PAUSE)

        called = time.time()
        taken = seconds(work)
        begun = datetime.fromisoformat(only_table(api)["loadStartedAt"])
    at_work.append(taken - (begun.timestamp() - called))
    return taken


def _is_live(api: Api, link: str) -> bool:
    return all(table["state"] == "incremental-running" for table in _tables(api, link))


def _tables(api: Api, link: str) -> list[dict[str, Any]]:
    tables: list[dict[str, Any]] = api.call("sync/link/status", {"name": link})["tables"]
    return tables


def only_table(api: Api) -> dict[str, Any]:
    """The only link's only table, as its target's page shows it."""
    row: dict[str, Any]
    (row,) = api.call("subscribe/table/page")["records"]
    return row


def _at_work(result: Result, rows: int, taken: list[float]) -> Result:
    """As `result`, of the time since the worker has begun."""
    figure = rows / statistics.median(taken)
    ratio = None if result.ratio is None else result.ratio * figure / result.figure
    return replace(result, case=f"{result.case}, at work", figure=figure, ratio=ratio)


def _peers(source: Server, target: Server) -> dict[str, Measure]:
    """What a database administrator would type."""
    if source.kind == target.kind == "postgresql":
        name = "COPY binary | COPY binary"
        read = psql(source, SOURCE, "COPY orders TO STDOUT (FORMAT binary)")
        write = psql(target, PEER_TARGET, "COPY orders FROM STDIN (FORMAT binary)")
    elif source.kind == "postgresql":
        name = "COPY | LOAD DATA"
        columns = _NAMES.replace("active", "active::int")
        read = psql(source, SOURCE, f"COPY (SELECT {columns} FROM orders) TO STDOUT")
        load = "LOAD DATA LOCAL INFILE '/dev/stdin' INTO TABLE orders CHARACTER SET utf8mb4"
        write = mariadb(target, PEER_TARGET, "--local-infile=1", f"--execute={load}")
    elif target.kind == "postgresql":
        name = "mariadb --quick | COPY"
        read = _selected(source, "SELECT * FROM orders")
        write = psql(target, PEER_TARGET, "COPY orders FROM STDIN (NULL 'NULL')")
        exact = _selected(source, _lines(), "--raw"), psql(target, PEER_TARGET, "COPY orders FROM STDIN")
        return {name: _piped(target, read, write), "mariadb, nulls told apart | COPY": _piped(target, *exact)}
    else:
        name = "mariadb-dump | mariadb"
        options = ("--quick", "--single-transaction", "--no-create-info", "--skip-add-locks", _UTF8)
        read = [*mariadb(source, "", *options, tool="mariadb-dump"), SOURCE, "orders"]
        write = mariadb(target, PEER_TARGET, _UTF8)
    return {name: _piped(target, read, write)}


def _selected(source: Server, statement: str, *options: str) -> list[str]:
    """The command that prints a query's rows."""
    fixed = ("--quick", "--batch", "--skip-column-names", _UTF8, f"--execute={statement}")
    return mariadb(source, SOURCE, *options, *fixed)


def _piped(target: Server, read: list[str], write: list[str]) -> Measure:
    def measure() -> float:
        target.execute("DROP TABLE IF EXISTS orders", PEER_TARGET)
        make_table(target, PEER_TARGET)
        return seconds(lambda: pipe(read, write))

    return measure


def _check(source: Server, target: Server) -> None:
    """Ours and the peer's tables hold what the source holds."""
    query = "SELECT count(*), sum(id), sum(quantity), sum(price) FROM orders"
    expected = source.rows(query, SOURCE)
    for database in (TARGET, PEER_TARGET):
        found = target.rows(query, database)
        assert [tuple(map(int, row)) for row in found] == [tuple(map(int, row)) for row in expected], database


_UTF8 = "--default-character-set=utf8mb4"
_NAMES = "id, customer_id, quantity, price, status, email, note, created_at, ship_date, active, score"
_TEXTS = ("status", "email", "note")


def _lines() -> str:
    """A query for lines of COPY's text format."""
    values = [f"IFNULL({_escaped(name) if name in _TEXTS else name}, '\\\\N')" for name in _NAMES.split(", ")]
    return f"SELECT CONCAT_WS('\\t', {', '.join(values)}) FROM orders"


def _escaped(name: str) -> str:
    for character, escape in ((r"\\", r"\\\\"), (r"\n", r"\\n"), (r"\t", r"\\t"), (r"\r", r"\\r")):
        name = f"REPLACE({name}, '{character}', '{escape}')"
    return name
