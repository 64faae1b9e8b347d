"""One run of a link through schema changes, changes of rows, stops and kills, from a seed or from a script."""

import contextlib
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pymysql

from tests.faults.schemas import mysql, postgresql
from tests.faults.schemas.catalog import Table, read_table
from tests.faults.schemas.oracle import difference
from tests.faults.schemas.row_changes import RowChanges
from tests.faults.schemas.schema_changes import SchemaChanges
from tests.integration.engine.running import Link, Worker, wait_until
from tests.servers.base import Server
from zcbus.model.states import DdlMode

_CHANGES: dict[str, type[SchemaChanges]] = {"postgresql": postgresql.PostgreSQLChanges, "mysql": mysql.MySQLChanges}
_DIALECTS = {"postgresql": postgresql, "mysql": mysql}
_MARKER = "marker"
SETTLING_SECONDS = 60.0
_FAILED = ("incremental-error", "full-error", "error", "full-info-expired", "publish-failed", "no-primary-key")
QUIET = "quiet"
Script = list[str]
"""Steps: `sql …` at the source, `publisher` or `subscriber` with `stop`, `start` or `kill`, `reload TABLE`, `pause`,
`quiet`: all is started, and each table must be equal to its source, or stopped with a reason."""


class Different(AssertionError):
    """A table says that it runs, over other rows than its source's, or neither runs nor stops."""

    def __init__(self, table: str, detail: str) -> None:
        super().__init__(f"{table}: {detail}")
        self.table = table


@dataclass
class Counts:
    """What an episode had in it."""

    rows: int = 0
    schemas: int = 0
    kills: int = 0
    checked: int = 0
    stopped: int = 0
    reasons: dict[str, int] = field(default_factory=dict)

    def add(self, other: "Counts") -> None:
        for name in ("rows", "schemas", "kills", "checked", "stopped"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for reason, count in other.reasons.items():
            self.reasons[reason] = self.reasons.get(reason, 0) + count

    def __str__(self) -> str:
        reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(self.reasons.items()))
        return (
            f"{self.rows} changes of rows, {self.schemas} of schemas, {self.kills} kills and stops;"
            f" {self.checked} tables compared, {self.stopped} of them stopped ({reasons})"
        )


class Episode:
    """Steps are done and noted in `script`."""

    def __init__(
        self,
        source: Server,
        target: Server,
        folder: Path,
        tables: Sequence[str] | None = None,
        settling: float = SETTLING_SECONDS,
    ) -> None:
        """`tables`: those that take part, all by default. `settling`: seconds after which a table that runs
        must be equal."""
        self._settling = settling
        self._dialect: Any = _DIALECTS[source.kind]
        self._names = list(self._dialect.TABLES if tables is None else tables)
        self.script: Script = []
        self.counts = Counts()
        self._link = Link(source, target, source.fresh_database("src"), target.fresh_database("dst"), folder)
        self._running = {"publisher": False, "subscriber": False}

    def generate(self, seed: str, steps: int, rounds: int) -> None:
        """As the seed has it. Raises Different."""
        with self._session() as cursor:
            self._begin(cursor)
            generator = _Generator(seed, self._link.source.kind, self._names)
            for _ in range(rounds):
                for step in generator.steps(cursor, steps):
                    self._do(cursor, step)
                self._do(cursor, QUIET)

    def replay(self, script: Script) -> None:
        """Raises Different."""
        with self._session() as cursor:
            self._begin(cursor)
            for step in script:
                self._do(cursor, step)

    def close(self) -> None:
        self._link.close()
        self._link.source.drop_database(self._link.source_database)
        self._link.target.drop_database(self._link.target_database)

    @contextlib.contextmanager
    def _session(self) -> Iterator[Any]:
        with self._link.source.connect(self._link.source_database) as connection, connection.cursor() as cursor:
            yield cursor

    def _begin(self, cursor: Any) -> None:
        made = [statement.format(t=name) for name in self._names for statement in self._dialect.TABLES[name]]
        for statement in [*self._dialect.BEFORE, *made, f"CREATE TABLE {_MARKER} (id integer PRIMARY KEY)"]:
            cursor.execute(statement)
        chance = random.Random(7)
        rows = RowChanges(chance, self._link.source.kind)
        for name in self._names * 12:
            table = read_table(cursor, self._link.source.kind, name)
            assert table is not None
            self._sql(cursor, rows.insert(table))
        for name in [*self._names, _MARKER]:
            self._link.tables[name] = {"ddl": DdlMode.FOLLOW}
        self._link.set_tasks()
        self._start("publisher")
        self._start("subscriber")
        for name in self._link.tables:
            self._link.wait_for_state(name, "incremental-running")

    def _do(self, cursor: Any, step: str) -> None:
        self.script.append(step)
        word, _, rest = step.partition(" ")
        if word == "sql":
            self._count(rest, self._sql(cursor, rest))
        elif word in self._running:
            self._steer(word, rest)
        elif word == "reload":
            self._reload(rest)
        elif word == "pause":
            time.sleep(float(rest))
        else:
            self._quiet(cursor)

    def _sql(self, cursor: Any, statement: str) -> bool:
        """Whether it was done; what the source refuses changes nothing."""
        try:
            cursor.execute(statement.replace("{publication}", f"zcbus_{self._link.node}"))
        except (psycopg.Error, pymysql.Error):
            return False
        return True

    def _count(self, statement: str, done: bool) -> None:
        if done and statement.startswith(("INSERT", "UPDATE", "DELETE")):
            self.counts.rows += 1
        elif done and not statement.startswith(("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "SET")):
            self.counts.schemas += 1

    def _worker(self, which: str) -> Worker:
        return self._link.publisher if which == "publisher" else self._link.subscriber

    def _start(self, which: str) -> None:
        if not self._running[which]:
            self._worker(which).reports.clear()
            self._link.set_tasks()
            self._worker(which).start()
            self._running[which] = True

    def _steer(self, which: str, order: str) -> None:
        if order == "start":
            self._start(which)
        elif self._running[which]:
            self._worker(which).kill() if order == "kill" else self._worker(which).stop()
            self._running[which] = False
            self.counts.kills += 1

    def _reload(self, name: str) -> None:
        self._link.generations[name] = self._link.generations.get(name, 1) + 1
        for which, task in (("publisher", self._link.publish_task()), ("subscriber", self._link.subscribe_task())):
            if self._running[which]:
                try:
                    self._worker(which).give(task)
                except BrokenPipeError:
                    raise Different(name, f"the {which} has ended: {self._worker(which).log[-3000:]}") from None

    def _quiet(self, cursor: Any) -> None:
        self._sql(cursor, "ROLLBACK")
        self._start("publisher")
        self._start("subscriber")
        for name in self._names:
            self._touch(cursor, name)
        cursor.execute(f"INSERT INTO {_MARKER} SELECT coalesce(max(id), 0) + 1 FROM {_MARKER}")
        for name in [_MARKER, *self._names]:
            self._check(name)
        self._go_on(cursor)

    def _touch(self, cursor: Any, name: str) -> None:
        """PostgreSQL logs a schema change with the next row change."""
        table = read_table(cursor, self._link.source.kind, name)
        if table is not None:
            rows = RowChanges(random.Random(len(self.script)), self._link.source.kind)
            first = table.written[0].name
            if not any(self._sql(cursor, rows.insert(table)) for _ in range(8)):
                self._sql(cursor, f"UPDATE {name} SET {first} = {first}")

    def _check(self, name: str) -> None:
        """Raises Different unless the table is equal or stopped, soon."""
        deadline = time.monotonic() + self._settling
        self.counts.checked += 1
        while not (reason := self.reason(name)):
            found = difference(self._link, name) or self._not_running(name)
            if not found:
                return
            if time.monotonic() > deadline:
                raise Different(name, f"{found}\n{self._reports(name)}")
            time.sleep(0.1)
        self.counts.stopped += 1
        self.counts.reasons[reason] = self.counts.reasons.get(reason, 0) + 1

    def _reports(self, name: str) -> str:
        logs = (f"{which}:\n{self._worker(which).log[-6000:]}" for which in self._running)
        return "\n".join([f"{self._published(name)}\n{self._subscribed(name)}", *logs])

    def _published(self, name: str) -> dict[str, Any]:
        return self._of_generation(self._link.publisher.reports.get(f"p-{name}", {}), name)

    def _subscribed(self, name: str) -> dict[str, Any]:
        return self._of_generation(self._link.subscriber.reports.get(name, {}), name)

    def _of_generation(self, report: dict[str, Any], name: str) -> dict[str, Any]:
        return report if report.get("generation") == self._link.generations.get(name, 1) else {}

    def _not_running(self, name: str) -> str:
        state = self._subscribed(name).get("state")
        return "" if state == "incremental-running" else f"neither stopped nor running: {state}"

    def reason(self, name: str) -> str:
        """Why the table stands still, or what says that it is not as its source; empty: it says that all is well."""
        for report in (self._published(name), self._subscribed(name)):
            if report.get("state") in _FAILED:
                reason = report["reason"] or {}
                facts = reason.get("facts", {})
                return str(facts.get("reason") or facts.get("why") or reason.get("code") or "no reason")
        return "row-errors" if self._subscribed(name).get("row_errors") else ""

    def _go_on(self, cursor: Any) -> None:
        """Stopped tables are created again where they are gone, and loaded again."""
        for name in self._names:
            if self.reason(name):
                if read_table(cursor, self._link.source.kind, name) is None:
                    for statement in self._dialect.TABLES[name]:
                        self._sql(cursor, statement.format(t=name))
                self._reload(name)
        wait_until(lambda: all(map(self._has_settled, self._names)), 60, self._link.describe)

    def _has_settled(self, name: str) -> bool:
        return bool(self.reason(name)) or not self._not_running(name)


class _Generator:
    """The steps of an episode, which depend on nothing but the seed and what the source makes of them."""

    def __init__(self, seed: str, kind: str, names: Sequence[str]) -> None:
        self._chance, self._kind, self._names = random.Random(seed), kind, names
        self._rows, self._schemas = RowChanges(self._chance, kind), _CHANGES[kind](self._chance)
        self._quiet = self._chance.random() < 0.4
        """Workers are left alone until the next quiet point."""

    def steps(self, cursor: Any, count: int) -> Iterator[str]:
        self._quiet = self._chance.random() < 0.4
        for _ in range(count):
            table = read_table(cursor, self._kind, self._chance.choice(self._names))
            dice = self._chance.random()
            if table is None or dice < 0.06:
                yield f"pause {self._chance.choice(['0.02', '0.1', '0.3'])}"
            elif dice < 0.14 and not self._quiet:
                yield from self._steered()
            elif dice < 0.16:
                yield f"reload {table.name}"
            else:
                yield from self._changes(table, dice)

    def _steered(self) -> Iterator[str]:
        which = self._chance.choice(["publisher", "publisher", "subscriber"])
        order = self._chance.choice(["stop", "kill", "kill"])
        yield f"{which} {order}"
        if self._chance.random() < 0.5:
            yield f"{which} start"

    def _changes(self, table: Table, dice: float) -> Iterator[str]:
        if dice < 0.65:
            yield f"sql {self._rows.statement(table)}"
        else:
            yield from (f"sql {statement}" for statement in self._schemas.changes(table))
            if self._chance.random() < 0.6:
                yield f"sql {self._rows.statement(table)}"
