"""Translation of PostgreSQL's and its drivers' errors."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from zcbus.connectors.errors import (
    AccessDenied,
    DatabaseFailed,
    RowRefused,
    SourceFull,
    SourceUnavailable,
    TableMissing,
    TargetDeadlocked,
    TargetFull,
    TargetLocked,
    TargetUnavailable,
)
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.connection.failures import ConnectionLost, ServerError
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.connectors.roles import Side
from zcbus.kit.errors import ZcbusError

_LOCKED = "55P03"
_DEADLOCKED = "40P01"
_FULL = "53100"
_TRY_AGAIN = frozenset(
    {
        "40001",  # serialization failure
        _DEADLOCKED,
        _LOCKED,
        "55006",  # object in use: a slot that a connection cut off still holds
        "57014",  # query cancelled: by a time limit or a person
        "57P01",  # administrator shutdown
        "57P02",  # crash shutdown
        "57P03",  # cannot connect now: starting, recovering
        "57P05",  # idle session time-out
        "25006",  # read-only: a standby that is not promoted yet
        "25P03",  # idle in transaction time-out
    }
)
_TRY_AGAIN_CLASSES = ("08", "53", "58")
"""Connection, resources (too many connections), input and output."""
_ACCESS_CLASSES = ("28", "3D")
_MISSING = frozenset({"42P01", "3F000"})


def translate(
    error: psycopg.Error | ServerError | ConnectionLost, options: ConnectionOptions, side: Side, table: str = ""
) -> ZcbusError:
    """The platform's error for one of a driver. With `table`, data errors become RowRefused for it."""
    state, detail = _state(error), _detail(error)
    where = {"kind": options.kind, "address": options.address}
    if state == _LOCKED and side == "target":
        return TargetLocked(**where, detail=detail, table=table, holder="")
    if state == _DEADLOCKED and side == "target":
        return TargetDeadlocked(**where, detail=detail)
    if state == _FULL:
        return (SourceFull if side == "source" else TargetFull)(**where, detail=detail)
    if _transient(error, state):
        return (SourceUnavailable if side == "source" else TargetUnavailable)(**where, detail=detail)
    if state.startswith(_ACCESS_CLASSES) or state == "42501":
        return AccessDenied(**where, user=options.user, detail=detail)
    if state in _MISSING:
        return TableMissing(table=table or detail, side=side)
    if table and side == "target":
        return RowRefused(table=table, detail=detail)
    return DatabaseFailed(kind=options.kind, sqlstate=state, detail=detail)


@contextmanager
def translated(options: ConnectionOptions, side: Side, table: str = "") -> Iterator[None]:
    """Turn a driver's errors into the platform's."""
    try:
        yield
    except (psycopg.Error, ServerError, ConnectionLost) as error:
        raise translate(error, options, side, table) from error


def why_no_connection(options: ConnectionOptions, side: Side, error: psycopg.Error) -> ZcbusError:
    """The reason for a failed login.

    libpq reports it only as a message in the server's language, so a second attempt gets the server's error code.
    """
    try:
        WireConnection(options, replication=False).close()
    except (ServerError, ConnectionLost) as failure:
        return translate(failure, options, side)
    return translate(error, options, side)


def _transient(error: Exception, state: str) -> bool:
    if isinstance(error, ConnectionLost):
        return True
    if not state:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return state in _TRY_AGAIN or state.startswith(_TRY_AGAIN_CLASSES)


def _state(error: psycopg.Error | ServerError | ConnectionLost) -> str:
    if isinstance(error, ConnectionLost):
        return ""
    return error.sqlstate or ""


def _detail(error: psycopg.Error | ServerError | ConnectionLost) -> str:
    if not isinstance(error, psycopg.Error) or not error.diag.message_primary:
        return str(error).strip()
    parts = (error.diag.message_primary, error.diag.message_detail, error.diag.context)
    return "; ".join(part for part in parts if part)
