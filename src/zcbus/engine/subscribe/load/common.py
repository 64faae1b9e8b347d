"""What loads have in common, wherever the rows come from."""

import threading
from dataclasses import replace

import pyarrow as pa

from zcbus.connectors.roles import TargetSession, TargetTable
from zcbus.engine.reasons import COLUMN_NOT_IN_TARGET, ExpressionFailed, TableStopped
from zcbus.engine.subscribe.appliers.replay import keep_structure
from zcbus.engine.subscribe.checkpoints.records import Amount, CheckpointWriter, TableCheckpoint
from zcbus.engine.subscribe.row_errors.isolation import Isolation
from zcbus.engine.subscribe.row_errors.skips import Skips
from zcbus.engine.subscribe.row_errors.store import pass_blocking
from zcbus.engine.subscribe.schema.mapping import Mapped
from zcbus.engine.subscribe.sessions import Sessions
from zcbus.engine.subscribe.table import SyncRun, map_lane
from zcbus.engine.subscribe.writer_pool import WriterPool
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import DdlMode


class Loading:
    """One attempt at one table's load, in one session and those of its crews."""

    def __init__(
        self, sessions: Sessions, session: TargetSession, lanes: CheckpointWriter, run: SyncRun, stop: threading.Event
    ) -> None:
        self.session, self.lanes, self.run, self.stop = session, lanes, run, stop
        self._sessions = sessions
        self._blocked = True
        """Whether the load may have stood still in front of a row until now."""
        self._mapped: Mapped | None = None
        self._schema: TableSchema | None = None

    def crew(self, lane: TableCheckpoint) -> WriterPool:
        """Further sessions; `lane` is as the target has it."""
        return WriterPool(self._sessions, self.lanes, self.run, lane)

    def mapped(self, schema: TableSchema, lane: TableCheckpoint) -> Mapped:
        """Where rows of this structure go. Raises TableStopped."""
        if self._mapped is None or schema is not self._schema:
            known = set(lane.columns)
            extra = [column.name for column in schema.columns if (column.name, column.type.native) not in known]
            if extra and self.run.task.ddl is not DdlMode.IGNORE:
                raise TableStopped(COLUMN_NOT_IN_TARGET, table=schema.name, columns=", ".join(extra))
            self._mapped = map_lane(self.run, lane, schema, lane.key)
            self._schema = schema
        return self._mapped

    def table(self, lane: TableCheckpoint) -> TargetTable:
        """The target table that the rows seen last are for."""
        assert self._schema is not None
        return self.mapped(self._schema, lane).table

    def shaped(self, schema: TableSchema, rows: pa.RecordBatch, lane: TableCheckpoint) -> pa.RecordBatch | None:
        """The rows as the target gets them; None: one of them has no value under an expression."""
        try:
            return self.mapped(schema, lane).rows(rows)
        except ExpressionFailed:
            return None

    def put(
        self, schema: TableSchema, rows: pa.RecordBatch, lane: TableCheckpoint, number: int
    ) -> tuple[TableCheckpoint, Amount]:
        """Load rows within the open transaction, passing over those that the target refuses or that no expression
        gives a value; returns the lane with what was skipped, and how much got there. `number`: of the part that they
        are, the same in each attempt."""
        mapped = self.mapped(schema, lane)
        put = self.session.upsert if lane.merge else self.session.load
        skips, into = Skips.of(self.run.task, lane), loaded(mapped.table, lane)
        isolation = Isolation(self.session, self.lanes.subscription, self.run, skips, strict=False)
        amount = isolation.load(mapped, rows, number, lambda part: put(into, part))
        return skips.noted(lane), amount

    def keep(self, lane: TableCheckpoint) -> None:
        """Store the lane, and commit."""
        self.lanes.write(self.run.task.id, lane)
        keep_structure(self.lanes, self.run)
        self.lanes.commit()
        self.run.lane, self.run.structure = lane, self.run.seen
        self.run.held.commit()

    def commit(self, lane: TableCheckpoint) -> None:
        """Commit rows together with the lane that speaks of them."""
        count = lane.rows_loaded - (self.run.lane.rows_loaded if self.run.lane else 0)
        if self._blocked:
            self._blocked = pass_blocking(self.session, self.lanes.subscription, self.run, lane.full_offset)
        self.keep(lane)
        self.run.rate.add(count)


def loaded(table: TargetTable, lane: TableCheckpoint) -> TargetTable:
    """The table that the rows are loaded into."""
    return replace(table, name=TableName(table.name.schema, lane.beside)) if lane.beside else table
