"""A backlog of changes from end to end, between databases of one kind, against their own replication.

Both are stopped while the changes are made, then started one after the other. The time runs from the start until the
row that was written last is in the target. Ours includes the start of its processes. Both write into one server.
"""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.servers.base import Server
from tests.servers.mariadb import MariaDBServer
from tests.servers.postgresql import PostgreSQLServer
from tests.support.platform import Platform, running_platform, side

from bench.databases import (
    MANY_ROWS,
    MARIADB_OPTIONS,
    SOURCE,
    TARGET,
    make_databases,
    make_table,
    running_servers,
    schema_of,
)
from bench.native import REPLICA_OPTIONS, Native, Replica, Subscription
from bench.report import Result
from bench.timing import compare, seconds
from bench.workload import CHANGES, INSERTS, make_changes

_STEPS = max(MANY_ROWS // CHANGES, 1)
_MARK = "CREATE TABLE mark (id bigint PRIMARY KEY)"
_WAIT = 300.0
_CONTENT = {
    "postgresql": "SELECT count(*), sum(id), sum(quantity), sum(hashtext(orders::text)::bigint) FROM orders",
    "mysql": """SELECT count(*), sum(id), sum(quantity), sum(crc32(concat_ws('|', id, customer_id, quantity, price,
        status, email, note, created_at, ship_date, active, score))) FROM orders""",
}


def run() -> Iterator[Result]:
    """PostgreSQL to PostgreSQL, and MariaDB to MariaDB where it is installed."""
    with (
        running_servers() as servers,
        tempfile.TemporaryDirectory(prefix="zcbus-bench-") as folder,
        running_platform(Path(folder) / "var") as platform,
    ):
        yield from _postgresql(servers.postgresql, platform)
        if servers.mariadb is not None:
            yield from _mariadb(servers.mariadb, platform)


def _postgresql(server: PostgreSQLServer, platform: Platform) -> Iterator[Result]:
    _make(server)
    make_table(server, Subscription.database)
    server.execute(_MARK, Subscription.database)
    yield from _compare("PostgreSQL", server, server, platform, Subscription(server))


def _mariadb(server: MariaDBServer, platform: Platform) -> Iterator[Result]:
    _make(server)
    with _replica() as second:
        _make(second)
        yield from _compare("MariaDB", server, second, platform, Replica(server, second))


def _make(server: Server) -> None:
    make_databases(server)
    make_table(server, SOURCE)
    server.execute(_MARK, SOURCE)


@contextmanager
def _replica() -> Iterator[MariaDBServer]:
    server = MariaDBServer(*MARIADB_OPTIONS, *REPLICA_OPTIONS)
    try:
        yield server
    finally:
        server.remove()


def _compare(name: str, source: Server, target: Server, platform: Platform, native: Native) -> Iterator[Result]:
    backlog = Backlog(source, target, platform, native)
    case = f"{name} → bus → {name}, from a standstill"
    yield from compare("backlog", case, "changes", _STEPS * CHANGES, backlog.ours, {native.name: backlog.native})
    backlog.check()


class Backlog:
    """A link and a native replication over the same changes."""

    def __init__(self, source: Server, target: Server, platform: Platform, native: Native) -> None:
        """Makes the link; both are running or stopped, and have nothing to do."""
        self._source, self._target, self._platform, self._native = source, target, platform, native
        self._round = 0
        self._link = f"backlog-{source.kind}"
        self._platform.apply(
            {
                "link": self._link,
                "source": side(source, SOURCE),
                "target": side(target, TARGET),
                "tables": [f"{schema_of(source)}.*"],
                "load": "full+incremental",
                "clean": "drop",
            }
        )
        self._platform.wait(self._link, "incremental-running")

    def ours(self) -> float:
        """Make the changes, start the link, wait for the last one. The native side keeps its backlog."""
        self._call("stop")
        self._platform.wait(self._link, "stopped")
        self._round += 1
        make_changes(self._source, SOURCE, self._round * _STEPS * INSERTS, _STEPS)
        self._source.execute("INSERT INTO mark VALUES (%s)", SOURCE, [self._round])

        def work() -> None:
            self._call("start")
            self._wait_for_mark(self._target, TARGET)

        return seconds(work)

    def native(self) -> float:
        """The same changes by the databases themselves."""

        def work() -> None:
            self._native.start()
            self._wait_for_mark(self._native.server, self._native.database)

        taken = seconds(work)
        self._native.stop()
        return taken

    def check(self) -> None:
        """Three equal tables."""
        query = _CONTENT[self._source.kind]
        expected = self._source.rows(query, SOURCE)
        for server, database in ((self._target, TARGET), (self._native.server, self._native.database)):
            assert server.rows(query, database) == expected, database
        self._native.remove()

    def _call(self, verb: str) -> None:
        with self._platform.api() as api:
            api.call(f"sync/link/{verb}", {"name": self._link})

    def _wait_for_mark(self, server: Server, database: str) -> None:
        deadline = time.monotonic() + _WAIT
        with server.connect(database) as connection, connection.cursor() as cursor:
            while not self._is_there(cursor):
                assert time.monotonic() < deadline, f"the changes did not arrive in {database}" + (
                    self._platform.worker_logs()
                )
                time.sleep(0.02)

    def _is_there(self, cursor: Any) -> bool:
        cursor.execute("SELECT 1 FROM mark WHERE id = %s", [self._round])
        return cursor.fetchone() is not None
