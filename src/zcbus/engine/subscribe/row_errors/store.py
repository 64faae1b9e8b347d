"""The row errors that a target keeps of a table: taken over, put on record, and done with."""

from dataclasses import replace

from zcbus.connectors.roles import TargetSession
from zcbus.connectors.row_errors import RowErrorFilter
from zcbus.engine.subscribe.row_errors.quarantine import QuarantinedRows
from zcbus.engine.subscribe.row_errors.rejected_rows import RowBlocks
from zcbus.engine.subscribe.table import SyncRun
from zcbus.kit.clock import now_ms
from zcbus.model.row_errors import OPEN, RowError, RowErrorStatus, RowOperation


def recall_held(session: TargetSession, subscription: str, run: SyncRun) -> None:
    """Take over which rows of a table the target lacks."""
    which = RowErrorFilter(tables=(run.task.id,), statuses=OPEN)
    names = run.checkpoint.key if run.checkpoint is not None else ()
    run.held = QuarantinedRows.of(session.row_errors.read(subscription, which), names)


def keep_blocking(session: TargetSession, subscription: str, error: Exception) -> None:
    """Put on record what a table stands still in front of; nothing may be open. Commits."""
    if isinstance(error, RowBlocks):
        session.row_errors.keep(subscription, [error.row_error])
        session.commit()


def pass_blocking(session: TargetSession, subscription: str, run: SyncRun, offset: int) -> bool:
    """The table goes on at that offset: what it stood still in front of before it is done. Belongs to the open
    transaction. Returns whether there is more to come."""
    store = session.row_errors
    blocking = store.read(subscription, RowErrorFilter(tables=(run.task.id,), statuses=OPEN, blocking=True))
    passed = [error for error in blocking if _offset_of(error) < offset]
    for error in passed:
        asked = error.wanted is not None
        status = RowErrorStatus.PROCESSED if asked else RowErrorStatus.SUCCESS
        done = replace(error, status=status, wanted=None, blocking=False, note="retried", changed_ms=now_ms())
        store.keep(subscription, [done])
    return len(passed) < len(blocking)


def _offset_of(error: RowError) -> int:
    """Of the record on the topic, which the id names."""
    return int(error.id.rpartition("/")[2].partition(".")[0].removeprefix("full-"))


def close_all(session: TargetSession, subscription: str, run: SyncRun, note: str) -> None:
    """No row error of the table matters any more, because its rows begin anew; belongs to the open transaction."""
    store = session.row_errors
    still = store.read(subscription, RowErrorFilter(tables=(run.task.id,), statuses=OPEN))
    rows = [error for error in still if error.operation is not RowOperation.DDL or note == "reloaded"]
    over = [
        replace(e, status=RowErrorStatus.SUCCESS, wanted=None, blocking=False, note=note, changed_ms=now_ms())
        for e in rows
    ]
    store.keep(subscription, over)
    for error in over:
        run.held.drop(error)
