"""Row errors in the target's store: loaded at start, decided, retried, closed."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from zcbus.connectors.errors import RowRefused, TargetLocked
from zcbus.connectors.roles import TargetSession
from zcbus.connectors.row_errors import RowErrorFilter, RowErrorPart
from zcbus.engine.reasons import APPEND_ONLY, EXPRESSION_FAILED
from zcbus.engine.subscribe.checkpoints.records import CheckpointWriter
from zcbus.engine.subscribe.failures import RowBlocks
from zcbus.engine.subscribe.row_errors.images import QuarantinedRows, image_to_put, put
from zcbus.engine.subscribe.schema.mapping import map_checkpoint
from zcbus.kit.clock import now_ms
from zcbus.kit.logging import get_logger
from zcbus.model.row_errors import OPEN, Decision, RowError, RowErrorStatus, RowOperation

if TYPE_CHECKING:
    from zcbus.engine.subscribe.table import SyncRun


def load_quarantined(session: TargetSession, subscription: str, run: "SyncRun") -> None:
    """Load a table's quarantined rows."""
    which = RowErrorFilter(tables=(run.task.id,), statuses=OPEN)
    names = run.checkpoint.key if run.checkpoint is not None else ()
    run.quarantined = QuarantinedRows.of(session.row_errors.read(subscription, which), names)


def keep_blocking(session: TargetSession, subscription: str, error: Exception) -> None:
    """Store the row error that blocks a table, and commit. No transaction may be open."""
    if isinstance(error, RowBlocks):
        session.row_errors.keep(subscription, [error.row_error])
        session.commit()


def pass_blocking(session: TargetSession, subscription: str, run: "SyncRun", offset: int) -> bool:
    """Close the table's blocking row errors before that offset, in the open transaction. Returns whether others are
    left."""
    store = session.row_errors
    blocking = store.read(subscription, RowErrorFilter(tables=(run.task.id,), statuses=OPEN, blocking=True))
    passed = [error for error in blocking if _offset_of(error) < offset]
    for error in passed:
        decided = error.wanted is not None
        status = RowErrorStatus.PROCESSED if decided else RowErrorStatus.SUCCESS
        done = replace(error, status=status, wanted=None, blocking=False, note="retried", changed_ms=now_ms())
        store.keep(subscription, [done])
    return len(passed) < len(blocking)


def _offset_of(error: RowError) -> int:
    """Offset of the record on the topic, from the error's id."""
    return int(error.id.rpartition("/")[2].partition(".")[0].removeprefix("full-"))


def close_all(session: TargetSession, subscription: str, run: "SyncRun", note: str) -> None:
    """Close all row errors of a table that is loaded from scratch, in the open transaction."""
    store = session.row_errors
    still = store.read(subscription, RowErrorFilter(tables=(run.task.id,), statuses=OPEN))
    rows = [error for error in still if error.operation is not RowOperation.DDL or note == "reloaded"]
    closed = [
        replace(e, status=RowErrorStatus.SUCCESS, wanted=None, blocking=False, note=note, changed_ms=now_ms())
        for e in rows
    ]
    store.keep(subscription, closed)
    for error in closed:
        run.quarantined.drop(error)


_POLL_SECONDS = 1.0
_MAX_AT_ONCE = 500
_PAUSES_MS = (2_000, 60_000, 300_000, 1_800_000, 7_200_000)
"""Pauses before the engine's own attempts; after the last one only operators retry."""


class Decisions:
    """Executes decisions about row errors, in the channel applier's session, on tables without a job.

    A quarantined row is always the newest rejected state, and everything before the channel applier's offset is
    applied, so a row that is written now ends as in the source.
    """

    def __init__(self, session: TargetSession, checkpoints: CheckpointWriter) -> None:
        self._session, self._checkpoints = session, checkpoints
        self._next_poll = 0.0
        self._log = get_logger("row-errors").bind(subscription=checkpoints.subscription)

    def poll(self, runs: Mapping[str, "SyncRun"]) -> None:
        """Execute decisions and due retries, at most once a second. `runs`: tables without a job. No transaction may be
        open."""
        now = time.monotonic()
        with_errors = {name: run for name, run in runs.items() if len(run.quarantined) or run.retry_at is not None}
        if now < self._next_poll or not with_errors:
            return
        self._next_poll = now + _POLL_SECONDS
        which = RowErrorFilter(tables=tuple(with_errors), wanted=True)
        decided = self._session.row_errors.read(
            self._checkpoints.subscription, which, RowErrorPart(descending=False, limit=_MAX_AT_ONCE)
        )
        for error in decided:
            self._decide(with_errors[error.table], error)
        for run in with_errors.values():
            self._recover(run)
        self._checkpoints.rollback()

    def _decide(self, run: "SyncRun", error: RowError) -> None:
        if error.blocking:
            # Executed when the table reaches this change again.
            if run.retry_at is not None:
                run.retry_at = min(run.retry_at, time.monotonic())
            return
        if not error.is_open:
            self._keep(run, replace(error, wanted=None))
        elif error.wanted is Decision.SKIP:
            self._close(run, error, RowErrorStatus.PROCESSED, "skipped")
        elif error.operation is not RowOperation.DDL:
            self._try(run, error, RowErrorStatus.PROCESSED)

    def _recover(self, run: "SyncRun") -> None:
        now = now_ms()
        for error in list(run.quarantined.errors.values()):
            due = error.attempts <= len(_PAUSES_MS) and now - error.changed_ms > _PAUSES_MS[error.attempts - 1]
            # A retry cannot change the result of an expression, nor give a table a key.
            if due and error.wanted is None and error.code not in (EXPRESSION_FAILED, APPEND_ONLY):
                self._keep(run, replace(error, status=RowErrorStatus.AUTO_RECOVERY))
                self._try(run, error, RowErrorStatus.SUCCESS)

    def _try(self, run: "SyncRun", error: RowError, success: RowErrorStatus) -> None:
        if run.structure is None or run.checkpoint is None:
            return
        mapped = map_checkpoint(run, run.checkpoint, run.structure, run.checkpoint.key)
        try:
            after = image_to_put(error, mapped)
            with self._session.savepoint():
                put(self._session, mapped.table, error.before, after)
        except RowRefused as refused:
            detail = str(refused.facts.get("detail", refused))
            code = refused.code
            again = replace(error, status=RowErrorStatus.NOT_PROCESSED, wanted=None, code=code, detail=detail)
            self._keep(run, replace(again, attempts=error.attempts + 1, changed_ms=now_ms()))
            return
        except TargetLocked:
            # Not an attempt: only the pause before the next one starts again.
            self._checkpoints.rollback()
            self._keep(run, replace(run.quarantined.errors.get(error.id, error), changed_ms=now_ms()))
            return
        self._close(run, error, success, "retried")

    def _close(self, run: "SyncRun", error: RowError, status: RowErrorStatus, note: str) -> None:
        self._keep(run, replace(error, status=status, wanted=None, note=note, changed_ms=now_ms()))
        self._log.info("row error closed", table=str(run.source), id=error.id, note=note)
        if run.retry_at is not None:
            run.retry_at = min(run.retry_at, time.monotonic())

    def _keep(self, run: "SyncRun", error: RowError) -> None:
        self._session.row_errors.keep(self._checkpoints.subscription, [error])
        if error.is_open and error.operation is not RowOperation.DDL:
            run.quarantined.put(error)
        else:
            run.quarantined.drop(error)
        self._checkpoints.commit()
        run.quarantined.commit()
