"""Rows into a target over several sessions at once."""

import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import Protocol

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import TargetSession
from zcbus.engine.subscribe.checkpoints.records import Amount, CheckpointWriter, TableCheckpoint
from zcbus.engine.subscribe.sessions import Sessions
from zcbus.engine.subscribe.table import SyncRun

_MOST_SESSIONS = 2
_MOST_BYTES = 24 << 20
"""Rows that are handed over and not loaded yet; a single larger part goes alone."""
_COMMIT_SECONDS = 1.0


class Part(Protocol):
    """Rows that are loaded in one transaction, perhaps with other parts."""

    @property
    def nbytes(self) -> int:
        """What it keeps in memory until it is loaded."""

    def load(self, session: TargetSession) -> Amount:
        """Put the rows into the target within the open transaction; returns how much that was."""

    def noted(self, checkpoint: TableCheckpoint, amount: Amount) -> TableCheckpoint:
        """The checkpoint once the part, with so much in it, is loaded. Pure."""


class WriterPool:
    """Loads parts in any order. A transaction notes what it loads in the table's checkpoint, so each part arrives
    exactly once, however often the load is interrupted. The sessions are opened as they are needed.

    Where the target refuses a row the crew stops; whoever looks for the row goes on from the checkpoint.
    """

    def __init__(
        self, sessions: Sessions, checkpoints: CheckpointWriter, run: SyncRun, checkpoint: TableCheckpoint
    ) -> None:
        """`checkpoint` is as the target has it, `checkpoints` knows its version."""
        self._sessions, self._checkpoints, self._run, self._checkpoint = sessions, checkpoints, run, checkpoint
        self._threads: list[threading.Thread] = []
        self._parts: deque[Part] = deque()
        self._bytes = 0
        self._changed = threading.Condition()
        self._committing = threading.Lock()
        self._closed = False
        self._error: Exception | None = None

    def put(self, part: Part) -> bool:
        """Hand over a part, waiting while enough is on its way; false: the crew has stopped."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._has_room(part))
            if self._closed:
                return False
            if not self._threads or (self._parts and len(self._threads) < _MOST_SESSIONS):
                self._hire()
            self._parts.append(part)
            self._bytes += part.nbytes
            self._changed.notify_all()
        return True

    def finish(self) -> TableCheckpoint:
        """Wait until what was handed over is in the target, or a row is refused; returns the checkpoint. Raises what
        else went wrong."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        if self._error is not None and not isinstance(self._error, RowRefused):
            raise self._error
        return self._checkpoint

    def _has_room(self, part: Part) -> bool:
        return not self._bytes or self._bytes + part.nbytes <= _MOST_BYTES

    def _hire(self) -> None:
        thread = threading.Thread(target=self._work, name=f"load-{self._run.task.id}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self) -> None:
        try:
            with self._sessions.open() as session:
                self._load(session)
        except Exception as error:  # noqa: BLE001  whatever it is, `finish` tells it
            with self._changed:
                self._error = self._error or error
                self._closed = True
                self._parts.clear()
                self._changed.notify_all()

    def _load(self, session: TargetSession) -> None:
        done: list[tuple[Part, Amount]] = []
        committed = time.monotonic()
        while (part := self._next(wait=not done)) is not None or done:
            if part is not None:
                done.append((part, part.load(session)))
                self._loaded(part)
            if part is None or time.monotonic() - committed > _COMMIT_SECONDS:
                self._commit(session, done)
                done, committed = [], time.monotonic()

    def _next(self, wait: bool) -> Part | None:
        """A part to load; None: there is none now or, with `wait`, there will be no more."""
        with self._changed:
            if wait:
                self._changed.wait_for(lambda: self._parts or self._closed)
            return self._parts.popleft() if self._parts else None

    def _loaded(self, part: Part) -> None:
        with self._changed:
            self._bytes -= part.nbytes
            self._changed.notify_all()

    def _commit(self, session: TargetSession, done: Sequence[tuple[Part, Amount]]) -> None:
        """One after the other, because all write the same checkpoint."""
        with self._committing:
            checkpoint = self._checkpoint
            for part, amount in done:
                checkpoint = part.noted(checkpoint, amount)
            checkpoints = CheckpointWriter(self._checkpoints.subscription, session, self._checkpoints.versions)
            checkpoints.write(self._run.task.id, checkpoint)
            checkpoints.commit(durable=False)  # what the end of the load commits makes this durable too
            self._checkpoint = self._run.checkpoint = checkpoint
            self._run.rate.add(sum(amount.rows for _, amount in done))
