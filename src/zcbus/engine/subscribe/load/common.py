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
from zcbus.engine.subscribe.table import SyncRun, map_checkpoint
from zcbus.engine.subscribe.writer_pool import WriterPool
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import DdlMode


class Loading:
    """One attempt at one table's load, in one session and those of its crews."""

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
        """Whether the load may have stood still in front of a row until now."""
        self._mapped: Mapped | None = None
        self._schema: TableSchema | None = None

    def crew(self, checkpoint: TableCheckpoint) -> WriterPool:
        """Further sessions; `checkpoint` is as the target has it."""
        return WriterPool(self._sessions, self.checkpoints, self.run, checkpoint)

    def mapped(self, schema: TableSchema, checkpoint: TableCheckpoint) -> Mapped:
        """Where rows of this structure go. Raises TableStopped."""
        if self._mapped is None or schema is not self._schema:
            known = set(checkpoint.columns)
            extra = [column.name for column in schema.columns if (column.name, column.type.native) not in known]
            if extra and self.run.task.ddl is not DdlMode.IGNORE:
                raise TableStopped(COLUMN_NOT_IN_TARGET, table=schema.name, columns=", ".join(extra))
            self._mapped = map_checkpoint(self.run, checkpoint, schema, checkpoint.key)
            self._schema = schema
        return self._mapped

    def table(self, checkpoint: TableCheckpoint) -> TargetTable:
        """The target table that the rows seen last are for."""
        assert self._schema is not None
        return self.mapped(self._schema, checkpoint).table

    def shaped(self, schema: TableSchema, rows: pa.RecordBatch, checkpoint: TableCheckpoint) -> pa.RecordBatch | None:
        """The rows as the target gets them; None: one of them has no value under an expression."""
        try:
            return self.mapped(schema, checkpoint).rows(rows)
        except ExpressionFailed:
            return None

    def put(
        self, schema: TableSchema, rows: pa.RecordBatch, checkpoint: TableCheckpoint, number: int
    ) -> tuple[TableCheckpoint, Amount]:
        """Load rows within the open transaction, passing over those that the target refuses or that no expression
        gives a value; returns the checkpoint with what was skipped, and how much got there. `number`: of the part that
        they are, the same in each attempt."""
        mapped = self.mapped(schema, checkpoint)
        put = self.session.upsert if checkpoint.merge else self.session.load
        skips, into = Skips.of(self.run.task, checkpoint), loaded(mapped.table, checkpoint)
        isolation = Isolation(self.session, self.checkpoints.subscription, self.run, skips, strict=False)
        amount = isolation.load(mapped, rows, number, lambda part: put(into, part))
        return skips.noted(checkpoint), amount

    def keep(self, checkpoint: TableCheckpoint) -> None:
        """Store the checkpoint, and commit."""
        self.checkpoints.write(self.run.task.id, checkpoint)
        keep_structure(self.checkpoints, self.run)
        self.checkpoints.commit()
        self.run.checkpoint, self.run.structure = checkpoint, self.run.seen
        self.run.held.commit()

    def commit(self, checkpoint: TableCheckpoint) -> None:
        """Commit rows together with the checkpoint that speaks of them."""
        count = checkpoint.rows_loaded - (self.run.checkpoint.rows_loaded if self.run.checkpoint else 0)
        if self._blocked:
            self._blocked = pass_blocking(self.session, self.checkpoints.subscription, self.run, checkpoint.full_offset)
        self.keep(checkpoint)
        self.run.rate.add(count)


def loaded(table: TargetTable, checkpoint: TableCheckpoint) -> TargetTable:
    """The table that the rows are loaded into."""
    return replace(table, name=TableName(table.name.schema, checkpoint.beside)) if checkpoint.beside else table
