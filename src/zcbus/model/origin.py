"""Where changes came from, so that they are never sent back there.

A table of a database is a *place*. What a subscriber writes carries a mark with the places that the changes came
through; a capture that reads the mark in the log passes it on, and no subscriber writes a change into a place that it
came through. So links may run in both directions and in rings, and every change still gets everywhere once.
"""

from zcbus.model.schema import TableName

Origin = tuple[str, ...]
"""Places, the oldest first."""


def place(database: str, table: TableName) -> str:
    """A table as marks name it; `database` is its database's identity (roles.Source.identity)."""
    return f"{database}/{table.schema}/{table.table}"


def through(origin: Origin, database: str, table: TableName) -> Origin:
    """The origin of changes on their way out of a table; of a database that is not known (empty) nothing is told."""
    return (*origin, place(database, table)) if database else origin
