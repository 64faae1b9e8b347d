"""A consistent snapshot at one binlog position, without locks on tables.

MariaDB reports the position of a consistent snapshot. MySQL does not: there a global read lock of a few milliseconds
ties the two together. A real lock is necessary: between the write of a transaction to the binlog and its visibility
there is a gap that reading the position twice does not reveal.
"""

import time

from zcbus.connectors.errors import AccessDenied, SourceNotReady
from zcbus.connectors.mysql.capture import position as positions
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.snapshot.rows import MySQLTableReader
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.source_log import SourceLog
from zcbus.kit.errors import TransientError
from zcbus.model.position import Position

_BEGIN = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"
_LOCK_SECONDS = 5
_IDLE_SECONDS = 30
_LOCK_ATTEMPTS = 5


class MySQLSnapshot(MySQLTableReader):
    """See SnapshotReader. Tables of engines without transactions are read as they are when it is their turn."""

    def __init__(self, options: ConnectionOptions, log: SourceLog) -> None:
        super().__init__(options, "source", image=True)
        try:
            positions.check_identity(self._session, log)
            self._session.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            self._position = _begin(self._session, log.number)
        except BaseException:
            self._session.close()
            raise

    @property
    def position(self) -> Position:
        return self._position

    def __enter__(self) -> "MySQLSnapshot":
        return self


def _begin(session: Session, log: int) -> Position:
    return _begin_on_mariadb(session, log) if session.version.mariadb else _begin_on_mysql(session, log)


def _begin_on_mariadb(session: Session, log: int) -> Position:
    session.execute(_BEGIN)
    status = {str(name).lower(): str(value) for name, value in session.rows("SHOW STATUS LIKE 'binlog_snapshot_%'")}
    file = status.get("binlog_snapshot_file", "")
    if not file:
        raise SourceNotReady(kind=session.options.kind, setting="log_bin", value="OFF", expected="ON")
    return positions.LogFile.parse(file, log).at(int(status["binlog_snapshot_position"]))


def _begin_on_mysql(session: Session, log: int) -> Position:
    # All of the server's writes wait for the lock: where the connection dies unnoticed, the server ends it soon.
    session.execute(f"SET SESSION lock_wait_timeout={_LOCK_SECONDS}, wait_timeout={_IDLE_SECONDS}")
    try:
        _lock(session)
        session.execute(_BEGIN)
        _, position = positions.current(session, log)
    finally:
        session.execute("UNLOCK TABLES")
    session.execute("SET SESSION lock_wait_timeout=60, wait_timeout=28800")
    return position


def _lock(session: Session) -> None:
    """Other sessions' long statements make the lock wait, and it makes new ones wait: so each attempt is short."""
    for attempt in range(1, _LOCK_ATTEMPTS + 1):
        try:
            session.execute("FLUSH TABLES WITH READ LOCK")
            return
        except AccessDenied as error:
            raise AccessDenied(**{**error.facts, "detail": "RELOAD is needed for a consistent snapshot"}) from error
        except TransientError:
            if attempt == _LOCK_ATTEMPTS:
                raise
            time.sleep(attempt)
