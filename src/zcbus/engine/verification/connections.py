"""Connections of verification to both databases, shared by the turns of tables."""

import threading
from contextlib import ExitStack

from zcbus.bus.contract import Bus
from zcbus.connectors.reading import TableReader
from zcbus.engine.comparison.ends import Ends, source_of
from zcbus.engine.comparison.repair import LOADED
from zcbus.engine.comparison.sides import SourceSide, TargetSide
from zcbus.engine.comparison.watermark import Watermark
from zcbus.engine.connections import Connectors
from zcbus.engine.reasons import TABLE_NOT_LOADED, TableStopped
from zcbus.engine.subscribe.sessions import SessionFactory
from zcbus.engine.transform.shapes import Shapes
from zcbus.engine.verification.budget import Budget
from zcbus.engine.verification.table import TableVerification
from zcbus.protocol.tasks import SubscribedTable, SubscribeTask, VerificationOrder

_STALL_TIMEOUT_SECONDS = 20.0


class VerificationConnections:
    """A reader of each side and a session of the target. The caller closes it after any error."""

    def __init__(
        self,
        task: SubscribeTask,
        order: VerificationOrder,
        bus: Bus,
        connectors: Connectors,
        budget: Budget,
        stop: threading.Event,
    ) -> None:
        """Raises TransientError, TerminalError."""
        self._task, self._bus, self._budget, self._stop = task, bus, budget, stop
        self._open = ExitStack()
        with ExitStack() as opening:
            self._ends = ends = Ends.of(connectors, order.source, task.target, Shapes(task.mask_key.get_secret_value()))
            self._source = ends.source(bus, task.node)
            owner = f"{task.subscription}/verification"
            self._session = opening.enter_context(SessionFactory(ends.target(), owner).first())
            self._ours: TableReader = opening.enter_context(ends.source_reader())
            self._theirs: TableReader = opening.enter_context(ends.target_reader())
            self._open = opening.pop_all()

    def table(self, table: SubscribedTable) -> TableVerification:
        """Verification of a table by the catalogs as they are now. Raises TableStopped, TransientError."""
        log = self._log(table)
        checkpoint, _ = log.checkpoint()
        if checkpoint is None or checkpoint.phase not in LOADED or checkpoint.generation != table.generation:
            raise TableStopped(TABLE_NOT_LOADED, table=source_of(table))
        plan = self._ends.plan(table, checkpoint)
        return TableVerification(
            plan,
            SourceSide(plan, self._ours),
            TargetSide(plan, self._theirs),
            self._budget,
            self._session,
            self._task.subscription,
            table.id,
            lambda: self._log(table),
        )

    def interrupt(self) -> None:
        """End the servers' running queries. From any thread."""
        self._ours.interrupt()
        self._theirs.interrupt()

    def close(self) -> None:
        self._open.close()

    def _log(self, table: SubscribedTable) -> Watermark:
        """A watermark from the table's present offset: records between two rechecks need not be read."""
        task = self._task
        return Watermark(
            self._bus,
            task.node,
            self._session,
            task.subscription,
            table.id,
            source_of(table),
            self._source.log_end,
            self._stop,
            _STALL_TIMEOUT_SECONDS,
        )
