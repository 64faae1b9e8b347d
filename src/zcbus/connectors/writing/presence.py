"""Whether tables that are written are still there."""

import time
from collections.abc import Callable

from zcbus.connectors.errors import TableMissing
from zcbus.model.schema import TableName

_CHECK_SECONDS = 10.0
"""Longest delay until a drop of a written table is noticed."""


class Presence:
    """Checks now and then that tables are there: a decided transaction passes over tables that were dropped later, so
    that without this, changes of a table that was dropped by others would be lost while it counts as running."""

    def __init__(self, is_there: Callable[[TableName], bool]) -> None:
        self._is_there = is_there
        self._seen: dict[TableName, float] = {}
        """In seconds of the monotonic clock."""

    def check(self, name: TableName) -> None:
        """Raise TableMissing if a table was found missing. Asks at most once in ten seconds."""
        now = time.monotonic()
        if now - self._seen.get(name, -_CHECK_SECONDS) >= _CHECK_SECONDS:
            if not self._is_there(name):
                raise TableMissing(table=str(name), side="target")
            self._seen[name] = now

    def forget(self, name: TableName) -> None:
        """The table is dropped by its writer."""
        self._seen.pop(name, None)
