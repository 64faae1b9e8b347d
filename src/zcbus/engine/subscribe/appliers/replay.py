"""Replaying the real topic into a target: what the channel applier and a table that catches up alone have in common."""

import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from zcbus.bus.contract import Bus, Record
from zcbus.connectors.errors import RowRefused, TableMissing, TableRefused, TargetLocked
from zcbus.connectors.roles import TargetSession
from zcbus.engine.reasons import CAPTURE_INTERRUPTED, TableStopped
from zcbus.engine.status import beat
from zcbus.engine.subscribe.appliers.applier import Applier, StructureChanged, is_known
from zcbus.engine.subscribe.checkpoints.positions import Expired
from zcbus.engine.subscribe.checkpoints.records import (
    CheckpointWriter,
    TableCheckpoint,
)
from zcbus.engine.subscribe.reader import TableWork, Wanted, collect
from zcbus.engine.subscribe.schema.evolution import SchemaEvolution
from zcbus.engine.subscribe.table import Skips, SyncRun, keep_structure
from zcbus.kit.clock import now_ms
from zcbus.kit.errors import ZcbusError
from zcbus.model.changes import CaptureResumed, ChangeFrame, HeartbeatFrame, Operation, RollbackFrame
from zcbus.model.frames import decode_frame
from zcbus.model.origin import table_address
from zcbus.model.position import START, Position
from zcbus.model.schema import TableName
from zcbus.protocol.reports import Beat

_MOST_CHANGES = 50_000
_MOST_BYTES = 32 << 20
MOST_RECORDS = 5_000
_STORE_SECONDS = 10.0
_OPEN_SECONDS = 30.0
TABLE_ERRORS = (TableStopped, RowRefused, TableMissing, TableRefused)
ALONE = (*TABLE_ERRORS, TargetLocked)
"""What stands in the way of the one table that was being written."""


class TableFailed(Exception):
    """Tables that a turn could not apply; everything of that turn was rolled back.

    Several: one of them, unknown which. A signal within the engine.
    """

    def __init__(self, runs: Sequence[SyncRun], error: ZcbusError) -> None:
        super().__init__(str(error))
        self.runs, self.error = tuple(runs), error


class Replay(ABC):
    """Applies records in order. Between two turns everything before `offset` is in the target, unless `inside`."""

    isolates: ClassVar[bool]
    """Whether changes that the target refuses are searched for, kept and passed over."""

    def __init__(
        self,
        bus: Bus,
        topic: str,
        session: TargetSession,
        checkpoints: CheckpointWriter,
        offset: int,
        record_time: int | None,
    ) -> None:
        self._bus, self._topic, self._session, self._checkpoints = bus, topic, session, checkpoints
        self._reader = bus.reader(topic, offset)
        self._restructuring = SchemaEvolution(session, checkpoints.subscription)
        self._applier = Applier(session, checkpoints.subscription, self.isolates)
        self.offset = offset
        self.record_time = record_time
        self.inside = False
        """The target's open transaction holds a part of a source transaction."""
        self.position: Position = START
        self.commit_time: int | None = None
        """Of the newest transaction applied."""
        self.heard_time: int | None = None
        """When the newest record was appended."""
        self.came: Beat | None = None
        """The newest record, from the bus."""
        self.went: Beat | None = None
        """The newest place that the target committed."""
        self._next, self._next_time = offset, record_time
        self._work: dict[SyncRun, TableWork] = {}
        self._pending: dict[SyncRun, TableCheckpoint] = {}
        self._last_store = self._last_record = self._turned = time.monotonic()
        self._stored = offset

    def close(self) -> None:
        """Release the topic."""
        self._reader.close()

    @abstractmethod
    def wanted(self) -> Mapping[TableName, Wanted[SyncRun]]:
        """The tables to apply; may change between turns that are not `inside`."""

    @abstractmethod
    def write_place(self, pending: dict[SyncRun, TableCheckpoint]) -> None:
        """Write what remembers `next place` into the open transaction; may add to `pending`."""

    def write_beside(self, work: Mapping[SyncRun, TableWork]) -> Collection[SyncRun]:
        """Write changes, all of them up to the next place, in other transactions than the open one; returns the tables
        whose changes are in the target then. Raises TableFailed, TransientError."""
        return ()

    def place_of(self, run: SyncRun) -> str:
        """The table's target (see model.origin)."""
        return table_address(self._session.identity, run.target)

    def turn(self, timeout: float, most_records: int = MOST_RECORDS) -> int:
        """Read and apply what is there, waiting up to `timeout` seconds for it; returns the number of records.

        Raises TableFailed, OffsetExpired, TransientError; then `offset` is unchanged and nothing is open.
        """
        try:
            records = self._reader.read(most_records, _MOST_BYTES, timeout)
            self._give_up_waiting(records)
            wanted = self.wanted()
            for record in records:
                self._take(record, wanted)
            if not self.inside:
                self.settle()
            return len(records)
        except StructureChanged as change:
            self.rewind()
            self._restructure(change)
            return 1
        except BaseException:
            self.rewind()
            raise

    def _give_up_waiting(self, records: Sequence[Record]) -> None:
        """Don't hold locks in the target while nothing comes: the rest of the transaction may take long."""
        now = self._turned = time.monotonic()
        if records:
            self._last_record = now
            self.came = beat(now_ms() - records[-1].time)
        elif self.inside and now - self._last_record > _OPEN_SECONDS:
            self.rewind()
            self._last_record = now

    def _take(self, record: Record, wanted: Mapping[TableName, Wanted[SyncRun]]) -> None:
        frame = decode_frame(record.payload)
        if isinstance(frame, ChangeFrame):
            if not self.inside and (not frame.complete or self._changes_structure(frame, record.offset, wanted)):
                self.settle()
            collect(self._work, frame, record.offset, wanted)
            self._next, self._next_time = record.offset + 1, record.time
            self._note(frame)
        else:
            if isinstance(frame, RollbackFrame):
                self._discard()
            elif isinstance(frame, HeartbeatFrame):
                self.position = max(self.position, frame.position)
            elif isinstance(frame, CaptureResumed):
                self._stop_lacking(frame, record.offset, wanted)
            self._next, self._next_time = record.offset + 1, record.time
        self.heard_time = record.time

    def _stop_lacking(self, frame: CaptureResumed, offset: int, wanted: Mapping[TableName, Wanted[SyncRun]]) -> None:
        """Nobody jumps over changes in silence: what is before the gap is applied, and the tables end there."""
        found = [(name, wanted[name]) for name, _ in frame.tables if name in wanted]
        lacking = [want.run for name, want in found if want.lacks(frame, name, offset)]
        if lacking:
            self.settle()
            raise TableFailed(lacking, Expired(CAPTURE_INTERRUPTED, table=lacking[0].source))

    def _changes_structure(self, frame: ChangeFrame, offset: int, wanted: Mapping[TableName, Wanted[SyncRun]]) -> bool:
        """Whether what was read so far must be in the target before a table follows its source."""
        for changes in frame.tables:
            want = wanted.get(changes.schema.name)
            if want is not None and want.takes(changes, offset) and not is_known(want.run, changes):
                return True
        return False

    def _note(self, frame: ChangeFrame) -> None:
        self.inside = not frame.complete
        if not frame.complete:
            self._apply()
            return
        self.position = max(self.position, frame.last_position)
        self.commit_time = frame.last_commit_time
        if sum(work.count for work in self._work.values()) >= _MOST_CHANGES:
            self.settle()

    def _apply(self) -> None:
        for run, work in self._work.items():
            try:
                self._applier.check(run, work)
            except TableStopped as error:
                raise TableFailed([run], error) from error
        written = self.write_beside(self._work)
        for run, work in self._work.items():
            try:
                checkpoint = self._pending.get(run, run.checkpoint)
                assert checkpoint is not None
                skips = Skips.of(run.task, checkpoint)
                if run not in written:
                    self._applier.apply(run, work, skips)
            except ALONE as error:
                raise TableFailed([run], error) from error
            self._pending[run] = skips.noted(_advanced(checkpoint, work, self._next))
        self._work.clear()

    def settle(self) -> None:
        """Apply and commit what was read; afterwards everything before `offset` is in the target."""
        self._apply()
        due = time.monotonic() - self._last_store > _STORE_SECONDS and self._stored != self._next
        if self._pending or due:
            self.store()
        self.offset, self.record_time = self._next, self._next_time

    def store(self) -> None:
        """Commit the open transaction with the place reached."""
        pending = dict(self._pending)
        self.write_place(pending)
        for run, checkpoint in pending.items():
            self._checkpoints.write(run.task.id, checkpoint)
            keep_structure(self._checkpoints, run)
        try:
            self._checkpoints.commit()
        except TABLE_ERRORS as error:
            raise TableFailed(list(self._pending), error) from error
        for run, checkpoint in pending.items():
            moved = _changes_in(checkpoint) - _changes_in(run.checkpoint)
            run.checkpoint, run.structure = checkpoint, run.seen
            run.held.commit()
            run.rate.add(moved)
        self._pending.clear()
        self._last_store, self._stored = time.monotonic(), self._next
        self.went = beat((self._last_store - self._turned) * 1000)
        self.offset, self.record_time = self._next, self._next_time

    @property
    def _is_open(self) -> bool:
        """Whether the open transaction has changes."""
        return bool(self._pending)

    @property
    def place(self) -> tuple[int, int | None]:
        """Offset of the next record and append time of the one before it: what `write_place` stores."""
        return self._next, self._next_time

    def _discard(self) -> None:
        """The transaction that is open will be sent again whole."""
        self._work.clear()
        if self.inside:
            self._forget_pending()
            self._checkpoints.rollback()
            self.inside = False

    def _forget_pending(self) -> None:
        for want in self.wanted().values():
            want.run.held.rollback()
            want.run.seen = want.run.structure
        self._pending.clear()

    def rewind(self) -> None:
        """Back to the last border: nothing is open, nothing is read ahead."""
        with contextlib.suppress(ZcbusError):
            self._checkpoints.rollback()
        self._work.clear()
        self._forget_pending()
        self.inside = False
        self._next, self._next_time = self.offset, self.record_time
        self._reader.seek(self.offset)

    def _restructure(self, change: StructureChanged) -> None:
        run = change.run
        try:
            checkpoint = self._restructuring.restructure(run, change.schema, change.key, self.offset)
            self._checkpoints.write(run.task.id, checkpoint)
            keep_structure(self._checkpoints, run)
            self._checkpoints.commit()
        except ALONE as error:
            self.rewind()
            raise TableFailed([run], error) from error
        run.checkpoint, run.structure = checkpoint, run.seen

    def lag_ms(self) -> int | None:
        """Age of what waits: 0 where nothing does, None where the publisher has not been heard of lately."""
        info = self._bus.info(self._topic)
        now = now_ms()
        if info is None or self._next >= info.next_offset:
            heard = info.newest_time if info is not None else None
            return 0 if heard is not None and now - heard < 5_000 else None
        reference = self.commit_time or self.heard_time
        return max(0, now - reference) if reference is not None else None


def _advanced(checkpoint: TableCheckpoint, work: TableWork, offset: int) -> TableCheckpoint:
    return replace(
        checkpoint,
        inserts=checkpoint.inserts + work.operations[Operation.INSERT],
        updates=checkpoint.updates + work.operations[Operation.UPDATE],
        deletes=checkpoint.deletes + work.operations[Operation.DELETE],
        last_change_ms=work.last_commit_ms,
        place=work.changes[-1].origin[-1] if work.changes[-1].source else checkpoint.place,
        partly=checkpoint.partly_behind(offset),
    )


def _changes_in(checkpoint: TableCheckpoint | None) -> int:
    return checkpoint.inserts + checkpoint.updates + checkpoint.deletes if checkpoint is not None else 0
