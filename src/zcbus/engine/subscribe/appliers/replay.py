"""Replay of the real topic into a target: base of the channel applier and of the catch-up."""

import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from zcbus.bus.contract import Bus, Record
from zcbus.connectors.roles import TargetSession
from zcbus.engine.reasons import CAPTURE_INTERRUPTED, TableStopped
from zcbus.engine.status import beat
from zcbus.engine.subscribe.appliers.applier import Applier, StructureChanged, is_known
from zcbus.engine.subscribe.checkpoints.counts import Counts, CountsAhead
from zcbus.engine.subscribe.checkpoints.records import (
    CheckpointWriter,
    TableCheckpoint,
)
from zcbus.engine.subscribe.failures import SINGLE_TABLE_ERRORS, TABLE_ERRORS, Expired, TableFailed
from zcbus.engine.subscribe.reader import AppliedTable, LeftOut, RecordChanges, TableWork, collect
from zcbus.engine.subscribe.schema.evolution import SchemaEvolution
from zcbus.engine.subscribe.table import Skips, SyncRun, write_schema
from zcbus.engine.tracing import apply_traces
from zcbus.kit.clock import now_ms
from zcbus.kit.errors import ZcbusError
from zcbus.model.changes import (
    CaptureResumed,
    ChangeFrame,
    ControlTotals,
    HeartbeatFrame,
    Operation,
    RollbackFrame,
    TableChanges,
)
from zcbus.model.frames import decode_frame
from zcbus.model.origin import table_address
from zcbus.model.position import START, Position
from zcbus.model.schema import TableName
from zcbus.protocol.reports import Beat

_MAX_CHANGES = 50_000
_MAX_BYTES = 32 << 20
MAX_RECORDS = 5_000
_STORE_SECONDS = 10.0
_OPEN_SECONDS = 30.0


class Replay(ABC):
    """Applies records in order.

    Between turns everything before `offset` is in the target, unless `in_transaction`.
    """

    isolates: ClassVar[bool]
    """Whether rejected changes are isolated and skipped."""

    def __init__(
        self,
        bus: Bus,
        topic: str,
        session: TargetSession,
        checkpoints: CheckpointWriter,
        offset: int,
        record_time: int | None,
        table: str = "",
    ) -> None:
        """`table`: the id of the one that is applied alone; empty: a channel's."""
        self._bus, self._topic, self._session, self._checkpoints = bus, topic, session, checkpoints
        self._reader = bus.reader(topic, offset)
        self._schema_evolution = SchemaEvolution(session, checkpoints.subscription)
        self._applier = Applier(session, checkpoints.subscription, self.isolates)
        self.offset = offset
        self.record_time = record_time
        self.in_transaction = False
        """Whether the target's open transaction has a part of a source transaction."""
        self.position: Position = START
        self.commit_time: int | None = None
        """Commit time of the newest applied transaction."""
        self.newest_time: int | None = None
        """Append time of the newest record."""
        self._bytes_read = 0
        self.came: Beat | None = None
        """Arrival of the newest record from the bus."""
        self.went: Beat | None = None
        """The newest commit in the target."""
        self._next, self._next_time = offset, record_time
        self._work: dict[SyncRun, TableWork] = {}
        self._pending: dict[SyncRun, TableCheckpoint] = {}
        self._counts: CountsAhead[SyncRun] = CountsAhead()
        self._last_store = self._last_record = self._turn_started = time.monotonic()
        self._stored = offset
        receiver = f"{checkpoints.subscription} {table}".rstrip()
        self._traces = apply_traces(topic, receiver)
        """None: traces are off."""

    def close(self) -> None:
        """Release the topic."""
        self._reader.close()

    @abstractmethod
    def tables_to_apply(self) -> Mapping[TableName, AppliedTable[SyncRun]]:
        """The tables to apply; may change between turns that are not `in_transaction`."""

    @abstractmethod
    def write_position(self, pending: dict[SyncRun, TableCheckpoint]) -> None:
        """Write the next position into the open transaction; may add to `pending`."""

    def write_in_parallel(self, work: Mapping[SyncRun, TableWork]) -> Collection[SyncRun]:
        """Write changes up to the next position in other transactions; returns the finished tables.

        Raises TableFailed, TransientError.
        """
        return ()

    def address_of(self, run: SyncRun) -> str:
        """Address of the table's target (see model.origin)."""
        return table_address(self._session.identity, run.target)

    def turn(self, timeout: float, most_records: int = MAX_RECORDS) -> int:
        """Read and apply available records, waiting up to `timeout` seconds; returns their number.

        Raises TableFailed, OffsetExpired, TransientError; then `offset` is unchanged and nothing is open.
        """
        try:
            records = self._reader.read(most_records, _MAX_BYTES, timeout)
            self._bytes_read += sum(record.payload.nbytes for record in records)
            self._release_idle(records)
            tables = self.tables_to_apply()
            for record in records:
                self._take(record, tables)
            if not self.in_transaction:
                self.flush()
            return len(records)
        except StructureChanged as change:
            self.rewind()
            self._change_schema(change)
            return 1
        except BaseException:
            self.rewind()
            raise

    def take_bytes_read(self) -> int:
        """Bytes of the records that were read since the last call."""
        taken, self._bytes_read = self._bytes_read, 0
        return taken

    def _release_idle(self, records: Sequence[Record]) -> None:
        """Release locks in the target while the rest of a transaction is late."""
        now = self._turn_started = time.monotonic()
        if records:
            self._last_record = now
            self.came = beat(now_ms() - records[-1].time)
            if self._traces is not None:
                self._traces.received()
        elif self.in_transaction and now - self._last_record > _OPEN_SECONDS:
            self.rewind()
            self._last_record = now

    def _take(self, record: Record, tables: Mapping[TableName, AppliedTable[SyncRun]]) -> None:
        frame = decode_frame(record.payload)
        if isinstance(frame, ChangeFrame):
            if not self.in_transaction and (
                not frame.complete or self._changes_structure(frame, record.offset, tables)
            ):
                self.flush()
            found = collect(self._work, frame, record.offset, tables)
            for read in found:
                self._count(read.run, record.offset, handled=read.changes, skipped=read.skipped)
            if self._traces is not None and found:
                self._traces.take(record, sum(read.changes for read in found))
            self._next, self._next_time = record.offset + 1, record.time
            self._note(frame)
        else:
            if isinstance(frame, RollbackFrame):
                self._discard()
            elif isinstance(frame, HeartbeatFrame):
                self.position = max(self.position, frame.position)
            elif isinstance(frame, CaptureResumed):
                self._stop_at_gap(frame, record.offset, tables)
            elif isinstance(frame, ControlTotals):
                self._compare(frame, record, tables)
            self._next, self._next_time = record.offset + 1, record.time
        self.newest_time = record.time

    def _counted(self, run: SyncRun, offset: int) -> Counts:
        """The newest counts of a table."""
        checkpoint = run.checkpoint
        stored = checkpoint.counts if checkpoint is not None else None
        return self._counts.get(run, stored or Counts(offset))

    def _count(
        self, run: SyncRun, offset: int, *, handled: int = 0, skipped: int = 0, left_out: LeftOut | None = None
    ) -> None:
        before, left_out = self._counted(run, offset), left_out or LeftOut()
        counts = replace(
            before,
            handled=before.handled + handled,
            skipped=before.skipped + skipped,
            filtered=before.filtered + left_out.filtered,
            refused=before.refused + left_out.refused,
        )
        self._counts.put(run, counts)

    def _compare(
        self, totals: ControlTotals, record: Record, tables: Mapping[TableName, AppliedTable[SyncRun]]
    ) -> None:
        """Compare the counts at this position with those of the publisher."""
        for one in totals.tables:
            entry = tables.get(one.name)
            if entry is None or record.offset < entry.offset:
                continue
            before = self._counted(entry.run, record.offset)
            counts = before.compared(totals, one, record.time)
            # Thousands of tables may be named without a change.
            if one.total != one.before or (counts.epoch, counts.difference) != (before.epoch, before.difference):
                self._counts.put(entry.run, counts)

    def _stop_at_gap(
        self, frame: CaptureResumed, offset: int, tables: Mapping[TableName, AppliedTable[SyncRun]]
    ) -> None:
        """Stop tables at a gap, after applying the changes before it."""
        found = [(name, tables[name]) for name, _ in frame.tables if name in tables]
        lacking = [entry.run for name, entry in found if entry.has_gap(frame, name, offset)]
        if lacking:
            self.flush()
            raise TableFailed(lacking, Expired(CAPTURE_INTERRUPTED, table=lacking[0].source))

    def _changes_structure(
        self, frame: ChangeFrame, offset: int, tables: Mapping[TableName, AppliedTable[SyncRun]]
    ) -> bool:
        """Whether the changes so far must be applied before a table's schema changes."""
        for changes in frame.tables:
            entry = tables.get(changes.schema.name)
            if entry is None or not entry.accepts(changes, offset):
                continue
            work = self._work.get(entry.run)
            # A schema that returns to a former one is compared with the one between: columns of one name are others.
            if not is_known(entry.run, changes) or (work is not None and not _is_same(work.changes[-1], changes)):
                return True
        return False

    def _note(self, frame: ChangeFrame) -> None:
        self.in_transaction = not frame.complete
        if not frame.complete:
            self._apply()
            return
        self.position = max(self.position, frame.last_position)
        self.commit_time = frame.last_commit_time
        if sum(work.count for work in self._work.values()) >= _MAX_CHANGES:
            self.flush()

    def _apply(self) -> None:
        for run, work in self._work.items():
            try:
                self._applier.check(run, work)
            except TableStopped as error:
                raise TableFailed([run], error) from error
        written = self.write_in_parallel(self._work)
        for run, work in self._work.items():
            try:
                checkpoint = self._pending.get(run, run.checkpoint)
                assert checkpoint is not None
                skips = Skips.of(run.task, checkpoint)
                if run not in written:
                    self._applier.apply(run, work, skips)
            except SINGLE_TABLE_ERRORS as error:
                raise TableFailed([run], error) from error
            self._pending[run] = skips.noted(_advanced(checkpoint, work, self._next))
            self._count(run, self._next, left_out=work.left_out)
        self._work.clear()

    def flush(self) -> None:
        """Apply and commit the changes so far; afterwards everything before `offset` is in the target."""
        self._apply()
        due = time.monotonic() - self._last_store > _STORE_SECONDS and self._stored != self._next
        if self._pending or due:
            self.store()
        elif self._traces is not None:
            self._traces.forget()
        self._counts.settle()
        self.offset, self.record_time = self._next, self._next_time

    def store(self) -> None:
        """Commit the open transaction with the next position."""
        pending = dict(self._pending)
        self.write_position(pending)
        for run, counts in self._counts.all().items():
            if (latest := pending.get(run, run.checkpoint)) is not None:
                pending[run] = replace(latest, counts=counts)
        for run, checkpoint in pending.items():
            self._checkpoints.write(run.task.id, checkpoint)
            write_schema(self._checkpoints, run)
        try:
            self._checkpoints.commit()
        except TABLE_ERRORS as error:
            raise TableFailed(list(self._pending), error) from error
        for run, checkpoint in pending.items():
            moved = _changes_in(checkpoint) - _changes_in(run.checkpoint)
            run.checkpoint, run.structure = checkpoint, run.seen
            run.quarantined.commit()
            run.rate.add(moved)
        self._pending.clear()
        self._counts.stored(pending)
        self._last_store, self._stored = time.monotonic(), self._next
        if self._traces is not None:
            self._traces.committed()
        self.went = beat((self._last_store - self._turn_started) * 1000)
        self.offset, self.record_time = self._next, self._next_time

    @property
    def _is_open(self) -> bool:
        """Whether the open transaction has changes."""
        return bool(self._pending)

    @property
    def next_position(self) -> tuple[int, int | None]:
        """Offset of the next record and append time of the previous one, for `write_position`."""
        return self._next, self._next_time

    def _discard(self) -> None:
        """Discard the open transaction, which will be sent again completely."""
        self._work.clear()
        self._counts.rewind()
        self._forget_traces()
        if self.in_transaction:
            self._forget_pending()
            self._checkpoints.rollback()
            self.in_transaction = False

    def _forget_traces(self) -> None:
        if self._traces is not None:
            self._traces.forget()

    def _forget_pending(self) -> None:
        for entry in self.tables_to_apply().values():
            entry.run.quarantined.rollback()
            entry.run.seen = entry.run.structure
        self._pending.clear()

    def rewind(self) -> None:
        """Return to the last boundary: nothing is open, nothing is read ahead."""
        with contextlib.suppress(ZcbusError):
            self._checkpoints.rollback()
        self._work.clear()
        self._counts.rewind()
        self._forget_traces()
        self._forget_pending()
        self.in_transaction = False
        self._next, self._next_time = self.offset, self.record_time
        self._reader.seek(self.offset)

    def _change_schema(self, change: StructureChanged) -> None:
        run = change.run
        try:
            checkpoint = self._schema_evolution.evolve_table(run, change.schema, change.key, self.offset)
            self._checkpoints.write(run.task.id, checkpoint)
            write_schema(self._checkpoints, run)
            self._checkpoints.commit()
        except SINGLE_TABLE_ERRORS as error:
            self.rewind()
            raise TableFailed([run], error) from error
        run.checkpoint, run.structure = checkpoint, run.seen

    def lag_ms(self) -> int | None:
        """Age of the oldest waiting change: 0 if none waits, None without recent contact to the publisher."""
        info = self._bus.info(self._topic)
        now = now_ms()
        if info is None or self._next >= info.next_offset:
            newest = info.newest_time if info is not None else None
            return 0 if newest is not None and now - newest < 5_000 else None
        reference = self.commit_time or self.newest_time
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


def _is_same(before: RecordChanges, changes: TableChanges) -> bool:
    """Whether the schema and the key are those of the record before."""
    former = before.changes
    return former.key == changes.key and (former.schema is changes.schema or former.schema == changes.schema)
