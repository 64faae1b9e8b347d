"""A subscribe service in a thread, over a made-up source and a target in memory."""

import random
import threading
import time
from collections.abc import Callable, Sequence

from tests.unit.engine.fakes import FakeTarget
from tests.unit.engine.history import NODE, History, write_full, write_real

from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.topics import full_topic
from zcbus.engine.subscribe.checkpoints.records import Phase, table_checkpoint
from zcbus.engine.subscribe.service import SubscribeService
from zcbus.engine.task_box import TaskBox
from zcbus.model.changes import ChangeFrame, Frame, Operation, SnapshotEnd
from zcbus.model.frames import decode_frame
from zcbus.model.states import CleanMode, SyncState
from zcbus.protocol.base import Connection, TableRef
from zcbus.protocol.reports import Report, SyncTableReport
from zcbus.protocol.tasks import SubscribedTable, SubscribeTask

TABLES = ("orders", "items")
_TRANSACTIONS, _FIRST_TRANSACTIONS = 25, 5


def task(
    generation: int = 1, channel: str = "c", tables: Sequence[str] = TABLES, apply_lanes: int = 1, **fields: object
) -> SubscribeTask:
    names = [TableRef(schema_name="public", table=table) for table in tables]
    return SubscribeTask(
        service="s",
        subscription=channel,
        node=NODE,
        source_kind="postgresql",
        apply_lanes=apply_lanes,
        target=Connection(kind="postgresql", options={"host": "nowhere", "port": 1, "user": "u", "database": "d"}),
        tables=tuple(
            SubscribedTable.model_validate(
                {
                    "id": name.table,
                    "published": name.table,
                    "source": name,
                    "target": name,
                    "clean": CleanMode.DROP,
                    "generation": generation if name.table == "orders" else 1,
                    **fields,
                }
            )
            for name in names
        ),
    )


class Running:
    """The service in a thread, as a worker process would run it."""

    def __init__(self, bus: EmbeddedBus, target: FakeTarget, box: TaskBox[SubscribeTask]) -> None:
        self.stop = threading.Event()
        self.service = SubscribeService(box, bus, self.stop, lambda _kind: target)
        self._thread = threading.Thread(target=self.service.run)
        self._thread.start()

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, *_details: object) -> None:
        self.stop.set()
        self._thread.join(60)
        assert not self._thread.is_alive()

    def tables(self) -> dict[str, SyncTableReport]:
        return {report.table: report for report in self.service.reports() if isinstance(report, SyncTableReport)}

    def wait(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < deadline, self.describe()
            time.sleep(0.002)

    def describe(self) -> list[Report]:
        return self.service.reports()


def expected(history: History) -> dict[str, list[tuple[str, str]]]:
    return content(history, -1)


def content(history: History, number: int) -> dict[str, list[tuple[str, str]]]:
    """What the tables hold after a transaction."""
    return {table: sorted(rows.items(), key=repr) for table, rows in history.states[number].items()}


def fill(bus: EmbeddedBus, chance: random.Random) -> History:
    history = History(chance, TABLES, 25)
    for table in TABLES:
        write_full(bus, table, 1, history.snapshot(table))
    write_real(bus, history.frames())
    return history


class Growing:
    """A source whose log grows while it is read: a part at a time, each of whole transactions."""

    def __init__(self, bus: EmbeddedBus, chance: random.Random, moves: bool = True) -> None:
        """Rows and the first part of the log are on the bus. `moves`: whether rows get other keys."""
        self.history = History(chance, TABLES, _TRANSACTIONS, moves)
        for table in TABLES:
            write_full(bus, table, 1, self.history.snapshot(table, _FIRST_TRANSACTIONS))
        self._bus, self._frames, self._last = bus, self.history.frames(), 0
        self.write(_FIRST_TRANSACTIONS)

    def write(self, transactions: int) -> dict[str, list[tuple[str, str]]]:
        """The log up to a transaction at least; returns what the tables then hold."""
        part: list[Frame] = []
        while self._last < transactions:
            part.append(self._frames.pop(0))
            if isinstance(part[-1], ChangeFrame) and part[-1].complete:
                self._last = part[-1].last_position.offset // 10
        write_real(self._bus, part)
        return content(self.history, self._last)


def carried(target: FakeTarget) -> set[str]:
    """The tables that the channel applier carries."""
    with target.lock:
        checkpoints = {
            name: checkpoint.data for (_, name), checkpoint in target.store.checkpoints.items() if name in TABLES
        }
    return {name for name, data in checkpoints.items() if table_checkpoint(data).phase is Phase.MEMBER}


def counts(running: Running) -> dict[str, tuple[int, int, int]]:
    """Changes that were applied to each table: inserts, updates, deletes."""
    return {name: (reported.inserts, reported.updates, reported.deletes) for name, reported in running.tables().items()}


def expected_counts(bus: EmbeddedBus, history: History) -> dict[str, tuple[int, int, int]]:
    """As many as came behind the position of each table's snapshot: none of those that its rows have."""
    found = {}
    for table in TABLES:
        behind = history.transactions[snapshot_place(bus, table) + 1 :]
        kinds = [change[1] for changes in behind for change in changes if change[0] == table]
        found[table] = (
            kinds.count(Operation.INSERT),
            kinds.count(Operation.UPDATE),
            kinds.count(Operation.DELETE),
        )
    return found


def snapshot_place(bus: EmbeddedBus, table: str) -> int:
    """Number of the last transaction that all rows of the snapshot have."""
    with bus.reader(full_topic(NODE, table, 1), 0) as reader:
        end = decode_frame(reader.read(10_000, 1 << 30, 0)[-1].payload)
    assert isinstance(end, SnapshotEnd)
    return end.first.offset // 10


def all_running(running: Running) -> bool:
    return all(table.state is SyncState.INCREMENTAL_RUNNING for table in running.tables().values())
