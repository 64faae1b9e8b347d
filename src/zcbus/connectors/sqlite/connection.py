"""Connections to a database file, and translation of SQLite's errors."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation

from zcbus.connectors.errors import (
    AccessDenied,
    DatabaseFailed,
    RowRefused,
    SourceFull,
    SourceUnavailable,
    TableMissing,
    TargetFull,
    TargetLocked,
    TargetUnavailable,
)
from zcbus.connectors.roles import Side
from zcbus.connectors.sqlite.spec import SQLiteOptions
from zcbus.kit.errors import ZcbusError
from zcbus.kit.file_folder import FileOutside, confined
from zcbus.model.schema import TableName

_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_TRY_AGAIN = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT})
_ACCESS = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH})


def connect(options: SQLiteOptions, side: Side) -> sqlite3.Connection:
    """A connection in autocommit mode; a target's file is created if it is missing.

    Readers and the one writer do not wait for each other (write-ahead log). Raises AccessDenied, SourceUnavailable,
    TargetUnavailable.
    """
    with translated(options, side):
        path = confined(options.tenant, options.file)
        if side == "target":
            path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            f"{path.as_uri()}?mode={'rwc' if side == 'target' else 'rw'}",
            timeout=options.lock_wait,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
        )
        try:
            if side == "target":
                connection.execute("PRAGMA journal_mode = wal")
                connection.execute("PRAGMA synchronous = full")
            connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
            connection.create_collation("zcbus_number", _compare_numbers)
            connection.create_collation("zcbus_moment", _compare_moments)
        except BaseException:
            connection.close()
            raise
    return connection


def identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def identifiers(names: "tuple[str, ...] | list[str]") -> str:
    return ", ".join(map(identifier, names))


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def table(name: TableName) -> str:
    """The name in statements. Only the file itself is ever attached, so the schema is ignored."""
    return identifier(name.table)


@contextmanager
def translated(options: SQLiteOptions, side: Side, of: str = "") -> Iterator[None]:
    """Translate the driver's errors; with `of`, a table, its refusals become RowRefused."""
    try:
        yield
    except (sqlite3.Error, OSError, OverflowError, ValueError) as error:
        raise _translate(error, options, side, of) from error


def _translate(error: Exception, options: SQLiteOptions, side: Side, of: str) -> ZcbusError:
    where = {"kind": options.kind, "address": options.address}
    code, detail = getattr(error, "sqlite_errorcode", 0) & 0xFF, str(error)
    unavailable = SourceUnavailable if side == "source" else TargetUnavailable
    if isinstance(error, FileOutside | PermissionError) or code in _ACCESS:
        return AccessDenied(**where, user="", detail=detail)
    if code in _LOCKED:
        locked = side == "target"
        return (
            TargetLocked(**where, detail=detail, table=of, holder="") if locked else unavailable(**where, detail=detail)
        )
    if code == sqlite3.SQLITE_FULL or getattr(error, "errno", None) == errno.ENOSPC:
        return (SourceFull if side == "source" else TargetFull)(**where, detail=detail)
    if code in _TRY_AGAIN or isinstance(error, OSError):
        return unavailable(**where, detail=detail)
    if "no such table" in detail:
        return TableMissing(table=of or detail, side=side)
    if of and side == "target":
        return RowRefused(table=of, detail=detail)
    return DatabaseFailed(kind=options.kind, detail=detail)


def _compare_numbers(one: str, other: str) -> int:
    try:
        left, right = Decimal(one), Decimal(other)
    except InvalidOperation:
        return (one > other) - (one < other)
    if left.is_nan() or right.is_nan():
        return int(left.is_nan()) - int(right.is_nan())
    return int(left > right) - int(left < right)


def _compare_moments(one: str, other: str) -> int:
    left, right = _moment(one), _moment(other)
    return (left > right) - (left < right)


def _moment(text: str) -> tuple[int, int, str]:
    """Sorts dates and moments with years of any length, before Christ, and the two infinities."""
    if text in ("infinity", "-infinity"):
        return (1 if text == "infinity" else -1, 0, "")
    year, _, rest = text.partition("-")
    number = int(year) if year.isdigit() else 0
    return (0, -number if text.endswith(" BC") else number, rest)
