"""Statements that change rows."""

import random
from collections.abc import Callable

from tests.faults.schemas.catalog import Column, Table
from tests.faults.schemas.values import key_value, literal


class RowChanges:
    """Of tables of one kind of database."""

    def __init__(self, chance: random.Random, kind: str) -> None:
        self._chance, self._kind = chance, kind
        self._ways: list[Callable[[Table], str]] = [
            *[self.insert] * 5,
            *[self._update] * 5,
            *[self._delete] * 2,
            self._move,
            self._move_all,
            self._update_all,
            self._bulk,
        ]

    def statement(self, table: Table) -> str:
        """Any of them. It may fail, as where a key is taken."""
        return self._chance.choice(self._ways)(table)

    def insert(self, table: Table) -> str:
        columns = [one for one in table.written if one.name in table.key or self._chance.random() < 0.8]
        names, values = ", ".join(one.name for one in columns), ", ".join(self._value(table, one) for one in columns)
        return f"INSERT INTO {table.name} ({names}) VALUES ({values})"

    def _bulk(self, table: Table) -> str:
        columns = table.written
        rows = (", ".join(self._value(table, one) for one in columns) for _ in range(self._chance.randrange(2, 12)))
        end = " ON CONFLICT DO NOTHING" if self._kind == "postgresql" else ""
        ignore = "" if end else "IGNORE "
        names = ", ".join(one.name for one in columns)
        return f"INSERT {ignore}INTO {table.name} ({names}) VALUES {', '.join(f'({row})' for row in rows)}{end}"

    def _update(self, table: Table) -> str:
        chosen = [one for one in table.plain if self._chance.random() < 0.5] or table.written[:1]
        pairs = ", ".join(f"{one.name} = {self._value(table, one)}" for one in chosen)
        return f"UPDATE {table.name} SET {pairs}{self._where(table)}"

    def _update_all(self, table: Table) -> str:
        column = self._chance.choice(table.plain or table.written)
        return f"UPDATE {table.name} SET {column.name} = {self._value(table, column)}"

    def _delete(self, table: Table) -> str:
        return f"DELETE FROM {table.name}{self._where(table)}"

    def _move(self, table: Table) -> str:
        """A row gets another key."""
        column = self._chance.choice([table.column(name) for name in table.key] or table.written)
        return f"UPDATE {table.name} SET {column.name} = {self._value(table, column)}{self._where(table)}"

    def _move_all(self, table: Table) -> str:
        """Each row gets the key that its neighbour had, where the database lets it."""
        numbers = [name for name in table.key if "int" in table.column(name).type]
        if not numbers:
            return self._move(table)
        order = f" ORDER BY {numbers[0]} DESC" if self._kind == "mysql" else ""
        return f"UPDATE {table.name} SET {numbers[0]} = {numbers[0]} + 1{order}"

    def _where(self, table: Table) -> str:
        columns = [table.column(name) for name in table.key] or table.written[:1]
        return " WHERE " + " AND ".join(f"{one.name} = {self._value(table, one, null=False)}" for one in columns)

    def _value(self, table: Table, column: Column, null: bool = True) -> str:
        if column.name in table.key or (not null and column.name == "id"):
            return key_value(self._chance, self._kind, column.type)
        if null and column.nullable and self._chance.random() < 0.2:
            return "NULL"
        return literal(self._chance, self._kind, column.type)
