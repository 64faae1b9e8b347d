"""Load of a full topic's rows, each exactly once, and the parts that all loads share."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import pyarrow as pa

from zcbus.bus.contract import Bus, Record
from zcbus.connectors.roles import TargetSession, TargetTable
from zcbus.engine.reasons import COLUMN_NOT_IN_TARGET, TOPIC_REPLACED, ExpressionFailed, TableStopped
from zcbus.engine.subscribe.checkpoints.records import Amount, CheckpointWriter, Phase, TableCheckpoint, with_loaded
from zcbus.engine.subscribe.failures import Expired
from zcbus.engine.subscribe.reader import LeftOut
from zcbus.engine.subscribe.row_errors.isolation import Isolation
from zcbus.engine.subscribe.row_errors.store import pass_blocking
from zcbus.engine.subscribe.schema.mapping import Mapped, map_checkpoint
from zcbus.engine.subscribe.sessions import Sessions
from zcbus.engine.subscribe.table import Skips, SyncRun, write_schema
from zcbus.engine.subscribe.writer_pool import WriterPool, loaded
from zcbus.engine.tracing import Loaded, Origin, load_traces
from zcbus.model.changes import SnapshotEnd, SnapshotRows
from zcbus.model.frames import decode_frame
from zcbus.model.schema import TableSchema
from zcbus.model.states import DdlMode


class Loading:
    """One attempt at one table's load, in one session and its writer pool."""

    def __init__(
        self,
        sessions: Sessions,
        session: TargetSession,
        checkpoints: CheckpointWriter,
        run: SyncRun,
        stop: threading.Event,
    ) -> None:
        self.session, self.checkpoints, self.run, self.stop = session, checkpoints, run, stop
        self._sessions = sessions
        self._blocked = True
        """Whether a blocking row error of the load may still be open."""
        self._mapped: Mapped | None = None
        self._schema: TableSchema | None = None

    def pool(self, checkpoint: TableCheckpoint) -> WriterPool:
        """A pool of further sessions. `checkpoint`: as stored in the target."""
        return WriterPool(self._sessions, self.checkpoints, self.run, checkpoint)

    def mapped(self, schema: TableSchema, checkpoint: TableCheckpoint) -> Mapped:
        """The mapping of rows with this schema. Raises TableStopped."""
        if self._mapped is None or schema is not self._schema:
            known = set(checkpoint.columns)
            extra = [column.name for column in schema.columns if (column.name, column.type.native) not in known]
            if extra and self.run.task.ddl is not DdlMode.IGNORE:
                raise TableStopped(COLUMN_NOT_IN_TARGET, table=schema.name, columns=", ".join(extra))
            self._mapped = map_checkpoint(self.run, checkpoint, schema, checkpoint.key)
            self._schema = schema
        return self._mapped

    def table(self, checkpoint: TableCheckpoint) -> TargetTable:
        """The target table of the last rows."""
        assert self._schema is not None
        return self.mapped(self._schema, checkpoint).table

    def shaped(self, schema: TableSchema, rows: pa.RecordBatch, checkpoint: TableCheckpoint) -> pa.RecordBatch | None:
        """The rows as the target receives them; None: an expression fails for one of them."""
        try:
            return self.mapped(schema, checkpoint).rows(rows)
        except ExpressionFailed:
            return None

    def put(
        self, schema: TableSchema, rows: pa.RecordBatch, checkpoint: TableCheckpoint, number: int
    ) -> tuple[TableCheckpoint, Amount]:
        """Load rows within the open transaction, skipping rows that the target refuses or for which an expression
        fails. Returns the checkpoint with the skips, and the loaded amount. `number`: number of the part, the same in
        each attempt."""
        mapped = self.mapped(schema, checkpoint)
        put = self.session.upsert if checkpoint.merge else self.session.load
        skips, into = Skips.of(self.run.task, checkpoint), loaded(mapped.table, checkpoint)
        isolation = Isolation(self.session, self.checkpoints.subscription, self.run, skips, LeftOut(), strict=False)
        amount = isolation.load(mapped, rows, number, lambda part: put(into, part))
        return skips.noted(checkpoint), amount

    def keep(self, checkpoint: TableCheckpoint) -> None:
        """Store the checkpoint, and commit."""
        self.checkpoints.write(self.run.task.id, checkpoint)
        write_schema(self.checkpoints, self.run)
        self.checkpoints.commit()
        self.run.checkpoint, self.run.structure = checkpoint, self.run.seen
        self.run.quarantined.commit()

    def commit(self, checkpoint: TableCheckpoint) -> None:
        """Commit rows together with their checkpoint."""
        count = checkpoint.rows_loaded - (self.run.checkpoint.rows_loaded if self.run.checkpoint else 0)
        if self._blocked:
            self._blocked = pass_blocking(self.session, self.checkpoints.subscription, self.run, checkpoint.full_offset)
        self.keep(checkpoint)
        self.run.rate.add(count)


_COMMIT_SECONDS = 1.0
_MAX_BYTES = 32 << 20
_FEW_RECORDS, _FEW_BYTES = 3, 4 << 20


@dataclass(frozen=True, slots=True)
class RecordPart:
    """Rows of one record of the topic, as the target receives them."""

    topic: str
    offset: int
    time: int
    """Append time of the record."""
    table: TargetTable
    rows: pa.RecordBatch
    rows_total: int | None
    """Estimated rows of the table."""

    @property
    def nbytes(self) -> int:
        return int(self.rows.nbytes)

    @property
    def origin(self) -> Origin:
        return Origin(self.topic, self.offset, self.time)

    def load(self, session: TargetSession) -> Amount:
        session.load(self.table, self.rows)
        return Amount(self.rows.num_rows, self.nbytes)

    def noted(self, checkpoint: TableCheckpoint, amount: Amount) -> TableCheckpoint:
        return with_loaded(checkpoint, {self.offset: self.time}, amount, self.rows_total)


class TopicRows:
    """Loads from the full topic. The offset is stored in the transaction of the rows."""

    def __init__(
        self, bus: Bus, topic: str, loading: Loading, ended: Callable[[TableCheckpoint, int], TableCheckpoint]
    ) -> None:
        """`ended`: gives the checkpoint of a completed load, from the last one and the source's number of rows."""
        self._bus, self._topic, self._loading, self._ended = bus, topic, loading, ended
        self._open: list[Loaded] = []
        self._traces = load_traces(f"{loading.checkpoints.subscription}/{loading.run.task.id}")
        """None: traces are off."""

    def load(self, checkpoint: TableCheckpoint) -> TableCheckpoint:
        """Resume from the checkpoint. Returns the checkpoint of the completed load, not committed yet, or the last one
        when stopped. Raises Expired, OffsetExpired, TableStopped, RowRefused, TransientError."""
        self._verify(checkpoint)
        if not checkpoint.merge and not self._is_short(checkpoint):
            checkpoint = self._load_most(checkpoint)
        loading = self._loading
        with self._bus.reader(self._topic, checkpoint.full_offset) as reader:
            committed = time.monotonic()
            while not loading.stop.is_set():
                records = reader.read(8, _MAX_BYTES, 0.25)
                for record in records:
                    if record.offset < checkpoint.full_offset:
                        continue
                    checkpoint = self._load_record(record, checkpoint)
                    if checkpoint.phase is not Phase.LOADING:
                        return checkpoint
                if records and (len(records) < 8 or time.monotonic() - committed > _COMMIT_SECONDS):
                    self._commit(checkpoint)
                    committed = time.monotonic()
        if loading.run.checkpoint is not checkpoint:
            self._commit(checkpoint)
        return checkpoint

    def _commit(self, checkpoint: TableCheckpoint) -> None:
        self._loading.commit(checkpoint)
        if self._traces is not None:
            self._traces.committed(self._open)
        self._open.clear()

    def _is_short(self, checkpoint: TableCheckpoint) -> bool:
        """Whether only a few records are left up to the end, so that further sessions do not pay."""
        with self._bus.reader(self._topic, checkpoint.full_offset) as reader:
            records = reader.read(_FEW_RECORDS, _FEW_BYTES, 0.0)
        return bool(records) and isinstance(decode_frame(records[-1].payload), SnapshotEnd)

    def _load_most(self, checkpoint: TableCheckpoint) -> TableCheckpoint:
        """Load in several sessions, up to the snapshot's end or to a refused row."""
        pool = self._loading.pool(checkpoint)
        try:
            with self._bus.reader(self._topic, checkpoint.full_offset) as reader:
                while not self._loading.stop.is_set() and all(
                    self._hand_over(record, checkpoint, pool) for record in reader.read(4, _MAX_BYTES // 2, 0.25)
                ):
                    pass
        finally:
            checkpoint = pool.finish()
        return checkpoint

    def _hand_over(self, record: Record, checkpoint: TableCheckpoint, pool: WriterPool) -> bool:
        """Give the pool a record's rows; false: no more rows for the pool."""
        if record.offset in dict(checkpoint.ahead):
            return True
        frame = decode_frame(record.payload)
        if isinstance(frame, SnapshotEnd):
            return False
        assert isinstance(frame, SnapshotRows)
        rows = self._loading.shaped(frame.schema, frame.rows, checkpoint)
        if rows is None:
            return False
        into = loaded(self._loading.mapped(frame.schema, checkpoint).table, checkpoint)
        return pool.put(RecordPart(self._topic, record.offset, record.time, into, rows, frame.estimated_rows))

    def _verify(self, checkpoint: TableCheckpoint) -> None:
        """Check that the topic is still the one of the checkpoint. Raises Expired."""
        if checkpoint.full_offset == 0:
            return
        with self._bus.reader(self._topic, checkpoint.full_offset - 1) as reader:
            records = reader.read(1, 1, 0.0)
        if not records or records[0].time != checkpoint.record_time:
            raise Expired(TOPIC_REPLACED, table=self._loading.run.source, offset=checkpoint.full_offset)

    def _load_record(self, record: Record, checkpoint: TableCheckpoint) -> TableCheckpoint:
        frame = decode_frame(record.payload)
        if isinstance(frame, SnapshotEnd):
            self._loading.mapped(frame.schema, checkpoint)
            if self._loading.run.checkpoint is not checkpoint:
                self._commit(checkpoint)  # completing the table may commit by itself
            return self._ended(replace(checkpoint, since=str(frame.first), until=str(frame.last)), frame.rows)
        assert isinstance(frame, SnapshotRows)
        began = time.time_ns()
        checkpoint, amount = self._loading.put(frame.schema, frame.rows, checkpoint, record.offset)
        self._open.append(Loaded(Origin(self._topic, record.offset, record.time), amount.rows, began))
        return with_loaded(checkpoint, {record.offset: record.time}, amount, frame.estimated_rows)
