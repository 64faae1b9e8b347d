"""Errors of drivers as errors of connectors."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zcbus.connectors.errors import (
    AccessDenied,
    DatabaseFailed,
    RowRefused,
    SourceNotReady,
    TableMissing,
    TargetDeadlocked,
    TargetLocked,
)
from zcbus.connectors.full_disk import says_full, unavailable_class
from zcbus.connectors.jdbc.dialect import FULL, Dialect
from zcbus.connectors.jdbc.jvm import JavaError
from zcbus.connectors.jdbc.options import JdbcOptions
from zcbus.connectors.roles import Side
from zcbus.kit.errors import ZcbusError

_MAX_DETAIL = 1000
_ROLLED_BACK = "40"
_LOST, _LOGIN, _REFUSED = "08", "28", ("22", "23")


@contextmanager
def translated(dialect: Dialect, options: JdbcOptions, side: Side, of: str = "") -> Iterator[None]:
    """Translate the driver's errors; `of`: the table that statements are about."""
    try:
        yield
    except JavaError as error:
        raise translate(error, dialect, options, side, of) from None


def translate(error: Any, dialect: Dialect, options: JdbcOptions, side: Side, of: str = "") -> ZcbusError:
    """A Java exception as an error of connectors."""
    state, detail = _described(error, dialect)
    where = {"kind": options.kind, "address": options.address, "detail": detail}
    states = dialect.states
    # Errors of rows may quote their values.
    full = state == FULL or state in states.full or (not state.startswith(_REFUSED) and says_full(detail))
    unavailable = unavailable_class(side, full=full)
    if full:
        return unavailable(**where)
    if state in states.locked and side == "target":
        return TargetLocked(**where, table=of, holder="")
    if state in states.database:
        return SourceNotReady(kind=options.kind, setting="database", value=options.database, expected=detail)
    if state in states.table:
        return TableMissing(table=of or detail, side=side)
    if state in states.login or state.startswith(_LOGIN):
        return AccessDenied(**where, user=options.user)
    if state.startswith(_ROLLED_BACK) and side == "target":
        return TargetDeadlocked(**where, table=of, holder="")
    if not state or state in states.lost | states.locked or state.startswith((_LOST, _ROLLED_BACK)):
        return unavailable(**where)
    if side == "target" and of and state.startswith(_REFUSED):
        return RowRefused(table=of, detail=detail)
    return DatabaseFailed(kind=options.kind, detail=detail, sqlstate=state)


def _described(error: Any, dialect: Dialect) -> tuple[str, str]:
    """SQLSTATE and text of the error that says most: a batch's own says only that it failed."""
    found = error
    while getattr(found, "getNextException", None) is not None and (following := found.getNextException()) is not None:
        found = following
    state = str(found.getSQLState() or "") if hasattr(found, "getSQLState") else ""
    if hasattr(found, "getErrorCode"):
        state = dialect.states.codes.get(int(found.getErrorCode()), state)
    text = str(found.getMessage() or found.getClass().getName())
    return state, text.partition("; SQL statement:")[0][:_MAX_DETAIL]
