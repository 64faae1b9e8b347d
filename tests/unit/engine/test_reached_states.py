"""States that pass quickly are reached, and reported, as long as what they wait for does not come."""

import random
import threading
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.unit.engine.fakes import FakeTarget
from tests.unit.engine.history import NODE, History, schema, write_full, write_real
from tests.unit.engine.subscriber import TABLES, Running, all_running, task

from zcbus.bus.contract import Record, Retention
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.kafka.errors import BusAway
from zcbus.bus.topics import full_topic
from zcbus.connectors.errors import SnapshotOutdated, SourceUnavailable
from zcbus.engine.publish.snapshots import Snapshots
from zcbus.engine.publish.table import PublishedRun
from zcbus.engine.rates import Rate
from zcbus.engine.subscribe.checkpoints.records import CheckpointWriter
from zcbus.engine.subscribe.row_errors import store
from zcbus.engine.subscribe.table import SyncRun
from zcbus.engine.task_box import TaskBox
from zcbus.engine.transform.shapes import Shapes
from zcbus.model.changes import SnapshotEnd, SnapshotRows
from zcbus.model.frames import decode_frame
from zcbus.model.position import Position
from zcbus.model.row_errors import RowError, RowErrorStatus, RowOperation
from zcbus.model.schema import TableSchema
from zcbus.model.states import PublishState, SyncState
from zcbus.protocol.base import TableRef
from zcbus.protocol.tasks import PublishedTable

TIMEOUT_SECONDS = 60


def test_rows_that_are_still_being_loaded(bus: EmbeddedBus) -> None:
    history = History(random.Random(7), TABLES, 3)
    frames = history.snapshot("orders")
    write_full(bus, "orders", 1, frames[:-1])
    write_full(bus, "items", 1, history.snapshot("items"))
    write_real(bus, history.frames())
    with Running(bus, FakeTarget(), TaskBox(task())) as running:
        running.wait(lambda: running.tables()["orders"].state is SyncState.FULL_RUNNING)
        write_full(bus, "orders", 1, frames[-1:])
        running.wait(lambda: all_running(running))


def test_a_load_that_cannot_begin(bus: EmbeddedBus) -> None:
    history = History(random.Random(7), TABLES, 3)
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table))
    wrong = task(transform={"where": "nowhere > 1"})
    with Running(bus, FakeTarget(), TaskBox(wrong)) as running:
        running.wait(lambda: running.tables()["orders"].state is SyncState.FULL_ERROR)


@dataclass
class SlowSource:
    """An image of a source that is away at first, and then gives its rows late."""

    away: bool = True
    begun: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)
    position = Position(0, 1)

    def open_snapshot(self) -> "SlowSource":
        if self.away:
            raise SourceUnavailable(kind="fake", host="nowhere", port=0, detail="away")
        return self

    def __enter__(self) -> "SlowSource":
        return self

    def __exit__(self, *_details: object) -> None:
        pass

    def estimate(self, _table: object) -> int:
        return 1

    def read(self, *_arguments: object) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        self.begun.set()
        assert self.go_on.wait(TIMEOUT_SECONDS)
        yield pa.RecordBatch.from_pydict({"id": ["k"], "v": ["one"]}), ("k",)


class Described:
    """Gives one structure after the other, the last one for good."""

    def __init__(self, *schemas: TableSchema) -> None:
        self._schemas = list(schemas)

    def describe(self, _names: object) -> list[TableSchema]:
        return [self._schemas.pop(0) if len(self._schemas) > 1 else self._schemas[0]]

    def __enter__(self) -> "Described":
        return self

    def __exit__(self, *_details: object) -> None:
        pass


def described(*schemas: TableSchema) -> Callable[[], Any]:
    found = Described(*schemas)
    return lambda: found


@pytest.mark.usefixtures("short_pauses")
def test_a_table_waits_is_published_and_is_released(bus: EmbeddedBus) -> None:
    wanted = PublishedTable(id="orders", source=TableRef(schema_name="public", table="orders"), generation=1)
    run = PublishedRun(wanted, schema=schema("orders"), key=("id",))
    source: Any = SlowSource()
    stop = threading.Event()
    snapshots = Snapshots(bus, NODE, lambda: source, described(schema("orders")), stop)
    snapshots.request([run], Retention())
    assert run.snapshot is PublishState.ALLOWED_TO_PUBLISH
    source.away = False
    assert source.begun.wait(TIMEOUT_SECONDS)
    assert run.snapshot is PublishState.PUBLISHING
    source.go_on.set()
    snapshots.join()
    stop.set()
    assert run.snapshot is PublishState.INCREMENTAL_RELEASE


def test_a_table_that_was_altered_in_front_of_its_image_is_read_with_the_structure_that_it_has_there(
    bus: EmbeddedBus,
) -> None:
    """What changed up to the image is not sent again: with the former structure a new column's values were lost."""
    wanted = PublishedTable(id="orders", source=TableRef(schema_name="public", table="orders"), generation=1)
    run = PublishedRun(wanted, schema=schema("orders"), key=("id",))
    images: list[int] = []
    source: Any = SlowSource(away=False)
    source.go_on.set()
    altered = replace(schema("orders"), comment="altered")
    snapshots = Snapshots(bus, NODE, lambda: images.append(1) or source, described(altered), threading.Event())
    snapshots.request([run], Retention())
    snapshots.join()
    assert (run.schema, len(images)) == (altered, 2)
    with bus.reader(full_topic(NODE, "orders", 1), 0) as reader:
        frames = [decode_frame(record.payload) for record in reader.read(10, 1 << 20, 0)]
    assert {frame.schema.comment for frame in frames if isinstance(frame, SnapshotRows | SnapshotEnd)} == {"altered"}


class RebuiltSource(SlowSource):
    """The table is rebuilt while its first image is read."""

    images = 0

    def open_snapshot(self) -> "SlowSource":
        self.images += 1
        return self

    def read(self, *_arguments: object) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        if self.images == 1:
            raise SnapshotOutdated(table="public.orders", detail="rebuilt")
        return super().read()


def test_a_table_that_was_rebuilt_while_it_was_read_is_read_from_another_image(bus: EmbeddedBus) -> None:
    wanted = PublishedTable(id="orders", source=TableRef(schema_name="public", table="orders"), generation=1)
    run = PublishedRun(wanted, schema=schema("orders"), key=("id",))
    source: Any = RebuiltSource(away=False)
    source.go_on.set()
    snapshots = Snapshots(bus, NODE, lambda: source, described(schema("orders")), threading.Event())
    snapshots.request([run], Retention())
    snapshots.join()
    assert (source.images, run.snapshot, run.snapshot_reason) == (2, PublishState.INCREMENTAL_RELEASE, None)


@dataclass
class AwayAtFirst(EmbeddedBus):
    """Cannot be asked for snapshots the first time."""

    root: Path
    answers: bool = False

    def __post_init__(self) -> None:
        super().__init__(self.root)

    def newest(self, topics: Collection[str]) -> dict[str, Record]:
        if not self.answers:
            self.answers = True
            raise BusAway(servers="nowhere", detail="away")
        return super().newest(topics)


def test_a_snapshot_that_could_not_be_checked_is_requested_again(tmp_path: Path) -> None:
    wanted = PublishedTable(id="orders", source=TableRef(schema_name="public", table="orders"), generation=1)
    run = PublishedRun(wanted, schema=schema("orders"), key=("id",))
    source: Any = SlowSource(away=False)
    source.go_on.set()
    bus, stop = AwayAtFirst(tmp_path / "bus"), threading.Event()
    snapshots = Snapshots(bus, NODE, lambda: source, described(schema("orders")), stop)
    with pytest.raises(BusAway):
        snapshots.request([run], Retention())
    snapshots.request([run], Retention())
    snapshots.join()
    bus.close()
    assert run.snapshot is PublishState.INCREMENTAL_RELEASE


REFUSED = RowError(
    id="e",
    table="orders",
    target="public.orders",
    operation=RowOperation.UPDATE,
    status=RowErrorStatus.NOT_PROCESSED,
    key={"id": "k"},
    before={"id": "k", "v": "one"},
    after={"id": "k", "v": "two"},
    code="",
    detail="refused",
    statement="",
    position="",
    commit_ms=None,
    found_ms=0,
    changed_ms=0,
)


def test_a_refused_row_is_tried_again_by_itself() -> None:
    run = SyncRun(task().tables[0], Rate(time.monotonic), Shapes(""))
    run.quarantined.put(replace(REFUSED))
    run.quarantined.commit()
    with FakeTarget().open() as session:
        store.Decisions(session, CheckpointWriter("c", session, {})).poll({"orders": run})
    # Its structure is not known yet: the attempt is due, and stays so.
    assert [error.status for error in run.quarantined.errors.values()] == [RowErrorStatus.AUTO_RECOVERY]
