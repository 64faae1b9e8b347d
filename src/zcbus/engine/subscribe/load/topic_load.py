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

    def noted(self, lane: TableCheckpoint, amount: Amount) -> TableCheckpoint:
        return with_loaded(lane, {self.offset: self.time}, amount, self.rows_total)


class TopicRows:
    """Loads from the full topic. The offset is stored in the transaction of the rows."""

    def __init__(
        self, bus: Bus, topic: str, loading: Loading, ended: Callable[[TableCheckpoint, int], TableCheckpoint]
    ) -> None:
        """`ended`: the lane of a load once all rows of the source, so many, are there."""
        self._bus, self._topic, self._loading, self._ended = bus, topic, loading, ended

    def load(self, lane: TableCheckpoint) -> TableCheckpoint:
        """Go on from the lane; returns one that is no longer loading, whose rows are not committed yet, or that of the
        place where it was stopped. Raises Expired, OffsetExpired, TableStopped, RowRefused, TransientError."""
        self._verify(lane)
        if not lane.merge and not self._is_short(lane):
            lane = self._load_most(lane)
        loading = self._loading
        with self._bus.reader(self._topic, lane.full_offset) as reader:
            committed = time.monotonic()
            while not loading.stop.is_set():
                records = reader.read(8, _MOST_BYTES, 0.25)
                for record in records:
                    if record.offset < lane.full_offset:
                        continue
                    lane = self._take(record, lane)
                    if lane.phase is not Phase.LOADING:
                        return lane
                if records and (len(records) < 8 or time.monotonic() - committed > _COMMIT_SECONDS):
                    loading.commit(lane)
                    committed = time.monotonic()
        if loading.run.lane is not lane:
            loading.commit(lane)
        return lane

    def _is_short(self, lane: TableCheckpoint) -> bool:
        """Whether further sessions don't pay, because a few rows and the end are there already."""
        with self._bus.reader(self._topic, lane.full_offset) as reader:
            records = reader.read(_FEW_RECORDS, _FEW_BYTES, 0.0)
        return bool(records) and isinstance(decode_frame(records[-1].payload), SnapshotEnd)

    def _load_most(self, lane: TableCheckpoint) -> TableCheckpoint:
        """Load in several sessions as far as that goes: up to the end of the snapshot, or a row that is refused."""
        crew = self._loading.crew(lane)
        try:
            with self._bus.reader(self._topic, lane.full_offset) as reader:
                while not self._loading.stop.is_set() and all(
                    self._hand_over(record, lane, crew) for record in reader.read(4, _MOST_BYTES // 2, 0.25)
                ):
                    pass
        finally:
            lane = crew.finish()
        return lane

    def _hand_over(self, record: Record, lane: TableCheckpoint, crew: WriterPool) -> bool:
        """Give the crew a record's rows; false: these were the last that it takes."""
        if record.offset in dict(lane.ahead):
            return True
        frame = decode_frame(record.payload)
        if isinstance(frame, SnapshotEnd):
            return False
        assert isinstance(frame, SnapshotRows)
        rows = self._loading.shaped(frame.schema, frame.rows, lane)
        if rows is None:
            return False
        into = loaded(self._loading.mapped(frame.schema, lane).table, lane)
        return crew.put(RecordPart(record.offset, record.time, into, rows, frame.estimated_rows))

    def _verify(self, lane: TableCheckpoint) -> None:
        """The topic must be the one that the load began on."""
        if lane.full_offset == 0:
            return
        with self._bus.reader(self._topic, lane.full_offset - 1) as reader:
            records = reader.read(1, 1, 0.0)
        if not records or records[0].time != lane.record_time:
            raise Expired(TOPIC_REPLACED, table=self._loading.run.source, offset=lane.full_offset)

    def _take(self, record: Record, lane: TableCheckpoint) -> TableCheckpoint:
        frame = decode_frame(record.payload)
        if isinstance(frame, SnapshotEnd):
            self._loading.mapped(frame.schema, lane)
            if self._loading.run.lane is not lane:
                self._loading.commit(lane)  # what completes the table may commit by itself
            return self._ended(replace(lane, since=str(frame.first), until=str(frame.last)), frame.rows)
        assert isinstance(frame, SnapshotRows)
        lane, amount = self._loading.put(frame.schema, frame.rows, lane, record.offset)
        return with_loaded(lane, {record.offset: record.time}, amount, frame.estimated_rows)
