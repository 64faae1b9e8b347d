"""Rows into a table of a target file, within its session's transaction."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from zcbus.connectors.roles import TargetTable
from zcbus.connectors.sqlite.catalog import unique_sets
from zcbus.connectors.sqlite.connection import identifier, identifiers, table
from zcbus.connectors.sqlite.types import to_values
from zcbus.model.schema import TableSchema

Row = tuple[Any, ...]


class TableWriter:
    """Writes one table.

    The statements use the key's index. A row whose key or other unique value changes is deleted and inserted, so that
    rows may swap such values.
    """

    def __init__(self, connection: sqlite3.Connection, made: TargetTable, present: TableSchema) -> None:
        self._connection, self._table, self._present = connection, made, present
        self._columns = {column.source: column for column in made.columns}
        self._unique = unique_sets(connection, made.name)
        self._name = table(made.name)

    def insert(self, rows: pa.RecordBatch) -> None:
        names, values = self._values(rows)
        self._connection.executemany(self._insert_statement(names), values)

    def upsert(self, rows: pa.RecordBatch) -> None:
        names, found = self._values(rows)
        values = list(found)
        others = [name for name in names if name not in self._table.key]
        if any(frozenset(self._table.key) == one for one in self._unique) and not self._touches_unique(others):
            sets = ", ".join(f"{identifier(name)} = excluded.{identifier(name)}" for name in others)
            action = f"DO UPDATE SET {sets}" if others else "DO NOTHING"
            conflict = f" ON CONFLICT ({identifiers(self._table.key)}) {action}"
            self._connection.executemany(self._insert_statement(names) + conflict, values)
            return
        places = [names.index(name) for name in self._table.key]
        self._replace(names, [tuple(row[place] for place in places) for row in values], values, add=True)

    def update(self, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        names, values = self._values(rows)
        keys_to_change = list(self._keys(keys))
        if self._touches_unique(names) or set(names) & set(self._table.key):
            self._replace(names, keys_to_change, list(values), add=False)
            return
        sets = ", ".join(f"{identifier(name)} = ?" for name in names)
        self._connection.executemany(
            f"UPDATE {self._name} SET {sets} WHERE {self._by_key()}",
            [(*row, *key) for row, key in zip(values, keys_to_change, strict=True)],
        )

    def delete(self, keys: pa.RecordBatch) -> int:
        statement = f"DELETE FROM {self._name} WHERE {self._by_key()}"
        return max(0, self._connection.executemany(statement, list(self._keys(keys))).rowcount)

    def _replace(self, names: Sequence[str], keys: Sequence[Row], rows: Sequence[Row], *, add: bool) -> None:
        """Delete the rows with these keys and insert them with new values; `add`: also missing ones."""
        everything = list(self._present.names)
        places = [everything.index(name) for name in names]
        select = f"SELECT {identifiers(everything)} FROM {self._name} WHERE {self._by_key()}"
        complete: list[Row] = []
        partial: list[Row] = []
        for key, row in zip(keys, rows, strict=True):
            found = self._connection.execute(select, key).fetchall()
            for one in found:
                changed = list(one)
                for place, value in zip(places, row, strict=True):
                    changed[place] = value
                complete.append(tuple(changed))
            if not found and add:
                partial.append(row)
        self._connection.executemany(f"DELETE FROM {self._name} WHERE {self._by_key()}", keys)
        self._connection.executemany(self._insert_statement(everything), complete)
        self._connection.executemany(self._insert_statement(list(names)), partial)

    def _touches_unique(self, names: Iterable[str]) -> bool:
        own = frozenset(self._table.key)
        return any(one != own and not one.isdisjoint(names) for one in self._unique)

    def _values(self, rows: pa.RecordBatch) -> tuple[list[str], Iterator[Row]]:
        names, arrays = [], []
        for source, values in zip(rows.schema.names, rows.columns, strict=True):
            column = self._columns[source]
            names.append(column.target)
            target = self._present.column(column.target).type
            arrays.append(to_values(values, column.type, target, str(self._table.name), column.target))
        return names, zip(*arrays, strict=True)

    def _keys(self, keys: pa.RecordBatch) -> Iterator[Row]:
        names, values = self._values(keys)
        places = [names.index(name) for name in self._table.key]
        return (tuple(row[place] for place in places) for row in values)

    def _by_key(self) -> str:
        return " AND ".join(f"{identifier(name)} = ?" for name in self._table.key)

    def _insert_statement(self, names: Sequence[str]) -> str:
        return f"INSERT INTO {self._name} ({identifiers(list(names))}) VALUES ({', '.join('?' * len(names))})"


def apply_shadow_table(connection: sqlite3.Connection, made: TargetTable, shadow: str) -> None:
    """Replace the table's rows by those of the shadow table; see TargetSession."""
    name, names = table(made.name), [column.target for column in made.columns]
    listed = identifiers(names)
    if not made.key:
        connection.execute(f"DELETE FROM {name}")
        connection.execute(f"INSERT INTO {name} ({listed}) SELECT {listed} FROM {shadow}")
        return
    key = " AND ".join(f"{name}.{identifier(one)} = b.{identifier(one)}" for one in made.key)
    same = " AND ".join(f"{name}.{identifier(one)} IS b.{identifier(one)}" for one in names)
    connection.execute(f"DELETE FROM {name} WHERE NOT EXISTS (SELECT 1 FROM {shadow} b WHERE {key})")
    connection.execute(
        f"CREATE TEMP TABLE zcbus_changed AS SELECT {name}.* FROM {name} JOIN {shadow} b ON {key} WHERE NOT ({same})"
    )
    connection.execute(f"DELETE FROM {name} WHERE EXISTS (SELECT 1 FROM temp.zcbus_changed b WHERE {key})")
    kept = [row[1] for row in connection.execute(f"PRAGMA table_info({name})") if row[1] not in names]
    into = identifiers([*names, *kept])
    out = ", ".join([*(f"b.{identifier(one)}" for one in names), *(f"c.{identifier(one)}" for one in kept)])
    old = " AND ".join(f"c.{identifier(one)} = b.{identifier(one)}" for one in made.key)
    connection.execute(f"INSERT INTO {name} ({into}) SELECT {out} FROM {shadow} b JOIN temp.zcbus_changed c ON {old}")
    connection.execute(
        f"INSERT INTO {name} ({listed}) SELECT {listed} FROM {shadow} b "
        f"WHERE NOT EXISTS (SELECT 1 FROM {name} WHERE {key})"
    )
    connection.execute("DROP TABLE temp.zcbus_changed")
