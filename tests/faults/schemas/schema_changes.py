"""What both dialects' generators of schema changes share."""

import random
from collections.abc import Callable

from tests.faults.schemas.catalog import Column, Table
from tests.faults.schemas.values import NEW_TYPES, literal

Change = list[str]
"""Statements, one after the other; any may fail."""
_NAMES = "abcdefg"


class SchemaChanges:
    """Of one kind of database. `ways` are the kinds of change, with a weight each."""

    kind: str

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.ways: list[Callable[[Table], Change]] = []

    def changes(self, table: Table) -> Change:
        """Any change of it or around it."""
        return self.chance.choice(self.ways)(table)

    def some(self, weight: int, *ways: Callable[[Table], Change]) -> None:
        self.ways += [way for way in ways for _ in range(weight)]

    def name(self, table: Table, taken: bool = False) -> str:
        """Of a column that is there (`taken`), or else of one that is not: few names, so that they come again."""
        there = {column.name for column in table.columns}
        free = [name for name in _NAMES if name not in there]
        names = [one.name for one in table.plain if one.name != "id"] if taken else free
        return self.chance.choice(names or ["g"])

    def plain(self, table: Table) -> Column:
        return self.chance.choice(table.plain or table.written)

    def new_type(self) -> str:
        return self.chance.choice(NEW_TYPES[self.kind])

    def default(self, declared: str) -> str:
        return literal(self.chance, self.kind, declared)

    def index_name(self) -> str:
        return f"i{self.chance.randrange(6)}"

    def columns(self, table: Table, most: int = 2) -> str:
        """Some columns' names for an index or a key."""
        names = [column.name for column in table.written]
        return ", ".join(self.chance.sample(names, min(len(names), self.chance.randrange(1, most + 1))))
