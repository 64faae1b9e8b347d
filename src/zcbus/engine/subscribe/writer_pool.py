"""Writing of rows over several sessions at once."""

import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import TargetSession, TargetTable
from zcbus.engine.subscribe.checkpoints.records import Amount, CheckpointWriter, TableCheckpoint
from zcbus.engine.subscribe.sessions import Sessions
from zcbus.engine.subscribe.table import SyncRun
from zcbus.engine.tracing import Loaded, Origin, load_traces
from zcbus.model.schema import TableName

_MAX_SESSIONS = 2
_MAX_BYTES = 24 << 20
"""Limit of queued rows; a single larger part is queued alone."""
_COMMIT_SECONDS = 1.0


class Part(Protocol):
    """Rows that are loaded in one transaction, possibly with other parts."""

    @property
    def nbytes(self) -> int:
        """Memory that it uses until it is loaded."""

    @property
    def origin(self) -> Origin | None:
        """The record of the bus that has the rows, for traces."""

    def load(self, session: TargetSession) -> Amount:
        """Write the rows in the open transaction; returns their amount."""

    def noted(self, checkpoint: TableCheckpoint, amount: Amount) -> TableCheckpoint:
        """The checkpoint after the part, with its amount. Pure."""


def loaded(table: TargetTable, checkpoint: TableCheckpoint) -> TargetTable:
    """The table to load into: the target or its shadow table."""
    return replace(table, name=TableName(table.name.schema, checkpoint.beside)) if checkpoint.beside else table


class WriterPool:
    """Loads parts in any order, in sessions that are opened on demand.

    Each transaction records its parts in the table's checkpoint, so each part arrives exactly once, however often the
    load is interrupted.

    After a rejected row the pool stops; the search for the row resumes at the checkpoint.
    """

    def __init__(
        self, sessions: Sessions, checkpoints: CheckpointWriter, run: SyncRun, checkpoint: TableCheckpoint
    ) -> None:
        """`checkpoint`: as stored; `checkpoints` has its version."""
        self._sessions, self._checkpoints, self._run, self._checkpoint = sessions, checkpoints, run, checkpoint
        self._threads: list[threading.Thread] = []
        self._parts: deque[Part] = deque()
        self._bytes = 0
        self._changed = threading.Condition()
        self._committing = threading.Lock()
        self._closed = False
        self._error: Exception | None = None
        self._traces = load_traces(f"{checkpoints.subscription}/{run.task.id}")
        """None: traces are off."""

    def put(self, part: Part) -> bool:
        """Queue a part, waiting while the queue is full; false: the pool has stopped."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._has_room(part))
            if self._closed:
                return False
            if not self._threads or (self._parts and len(self._threads) < _MAX_SESSIONS):
                self._add_writer()
            self._parts.append(part)
            self._bytes += part.nbytes
            self._changed.notify_all()
        return True

    def finish(self) -> TableCheckpoint:
        """Wait for all parts, or for a rejected row; returns the checkpoint. Raises other errors."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        if self._error is not None and not isinstance(self._error, RowRefused):
            raise self._error
        return self._checkpoint

    def _has_room(self, part: Part) -> bool:
        return not self._bytes or self._bytes + part.nbytes <= _MAX_BYTES

    def _add_writer(self) -> None:
        thread = threading.Thread(target=self._work, name=f"load-{self._run.task.id}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self) -> None:
        try:
            with self._sessions.open() as session:
                self._load(session)
        except Exception as error:  # noqa: BLE001  `finish` raises it
            with self._changed:
                self._error = self._error or error
                self._closed = True
                self._parts.clear()
                self._changed.notify_all()

    def _load(self, session: TargetSession) -> None:
        done: list[tuple[Part, Amount, int]] = []
        committed = time.monotonic()
        while (part := self._next(wait=not done)) is not None or done:
            if part is not None:
                began = time.time_ns()
                done.append((part, part.load(session), began))
                self._loaded(part)
            if part is None or time.monotonic() - committed > _COMMIT_SECONDS:
                self._commit(session, done)
                done, committed = [], time.monotonic()

    def _next(self, wait: bool) -> Part | None:
        """The next part; None: none now or, with `wait`, no more."""
        with self._changed:
            if wait:
                self._changed.wait_for(lambda: self._parts or self._closed)
            return self._parts.popleft() if self._parts else None

    def _loaded(self, part: Part) -> None:
        with self._changed:
            self._bytes -= part.nbytes
            self._changed.notify_all()

    def _commit(self, session: TargetSession, done: Sequence[tuple[Part, Amount, int]]) -> None:
        """Commit one after the other, because all write the same checkpoint."""
        with self._committing:
            checkpoint = self._checkpoint
            for part, amount, _ in done:
                checkpoint = part.noted(checkpoint, amount)
            checkpoints = CheckpointWriter(self._checkpoints.subscription, session, self._checkpoints.versions)
            checkpoints.write(self._run.task.id, checkpoint)
            checkpoints.commit(durable=False)  # The last commit of the load makes this durable too.
            self._checkpoint = self._run.checkpoint = checkpoint
            self._run.rate.add(sum(amount.rows for _, amount, _ in done))
        if self._traces is not None:
            self._traces.committed(Loaded(part.origin, amount.rows, began) for part, amount, began in done)
