"""A stream query over a made-up source and a target in memory that dies at any of its calls."""

import json
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from tests.unit.engine.fakes import FakeTarget
from tests.unit.engine.history import NODE, History, write_full, write_real

from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.engine.stream.service import StreamService
from zcbus.engine.task_box import TaskBox
from zcbus.model.states import SyncState
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.reports import StreamQueryReport
from zcbus.protocol.tasks import StreamQueryInput, StreamTask

JOIN = "SELECT o.id, o.v AS one, i.v AS other FROM orders o LEFT JOIN items i ON i.id = o.id"
COUNT = "SELECT left(id, 2) AS part, count(*) AS rows, max(v) AS newest FROM orders GROUP BY 1"
TABLES = ("orders", "items")


def task(sql: str, key: str = "id", inputs: tuple[str, ...] = TABLES, **fields: Any) -> StreamTask:
    return StreamTask(
        service="s",
        computation="c",
        inputs=tuple(
            StreamQueryInput(
                name=name,
                node=NODE,
                published=name,
                source=TableRef(schema_name="public", table=name),
                generation=1,
            )
            for name in inputs
        ),
        sql=sql,
        key=(key,),
        target=Connection(kind="postgresql", options={"host": "nowhere", "port": 1, "user": "u", "database": "d"}),
        table=TableRef(schema_name="out", table="result"),
        **{"interval_ms": 0, **fields},
    )


class Running:
    """The service in a thread, as a worker process would run it."""

    def __init__(self, bus: EmbeddedBus, target: FakeTarget, wanted: StreamTask, folder: Path) -> None:
        self.stop, self.box = threading.Event(), TaskBox(wanted)
        self.service = StreamService(self.box, bus, self.stop, folder, 512, lambda _kind: target)  # type: ignore[arg-type]
        self._thread = threading.Thread(target=self.service.run)
        self._thread.start()

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, *_details: object) -> None:
        self.stop.set()
        self._thread.join(60)
        assert not self._thread.is_alive()

    @property
    def report(self) -> StreamQueryReport:
        found = self.service.reports()[0]
        assert isinstance(found, StreamQueryReport)
        return found

    def wait_for(self, state: SyncState) -> StreamQueryReport:
        deadline = time.monotonic() + 60
        while self.report.state is not state:
            assert time.monotonic() < deadline, self.service.reports()
            time.sleep(0.002)
        return self.report

    def wait_until(self, target: FakeTarget, rows: list[tuple[Any, ...]]) -> None:
        deadline = time.monotonic() + 60
        while target.tables().get("result") != rows:
            assert time.monotonic() < deadline, (target.tables(), rows, self.service.reports())
            time.sleep(0.002)


def joined(history: History, transaction: int = -1) -> list[tuple[Any, ...]]:
    """What JOIN gives after that transaction."""
    content = history.states[transaction]
    return sorted(
        ((key, value, content["items"].get(key)) for key, value in content["orders"].items()),
        key=repr,
    )


def counted(history: History) -> list[tuple[Any, ...]]:
    groups: dict[str, list[str]] = {}
    for key, value in history.states[-1]["orders"].items():
        groups.setdefault(key[:2], []).append(value)
    return sorted(((part, str(len(values)), max(values)) for part, values in groups.items()), key=repr)


def figures(target: FakeTarget) -> tuple[int, ...]:
    """The number of the result in the target, and how many rows were written for it."""
    checkpoint = json.loads(target.store.checkpoints["c", ""].data)
    return checkpoint["number"], checkpoint["inserts"], checkpoint["updates"], checkpoint["deletes"]


def fill(bus: EmbeddedBus, chance: random.Random) -> History:
    history = History(chance, TABLES, 25)
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table))
    write_real(bus, history.frames())
    return history


@pytest.mark.wide
@pytest.mark.usefixtures("short_pauses")
@pytest.mark.parametrize("seed", range(6))
def test_the_target_ends_with_the_result_whichever_of_its_calls_fail(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    bus, target = EmbeddedBus(tmp_path), FakeTarget()
    history = fill(bus, chance)
    target.die_at = frozenset(chance.choices(range(1, 30), k=4))
    with Running(bus, target, task(JOIN), tmp_path) as running:
        running.wait_until(target, joined(history))
        running.wait_for(SyncState.INCREMENTAL_RUNNING)
    target.die_at = frozenset()
    before = figures(target)
    # Another process resumes where this one stopped: it holds the rows, and takes nothing twice.
    with Running(bus, target, task(JOIN), tmp_path) as running:
        running.wait_for(SyncState.INCREMENTAL_RUNNING)
        assert figures(target) == before
    bus.close()


def test_lost_data_is_rebuilt_and_another_select_replaces_the_table(tmp_path: Path) -> None:
    bus, target = EmbeddedBus(tmp_path / "bus"), FakeTarget()
    history = fill(bus, random.Random(5))
    for folder in ("one", "two"):
        with Running(bus, target, task(JOIN), tmp_path / folder) as running:
            running.wait_until(target, joined(history))
    (tmp_path / "two" / "stream" / "s" / "state.duckdb").write_bytes(b"not a database")
    with Running(bus, target, task(JOIN), tmp_path / "two") as running:
        running.wait_for(SyncState.INCREMENTAL_RUNNING)
        running.wait_until(target, joined(history))
        running.box.put(task(COUNT, "part", ("orders",), generation=2))
        running.wait_until(target, counted(history))
    bus.close()


@pytest.mark.wide
@pytest.mark.parametrize(
    ("sql", "fields", "code"),
    [
        ("SELECT v AS id FROM orders, items WHERE orders.nothing = 1", {}, "computation-invalid"),
        ("SELECT left(o.id, 1) AS id FROM orders o CROSS JOIN items i", {}, "result-key-broken"),
        ("SELECT o.v AS one FROM orders o, items i", {}, "result-key-unknown"),
        ("SELECT o.id || '/' || i.id AS id FROM orders o, items i", {"most_rows": 2}, "result-too-large"),
        ("SELECT o.id, CAST(o.v AS INTEGER) AS n FROM orders o LEFT JOIN items i USING (id)", {}, "computation-failed"),
    ],
)
def test_a_computation_stops_with_the_reason_until_its_task_changes(
    tmp_path: Path, sql: str, fields: dict[str, Any], code: str
) -> None:
    bus, target = EmbeddedBus(tmp_path), FakeTarget()
    history = fill(bus, random.Random(11))
    with Running(bus, target, task(sql, **fields), tmp_path) as running:
        unusable = code in ("computation-invalid", "result-key-unknown")
        report = running.wait_for(SyncState.FULL_ERROR if unusable else SyncState.INCREMENTAL_ERROR)
        assert report.reason is not None
        assert report.reason.code == code
        assert not target.tables().get("result")
        running.box.put(task(JOIN, generation=2))
        running.wait_until(target, joined(history))
        assert running.report.reason is None
    bus.close()
