"""A pair of worker processes, as the agent runs them, between two real databases."""

import contextlib
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from tests.servers.base import Server
from tests.support import forked
from tests.support.forked import ForkedProcess

from zcbus.connectors.registry import connector, spec_of
from zcbus.connectors.roles.source import drop
from zcbus.engine.connections import options_of
from zcbus.kit.bus_settings import BusSettings
from zcbus.model.states import LoadType
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.tasks import Begin, PublishedTable, PublishTask, SubscribedTable, SubscribeTask, Task

_TARGET_POLLS = 5
"""Between two of the source, which is quiet: each takes a session of its own."""


def connection(server: Server, database: str, port: int | None = None) -> Connection:
    """What a task says of a test database. `port`: where it is found, unless by itself."""
    options = server.options(database)
    found = options.document() if port is None else {**options.document(), "port": port}
    secrets = {name: SecretStr(value) for name, value in options.secrets().items()}
    return Connection(kind=server.kind, options=found, secrets=secrets, tenant=options.tenant)


def schema_of(server: Server, database: str) -> str:
    """Where tables are that have no schema of their own."""
    own: str = getattr(server, "schema", "")
    return own or spec_of(server.kind).capabilities.default_schema or database


class Worker:
    """One worker process. Reports are kept by table; the newest wins."""

    def __init__(self, data_dir: Path, task: Task, bus: BusSettings) -> None:
        self._data_dir, self.task, self.bus = data_dir, task, bus
        data_dir.mkdir(exist_ok=True)
        self.reports: dict[str, dict[str, Any]] = {}
        self.history: list[dict[str, Any]] = []
        self.loads_by_itself = False
        """Whether the process reads the interpreter's part of the environment too, as every one does by which the
        program is run."""
        self._process: subprocess.Popen[bytes] | ForkedProcess | None = None
        self._log = (data_dir / f"{task.type}.log").open("ab")

    def start(self) -> "Worker":
        environment = {**os.environ, "ZCBUS_DATA_DIR": str(self._data_dir), **self.bus.environment()}
        environment.pop("ZCBUS_PARENT_PID", None)
        self._process = (
            self._run(environment)
            if self.loads_by_itself
            else forked.start(["worker"], environment, self._log.fileno())
        )
        threading.Thread(target=self._listen, args=(self._process,), daemon=True).start()
        self.give(self.task)
        return self

    def _run(self, environment: dict[str, str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "zcbus.cli", "worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
        )

    def give(self, task: Task) -> None:
        """Hand over the task, or the changed task."""
        self.task = task
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(task.model_dump_json().encode() + b"\n")
        self._process.stdin.flush()

    @property
    def pid(self) -> int:
        """Process id while it runs."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """SIGKILL."""
        assert self._process is not None
        self._process.kill()
        self._end()

    def stop(self, timeout: float = 30.0) -> int:
        """Close its input and wait for its end; returns the exit code."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            return self._process.wait(timeout)
        finally:
            self._end()

    def wait_for_end(self, timeout: float = 30.0) -> int:
        """The exit code of a process that ends by itself."""
        assert self._process is not None
        code = self._process.wait(timeout)
        self._end()
        return code

    def close(self) -> None:
        """Nothing stays behind."""
        if self._process is not None:
            self._process.kill()
            self._end()
        self._log.close()

    def _end(self) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.wait()
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()

    def _listen(self, process: subprocess.Popen[bytes] | ForkedProcess) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                report = json.loads(line)
                self.reports[report.get("table", "")] = report
                self.history.append(report)

    @property
    def log(self) -> str:
        """Everything on its standard error so far."""
        return Path(self._log.name).read_text("utf-8")


@dataclass
class Link:
    """A publish and a subscribe worker with their tasks."""

    source: Server
    target: Server
    source_database: str
    target_database: str
    data_dir: Path
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Table name → further fields of SubscribedTable."""
    source_port: int | None = None
    """Where the workers find the source, unless by itself; `set_tasks` makes it count."""
    target_port: int | None = None
    generations: dict[str, int] = field(default_factory=dict)
    gaps: dict[str, int] = field(default_factory=dict)
    """How many gaps of a table are accepted: its changes then begin behind the newest of them, without a load."""

    stopped: set[str] = field(default_factory=set)
    """Tables whose changes are not wanted on the bus."""
    bus: BusSettings = field(default_factory=BusSettings)
    direct: bool = False
    """The subscriber takes the rows of full loads from the source."""
    load_type: LoadType = LoadType.BULK
    apply_lanes: int = 1
    subscriber_dir: Path | None = None
    """A data folder of its own, as on another host; None: the publisher's."""

    def __post_init__(self) -> None:
        self.publisher = Worker(self.data_dir, self.publish_task(), self.bus)
        self.subscriber = Worker(self.subscriber_dir or self.data_dir, self.subscribe_task(), self.bus)

    @property
    def node(self) -> str:
        """Slots are known to the whole server, so every link has a name of its own."""
        return self.source_database

    def publish_task(self) -> PublishTask:
        schema = schema_of(self.source, self.source_database)
        return PublishTask(
            service="publish-1",
            node=self.node,
            source=connection(self.source, self.source_database, self.source_port),
            tables=tuple(
                PublishedTable(
                    id=fields.get("published", f"p-{name}"),
                    source=fields.get("source", TableRef(schema_name=schema, table=name)),
                    generation=self.published_generation(name),
                    gap=self.gaps.get(name, 0),
                    key=fields.get("key", ()),
                    append_only=fields.get("append_only", False),
                    direct=self.direct,
                    stopped=name in self.stopped,
                )
                for name, fields in self.tables.items()
            ),
        )

    def published_generation(self, name: str) -> int:
        """Number of the snapshot that is wanted of a table: one whose gap was accepted keeps the one it has."""
        first = 0 if self.tables[name].get("load") == "incremental" else 1
        return first if name in self.gaps else self.generations.get(name, first)

    def begin(self, name: str) -> dict[str, Any]:
        """How a table's generation begins, unless as its load mode says."""
        return {"begin": Begin(mode="incremental", gap=self.gaps[name])} if name in self.gaps else {}

    def subscribe_task(self) -> SubscribeTask:
        source_schema = schema_of(self.source, self.source_database)
        target_schema = schema_of(self.target, self.target_database)
        target = connection(self.target, self.target_database, self.target_port)
        return SubscribeTask(
            service="subscribe-1",
            subscription="subscription1",
            node=self.node,
            source_kind=self.source.kind,
            source=connection(self.source, self.source_database, self.source_port) if self.direct else None,
            target=target.model_copy(update={"load_type": self.load_type}),
            apply_lanes=self.apply_lanes,
            tables=tuple(
                SubscribedTable(
                    **{
                        "id": name,
                        "published": f"p-{name}",
                        "source": TableRef(schema_name=source_schema, table=name),
                        "target": TableRef(schema_name=target_schema, table=name),
                        "generation": self.generations.get(name, 1),
                        **self.begin(name),
                        "direct": self.direct,
                        **fields,
                    }
                )
                for name, fields in self.tables.items()
            ),
        )

    def start(self) -> "Link":
        self.publisher.start()
        self.subscriber.start()
        return self

    def set_tasks(self) -> None:
        """The tasks that the workers get when they start."""
        self.publisher.task, self.subscriber.task = self.publish_task(), self.subscribe_task()

    def target_has(self, table: str) -> bool:
        """Whether the target has such a table."""
        query = "SELECT count(*) FROM information_schema.tables WHERE table_name = %s AND table_schema = %s"
        schema = schema_of(self.target, self.target_database)
        return self.target.rows(query, self.target_database, (table, schema)) == [(1,)]

    def retask(self) -> None:
        """Give both workers the tasks as they are now."""
        self.publisher.give(self.publish_task())
        self.subscriber.give(self.subscribe_task())

    def close(self) -> None:
        """End both workers and leave nothing at the source."""
        self.publisher.close()
        self.subscriber.close()
        options = options_of(connection(self.source, self.source_database))
        drop(connector(self.source.kind).source(options), self.node)

    def wait_for_state(self, table: str, state: str, timeout: float = 60.0) -> dict[str, Any]:
        """The table's report as soon as it has the state."""
        wait_until(lambda: self.subscriber.reports.get(table, {}).get("state") == state, timeout, self.describe)
        return self.subscriber.reports[table]

    def describe(self) -> str:
        """For a failed wait: everything known."""
        reports = [*self.publisher.reports.values(), *self.subscriber.reports.values()]
        lines = [json.dumps(report) for report in reports]
        return "\n".join([*lines, self.publisher.log[-6000:], self.subscriber.log[-6000:]])

    def rows(self, server: Server, database: str, table: str) -> list[tuple[Any, ...]]:
        """All rows, all columns, sorted."""
        return sorted(server.rows(f"SELECT * FROM {table}", database), key=repr)

    def difference(self, table: str) -> str:
        """Empty where both sides hold the same rows."""
        left = self.rows(self.source, self.source_database, table)
        right = self.rows(self.target, self.target_database, table)
        if left == right:
            return ""
        lefts, rights = set(left), set(right)
        missing, extra = [r for r in left if r not in rights], [r for r in right if r not in lefts]
        return f"{table}: {len(left)} rows, {len(right)} in the target; missing {missing[:3]}, extra {extra[:3]}"

    def wait_until_equal(self, timeout: float = 60.0) -> None:
        """Both sides of every table become equal; the source must be quiet."""
        polls = itertools.count()
        wanted: dict[str, list[tuple[Any, ...]]] = {}

        def equal() -> bool:
            if next(polls) % _TARGET_POLLS == 0:
                wanted.update({name: self.rows(self.source, self.source_database, name) for name in self.tables})
            reached = all(self.rows(self.target, self.target_database, name) == wanted[name] for name in self.tables)
            return reached and not any(map(self.difference, self.tables))

        wait_until(equal, timeout, self._inequality)

    def _inequality(self) -> str:
        return "\n".join([*map(self.difference, self.tables), self.describe()])


def wait_until(condition: Callable[[], bool], timeout: float, describe: Callable[[], str] = str) -> None:
    """Wait for a condition; fail with a description after `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while True:
        if condition():
            return
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {timeout} s: {describe()}")
        time.sleep(0.1)


def on_source(link: Link, *statements: str) -> None:
    """Run statements at the source, each in a transaction of its own."""
    for statement in statements:
        link.source.execute(statement, link.source_database)


def on_target(link: Link, *statements: str) -> None:
    """Run statements at the target, each in a transaction of its own."""
    for statement in statements:
        link.target.execute(statement, link.target_database)
