"""A backlog of changes from end to end, PostgreSQL to PostgreSQL, against its own logical replication.

Both are stopped while the changes are made, then started one after the other. The time runs from the start until the
row that was written last is in the target. Ours includes the start of its processes.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.servers.postgresql import PostgreSQLServer
from tests.support.platform import Platform, running_platform, side

from bench.databases import MANY_ROWS, PEER_TARGET, SOURCE, TARGET, make_databases, make_table, running_servers
from bench.report import Result
from bench.timing import compare, seconds
from bench.workload import CHANGES, INSERTS, make_changes

_STEPS = max(MANY_ROWS // CHANGES, 1)
_LINK = "backlog"
_MARK = "CREATE TABLE mark (id bigint PRIMARY KEY)"
_WAIT = 300.0


def run() -> Iterator[Result]:
    """One case."""
    with running_servers(mariadb=False) as servers, tempfile.TemporaryDirectory(prefix="zcbus-bench-") as folder:
        server = servers.postgresql
        make_databases(server)
        for database in (SOURCE, PEER_TARGET):
            make_table(server, database)
            server.execute(_MARK, database)
        with running_platform(Path(folder) / "var") as platform:
            backlog = Backlog(server, platform)
            backlog.connect()
            yield from compare(
                "backlog",
                "PostgreSQL → bus → PostgreSQL, from a standstill",
                "changes",
                _STEPS * CHANGES,
                backlog.ours,
                {"native logical replication": backlog.native},
            )
            backlog.check()


class Backlog:
    """A link and a native subscription over the same changes."""

    def __init__(self, server: PostgreSQLServer, platform: Platform) -> None:
        self._server, self._platform = server, platform
        self._round = 0

    def connect(self) -> None:
        """Make both, and stop them."""
        self._platform.apply(
            {
                "link": _LINK,
                "source": side(self._server, SOURCE),
                "target": side(self._server, TARGET),
                "tables": ["public.*"],
                "load": "full+incremental",
                "clean": "drop",
            }
        )
        self._platform.wait(_LINK, "incremental-running")
        server = self._server
        server.execute("CREATE PUBLICATION peer FOR TABLE orders, mark", SOURCE)
        # A subscription within one server would wait for itself if it made its slot.
        server.rows("SELECT pg_create_logical_replication_slot('peer', 'pgoutput')", SOURCE)
        address = f"host={server.host} port={server.port} user={server.user} password={server.password} dbname={SOURCE}"
        options = "create_slot = false, enabled = false, slot_name = 'peer', copy_data = false, binary = true"
        server.execute(
            f"CREATE SUBSCRIPTION peer CONNECTION '{address}' PUBLICATION peer WITH ({options})", PEER_TARGET
        )

    def ours(self) -> float:
        """Make the changes, start the link, wait for the last one. The native side keeps its backlog."""
        self._call("stop")
        self._platform.wait(_LINK, "stopped")
        self._round += 1
        make_changes(self._server, SOURCE, self._round * _STEPS * INSERTS, _STEPS)
        self._server.execute("INSERT INTO mark VALUES (%s)", SOURCE, [self._round])

        def work() -> None:
            self._call("start")
            self._wait_for_mark(TARGET)

        return seconds(work)

    def native(self) -> float:
        """The same changes by the server itself."""

        def work() -> None:
            self._server.execute("ALTER SUBSCRIPTION peer ENABLE", PEER_TARGET)
            self._wait_for_mark(PEER_TARGET)

        taken = seconds(work)
        self._server.execute("ALTER SUBSCRIPTION peer DISABLE", PEER_TARGET)
        return taken

    def check(self) -> None:
        """Three equal tables."""
        query = "SELECT count(*), sum(id), sum(quantity), sum(hashtext(orders::text)::bigint) FROM orders"
        expected = self._server.rows(query, SOURCE)
        for database in (TARGET, PEER_TARGET):
            assert self._server.rows(query, database) == expected, database
        self._server.execute("ALTER SUBSCRIPTION peer SET (slot_name = NONE)", PEER_TARGET)
        self._server.execute("DROP SUBSCRIPTION peer", PEER_TARGET)

    def _call(self, verb: str) -> None:
        with self._platform.api() as api:
            api.call(f"sync/link/{verb}", {"name": _LINK})

    def _wait_for_mark(self, database: str) -> None:
        deadline = time.monotonic() + _WAIT
        with self._server.connect(database) as connection:
            while not connection.execute("SELECT 1 FROM mark WHERE id = %s", [self._round]).fetchone():
                assert time.monotonic() < deadline, f"the changes did not arrive in {database}" + (
                    self._platform.worker_logs()
                )
                time.sleep(0.02)
