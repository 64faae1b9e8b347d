"""Binlog files and positions."""

from dataclasses import dataclass, replace

from zcbus.connectors.errors import SourceNotReady, SourceUnavailable
from zcbus.connectors.mysql.capture.file_number import NUMBER_BITS, file_number
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.source_log import SourceLog
from zcbus.model.position import Position

FIRST_EVENT = 4
"""Where the first event of a binlog file begins."""


@dataclass(frozen=True, slots=True)
class LogFile:
    """A binlog file's name, as `binlog.000042`."""

    base: str
    number: int
    digits: int = 6
    log: int = 0
    """Number of the server's log that it belongs to (see SourceLog)."""

    @property
    def name(self) -> str:
        return f"{self.base}.{self.number:0{self.digits}d}"

    @classmethod
    def parse(cls, name: str, log: int = 0) -> "LogFile":
        base, _, number = name.rpartition(".")
        return cls(base, int(number), len(number), log)

    def at(self, offset: int) -> Position:
        """A position in the file."""
        return Position(self.log << NUMBER_BITS | self.number, offset)

    @property
    def following(self) -> "LogFile":
        """The file that the server writes after this one."""
        return replace(self, number=self.number + 1)

    def holding(self, position: Position) -> "LogFile":
        """The file of the same log that a position is in."""
        return replace(self, number=file_number(position))


def log_identity(session: Session) -> str:
    """See IdentifiedLog.log_identity."""
    return session.variable("server_uuid") or f"server_id {session.variable('server_id')}"


def check_identity(session: Session, log: SourceLog) -> None:
    """Raises SourceUnavailable where another server answers than the one whose log is read."""
    if log.identity and (found := log_identity(session)) != log.identity:
        options, detail = session.options, f"{found} answers instead of {log.identity}"
        raise SourceUnavailable(kind=options.kind, address=options.address, detail=detail)


def current(session: Session, log: int = 0) -> tuple[LogFile, Position]:
    """The server's current write position; `log`: number of its log. Raises SourceNotReady if it has no binlog."""
    # MySQL 8.4 dropped the old statement, MariaDB and older MySQL do not know the new one.
    new_name = not session.version.mariadb and session.version.number >= (8, 2, 0)
    rows = session.rows("SHOW BINARY LOG STATUS" if new_name else "SHOW MASTER STATUS")
    if not rows:
        raise SourceNotReady(kind=session.options.kind, setting="log_bin", value="OFF", expected="ON")
    file = LogFile.parse(str(rows[0][0]), log)
    return file, file.at(int(rows[0][1]))


def oldest(session: Session) -> str:
    """Name of the oldest remaining binlog file; empty if there is none."""
    rows = session.rows("SHOW BINARY LOGS")
    return str(rows[0][0]) if rows else ""


def exists(session: Session, file: LogFile) -> bool:
    """Whether the server has that file of its log."""
    return any(str(row[0]) == file.name for row in session.rows("SHOW BINARY LOGS"))


def bytes_after(session: Session, place: Position, log: SourceLog) -> int | None:
    """Bytes of log after a position; None if the position is not in the server's current log."""
    if place.file >> NUMBER_BITS != log.number or (log.identity and log_identity(session) != log.identity):
        return None
    sizes = {LogFile.parse(str(name)).number: int(size) for name, size, *_ in session.rows("SHOW BINARY LOGS")}
    read = file_number(place)
    behind = sum(size for number, size in sizes.items() if number > read)
    return behind + max(sizes.get(read, 0) - place.offset, 0)
