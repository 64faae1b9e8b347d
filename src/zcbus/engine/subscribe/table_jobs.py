"""Jobs of single tables, each in a thread with its own session: load, then catch up."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from zcbus.bus.contract import Bus, OffsetExpired
from zcbus.bus.topics import real_topic
from zcbus.connectors.errors import Fenced, TargetLocked
from zcbus.connectors.roles import TargetSession
from zcbus.engine.backoff import Backoff
from zcbus.engine.reasons import CHANGES_EXPIRED, reason_of
from zcbus.engine.subscribe.checkpoints.records import (
    CheckpointWriter,
    Phase,
    schema_checkpoint,
    structure_name,
    table_checkpoint,
)
from zcbus.engine.subscribe.failures import Expired, RowBlocks, TableFailed
from zcbus.engine.subscribe.row_errors.store import keep_blocking, load_quarantined
from zcbus.engine.subscribe.sessions import Sessions
from zcbus.engine.subscribe.table import SyncRun, drop_shadow_table, named
from zcbus.kit.clock import now_ms
from zcbus.kit.errors import TransientError
from zcbus.kit.logging import get_logger
from zcbus.model.states import LoadMode, SyncState

if TYPE_CHECKING:
    from zcbus.engine.subscribe.appliers.channel import CatchUp
    from zcbus.engine.subscribe.load.direct_load import DirectLoad
    from zcbus.engine.subscribe.load.full_load import FullLoad

_MIN_SECONDS = 0.05
_FIRST_PER_SECOND = 2_000
_PER_SECOND = 200
"""Limit over all tables, down to which polls of waiting tables slow down."""


class PollThrottle:
    """Throttle for polls of a channel's tables, by id."""

    def __init__(self) -> None:
        self.waiting = 0
        """Number of waiting tables."""
        self._next: dict[str, float] = {}
        self._pause: dict[str, float] = {}

    def may(self, table: str) -> bool:
        """Whether the bus may be polled for this table now; then the next time is set."""
        now = time.monotonic()
        if now < self._next.get(table, 0.0):
            return False
        first, longest = self.waiting / _FIRST_PER_SECOND, self.waiting / _PER_SECOND
        pause = self._pause[table] = min(2 * self._pause.get(table, first), longest)
        self._next[table] = now + max(_MIN_SECONDS, pause)
        return True

    def begun(self, table: str) -> None:
        """The table stopped waiting; its next wait starts with fast polls."""
        self._pause.pop(table, None)

    def soon(self, table: str) -> None:
        """The data that the table waits for exists; it waits only for its turn."""
        self._pause.pop(table, None)
        self._next.pop(table, None)


class Outcome(StrEnum):
    """Result of a job."""

    STOPPED = "stopped"
    CAUGHT_UP = "caught-up"
    FINISHED = "finished"
    EXPIRED = "expired"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Steps:
    """What a job does: how a load and a catch-up are made."""

    load: "type[FullLoad]"
    catch_up: "type[CatchUp]"


class TableJob(threading.Thread):
    """Owns its table until it ends; then `outcome` and `versions` return to the main loop."""

    def __init__(
        self,
        bus: Bus,
        node: str,
        subscription: str,
        sessions: Sessions,
        run: SyncRun,
        versions: dict[str, int],
        main_offset: Callable[[], int],
        direct_load: "DirectLoad | None",
        ended: threading.Event,
        steps: Steps,
    ) -> None:
        """`versions`: of the table's checkpoints in `run`. `direct_load`: see FullLoad. `ended` is set at the end."""
        super().__init__(name=f"table-{run.task.id}", daemon=True)
        self._bus, self._node, self._subscription, self._sessions = bus, node, subscription, sessions
        self._main_offset, self._direct_load, self._steps = main_offset, direct_load, steps
        self.table = run
        self.has_ended, self._ended = False, ended
        self.cancelled = threading.Event()
        self.outcome = Outcome.STOPPED
        self.error: Exception | None = None
        self.versions = versions
        self._certain = True
        """Whether `run.checkpoint` and its version equal the target's; false after an interrupted attempt."""
        self._log = get_logger("table").bind(table=str(run.source))

    def run(self) -> None:
        """Work until caught up, finished, failed or cancelled; retries while something external is unavailable."""
        try:
            self._persist()
        finally:
            self.has_ended = True
            self._ended.set()

    def _persist(self) -> None:
        backoff = Backoff(self.cancelled.wait)
        while not self.cancelled.is_set():
            try:
                self.outcome = self._once(backoff)
                return
            except (TransientError, Fenced) as error:
                self._certain = False
                self._log.warning(
                    "waiting", reason=error.code, facts={name: str(value) for name, value in error.facts.items()}
                )
                self._show_wait(error)
                backoff.pause()
            except TableFailed as error:
                self.outcome, self.error = Outcome.FAILED, error.error
                return
            except Exception as error:  # noqa: BLE001  one table's error must not stop the others
                self.outcome, self.error = Outcome.FAILED, error
                return

    def _show_wait(self, error: TransientError | Fenced) -> None:
        if isinstance(error, TargetLocked):
            self.table.lock(error)
        else:
            self.table.reason = reason_of(error)

    def _once(self, backoff: Backoff) -> Outcome:
        with self._sessions.open() as session:
            checkpoints = self._take_over(session)
            backoff.succeeded()
            if not self.table.is_here:
                return Outcome.STOPPED
            try:
                return self._work(session, checkpoints)
            except (Expired, OffsetExpired) as error:
                return self._expire(checkpoints, error)
            except TargetLocked as error:
                checkpoints.rollback()
                raise named(error, session, self.table) from error
            except TableFailed as failure:
                keep_blocking(session, self._subscription, failure.error)
                raise
            except RowBlocks as error:
                checkpoints.rollback()
                self.table.quarantined.rollback()
                self.table.seen = self.table.structure
                keep_blocking(session, self._subscription, error)
                raise

    def _take_over(self, session: TargetSession) -> CheckpointWriter:
        """Read the table's checkpoint from the target: it is unknown whether the last commit succeeded."""
        if self._certain:
            return CheckpointWriter(self._subscription, session, self.versions)
        self.versions = {}
        for checkpoint in session.checkpoints(self._subscription):
            if checkpoint.name == self.table.task.id:
                self.versions[checkpoint.name] = checkpoint.version
                self.table.checkpoint = table_checkpoint(checkpoint.data)
            elif checkpoint.name == structure_name(self.table.task.id):
                self.versions[checkpoint.name] = checkpoint.version
                self.table.structure = self.table.seen = schema_checkpoint(checkpoint.data)
        load_quarantined(session, self._subscription, self.table)
        session.rollback()
        self._certain = True
        return CheckpointWriter(self._subscription, session, self.versions)

    def _work(self, session: TargetSession, checkpoints: CheckpointWriter) -> Outcome:
        run = self.table
        if run.phase in (None, Phase.LOADING):
            load = self._steps.load(
                self._bus, self._node, self._sessions, session, checkpoints, run, self.cancelled, self._direct_load
            )
            if not load.run():
                return Outcome.STOPPED
        drop_shadow_table(session, checkpoints, run)
        if run.phase is Phase.FINISHED or run.task.load is LoadMode.FULL:
            return Outcome.FINISHED
        return self._catch_up(session, checkpoints)

    def _catch_up(self, session: TargetSession, checkpoints: CheckpointWriter) -> Outcome:
        run = self.table
        replay = self._steps.catch_up(self._bus, real_topic(self._node), session, checkpoints, run)
        try:
            while not self.cancelled.is_set():
                goal = self._main_offset()
                read = replay.turn(0.25 if replay.in_transaction else 0.0)
                self._show(replay)
                if not replay.in_transaction and (replay.offset >= goal or read == 0):
                    if run.checkpoint is None or replay.offset != run.checkpoint.offset:
                        replay.store()
                    return Outcome.CAUGHT_UP
            if not replay.in_transaction:
                replay.store()
            return Outcome.STOPPED
        finally:
            replay.close()

    def _show(self, replay: "CatchUp") -> None:
        run = self.table
        until = run.checkpoint.until_position if run.checkpoint is not None else None
        consistent = until is None or replay.position >= until
        run.enter(SyncState.INCREMENTAL_RUNNING if consistent else SyncState.INCREMENTAL_ALLOWED)
        run.lag_ms = max(0, now_ms() - replay.commit_time) if replay.commit_time is not None else None

    def _expire(self, checkpoints: CheckpointWriter, error: Expired | OffsetExpired) -> Outcome:
        run = self.table
        checkpoints.rollback()
        if isinstance(error, OffsetExpired):
            error = Expired(
                CHANGES_EXPIRED,
                table=run.source,
                wanted=error.facts.get("asked", ""),
                first=error.facts.get("first", ""),
            )
        self.error = error
        if run.checkpoint is not None and run.phase is not None:
            expired = replace(run.checkpoint, phase=Phase.EXPIRED)
            checkpoints.write(run.task.id, expired)
            checkpoints.commit()
            run.checkpoint = expired
        return Outcome.EXPIRED
