"""The changes of one node's inputs from its real topic, whole source transactions at a time."""

import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

import duckdb

from zcbus.bus.contract import Bus, Record
from zcbus.bus.topics import real_topic
from zcbus.engine.reasons import CAPTURE_INTERRUPTED
from zcbus.engine.stream.database import Database, Stopped
from zcbus.engine.stream.inputs import InputTable
from zcbus.engine.stream.memory import Memory
from zcbus.engine.subscribe.checkpoints.positions import Expired, verify
from zcbus.engine.subscribe.reader import AppliedTable, TableWork, collect
from zcbus.kit.clock import now_ms
from zcbus.model.changes import CaptureResumed, ChangeFrame, HeartbeatFrame, RollbackFrame
from zcbus.model.frames import decode_frame
from zcbus.model.position import Position
from zcbus.model.schema import TableName

_MOST_RECORDS = 5_000
_MOST_BYTES = 32 << 20
_MOST_CHANGES = 50_000
_OPEN_SECONDS = 30.0


class NodeFeed:
    """Reads one real topic into the inputs' tables. Between two turns the tables hold whole transactions only."""

    def __init__(
        self,
        bus: Bus,
        node: str,
        database: Database,
        memory: Memory,
        tables: Mapping[TableName, InputTable],
        generations: Mapping[TableName, int],
    ) -> None:
        """`generations`: of the loads that the rows are of. Raises Expired where the remembered place is not there any
        more."""
        self._bus, self._topic, self._database, self._memory = bus, real_topic(node), database, memory
        self._place = memory.nodes[node]
        verify(bus, self._topic, self._place.offset, self._place.record_time, node)
        inputs = {name: memory.inputs[table.name] for name, table in tables.items()}
        self._wanted = {
            name: AppliedTable(
                table, inputs[name].offset, inputs[name].since_position, "", generation=generations.get(name, 0)
            )
            for name, table in tables.items()
        }
        self._until = max(Position.parse(one.until) for one in inputs.values())
        self._reader = bus.reader(self._topic, self._place.offset)
        self._work: dict[InputTable, TableWork] = {}
        self._border = replace(self._place)
        self._inside = False
        """The database's open transaction holds a part of a source transaction."""
        self.waiting_ms: int | None = None
        """Commit time of the oldest change that came since `computed`."""
        self.newest_ms: int | None = None
        """Commit time of the newest transaction that was read."""

    @property
    def ready(self) -> bool:
        """Whether the inputs are all as at one moment of the source."""
        return self._place.reached >= self._until

    def computed(self) -> None:
        """What came so far is in the result."""
        self.waiting_ms = None

    def turn(self, timeout: float, stopping: Callable[[], bool]) -> int:
        """Apply what is there, waiting up to `timeout` seconds for it; returns the number of records. Raises
        OffsetExpired, TableStopped, Stopped, TransientError; then the tables are as at the last border."""
        records = self._reader.read(_MOST_RECORDS, _MOST_BYTES, timeout)
        if not records:
            return 0
        try:
            for record in records:
                self._take(record)
            self._wait_for_end(stopping)
            self._settle()
        except BaseException:
            self._rewind()
            raise
        return len(records)

    def _wait_for_end(self, stopping: Callable[[], bool]) -> None:
        """Read on until no transaction is open. One that goes on nowhere for long is read again later."""
        heard = time.monotonic()
        while self._inside:
            records = self._reader.read(_MOST_RECORDS, _MOST_BYTES, 0.25)
            for record in records:
                self._take(record)
            if stopping():
                raise Stopped
            if records:
                heard = time.monotonic()
            elif time.monotonic() - heard > _OPEN_SECONDS:
                self._rewind()

    def _take(self, record: Record) -> None:
        frame = decode_frame(record.payload)
        if isinstance(frame, ChangeFrame):
            self._take_changes(frame, record)
            return
        if isinstance(frame, RollbackFrame):
            # The transaction that is open is sent again whole.
            self._give_up_open()
        elif isinstance(frame, HeartbeatFrame):
            self._reach(frame.position)
        elif isinstance(frame, CaptureResumed):
            self._stop_lacking(frame, record.offset)
        self._place.offset, self._place.record_time = record.offset + 1, record.time

    def _stop_lacking(self, frame: CaptureResumed, offset: int) -> None:
        for name, _ in frame.tables:
            if name in self._wanted and self._wanted[name].has_gap(frame, name, offset):
                self._settle()
                raise Expired(CAPTURE_INTERRUPTED, table=name)

    def _take_changes(self, frame: ChangeFrame, record: Record) -> None:
        if not frame.complete and not self._inside:
            self._settle()
            self._database.execute("BEGIN")
            self._inside = True
        collect(self._work, frame, record.offset, self._wanted)
        if self._inside:
            self._apply()
        self._place.offset, self._place.record_time = record.offset + 1, record.time
        if not frame.complete:
            return
        self._reach(frame.last_position)
        self.newest_ms = frame.last_commit_time
        if self._inside:
            self._memory.save(self._database)
            self._database.execute("COMMIT")
            self._inside, self._border = False, replace(self._place)
        elif sum(work.count for work in self._work.values()) >= _MOST_CHANGES:
            self._settle()

    def _settle(self) -> None:
        """What was read of whole transactions, and the place behind it, become durable together."""
        if self._place == self._border:
            return
        with self._database.transaction():
            self._apply()
            self._memory.save(self._database)
        self._border = replace(self._place)

    def _give_up_open(self) -> None:
        self._work.clear()
        if self._inside:
            self._database.execute("ROLLBACK")
            self._inside = False

    def _rewind(self) -> None:
        """Back to the last border."""
        with contextlib.suppress(duckdb.Error):
            self._give_up_open()
        border = self._border
        self._place.offset, self._place.record_time, self._place.position = (
            border.offset,
            border.record_time,
            border.position,
        )
        self._reader.seek(border.offset)

    def _reach(self, position: Position) -> None:
        if position > self._place.reached:
            self._place.position = str(position)

    def _apply(self) -> None:
        for table, work in self._work.items():
            table.change(work.changes)
            if self.waiting_ms is None:
                self.waiting_ms = work.first_commit_ms
        self._work.clear()

    def lag_ms(self) -> int | None:
        """Age of what waits: 0 where nothing does, None where the publisher has not been heard of lately."""
        info = self._bus.info(self._topic)
        now = now_ms()
        if self.waiting_ms is not None:
            return max(0, now - self.waiting_ms)
        if info is None or self._place.offset >= info.next_offset:
            heard = info.newest_time if info is not None else None
            return 0 if heard is not None and now - heard < 5_000 else None
        return max(0, now - self.newest_ms) if self.newest_ms is not None else None

    def close(self) -> None:
        """Release the topic."""
        self._reader.close()
