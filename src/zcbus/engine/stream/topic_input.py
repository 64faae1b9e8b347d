"""Changes of one node's inputs from its real topic, in complete source transactions."""

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
from zcbus.engine.stream.state import StreamState
from zcbus.engine.subscribe.checkpoints.positions import verify
from zcbus.engine.subscribe.failures import Expired
from zcbus.engine.subscribe.reader import AppliedTable, TableWork, collect
from zcbus.kit.clock import now_ms
from zcbus.model.changes import CaptureResumed, ChangeFrame, HeartbeatFrame, RollbackFrame
from zcbus.model.frames import decode_frame
from zcbus.model.position import Position
from zcbus.model.schema import TableName

_MAX_RECORDS = 5_000
_MAX_BYTES = 32 << 20
_MAX_CHANGES = 50_000
_OPEN_SECONDS = 30.0


class TopicInput:
    """Reads one real topic into the inputs' tables. Between two turns the tables hold complete transactions only."""

    def __init__(
        self,
        bus: Bus,
        node: str,
        database: Database,
        state: StreamState,
        tables: Mapping[TableName, InputTable],
        generations: Mapping[TableName, int],
    ) -> None:
        """`generations`: generations of the loaded rows. Raises Expired if the topic no longer has the stored
        offset."""
        self._bus, self._topic, self._database, self._state = bus, real_topic(node), database, state
        self._progress = state.nodes[node]
        verify(bus, self._topic, self._progress.offset, self._progress.record_time, node)
        inputs = {name: state.inputs[table.name] for name, table in tables.items()}
        self._applied = {
            name: AppliedTable(
                table, inputs[name].offset, inputs[name].since_position, "", generation=generations.get(name, 0)
            )
            for name, table in tables.items()
        }
        self._until = max(Position.parse(one.until) for one in inputs.values())
        self._reader = bus.reader(self._topic, self._progress.offset)
        self._work: dict[InputTable, TableWork] = {}
        self._boundary = replace(self._progress)
        self._in_transaction = False
        """The database's open transaction contains a part of a source transaction."""
        self.waiting_ms: int | None = None
        """Commit time of the oldest change since `computed`."""
        self.newest_ms: int | None = None
        """Commit time of the newest transaction that was read."""

    @property
    def ready(self) -> bool:
        """Whether all inputs are at one consistent position of the source."""
        return self._progress.reached >= self._until

    def computed(self) -> None:
        """Note that the result contains all changes so far."""
        self.waiting_ms = None

    def turn(self, timeout: float, stopping: Callable[[], bool]) -> int:
        """Apply new records, waiting up to `timeout` seconds; returns their number. Raises OffsetExpired, TableStopped,
        Stopped, TransientError; then the tables are at the last transaction boundary."""
        records = self._reader.read(_MAX_RECORDS, _MAX_BYTES, timeout)
        if not records:
            return 0
        try:
            for record in records:
                self._process(record)
            self._wait_for_end(stopping)
            self._flush()
        except BaseException:
            self._rewind()
            raise
        return len(records)

    def _wait_for_end(self, stopping: Callable[[], bool]) -> None:
        """Read until no transaction is open. A transaction that stalls is read again later."""
        received_at = time.monotonic()
        while self._in_transaction:
            records = self._reader.read(_MAX_RECORDS, _MAX_BYTES, 0.25)
            for record in records:
                self._process(record)
            if stopping():
                raise Stopped
            if records:
                received_at = time.monotonic()
            elif time.monotonic() - received_at > _OPEN_SECONDS:
                self._rewind()

    def _process(self, record: Record) -> None:
        frame = decode_frame(record.payload)
        if isinstance(frame, ChangeFrame):
            self._process_changes(frame, record)
            return
        if isinstance(frame, RollbackFrame):
            # The publisher sends the open transaction again.
            self._roll_back()
        elif isinstance(frame, HeartbeatFrame):
            self._advance(frame.position)
        elif isinstance(frame, CaptureResumed):
            self._check_gaps(frame, record.offset)
        self._progress.offset, self._progress.record_time = record.offset + 1, record.time

    def _check_gaps(self, frame: CaptureResumed, offset: int) -> None:
        for name, _ in frame.tables:
            if name in self._applied and self._applied[name].has_gap(frame, name, offset):
                self._flush()
                raise Expired(CAPTURE_INTERRUPTED, table=name)

    def _process_changes(self, frame: ChangeFrame, record: Record) -> None:
        if not frame.complete and not self._in_transaction:
            self._flush()
            self._database.execute("BEGIN")
            self._in_transaction = True
        collect(self._work, frame, record.offset, self._applied)
        if self._in_transaction:
            self._apply()
        self._progress.offset, self._progress.record_time = record.offset + 1, record.time
        if not frame.complete:
            return
        self._advance(frame.last_position)
        self.newest_ms = frame.last_commit_time
        if self._in_transaction:
            self._state.save(self._database)
            self._database.execute("COMMIT")
            self._in_transaction, self._boundary = False, replace(self._progress)
        elif sum(work.count for work in self._work.values()) >= _MAX_CHANGES:
            self._flush()

    def _flush(self) -> None:
        """Commit the complete transactions together with the offset behind them."""
        if self._progress == self._boundary:
            return
        with self._database.transaction():
            self._apply()
            self._state.save(self._database)
        self._boundary = replace(self._progress)

    def _roll_back(self) -> None:
        self._work.clear()
        if self._in_transaction:
            self._database.execute("ROLLBACK")
            self._in_transaction = False

    def _rewind(self) -> None:
        """Go back to the last transaction boundary."""
        with contextlib.suppress(duckdb.Error):
            self._roll_back()
        boundary = self._boundary
        self._progress.offset, self._progress.record_time, self._progress.position = (
            boundary.offset,
            boundary.record_time,
            boundary.position,
        )
        self._reader.seek(boundary.offset)

    def _advance(self, position: Position) -> None:
        if position > self._progress.reached:
            self._progress.position = str(position)

    def _apply(self) -> None:
        for table, work in self._work.items():
            table.change(work.changes)
            if self.waiting_ms is None:
                self.waiting_ms = work.first_commit_ms
        self._work.clear()

    def lag_ms(self) -> int | None:
        """Age of the waiting changes: 0: nothing waits; None: no recent heartbeat of the publisher."""
        info = self._bus.info(self._topic)
        now = now_ms()
        if self.waiting_ms is not None:
            return max(0, now - self.waiting_ms)
        if info is None or self._progress.offset >= info.next_offset:
            received_at = info.newest_time if info is not None else None
            return 0 if received_at is not None and now - received_at < 5_000 else None
        return max(0, now - self.newest_ms) if self.newest_ms is not None else None

    def close(self) -> None:
        """Release the topic."""
        self._reader.close()
