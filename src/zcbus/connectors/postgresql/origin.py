"""Origin marks in PostgreSQL's log: logical messages, which need no table and no special right.

Servers before 14 do not pass them to the output plugin, so changes captured there have no origin.
"""

from zcbus.connectors import marks
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.roles import TargetTable
from zcbus.model.origin import Mark

FIRST_VERSION = 140000
_PREFIX = "zcbus-origin"
_PREFIX_BEHIND = "zcbus-behind-origin"
_TRANSACTIONAL = 1
_HEAD = 10
"""Bytes before a message's prefix: type, flags, position in the log."""
_BEGINNING = _HEAD + len(_PREFIX) + 1


def identity(connection: Connection) -> str:
    """The cluster's identifier and the database's number: standbys have the same, copies by dump don't."""
    row = connection.execute(_IDENTITY).fetchone()
    assert row is not None
    return f"postgresql:{row[0]}:{row[1]}"


class OriginMarks:
    """Writes marks in one session's transactions."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.marked = marks.Marked()
        row = connection.execute("SHOW wal_level").fetchone()
        self._is_captured = row == ("logical",) and connection.info.server_version >= FIRST_VERSION

    def write(self, table: TargetTable) -> None:
        """Mark the origin of the table's following changes in the open transaction."""
        if self._is_captured and self.marked.is_new(table.name, table.origin):
            text = marks.encode(table.name, table.origin)
            self._connection.execute(_WRITE, [_PREFIX, text, _PREFIX_BEHIND, ""])


def is_mark(data: bytes | bytearray | memoryview, at: int) -> bool:
    """Whether the logical message at an offset is a mark, and not another application's or a non-transactional one."""
    return bool(data[at + 1] & _TRANSACTIONAL) and bytes(data[at + _HEAD : at + _BEGINNING]) == _PREFIX.encode() + b"\0"


def read_mark(data: bytes | bytearray | memoryview, at: int) -> Mark:
    """The mark in the logical message at an offset."""
    size = int.from_bytes(data[at + _BEGINNING : at + _BEGINNING + 4])
    found = marks.decode(bytes(data[at + _BEGINNING + 4 : at + _BEGINNING + 4 + size]))
    assert found is not None
    return found


_IDENTITY = """
SELECT c.system_identifier, d.oid::int8
  FROM pg_catalog.pg_control_system() c, pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database()
"""
_EMIT = "pg_catalog.pg_logical_emit_message(true, %s, %s)"
_WRITE = f"SELECT {_EMIT}, {_EMIT}"
"""Writes a mark and an empty message after it.

The server orders a message by the end of its record, a row by the start of its record. Both are the same position for a
mark and a row of a subtransaction right after it, and then the row may come first: so another record is written between
them.
"""
