"""Calls to follow one's own long calls."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row

from zcbus.control.features.progress.schemas import ProgressChoice, ProgressRecord
from zcbus.control.platform import progress
from zcbus.control.platform.authorisation import signed_in
from zcbus.control.platform.call import Call
from zcbus.control.platform.routing import Api

api = Api("progress")


@api.read("/api/zcbus/common/progress/get", signed_in())
def get(call: Call, body: ProgressChoice) -> ProgressRecord | None:
    """How far a call of the caller's is; null: none of that name is under way."""
    row = progress.find(call.connection, call.principal.user_id, body.key)
    return None if row is None else _record(call, row)


# The operation log records a cancelled call itself, as a failed one.
@api.change("/api/zcbus/common/progress/cancel", signed_in(), audited=False)
def cancel(call: Call, body: ProgressChoice) -> bool:
    """Call a call of the caller's off before it changes anything. False: it is too late."""
    return progress.cancel(call.connection, call.principal.user_id, body.key)


def _record(call: Call, row: Row[Any]) -> ProgressRecord:
    return ProgressRecord(
        text=call.text(f"progress.{row.step or 'begun'}"),
        done=row.done,
        total=row.total,
        time_left_ms=_time_left(row, call.services.clock.now()),
        cancellable=not row.final and not row.cancelled,
    )


def _time_left(row: Row[Any], now: datetime) -> int | None:
    """At the step's rate so far."""
    if not row.done or not row.total:
        return None
    spent: float = (now - row.step_begun_at).total_seconds() * 1000
    return max(0, round(spent * (int(row.total) - int(row.done)) / int(row.done)))
