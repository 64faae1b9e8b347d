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

_MAX_DETAIL, _MAX_CHAIN = 1000, 20
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
    full = _full(error, dialect)
    if full is not None:
        return unavailable_class(side, full=True)(**{**where, "detail": _text(full)})
    unavailable = unavailable_class(side, full=False)
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
    while (following := _of(found, "getNextException")) is not None:
        found = following
    state = _state(found, dialect)
    return state, _text(found)


def _text(error: Any) -> str:
    text = str(error.getMessage() or error.getClass().getName())
    return text.partition("; SQL statement:")[0][:_MAX_DETAIL]


def _chain(error: Any) -> Iterator[Any]:
    """The error, those that follow it, and what caused them: servers that end the connection say why in the midst."""
    waiting = [error]
    for _ in range(_MAX_CHAIN):
        if not waiting:
            return
        found = waiting.pop()
        yield found
        waiting += [one for name in ("getNextException", "getCause") if (one := _of(found, name)) is not None]


def _full(error: Any, dialect: Dialect) -> Any:
    """The error of the chain that a disk is full; None: none is."""
    chain = [(one, _state(one, dialect)) for one in _chain(error)]
    named = next((one for one, state in chain if state == FULL or state in dialect.states.full), None)
    # Errors of rows may quote their values.
    if named is not None or any(state.startswith(_REFUSED) for _, state in chain):
        return named
    # With its trace, which some servers send, an error has its causes.
    return next((one for one, _ in chain if says_full(str(one.toString()))), None)


def _state(error: Any, dialect: Dialect) -> str:
    state = str(_of(error, "getSQLState") or "")
    code = _of(error, "getErrorCode")
    return state if code is None else dialect.states.codes.get(int(code), state)


def _of(error: Any, name: str) -> Any:
    """What a method of the error answers; None: it has no such method."""
    method = getattr(error, name, None)
    return None if method is None else method()
