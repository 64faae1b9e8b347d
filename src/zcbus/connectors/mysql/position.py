"""Binlog files and positions."""

from dataclasses import dataclass

from zcbus.connectors.errors import SourceNotReady
from zcbus.connectors.mysql.session import Session
from zcbus.model.position import Position

FIRST_EVENT = 4
"""Where the first event of a binlog file begins."""


@dataclass(frozen=True, slots=True)
class LogFile:
    """A binlog file's name, as `binlog.000042`."""

    base: str
    number: int
    digits: int = 6

    @property
    def name(self) -> str:
        return f"{self.base}.{self.number:0{self.digits}d}"

    @classmethod
    def parse(cls, name: str) -> "LogFile":
        base, _, number = name.rpartition(".")
        return cls(base, int(number), len(number))

    def numbered(self, number: int) -> "LogFile":
        """The file of another number in the same series."""
        return LogFile(self.base, number, self.digits)


def current(session: Session) -> tuple[LogFile, Position]:
    """Where the server writes now. Raises SourceNotReady where it keeps no binlog."""
    # MySQL 8.4 dropped the old statement, MariaDB and older MySQL do not know the new one.
    new_name = not session.version.mariadb and session.version.number >= (8, 2, 0)
    rows = session.rows("SHOW BINARY LOG STATUS" if new_name else "SHOW MASTER STATUS")
    if not rows:
        raise SourceNotReady(kind=session.options.kind, setting="log_bin", value="OFF", expected="ON")
    file = LogFile.parse(str(rows[0][0]))
    return file, Position(file.number, int(rows[0][1]))


def oldest(session: Session) -> str:
    """Name of the oldest binlog file that is still there; empty where none is."""
    rows = session.rows("SHOW BINARY LOGS")
    return str(rows[0][0]) if rows else ""


def files_since(session: Session, position: Position) -> list[tuple[LogFile, int]]:
    """The binlog files from a position's on, with their sizes in bytes."""
    found = [(LogFile.parse(str(row[0])), int(row[1])) for row in session.rows("SHOW BINARY LOGS")]
    return [(file, size) for file, size in found if file.number >= position.file]
