"""The rows of a full topic into the target, each exactly once."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import pyarrow as pa

from zcbus.bus.contract import Bus, Record
from zcbus.connectors.roles import TargetSession, TargetTable
from zcbus.engine.reasons import TOPIC_REPLACED
from zcbus.engine.subscribe.checkpoints.positions import Expired
from zcbus.engine.subscribe.checkpoints.records import Amount, Phase, TableCheckpoint, with_loaded
from zcbus.engine.subscribe.load.common import Loading, loaded
from zcbus.engine.subscribe.writer_pool import WriterPool
from zcbus.model.changes import SnapshotEnd, SnapshotRows
from zcbus.model.frames import decode_frame

_COMMIT_SECONDS = 1.0
_MOST_BYTES = 32 << 20
_FEW_RECORDS, _FEW_BYTES = 3, 4 << 20


@dataclass(frozen=True, slots=True)
class RecordPart:
    """Rows of one record of the topic, as the target gets them."""

    offset: int
    time: int
    """When the record was appended."""
    table: TargetTable
    rows: pa.RecordBatch
    rows_total: int | None
    """Estimate for the whole table."""

    @property
    def nbytes(self) -> int:
        return int(self.rows.nbytes)

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
        """`ended`: the checkpoint of a load once all rows of the source, so many, are there."""
        self._bus, self._topic, self._loading, self._ended = bus, topic, loading, ended

    def load(self, checkpoint: TableCheckpoint) -> TableCheckpoint:
        """Go on from the checkpoint; returns one that is no longer loading, whose rows are not committed yet, or that
        of the place where it was stopped. Raises Expired, OffsetExpired, TableStopped, RowRefused, TransientError."""
        self._verify(checkpoint)
        if not checkpoint.merge and not self._is_short(checkpoint):
            checkpoint = self._load_most(checkpoint)
        loading = self._loading
        with self._bus.reader(self._topic, checkpoint.full_offset) as reader:
            committed = time.monotonic()
            while not loading.stop.is_set():
                records = reader.read(8, _MOST_BYTES, 0.25)
                for record in records:
                    if record.offset < checkpoint.full_offset:
                        continue
                    checkpoint = self._take(record, checkpoint)
                    if checkpoint.phase is not Phase.LOADING:
                        return checkpoint
                if records and (len(records) < 8 or time.monotonic() - committed > _COMMIT_SECONDS):
                    loading.commit(checkpoint)
                    committed = time.monotonic()
        if loading.run.checkpoint is not checkpoint:
            loading.commit(checkpoint)
        return checkpoint

    def _is_short(self, checkpoint: TableCheckpoint) -> bool:
        """Whether further sessions don't pay, because a few rows and the end are there already."""
        with self._bus.reader(self._topic, checkpoint.full_offset) as reader:
            records = reader.read(_FEW_RECORDS, _FEW_BYTES, 0.0)
        return bool(records) and isinstance(decode_frame(records[-1].payload), SnapshotEnd)

    def _load_most(self, checkpoint: TableCheckpoint) -> TableCheckpoint:
        """Load in several sessions as far as that goes: up to the end of the snapshot, or a row that is refused."""
        crew = self._loading.crew(checkpoint)
        try:
            with self._bus.reader(self._topic, checkpoint.full_offset) as reader:
                while not self._loading.stop.is_set() and all(
                    self._hand_over(record, checkpoint, crew) for record in reader.read(4, _MOST_BYTES // 2, 0.25)
                ):
                    pass
        finally:
            checkpoint = crew.finish()
        return checkpoint

    def _hand_over(self, record: Record, checkpoint: TableCheckpoint, crew: WriterPool) -> bool:
        """Give the crew a record's rows; false: these were the last that it takes."""
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
        return crew.put(RecordPart(record.offset, record.time, into, rows, frame.estimated_rows))

    def _verify(self, checkpoint: TableCheckpoint) -> None:
        """The topic must be the one that the load began on."""
        if checkpoint.full_offset == 0:
            return
        with self._bus.reader(self._topic, checkpoint.full_offset - 1) as reader:
            records = reader.read(1, 1, 0.0)
        if not records or records[0].time != checkpoint.record_time:
            raise Expired(TOPIC_REPLACED, table=self._loading.run.source, offset=checkpoint.full_offset)

    def _take(self, record: Record, checkpoint: TableCheckpoint) -> TableCheckpoint:
        frame = decode_frame(record.payload)
        if isinstance(frame, SnapshotEnd):
            self._loading.mapped(frame.schema, checkpoint)
            if self._loading.run.checkpoint is not checkpoint:
                self._loading.commit(checkpoint)  # what completes the table may commit by itself
            return self._ended(replace(checkpoint, since=str(frame.first), until=str(frame.last)), frame.rows)
        assert isinstance(frame, SnapshotRows)
        checkpoint, amount = self._loading.put(frame.schema, frame.rows, checkpoint, record.offset)
        return with_loaded(checkpoint, {record.offset: record.time}, amount, frame.estimated_rows)
