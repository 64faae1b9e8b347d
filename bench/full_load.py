"""Full loads of the four pairs by a running link, against the databases' own fastest pipes.

Ours is what a person gets who presses "reload": from the call until the table is live again, with orders, reports,
target table made anew, and everything through the durable bus.
"""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.servers.base import Server
from tests.support.platform import Platform, running_platform, side

from bench.databases import (
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
from bench.report import Result
from bench.timing import Measure, compare, seconds


def run() -> Iterator[Result]:
    """All pairs that the servers allow."""
    with running_servers() as servers, tempfile.TemporaryDirectory(prefix="zcbus-bench-") as folder:
        for server in servers.all().values():
            make_databases(server)
            make_table(server, SOURCE, MANY_ROWS)
        with running_platform(Path(folder) / "var") as platform:
            yield from _pairs(servers, platform)


def _pairs(servers: Servers, platform: Platform) -> Iterator[Result]:
    for source_name, source in servers.all().items():
        for target_name, target in servers.all().items():
            link = f"{source.kind}-{target.kind}"
            name, peer = _peer(source, target)
            start_link(platform, link, source, target)
            yield from compare(
                "full-load",
                f"{source_name} → {target_name}",
                "rows",
                MANY_ROWS,
                partial(_reload, platform, link),
                {name: peer},
            )
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


def _reload(platform: Platform, link: str) -> float:
    with platform.api() as api:
        tables = [table["source"] for table in api.call("sync/link/status", {"name": link})["tables"]]

        def work() -> None:
            api.call("sync/link/table/reload", {"name": link, "tables": tables})
            platform.wait(link, "incremental-running", 300)

        return seconds(work)


def _peer(source: Server, target: Server) -> tuple[str, Measure]:
    """What a database administrator would type."""
    if source.kind == target.kind == "postgresql":
        name = "COPY binary | COPY binary"
        read = psql(source, SOURCE, "COPY orders TO STDOUT (FORMAT binary)")
        write = psql(target, PEER_TARGET, "COPY orders FROM STDIN (FORMAT binary)")
    elif source.kind == "postgresql":
        name = "COPY | LOAD DATA"
        columns = "id, customer_id, quantity, price, status, email, note, created_at, ship_date, active::int, score"
        read = psql(source, SOURCE, f"COPY (SELECT {columns} FROM orders) TO STDOUT")
        load = "LOAD DATA LOCAL INFILE '/dev/stdin' INTO TABLE orders CHARACTER SET utf8mb4"
        write = mariadb(target, PEER_TARGET, "--local-infile=1", f"--execute={load}")
    elif target.kind == "postgresql":
        name = "mariadb --quick | COPY"
        select = "--execute=SELECT * FROM orders"
        read = mariadb(source, SOURCE, "--quick", "--batch", "--skip-column-names", _UTF8, select)
        write = psql(target, PEER_TARGET, "COPY orders FROM STDIN (NULL 'NULL')")
    else:
        name = "mariadb-dump | mariadb"
        options = ("--quick", "--single-transaction", "--no-create-info", "--skip-add-locks", _UTF8)
        read = [*mariadb(source, "", *options, tool="mariadb-dump"), SOURCE, "orders"]
        write = mariadb(target, PEER_TARGET, _UTF8)

    def measure() -> float:
        target.execute("DROP TABLE IF EXISTS orders", PEER_TARGET)
        make_table(target, PEER_TARGET)
        return seconds(lambda: pipe(read, write))

    return name, measure


def _check(source: Server, target: Server) -> None:
    """Ours and the peer's tables hold what the source holds."""
    query = "SELECT count(*), sum(id), sum(quantity), sum(price) FROM orders"
    expected = source.rows(query, SOURCE)
    for database in (TARGET, PEER_TARGET):
        found = target.rows(query, database)
        assert [tuple(map(int, row)) for row in found] == [tuple(map(int, row)) for row in expected], database


_UTF8 = "--default-character-set=utf8mb4"
