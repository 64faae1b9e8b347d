"""Parallel appliers: writing changes over several sessions at once, divided by key.

A round is what the channel applier has read up to a boundary. Each applier writes its part in its own transaction
with its own checkpoint. When all are committed, the channel applier writes the rest and its position. If it ends in
between, the checkpoints of the finished appliers state what the target already has (see checkpoints.records.Partly):
no change is applied twice, and none is lost.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from time import monotonic

from zcbus.connectors.errors import TargetDeadlocked
from zcbus.connectors.roles import TargetSession, TargetTable
from zcbus.connectors.roles.sink import supports_parallel_keys
from zcbus.engine.subscribe.appliers.effects import Effects, apply_nets
from zcbus.engine.subscribe.checkpoints.records import (
    MAIN,
    ApplierCheckpoint,
    ChannelCheckpoint,
    CheckpointWriter,
    Partly,
    TableCheckpoint,
    applier_name,
    number_of_applier,
)
from zcbus.engine.subscribe.failures import SINGLE_TABLE_ERRORS, TABLE_ERRORS, TableFailed
from zcbus.engine.subscribe.reader import TableWork
from zcbus.engine.subscribe.sessions import SessionFactory
from zcbus.engine.subscribe.table import SyncRun
from zcbus.protocol.tasks import MAX_APPLY_LANES

MIN_CHANGES = 500
"""Fewer changes of a table are not divided: the parallel transactions would cost more than they save."""
_IDLE_SECONDS = 60.0


def may_divide(run: SyncRun, work: TableWork, offset: int) -> bool:
    """Whether a table's changes from that offset on are worth dividing, and its rows equal the source's."""
    calm = run.checkpoint is not None and run.checkpoint.partly_behind(offset) is None and not len(run.quarantined)
    return calm and work.count >= MIN_CHANGES


class Round:
    """Changes that appliers write in parallel, and the appliers that have committed."""

    def __init__(self, count: int, begin: ChannelCheckpoint, offset: int) -> None:
        """From the channel applier's position to `offset`."""
        self.count, self.begin, self.offset = count, begin, offset
        self.parts: list[list[tuple[SyncRun, Effects]]] = [[] for _ in range(count)]
        self.runs: list[SyncRun] = []
        self.done: list[int] = []

    def add(self, run: SyncRun, parts: Sequence[Effects]) -> None:
        """A table supports part."""
        self.runs.append(run)
        for applier, part in zip(self.parts, parts, strict=True):
            if not part.is_empty:
                applier.append((run, part))

    def checkpoint(self) -> ApplierCheckpoint:
        """Checkpoint of an applier after its part."""
        begin, tables = self.begin, tuple(run.task.id for run in self.runs)
        return ApplierCheckpoint(begin.offset, begin.record_time, self.offset, self.count, tables)

    def partial_checkpoints(self) -> dict[SyncRun, TableCheckpoint]:
        """Checkpoints of tables if the channel applier does not reach its parallel appliers' position."""
        partly = Partly(self.offset, self.count, tuple(sorted(self.done)))
        return {run: _with(run, partly) for run in self.runs} if self.done else {}


def _with(run: SyncRun, partly: Partly) -> TableCheckpoint:
    assert run.checkpoint is not None
    return replace(run.checkpoint, partly=partly)


class ParallelAppliers:
    """Sessions of a channel's parallel appliers, with threads during a round."""

    def __init__(self, session_factory: SessionFactory, checkpoints: CheckpointWriter, count: int) -> None:
        """`checkpoints`: of the channel applier, which has written those of the appliers; see `begin`."""
        self.count = count
        self._session_factory, self._checkpoints = session_factory, checkpoints
        self._sessions: dict[int, tuple[TargetSession, ExitStack]] = {}
        self._used = monotonic()
        self._pool = ThreadPoolExecutor(MAX_APPLY_LANES, "key-lane")
        self._fit: dict[SyncRun, bool] = {}

    def close(self) -> None:
        """Close the sessions after all work."""
        self._pool.shutdown()
        self._close_sessions()

    def resize(self, count: int, boundary: ChannelCheckpoint) -> None:
        """Change the number of appliers; nothing may be open, and the channel applier is at `boundary`.

        Commits. Raises Fenced.
        """
        self._checkpoints.write(MAIN, boundary)
        begin(self._checkpoints, boundary, count)
        self._checkpoints.commit()
        self._close_sessions()
        self.count = count

    def forget_tables(self) -> None:
        """Drop cached tables after a schema change."""
        self._fit.clear()
        for session, _ in self._sessions.values():
            session.forget_tables()

    def supports(self, run: SyncRun, table: TargetTable) -> bool:
        """Whether the target allows parallel writes of the table's rows. Raises TableMissing."""
        if run not in self._fit:
            self._fit[run] = supports_parallel_keys(self._checkpoints.session, table)
        return self._fit[run]

    def keep_together(self, run: SyncRun) -> None:
        """Stop dividing the table's changes: its keys don't allow it."""
        self._fit[run] = False

    def execute(self, parallel_round: Round) -> None:
        """Write and commit the parts.

        Afterwards, even on errors, `done` of the round has the committed appliers. Raises TableFailed if tables are
        the cause, else TransientError, Fenced.
        """
        self._close_old()
        numbers = [number for number, parts in enumerate(parallel_round.parts) if parts]
        futures = {number: self._pool.submit(self._attempt, number, parallel_round) for number in numbers}
        errors = {number: future.result() for number, future in futures.items()}
        for number in [number for number, error in errors.items() if isinstance(error, TargetDeadlocked)]:
            # Appliers deadlocked in an index. Alone, none of ours can block it.
            errors[number] = self._attempt(number, parallel_round)
        parallel_round.done += [number for number, error in errors.items() if error is None]
        found = [error for error in errors.values() if error is not None]
        if found:
            raise next((error for error in found if not isinstance(error, TableFailed)), found[0])

    def _attempt(self, number: int, parallel_round: Round) -> BaseException | None:
        try:
            self._write(number, parallel_round)
        except (TableFailed, TargetDeadlocked) as error:
            self._sessions[number][0].rollback()
            return error
        except BaseException as error:  # noqa: BLE001  `execute` raises it
            self._drop(number)
            return error
        return None

    def _write(self, number: int, parallel_round: Round) -> None:
        checkpoints = CheckpointWriter(
            self._checkpoints.subscription, self._session(number), self._checkpoints.versions
        )
        # The checkpoint goes first: a process that fences this one out waits for its lock.
        checkpoints.write(applier_name(number), parallel_round.checkpoint())
        for run, part in parallel_round.parts[number]:
            try:
                apply_nets(checkpoints.session, part.table, part.nets)
            except SINGLE_TABLE_ERRORS as error:
                raise TableFailed([run], error) from error
        try:
            checkpoints.commit()
        except TABLE_ERRORS as error:
            raise TableFailed([run for run, _ in parallel_round.parts[number]], error) from error

    def _session(self, number: int) -> TargetSession:
        if number not in self._sessions:
            opened = ExitStack()
            self._sessions[number] = opened.enter_context(self._session_factory.another()), opened
        return self._sessions[number][0]

    def _drop(self, number: int) -> None:
        """Close a session after an error; the server rolls back."""
        found = self._sessions.pop(number, None)
        if found is not None:
            found[1].close()

    def _close_old(self) -> None:
        """Close sessions that are idle for long, which the server may have ended."""
        now = monotonic()
        if now - self._used > _IDLE_SECONDS:
            self._close_sessions()
        self._used = now

    def _close_sessions(self) -> None:
        for number in list(self._sessions):
            self._drop(number)


def begin(checkpoints: CheckpointWriter, boundary: ChannelCheckpoint, count: int) -> None:
    """Record in the open transaction that no parallel applier is ahead, which fences out leftovers.

    Creates checkpoints up to `count`; existing ones stay.
    """
    existing = {number for name in checkpoints.versions if (number := number_of_applier(name)) is not None}
    needed = set(range(count)) if count > 1 else set()
    for number in sorted(existing | needed):
        checkpoints.write(
            applier_name(number), ApplierCheckpoint(boundary.offset, boundary.record_time, boundary.offset)
        )
