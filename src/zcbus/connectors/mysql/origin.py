"""Origin marks in MySQL's log: rows of a table that is always empty, and comments in statements.

A mark is inserted and deleted again in the transaction that it covers; the insert is in the log.
"""

import re
from dataclasses import dataclass

from zcbus.connectors import marks
from zcbus.connectors.mysql.binlog.tables import TableMap, length_encoded
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.variant import variant_of
from zcbus.connectors.roles import TargetTable
from zcbus.model.origin import Mark, Origin

ORIGIN_TABLE = "zcbus_origin"
_COMMENT = re.compile(r"/\* zcbus-origin (\[.*?\]) \*/")
_NUMBER_BYTES = 8


def identity(session: Session) -> str:
    """MySQL servers have an identifier of their own. MariaDB's are identified by address and `server_id`, which has to
    differ among servers that receive each other's changes anyway. Of clusters nothing is the same on each way but the
    address."""
    options = session.options
    if not variant_of(options).same_server:
        return f"{options.kind}:{options.host}:{options.port}/{options.database}"
    if not session.version.mariadb:
        return f"mysql:{session.rows('SELECT @@server_uuid')[0][0]}"
    found = session.rows("SELECT @@hostname, @@port, @@datadir, @@server_id")[0]
    return "mariadb:" + ":".join(str(part).replace("/", "|") for part in found)


class OriginMarks:
    """Writes marks in one session's transactions."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.marked = marks.Marked()
        self._table = f"{quote.identifier(session.options.database)}.{quote.identifier(ORIGIN_TABLE)}"
        self._is_logged = variant_of(session.options).has_log and session.variable("log_bin").upper() == "ON"

    def prepare(self) -> None:
        """Create the table where it is missing. Commits."""
        self._session.execute(
            f"CREATE TABLE IF NOT EXISTS {self._table} (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, "
            "mark longtext NOT NULL) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin"
        )

    def write(self, table: TargetTable) -> None:
        """Mark the origin of the table's following changes in the open transaction."""
        if self._is_logged and self.marked.is_new(table.name, table.origin):
            text = marks.encode(table.name, table.origin)
            self._session.execute(f"INSERT INTO {self._table} (mark) VALUES (%s)", [text])
            self._session.execute(f"DELETE FROM {self._table} WHERE id = LAST_INSERT_ID()")


def comment(table: TargetTable) -> str:
    """Add the origin to a statement that is logged as text; unchanged if there is none."""
    return f" /* zcbus-origin {marks.encode(table.name, table.origin)} */" if table.origin else ""


def origin_of(statement: str) -> Origin:
    """The origin in a statement's comment."""
    found = _COMMENT.search(statement)
    mark = marks.decode(found[1]) if found else None
    return mark[1] if mark else ()


@dataclass(frozen=True, slots=True)
class MarkTable:
    """The table of marks as the log shows it."""

    table_map: TableMap

    def read(self, data: bytes | bytearray, at: int, end: int) -> list[Mark]:
        """The marks in a rows event that inserts; `at`: where its column count begins."""
        count, at = length_encoded(data, at)
        at += (count + 7) // 8
        prefix = self.table_map.columns[1].prefix
        found = []
        while at < end:
            at += (count + 7) // 8 + _NUMBER_BYTES
            size = int.from_bytes(data[at : at + prefix], "little")
            at += prefix
            mark = marks.decode(bytes(data[at : at + size]))
            found += [mark] if mark is not None else []
            at += size
        return found
