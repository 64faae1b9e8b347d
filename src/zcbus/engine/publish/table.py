"""Runtime state of a published table."""

from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from zcbus.engine.reasons import PUBLICATION_STOPPED
from zcbus.engine.report_cache import ReportCache
from zcbus.kit.clock import Clock, moment, now_ms
from zcbus.model.changes import ChangeFrame, Operation, TableChanges
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import PublishState
from zcbus.protocol.base import Reason
from zcbus.protocol.reports import PublishTableReport
from zcbus.protocol.tasks import PublishedTable


@dataclass
class PublishedRun:
    """Runtime state of a published table.

    Written by the capture and by at most one snapshot thread, each its own fields; read by the reporting thread.
    """

    task: PublishedTable
    database: str = ""
    """Identity of the source (roles.Source.identity)."""
    schema: TableSchema | None = None
    key: tuple[str, ...] = ()
    failure: tuple[PublishState, Reason] | None = None
    """Why the table is not captured."""
    snapshot: PublishState = PublishState.ALLOWED_TO_PUBLISH
    """State of the desired snapshot; INCREMENTAL_RELEASE: complete, or none is desired."""
    snapshot_reason: Reason | None = None
    offered: bool = False
    """Whether the rows are only offered: their reader takes them from the source."""
    rows_total: int | None = None
    rows_read: int = 0
    expires_at: datetime | None = None
    """See PublishTableReport."""
    cancelled: bool = False
    """Whether the table left the publication; its snapshot stops."""
    operations: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    counted: tuple[int, int] | None = None
    """Epoch and number of its changes on the topic (PublishTableReport)."""
    delay_ms: int | None = None
    last_change_ms: int | None = None
    """See PublishTableReport.last_change_at."""
    _last_report: ReportCache[PublishTableReport] = field(default_factory=ReportCache, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.task.stopped:
            reason = Reason(code=PUBLICATION_STOPPED, facts={"table": str(self.name)})
            self.failure = (PublishState.PUBLISH_STOPPED, reason)

    @property
    def name(self) -> TableName:
        return TableName(self.task.source.schema_name, self.task.source.table)

    @property
    def captured(self) -> bool:
        return self.schema is not None and self.failure is None

    def count(self, changes: TableChanges, frame: ChangeFrame) -> None:
        """Add changes on the topic to the figures."""
        if len(changes.transactions) == 0:
            return
        newest = changes.transactions[len(changes.transactions) - 1].as_py()
        self.last_change_ms = frame.transactions.commit_times[newest].as_py()
        # Clocks of two hosts differ: a delay is never negative.
        self.delay_ms = max(0, now_ms() - self.last_change_ms)
        counts = np.bincount(np.asarray(changes.operations).astype(np.int64), minlength=4)
        self.operations = [before + int(more) for before, more in zip(self.operations, counts, strict=True)]

    def report(self, clock: Clock) -> PublishTableReport:
        """Current report of the table."""
        inputs = (
            *(self.task, self.schema is None, self.failure, self.snapshot, self.snapshot_reason, self.rows_total),
            *(self.rows_read, *self.operations, self.counted, self.expires_at, self.delay_ms, self.last_change_ms),
        )
        return self._last_report.report(inputs, lambda: self._report(clock))

    def _report(self, clock: Clock) -> PublishTableReport:
        state, reason = self.failure or (self.snapshot, self.snapshot_reason)
        if self.schema is None and self.failure is None:
            state, reason = PublishState.UNINITIALIZED, None
        return PublishTableReport(
            table=self.task.id,
            state=state,
            reason=reason,
            generation=self.task.generation,
            rows_total=self.rows_total,
            rows_read=self.rows_read,
            inserts=self.operations[Operation.INSERT],
            updates=self.operations[Operation.UPDATE],
            deletes=self.operations[Operation.DELETE],
            epoch=self.counted[0] if self.counted is not None else None,
            changes=self.counted[1] if self.counted is not None else None,
            expires_at=self.expires_at,
            delay_ms=self.delay_ms,
            last_change_at=moment(self.last_change_ms),
            at=clock.now(),
        )
