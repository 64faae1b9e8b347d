"""Origin marks in a database's log; each dialect stores them in its own way."""

from collections.abc import Iterator
from contextlib import contextmanager

import orjson

from zcbus.model.origin import Mark, Origin
from zcbus.model.schema import TableName


def encode(table: TableName, origin: Origin) -> str:
    """A mark's text: ASCII without `*`, so that it fits into a comment of a statement."""
    text = orjson.dumps([table.schema, table.table, *origin]).decode()
    return "".join(one if one.isascii() and one != "*" else _escaped(one) for one in text)


def decode(text: str | bytes) -> Mark | None:
    """Inverse of encode; None for text that is no mark."""
    try:
        schema, table, *origin = orjson.loads(text)
    except ValueError:
        return None
    return TableName(schema, table), tuple(origin)


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be")
    return "".join(f"\\u{int.from_bytes(units[at : at + 2]):04x}" for at in range(0, len(units), 2))


class Marked:
    """The marks that the open transaction of a session has already."""

    def __init__(self) -> None:
        self._origins: dict[TableName, Origin] = {}

    def begin(self) -> None:
        """A transaction begins: nothing is marked."""
        self._origins = {}

    def is_new(self, table: TableName, origin: Origin) -> bool:
        """Whether a mark must be written before changes of this origin; notes it."""
        if self._origins.get(table, ()) == origin:
            return False
        self._origins[table] = origin
        return True

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """A part of the transaction; where it fails, its marks are undone with it."""
        before = dict(self._origins)
        try:
            yield
        except BaseException:
            self._origins = before
            raise
