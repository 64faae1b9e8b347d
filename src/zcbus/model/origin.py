"""Origin of changes, which prevents replication loops.

Every subscriber marks its writes with the addresses of the tables that the changes came through. A capture reads the
mark in the log and passes it on, and no subscriber writes a change into a table that it came through. So links may
run in both directions and in rings, and every change still arrives everywhere once.
"""

from zcbus.model.schema import TableName

Origin = tuple[str, ...]
"""Addresses of tables, the oldest first."""

Mark = tuple[TableName, Origin]
"""From here to the end of the transaction, or to the next mark of the table, its changes have this origin."""


def table_address(database: str, table: TableName) -> str:
    """Address of a table in marks; `database`: its database's identity (roles.Source.identity)."""
    return f"{database}/{table.schema}/{table.table}"


def through(origin: Origin, database: str, table: TableName) -> Origin:
    """The origin of changes that leave a table; unchanged if the database is unknown (empty)."""
    return (*origin, table_address(database, table)) if database else origin
