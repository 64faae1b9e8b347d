"""The server's error numbers as the errors the engine knows."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import pymysql

from zcbus.connectors.errors import (
    AccessDenied,
    LogPositionLost,
    RowRefused,
    SnapshotOutdated,
    SourceFull,
    SourceNotReady,
    SourceUnavailable,
    TableMissing,
    TableRefused,
    TargetDeadlocked,
    TargetFull,
    TargetLocked,
    TargetUnavailable,
)
from zcbus.connectors.mysql.variant import variant_of
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.roles import Side
from zcbus.kit.errors import ZcbusError

BAD_LOG_POSITION = frozenset({1236, 1220})
"""The server cannot send its binlog from there (purged, reset, no such file)."""

_LOCKED = 1205
"""A row or a table was not to be had in time."""
_DEADLOCKED = 1213
_UNAVAILABLE = frozenset(
    {
        0,  # the driver: connection is closed
        1020,  # record changed since last read
        1040,  # too many connections
        1041,  # out of memory
        1047,  # cluster node not ready
        1053,  # shutdown in progress
        1152,
        1158,
        1159,
        1160,
        1161,  # network trouble
        1180,  # error during commit
        1203,  # too many connections of this user
        _LOCKED,
        _DEADLOCKED,
        1290,  # read-only for now
        1317,  # interrupted
        1836,  # read-only mode
        1927,  # connection killed
        1969,  # statement timeout
        2002,
        2003,
        2006,
        2013,
        2055,  # no connection or lost connection
        3024,  # statement timeout
        3100,
        4031,  # disconnected for inactivity
    }
)
_FULL = frozenset({1021, 1114})
"""Disk full; a table (also the log's or a temporary one) has no room."""
_DENIED = frozenset(
    {1044, 1045, 1129, 1130, 1142, 1143, 1227, 1370, 1698, 1820, 1862, 2026, 2059, 2061, 2068, 3118, 3159}
)
_NO_TABLE = frozenset({1051, 1146, 1932})
_NO_DATABASE = 1049
_DEFINITION_CHANGED = 1412
"""A statement that changed or rebuilt the table came after the transaction's image."""


@contextmanager
def translated(options: ConnectionOptions, side: Side, table: str = "") -> Iterator[None]:
    """Translate the driver's errors into connector errors."""
    try:
        yield
    except pymysql.err.MySQLError as error:
        raise translate(error, options, side, table) from error
    except OSError as error:
        raise _unavailable(options, side, str(error)) from error


def translate(error: Exception, options: ConnectionOptions, side: Side, table: str = "") -> ZcbusError:
    """The connector error for one of the driver's."""
    number, detail = number_and_detail(error)
    untrusted = isinstance(getattr(error, "original_exception", None), ssl.SSLCertVerificationError)
    passing = None if untrusted else _passing(number, detail, options, side, table)
    if passing is not None:
        return passing
    if number in _DENIED or untrusted:
        return AccessDenied(kind=options.kind, address=options.address, user=options.user, detail=detail)
    if number in _NO_TABLE:
        return TableMissing(table=table or detail, side=side)
    if number in BAD_LOG_POSITION:
        return LogPositionLost(kind=options.kind, wanted="", oldest="", gap="", detail=detail)
    if number == _NO_DATABASE:
        return SourceNotReady(kind=options.kind, setting="database", value=options.database, expected="exists")
    if side == "target":
        return RowRefused(table=table, detail=f"{number}: {detail}")
    return TableRefused(table=table, column="", reason=f"{number}: {detail}")


def _passing(number: int, detail: str, options: ConnectionOptions, side: Side, table: str) -> ZcbusError | None:
    """The error that a later attempt may not meet; None: it will."""
    where = {"kind": options.kind, "address": options.address, "detail": detail}
    variant = variant_of(options)
    if (number == _LOCKED or number in variant.locked) and side == "target":
        return TargetLocked(**where, table=table, holder="")
    if number == _DEADLOCKED and side == "target":
        return TargetDeadlocked(**where)
    if number in _FULL:
        return (SourceFull if side == "source" else TargetFull)(**where)
    if number == _DEFINITION_CHANGED:
        return SnapshotOutdated(table=table, detail=detail)
    again = number in _UNAVAILABLE | variant.unavailable | variant.locked
    return _unavailable(options, side, detail) if again else None


def number_and_detail(error: Exception) -> tuple[int, str]:
    """The server's error number (0: none) and its message."""
    match error.args:
        case (int(number), detail, *_):
            return number, str(detail)
        case _:
            return 0, str(error)


def _unavailable(options: ConnectionOptions, side: Side, detail: str) -> ZcbusError:
    kind = SourceUnavailable if side == "source" else TargetUnavailable
    return kind(kind=options.kind, address=options.address, detail=detail)
