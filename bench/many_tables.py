"""What is done with 6,000 tables of one publish node at once, each step followed to its end on a real PostgreSQL.

Of each step: how long the call took to answer with its report per table, how long it took until the last table was
where it was to be, and what processor time of control plane, agent, workers and database server went into that. Calls
are held against two seconds, steps against ten. A load of thousands of small tables takes as long as it takes: of those
fewer are loaded.
"""

import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.servers.postgresql import PostgreSQLServer
from tests.support.platform import Platform, running_platform, side
from tests.support.processes import wait_until

from bench import processor
from bench.databases import SOURCE, TARGET, Servers, running_servers
from bench.report import Result
from zcbus.cli.http import Api

_TABLES = int(os.environ.get("BENCH_TABLES", "6000"))
_LOADED = min(int(os.environ.get("BENCH_TABLES_LOADED", "500")), _TABLES)
"""So many of them are loaded again."""
_ROWS = 10
_CALL_SECONDS, _STEP_SECONDS = 2.0, 10.0
_WAIT = 240.0
_LOOK_EVERY = 0.4
"""Seconds: asking how far it is takes processor, too."""
_BATCH = 250
"""Tables that one statement makes."""

_Parts = dict[str, float]


def run() -> Iterator[Result]:
    """Publish, subscribe, hold, reset, load again, unbind, withdraw."""
    with contextlib.ExitStack() as stack:
        servers: Servers = stack.enter_context(running_servers(mariadb=False))
        _make_tables(servers.postgresql)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="zcbus-bench-many-"))
        platform = stack.enter_context(running_platform(Path(folder) / "var"))
        api = stack.enter_context(platform.api())
        yield from _Story(platform, servers.postgresql, api).results()


@dataclass
class _Story:
    """The steps in their order; each begins where the one before ended."""

    platform: Platform
    server: PostgreSQLServer
    api: Api
    node: str = ""
    master: str = ""
    ids: list[str] = field(default_factory=list)

    def results(self) -> Iterator[Result]:
        yield from self._publish()
        yield from self._subscribe()
        one, running = self.ids[:1], "incremental-running"
        yield from self._act("suspend", self.ids, "suspended")
        yield from self._act("resume", self.ids, running)
        yield from self._act("suspend", one, "suspended", "suspend one")
        yield from self._act("resume", one, running, "resume one", count=_TABLES)
        yield from self._act("suspend", self.ids, "suspended", "suspend again")
        # What is reset keeps its state; that it was is seen by what begins anew.
        yield from self._act("reset", self.ids, "suspended")
        yield from self._act("resume", self.ids, running, "resume after reset")
        yield from self._load_again(self.ids[:_LOADED])
        yield from self._unbind()
        yield from self._withdraw()

    def _publish(self) -> Iterator[Result]:
        connection = side(self.server, SOURCE)
        wait_until(lambda: self.platform.answers(), _WAIT, "the control plane answers")
        self.node = self.api.call("publish/node/add", {"name": "many", "connection": connection})
        tables = [{"schema": "public", "table": _name(number)} for number in range(_TABLES)]
        asked = {"nodeMaster": self.node, "tables": tables, "full": False}
        yield from self._step(
            "publish", lambda: self._call("publish/table/add", asked), lambda: self._published() == _TABLES
        )

    def _subscribe(self) -> Iterator[Result]:
        connection = side(self.server, TARGET)
        customer = self.api.call("subscribe/customer/add", {"name": "branch", "connection": connection})
        (database,) = self.api.call("subscribe/database/page", {"customerId": customer})["records"]
        asked = {"name": "many", "customerId": customer, "databaseId": database["id"], "nodeMaster": self.node}
        self.master = self.api.call("subscribe/control/add", {**asked, "channelCount": 2, "startFull": False})
        offered = self.api.call("subscribe/table/candidate/page", {"controlId": self.master, "size": -1})["records"]
        addition = {"controlId": self.master, "tables": [one["id"] for one in offered]}
        yield from self._step(
            "subscribe",
            lambda: self._call("subscribe/table/add", addition),
            lambda: self._subscribed("incremental-running") == _TABLES,
        )
        self.ids = [one["id"] for one in self._page({"size": -1})["records"]]

    def _act(
        self, action: str, ids: list[str], state: str, case: str = "", count: int | None = None
    ) -> Iterator[Result]:
        """Until `count` tables are in the state; None: those that it was done with."""
        wanted = len(ids) if count is None else count
        yield from self._step(
            case or action,
            lambda: self._call(f"subscribe/table/{action}", {"tables": ids}),
            lambda: self._subscribed(state) == wanted,
        )

    def _load_again(self, ids: list[str]) -> Iterator[Result]:
        """Until their rows are there, in copies that were empty, and all tables apply changes."""
        yield from self._step(
            f"load {len(ids)} again",
            lambda: self._call("subscribe/table/start-full", {"tables": ids}),
            lambda: self._filled() >= len(ids) and self._subscribed("incremental-running") == _TABLES,
        )

    def _filled(self) -> int:
        counted = "SELECT count(*) FROM pg_stat_user_tables WHERE schemaname = 'public' AND n_tup_ins > 0"
        return int(self.server.rows(counted, TARGET)[0][0])

    def _unbind(self) -> Iterator[Result]:
        yield from self._step(
            "unbind",
            lambda: self._call("subscribe/table/unbind", {"tables": self.ids}),
            lambda: self._page({})["total"] == 0 and self._orders_are_followed(),
        )

    def _withdraw(self) -> Iterator[Result]:
        rows = self.api.call("publish/table/page", {"nodeMaster": self.node, "size": -1})["records"]
        asked = {"nodeMaster": self.node, "tables": [row["id"] for row in rows]}
        yield from self._step(
            "withdraw",
            lambda: self._call("publish/table/withdraw", asked),
            lambda: not self.server.rows("SELECT 1 FROM pg_publication_tables LIMIT 1", SOURCE),
        )

    def _call(self, path: str, asked: dict[str, Any]) -> None:
        """Raises AssertionError where a table was left out or refused."""
        results = self.api.call(path, asked)
        refused = [one for one in results if not one["done"]]
        assert len(results) == len(asked["tables"]), f"{path}: {len(results)} of {len(asked['tables'])} tables told"
        assert not refused, f"{path}: {refused[:3]}"

    def _page(self, wanted: dict[str, Any]) -> dict[str, Any]:
        page: dict[str, Any] = self.api.call("subscribe/table/page", {"controlId": self.master, **wanted})
        return page

    def _subscribed(self, state: str) -> int:
        return int(self._page({"state": [state], "size": 1})["total"])

    def _published(self) -> int:
        asked = {"nodeMaster": self.node, "state": ["incremental-release"], "size": 1}
        return int(self.api.call("publish/table/page", asked)["total"])

    def _orders_are_followed(self) -> bool:
        return not any(one.get("pending") for one in self.api.call("container/service/list", {}))

    def _step(self, case: str, work: Callable[[], None], done: Callable[[], bool]) -> Iterator[Result]:
        """Do a step and follow it to its end; prints a line."""
        before, began = self._processor(), time.monotonic()
        work()
        answered = time.monotonic() - began
        wait_until(done, _WAIT, case, pause=_LOOK_EVERY)
        ended = time.monotonic() - began
        used = {name: seconds - before[name] for name, seconds in self._processor().items()}
        told = ", ".join(f"{name} {seconds:.1f}" for name, seconds in used.items())
        print(
            f"{case:20} answer {answered:5.1f} s, end {ended:5.1f} s; processor: {told}"
            f"{'  OVER' if answered > _CALL_SECONDS or ended > _STEP_SECONDS else ''}",
            file=sys.stderr,
            flush=True,
        )
        suite, limit = "many-tables", f"at most {_STEP_SECONDS:.0f} s"
        yield Result(suite, f"{case}: answer", answered * 1000, "ms", None, None)
        yield Result(suite, f"{case}: end", ended * 1000, "ms", limit, ended / _STEP_SECONDS)
        yield Result(suite, f"{case}: processor", sum(used.values()) * 1000, "ms", None, None)

    def _processor(self) -> _Parts:
        platform, server = self.platform, self.server.pid
        return {
            "control": processor.of_processes(platform.processes("control")),
            "agent": processor.of_processes(platform.processes("agent")),
            "workers": processor.of_processes(platform.processes("worker")),
            "database": processor.of_tree(server) if server is not None else 0.0,
        }


def _make_tables(server: PostgreSQLServer) -> None:
    """In the source with rows, in the target empty."""
    for database, rows in ((SOURCE, _ROWS), (TARGET, 0)):
        server.drop_database(database)
        server.create_database(database)
        for first in range(0, _TABLES, _BATCH):
            names = [_name(number) for number in range(first, min(first + _BATCH, _TABLES))]
            made = [f"CREATE TABLE {name} (id int PRIMARY KEY, note text);" for name in names]
            filled = [f"INSERT INTO {name} SELECT i, 'n' || i FROM generate_series(1, {rows}) i;" for name in names]
            server.execute("".join([*made, *(filled if rows else ())]), database)


def _name(number: int) -> str:
    return f"t{number:05}"
