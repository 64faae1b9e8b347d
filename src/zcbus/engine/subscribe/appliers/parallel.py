"""Parallel appliers: the changes of tables written over several sessions at once, each with the keys that are its own.

A round is what the channel applier has read up to a border. Each applier writes its part in a transaction of its own,
with a memory of it; only when all are committed does the channel applier write the rest and its place. Whatever ends in
between, the appliers that are ahead tell what the target has already (see checkpoints.records.Partly): no change is
made twice, and none is lost.
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
from zcbus.engine.subscribe.appliers.replay import ALONE, TABLE_ERRORS, TableFailed
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
from zcbus.engine.subscribe.reader import TableWork
from zcbus.engine.subscribe.sessions import SessionFactory
from zcbus.engine.subscribe.table import SyncRun
from zcbus.protocol.tasks import MOST_APPLY_LANES

LEAST_CHANGES = 500
"""Fewer changes of a table are not divided: the transactions beside each other would cost more than they win."""
_IDLE_SECONDS = 60.0


def may_divide(run: SyncRun, work: TableWork, offset: int) -> bool:
    """Whether a table's changes from that offset on are worth dividing, and its rows are as the source's were."""
    calm = run.checkpoint is not None and run.checkpoint.partly_behind(offset) is None and not len(run.held)
    return calm and work.count >= LEAST_CHANGES


class Round:
    """Changes that appliers write beside each other, and which of the appliers have committed."""

    def __init__(self, count: int, begin: ChannelCheckpoint, offset: int) -> None:
        """From the channel applier's place up to `offset`."""
        self.count, self.begin, self.offset = count, begin, offset
        self.parts: list[list[tuple[SyncRun, Effects]]] = [[] for _ in range(count)]
        self.runs: list[SyncRun] = []
        self.done: list[int] = []

    def add(self, run: SyncRun, parts: Sequence[Effects]) -> None:
        """A table takes part."""
        self.runs.append(run)
        for applier, part in zip(self.parts, parts, strict=True):
            if not part.is_empty:
                applier.append((run, part))

    def memory(self) -> ApplierCheckpoint:
        """What a applier remembers once its part is written."""
        begin, tables = self.begin, tuple(run.task.id for run in self.runs)
        return ApplierCheckpoint(begin.offset, begin.record_time, self.offset, self.count, tables)

    def lanes_put_down(self) -> dict[SyncRun, TableCheckpoint]:
        """What tables remember where the channel applier does not get as far as its parallel appliers."""
        partly = Partly(self.offset, self.count, tuple(sorted(self.done)))
        return {run: _with(run, partly) for run in self.runs} if self.done else {}


def _with(run: SyncRun, partly: Partly) -> TableCheckpoint:
    assert run.checkpoint is not None
    return replace(run.checkpoint, partly=partly)


class ParallelAppliers:
    """The sessions of a channel's parallel appliers, each with a thread while a round lasts."""

    def __init__(self, openings: SessionFactory, checkpoints: CheckpointWriter, count: int) -> None:
        """`appliers`: of the channel applier, which has written theirs; see `begin`."""
        self.count = count
        self._openings, self._checkpoints = openings, checkpoints
        self._sessions: dict[int, tuple[TargetSession, ExitStack]] = {}
        self._used = monotonic()
        self._pool = ThreadPoolExecutor(MOST_APPLY_LANES, "key-lane")
        self._fit: dict[SyncRun, bool] = {}

    def close(self) -> None:
        """End the sessions; nothing may be at work."""
        self._pool.shutdown()
        self._close_sessions()

    def become(self, count: int, place: ChannelCheckpoint) -> None:
        """Go on with so many appliers; nothing may be open, and the channel applier is at `place`. Commits. Raises
        Fenced."""
        self._checkpoints.write(MAIN, place)
        begin(self._checkpoints, place, count)
        self._checkpoints.commit()
        self._close_sessions()
        self.count = count

    def forget_tables(self) -> None:
        """The structure of tables may have changed."""
        self._fit.clear()
        for session, _ in self._sessions.values():
            session.forget_tables()

    def takes(self, run: SyncRun, table: TargetTable) -> bool:
        """Whether the target lets the table's rows be written beside each other. Raises TableMissing."""
        if run not in self._fit:
            self._fit[run] = supports_parallel_keys(self._checkpoints.session, table)
        return self._fit[run]

    def keep_together(self, run: SyncRun) -> None:
        """From now on the table's changes are not divided: its keys don't allow it."""
        self._fit[run] = False

    def carry_out(self, todo: Round) -> None:
        """Write and commit the parts. `todo.done` tells then, whatever is raised, which appliers have.

        Raises TableFailed where tables are the cause, else TransientError, Fenced.
        """
        self._close_old()
        numbers = [number for number, parts in enumerate(todo.parts) if parts]
        futures = {number: self._pool.submit(self._attempt, number, todo) for number in numbers}
        errors = {number: future.result() for number, future in futures.items()}
        for number in [number for number, error in errors.items() if isinstance(error, TargetDeadlocked)]:
            # Appliers met in an index. Alone, nothing of ours is in the way.
            errors[number] = self._attempt(number, todo)
        todo.done += [number for number, error in errors.items() if error is None]
        found = [error for error in errors.values() if error is not None]
        if found:
            raise next((error for error in found if not isinstance(error, TableFailed)), found[0])

    def _attempt(self, number: int, todo: Round) -> BaseException | None:
        try:
            self._write(number, todo)
        except (TableFailed, TargetDeadlocked) as error:
            self._sessions[number][0].rollback()
            return error
        except BaseException as error:  # noqa: BLE001  whatever it is, `carry_out` tells it
            self._drop(number)
            return error
        return None

    def _write(self, number: int, todo: Round) -> None:
        checkpoints = CheckpointWriter(
            self._checkpoints.subscription, self._session(number), self._checkpoints.versions
        )
        # First of all: whoever fences this applier out, or holds it, waits for what it has begun.
        checkpoints.write(applier_name(number), todo.memory())
        for run, part in todo.parts[number]:
            try:
                apply_nets(checkpoints.session, part.table, part.nets)
            except ALONE as error:
                raise TableFailed([run], error) from error
        try:
            checkpoints.commit()
        except TABLE_ERRORS as error:
            raise TableFailed([run for run, _ in todo.parts[number]], error) from error

    def _session(self, number: int) -> TargetSession:
        if number not in self._sessions:
            opened = ExitStack()
            self._sessions[number] = opened.enter_context(self._openings.another()), opened
        return self._sessions[number][0]

    def _drop(self, number: int) -> None:
        """End a session in which something failed; the server rolls back."""
        found = self._sessions.pop(number, None)
        if found is not None:
            found[1].close()

    def _close_old(self) -> None:
        """A server may have ended sessions that were idle for long."""
        now = monotonic()
        if now - self._used > _IDLE_SECONDS:
            self._close_sessions()
        self._used = now

    def _close_sessions(self) -> None:
        for number in list(self._sessions):
            self._drop(number)


def begin(checkpoints: CheckpointWriter, place: ChannelCheckpoint, count: int) -> None:
    """Write in the channel applier's open transaction that no parallel applier is ahead of it, which fences leftovers
    out. Makes the appliers up to `count`, those of before stay."""
    known = {number for name in checkpoints.versions if (number := number_of_applier(name)) is not None}
    wanted = set(range(count)) if count > 1 else set()
    for number in sorted(known | wanted):
        checkpoints.write(applier_name(number), ApplierCheckpoint(place.offset, place.record_time, place.offset))
