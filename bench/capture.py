"""Reading a backlog of changes from the log into Arrow batches, against the databases' own log readers.

The log readers write what they receive to /dev/null: pg_recvlogical as it comes, mariadb-binlog as text.
"""

from collections.abc import Iterator
from functools import partial

from tests.servers.base import Server
from tests.servers.mariadb import MariaDBServer
from tests.servers.postgresql import PostgreSQLServer

from bench.databases import (
    ROWS,
    SOURCE,
    make_databases,
    make_table,
    mariadb,
    pipe,
    running_servers,
)
from bench.report import Result
from bench.timing import ROUNDS, compare, seconds
from bench.workload import CHANGES, make_changes
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CapturedTable, Source
from zcbus.demo.embedded import program
from zcbus.model.changes import ChangeFrame
from zcbus.model.position import Position
from zcbus.model.schema import TableName

_STEPS = max(ROWS // CHANGES, 1)
_NODE = "bench"


def run() -> Iterator[Result]:
    """Both databases."""
    with running_servers() as servers:
        yield from _postgresql(servers.postgresql)
        if servers.mariadb is not None:
            yield from _mariadb(servers.mariadb)


def _prepare(server: Server, schema: str) -> tuple[Source, list[CapturedTable], Position]:
    make_databases(server)
    make_table(server, SOURCE)
    tables = [CapturedTable(TableName(schema, "orders"), ("id",))]
    source = connector(server.kind).source(server.options(SOURCE))
    return source, tables, source.prepare(_NODE, tables)


def _capture(source: Source, tables: list[CapturedTable], after: Position, changes: int) -> float:
    """Read so many changes and confirm none, so that the next round finds them again."""

    def work() -> None:
        seen = 0
        with source.open_changes(_NODE, tables, after) as stream:
            while seen < changes:
                for frame in stream.read(10):
                    if isinstance(frame, ChangeFrame):
                        seen += sum(len(table.operations) for table in frame.tables)
        assert seen == changes, f"{seen} of {changes} changes"

    return seconds(work)


def _postgresql(server: PostgreSQLServer) -> Iterator[Result]:
    source, tables, begin = _prepare(server, "public")
    # Reading moves a peer's slot on, so each round gets one of its own.
    slots = [f"peer_{number}" for number in range(ROUNDS)]
    for slot in slots:
        server.rows("SELECT pg_create_logical_replication_slot(%s, 'pgoutput')", SOURCE, [slot])
    changes = make_changes(server, SOURCE, 1, _STEPS)
    end = server.rows("SELECT pg_current_wal_lsn()::text", SOURCE)[0][0]
    publication = server.rows("SELECT pubname FROM pg_publication", SOURCE)[0][0]

    def peer() -> float:
        address = f"host={server.host} port={server.port} user={server.user} password={server.password} dbname={SOURCE}"
        command = [str(program("pg_recvlogical")), f"--dbname={address}", f"--slot={slots.pop()}", "--start"]
        command += ["-o", "proto_version=1", "-o", f"publication_names={publication}"]
        return seconds(lambda: pipe([*command, f"--endpos={end}", "--no-loop", "--file=-"]))

    ours = partial(_capture, source, tables, begin, changes)
    yield from compare("capture", "PostgreSQL, backlog → Arrow", "changes", changes, ours, {"pg_recvlogical": peer})
    source.drop(_NODE)


def _mariadb(server: MariaDBServer) -> Iterator[Result]:
    source, tables, begin = _prepare(server, SOURCE)
    changes = make_changes(server, SOURCE, 1, _STEPS)
    file = server.rows("SHOW MASTER STATUS")[0][0]
    # One log file for everything: the peer begins at the same place.
    assert int(file.rpartition(".")[2]) == begin.file, "the log rolled: choose fewer rows"
    options = ["--read-from-remote-server", f"--start-position={begin.offset}"]
    command = [*mariadb(server, "", *options, tool="mariadb-binlog"), file]
    ours = partial(_capture, source, tables, begin, changes)
    peers = {"mariadb-binlog": lambda: seconds(lambda: pipe(command))}
    yield from compare("capture", "MariaDB, backlog → Arrow", "changes", changes, ours, peers)
    source.drop(_NODE)
