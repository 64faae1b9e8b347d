"""A link between two databases of a running platform, with a writer at its source."""

import contextlib
import time
from typing import Any

import psycopg
import pymysql

from tests.faults.links.workload import Writer, create_tables, differences
from tests.servers.base import Server
from tests.support.platform import Platform, side
from tests.support.processes import wait_until

LINK = "faults"
PAIRS = [
    ("mariadb_server", "mariadb_server"),
    ("postgres_server", "mariadb_server"),
    ("mariadb_server", "postgres_server"),
    ("postgres_server", "postgres_server"),
]


class Situation:
    """A link between two databases with a writer at its source."""

    def __init__(self, platform: Platform, source: Server, target: Server, **writer: Any) -> None:
        """`writer`: how it writes, see Writer."""
        self.platform = platform
        self.source, self.target = source, target
        self.source_database, self.target_database = source.fresh_database("src"), target.fresh_database("dst")
        self.writer = Writer(source, self.source_database, **writer)
        self.ports: tuple[int, int] = (source.port, target.port)
        """Where the platform finds the source, and the target."""
        create_tables(source, self.source_database, rows=3_000)

    def link(self) -> None:
        self.platform.apply(
            {
                "link": LINK,
                "source": side(self.source, self.source_database) | {"port": self.ports[0]},
                "target": side(self.target, self.target_database) | {"port": self.ports[1]},
                "tables": ["fault_*"],
                "load": "full+incremental",
                "clean": "drop",
            }
        )

    def applied(self) -> int:
        """Changes of rows that the target has, by the link's own count."""
        tables = self.platform.status(LINK)["tables"]
        return sum(table["inserts"] + table["updates"] + table["deletes"] for table in tables)

    def expect_flow(self, seconds: float = 60) -> float:
        """Changes arrive again; returns after how many seconds."""
        began, before = time.monotonic(), self.target_version()
        try:
            wait_until(lambda: self.target_version() not in (None, before), seconds, "changes flow", 0.02)
        except AssertionError as error:
            raise AssertionError(f"{error}{self.platform.worker_logs()}") from None
        return time.monotonic() - began

    def target_version(self) -> Any:
        """Something that changes whenever changes are applied; None while the target is away."""
        with contextlib.suppress(OSError, psycopg.Error, pymysql.Error):
            query = "SELECT count(*), sum(v), max(id) FROM fault_rows"
            return self.target.rows(query, self.target_database)
        return None

    def expect_equal(self, seconds: float = 120) -> None:
        source = (self.source, self.source_database)
        target = (self.target, self.target_database)
        deadline = time.monotonic() + seconds
        while found := differences(source, target):
            assert time.monotonic() < deadline, "\n".join(found) + self.platform.worker_logs()
            time.sleep(0.5)
