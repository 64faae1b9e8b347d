"""The structure of many tables changes under a running writer: each ends right, or stopped with the reason."""

import contextlib
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.links.structure_kinds import KINDS, ROW, Kind, create
from tests.integration.engine.running import Link, schema_of, wait_until
from tests.servers.base import Server
from zcbus.model.states import DdlMode

pytestmark = pytest.mark.server
_ROWS = 60
_PAIRS = [
    ("postgres_server", "mariadb_server"),
    pytest.param(("mariadb_server", "postgres_server"), marks=pytest.mark.wide),
    pytest.param(("mysql_server", "postgres_server"), marks=pytest.mark.soak),
]


class Writer:
    """Adds, changes and removes rows of all tables; what a table's change does not let through is left."""

    def __init__(self, server: Server, database: str) -> None:
        self._server, self._database = server, database
        self._chance = random.Random(7)
        self._next = {kind.table: _ROWS for kind in KINDS}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()
        self.rounds = 0

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(30)
        assert not self._thread.is_alive()

    def _work(self) -> None:
        with self._server.connect(self._database) as connection:
            while not self._stop.is_set():
                for kind in KINDS:
                    with contextlib.suppress(Exception), connection.cursor() as cursor:
                        self._change(cursor, kind.table)
                self.rounds += 1
                time.sleep(0.02)

    def _change(self, cursor: Any, table: str) -> None:
        self._next[table] += 1
        new, old = self._next[table], self._chance.randrange(1, self._next[table])
        cursor.execute(f"INSERT INTO {table} (id, v, b) VALUES ({new}, 0, 'b{new}')")
        cursor.execute(f"UPDATE {table} SET v = v + 1 WHERE id = {old}")
        if self._chance.random() < 0.2:
            cursor.execute(f"DELETE FROM {table} WHERE id = {self._chance.randrange(1, new)}")


@pytest.fixture(scope="module", params=_PAIRS, ids=lambda pair: f"from-{pair[0].removesuffix('_server')}")
def link(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Link]:
    """A link whose tables have all been changed under load; the writer has ended."""
    source: Server = request.getfixturevalue(request.param[0])
    target: Server = request.getfixturevalue(request.param[1])
    data_dir: Path = tmp_path_factory.mktemp("structure")
    link = Link(source, target, source.fresh_database("src"), target.fresh_database("dst"), data_dir)
    try:
        _start(link)
        _change_all(link)
        yield link
    finally:
        link.close()


def _start(link: Link) -> None:
    for kind in KINDS:
        link.source.execute(create(kind, link.source.kind), link.source_database)
        rows = ", ".join(ROW.format(id=number, v=number) for number in range(1, _ROWS))
        link.source.execute(f"INSERT INTO {kind.table} VALUES {rows}", link.source_database)
        link.tables[kind.table] = {"ddl": DdlMode.FOLLOW}
    link.set_tasks()
    link.start()
    for kind in KINDS:
        link.wait_for_state(kind.table, "incremental-running")


def _change_all(link: Link) -> None:
    writer = Writer(link.source, link.source_database)
    try:
        for kind in KINDS:
            for statement in kind.statements(link.source.kind):
                link.source.execute(statement, link.source_database)
        changed = writer.rounds
        wait_until(lambda: writer.rounds > changed + 5, 30)
    finally:
        writer.stop()
    link.source.execute("INSERT INTO k_new_name (id, v) VALUES (0, 0)", link.source_database)


def _columns(server: Server, database: str, table: str) -> list[str]:
    query = "SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = %s ORDER BY 1"
    return [str(row[0]) for row in server.rows(query, database, (schema_of(server, database), table))]


def _difference(link: Link, table: str) -> str:
    sides = ((link.source, link.source_database), (link.target, link.target_database))
    left, right = (_columns(server, database, table) for server, database in sides)
    if left != right:
        return f"columns {left} and {right}"
    query = f"SELECT {', '.join(left)} FROM {table} ORDER BY id"
    lefts, rights = (server.rows(query, database) for server, database in sides)
    unequal = [pair for pair in zip(lefts, rights, strict=False) if pair[0] != pair[1]]
    return "" if lefts == rights else f"{len(lefts)} and {len(rights)} rows, {left}: {unequal[:2]}"


def _stopped(link: Link, table: str) -> tuple[str, dict[str, str]]:
    """Code and facts of the reason why the table stands still; empty where it does not."""
    for report in (link.subscriber.reports.get(table, {}), link.publisher.reports.get(f"p-{table}", {})):
        if report.get("reason") and report["state"] in ("incremental-error", "publish-failed", "no-primary-key"):
            return report["reason"]["code"], report["reason"]["facts"]
    return "", {}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.table)
def test_a_change_ends_right_or_with_its_reason(link: Link, kind: Kind) -> None:
    def ended() -> bool:
        return bool(_stopped(link, kind.table)[0]) or (
            kind.table in _tables(link) and not _difference(link, kind.table)
        )

    wait_until(ended, 60, lambda: f"{_difference(link, kind.table)}\n{link.describe()[-4000:]}")
    code, facts = _stopped(link, kind.table)
    assert code in kind.ends or (not code and kind.table in _tables(link)), (code, facts)


def _tables(link: Link) -> list[str]:
    query = "SELECT table_name FROM information_schema.tables WHERE table_schema = %s"
    schema = schema_of(link.source, link.source_database)
    return [str(row[0]) for row in link.source.rows(query, link.source_database, (schema,))]
