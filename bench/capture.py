"""Reading changes from the log into Arrow batches, against the databases' own log readers and other people's.

The log readers write what they receive to /dev/null: pg_recvlogical as it comes, mariadb-binlog in base 64, without
looking into rows, and in its second form with every value as text, as we have it. Each round
reads the same changes; on PostgreSQL it has a slot of its own, because reading moves slots on.

There are two workloads: the one of the other suites, and the one by which the goals for reading logs were set, with as
many changes as there (1.4 million of twelve columns, by default).
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from tests.servers.base import Server
from tests.servers.mariadb import MariaDBServer
from tests.servers.postgresql import PostgreSQLServer

from bench import peers
from bench.databases import ROWS, SOURCE, make_databases, mariadb, pipe, running_servers
from bench.report import Result
from bench.timing import ROUNDS, Measure, compare, seconds
from bench.workload import WORKLOADS, Workload
from zcbus.connectors.postgresql.capture import backlog
from zcbus.connectors.registry import connector
from zcbus.connectors.roles import CapturedTable, Source
from zcbus.connectors.roles.source import drop
from zcbus.demo.embedded import program
from zcbus.model.changes import ChangeFrame, HeartbeatFrame
from zcbus.model.position import Position
from zcbus.model.schema import TableName

_CHANGES = {"usual": ROWS, "mixed": ROWS * 7 // 2}
"""Roughly."""


def run() -> Iterator[Result]:
    """Both databases, both workloads."""
    with running_servers() as servers:
        for name, changes in _CHANGES.items():
            task = Task(name, WORKLOADS[name], max(changes // WORKLOADS[name].changes, 1))
            yield from _postgresql(servers.postgresql, task)
            if servers.mariadb is not None:
                yield from _mariadb(servers.mariadb, task)


@dataclass(frozen=True)
class Task:
    """What is to be read."""

    name: str
    workload: Workload
    steps: int

    def case(self, way: str) -> str:
        """The name of a case."""
        return f"{way} → Arrow" + ("" if self.name == "usual" else f", {self.name}")

    def make(self, server: Server) -> int:
        """Make the changes; returns their number."""
        return self.workload.make_changes(server, SOURCE, 1, self.steps)


class Capture:
    """Our reader of the table `orders`; counts the processor's seconds it takes."""

    def __init__(self, server: Server, schema: str, workload: Workload = WORKLOADS["usual"]) -> None:
        make_databases(server)
        workload.make_table(server, SOURCE)
        self._tables = [CapturedTable(TableName(schema, "orders"), ("id",))]
        self.source: Source = connector(server.kind).source(server.options(SOURCE))
        self.cpu: list[float] = []

    def prepare(self, node: str) -> Position:
        """Let a node begin here."""
        return self.source.prepare(node, self._tables)

    def read(
        self, node: str, after: Position, changes: int, keep: Callable[[ChangeFrame], None] = lambda frame: None
    ) -> float:
        """Read so many changes, confirming them as the product does when they are on the bus."""
        cpu = time.process_time()
        taken = seconds(lambda: self._read(node, after, changes, keep))
        self.cpu.append(time.process_time() - cpu)
        return taken

    def _read(self, node: str, after: Position, changes: int, keep: Callable[[ChangeFrame], None]) -> None:
        seen = 0
        with self.source.open_changes(node, self._tables, after) as stream:
            while seen < changes:
                for frame in stream.read(10):
                    if isinstance(frame, HeartbeatFrame):
                        stream.acknowledge(frame.position)
                    if not isinstance(frame, ChangeFrame):
                        continue
                    seen += sum(len(table.operations) for table in frame.tables)
                    keep(frame)
                    if frame.complete:
                        stream.acknowledge(frame.last_position)
        assert seen == changes, f"{seen} of {changes} changes"

    def per_cpu_second(self, case: str, changes: int) -> Result:
        """Our own cost, which other work on the machine disturbs least."""
        figure = changes / sorted(self.cpu)[len(self.cpu) // 2]
        self.cpu.clear()
        return Result("capture", case, figure, "changes/CPU s", None, None)


def _postgresql(server: PostgreSQLServer, task: Task) -> Iterator[Result]:
    capture = Capture(server, "public", task.workload)
    nodes = [f"bench{number}" for number in range(2 * ROUNDS)]
    begins = {node: capture.prepare(node) for node in nodes}
    slots = [f"peer_{number}" for number in range(3 * ROUNDS)]
    for slot in slots:
        server.rows("SELECT pg_create_logical_replication_slot(%s, 'pgoutput')", SOURCE, [slot])
    changes = task.make(server)
    end = server.rows("SELECT pg_current_wal_lsn()::text", SOURCE)[0][0]
    publication = server.rows("SELECT pubname FROM pg_publication", SOURCE)[0][0]

    def ours() -> float:
        node = nodes.pop()
        return capture.read(node, begins[node], changes)

    def recvlogical() -> float:
        return _recvlogical(server, slots.pop(), publication, end)

    case = task.case("PostgreSQL, stream")
    with _never_in_bulk():
        yield from compare("capture", case, "changes", changes, ours, {"pg_recvlogical": recvlogical})
    yield capture.per_cpu_second(case, changes)
    case = task.case("PostgreSQL, catching up")
    others: dict[str, Measure] = {"pg_recvlogical": recvlogical}
    if task.name == "usual":
        others |= peers.debezium(server, slots, publication, changes)
    yield from compare("capture", case, "changes", changes, ours, others)
    yield capture.per_cpu_second(case, changes)
    for node in begins:
        drop(capture.source, node)


@contextmanager
def _never_in_bulk() -> Iterator[None]:
    """Read the stream however large the backlog is."""
    usual = backlog.BULK_BYTES
    backlog.BULK_BYTES = 1 << 62
    try:
        yield
    finally:
        backlog.BULK_BYTES = usual


def _recvlogical(server: PostgreSQLServer, slot: str, publication: str, end: str) -> float:
    address = f"host={server.host} port={server.port} user={server.user} password={server.password} dbname={SOURCE}"
    command = [str(program("pg_recvlogical")), f"--dbname={address}", f"--slot={slot}", "--start"]
    command += ["-o", "proto_version=1", "-o", f"publication_names={publication}"]
    return seconds(lambda: pipe([*command, f"--endpos={end}", "--no-loop", "--file=-"]))


def _mariadb(server: MariaDBServer, task: Task) -> Iterator[Result]:
    capture = Capture(server, SOURCE, task.workload)
    begin = capture.prepare("bench")
    changes = task.make(server)
    file = server.rows("SHOW MASTER STATUS")[0][0]
    # One log file for everything: the peer begins at the same place.
    assert int(file.rpartition(".")[2]) == begin.file, "the log rolled: choose fewer rows"
    some = min(changes, ROWS)  # enough for a program that makes objects of values
    options = ["--read-from-remote-server", f"--start-position={begin.offset}"]
    command = [*mariadb(server, "", *options, tool="mariadb-binlog"), file]
    others: dict[str, Measure] = {
        "mariadb-binlog": lambda: seconds(lambda: pipe(command)),
        "mariadb-binlog --verbose": lambda: seconds(
            lambda: pipe([*command, "--verbose", "--base64-output=decode-rows"])
        ),
        **_scaled(peers.mysql_replication(server, file, begin.offset, some), changes / some),
    }
    case = task.case("MariaDB, backlog")
    yield from compare("capture", case, "changes", changes, lambda: capture.read("bench", begin, changes), others)
    yield capture.per_cpu_second(case, changes)
    drop(capture.source, "bench")


def _scaled(measures: Mapping[str, Measure], factor: float) -> dict[str, Measure]:
    """Measures of a part as ones of the whole."""
    return {name: partial(_times, factor, measure) for name, measure in measures.items()}


def _times(factor: float, measure: Measure) -> float:
    return factor * measure()
