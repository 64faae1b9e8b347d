"""Rows into a table of a target, within its session's transaction."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.jdbc.connection import Connection
from zcbus.connectors.jdbc.quote import identifier, identifiers, table
from zcbus.connectors.jdbc.rows import batch_of, binary_of
from zcbus.connectors.jdbc.statements import Row
from zcbus.connectors.jdbc.types import is_large, placeholder, to_values
from zcbus.connectors.roles import TargetTable
from zcbus.model.schema import TableName, TableSchema

_CHUNK = 1000


class TableWriter:
    """Writes one table by statements that use the key's index.

    No SQL is common to these databases by which a row replaces another: rows are updated, and those that were not
    there are inserted. Where that meets a row with the same unique value, they are deleted and inserted together, so
    that rows may swap such values.
    """

    def __init__(self, connection: Connection, made: TargetTable, present: TableSchema) -> None:
        self._connection, self._table, self._present = connection, made, present
        self._columns = {column.source: column for column in made.columns}
        self._of = str(made.name)
        self._name = table(made.name)

    def insert(self, rows: pa.RecordBatch) -> None:
        names, values = self._values(rows)
        self._many(self._insert_statement(names), list(values))

    def upsert(self, rows: pa.RecordBatch) -> None:
        names, found = self._values(rows)
        values = list(found)
        keys = self._keys_of(names, values)
        others = [name for name in names if name not in self._table.key]
        try:
            with self._connection.savepoint():
                self._update_or_insert(names, others, keys, values)
        except RowRefused:
            self._replace(names, keys, values, add=True)

    def update(self, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        names, found = self._values(rows)
        values, old = list(found), list(self._keys(keys))
        if set(names) & set(self._table.key):
            self._replace(names, old, values, add=False)
            return
        try:
            with self._connection.savepoint():
                self._many(self._update_statement(names), [(*row, *key) for row, key in zip(values, old, strict=True)])
        except RowRefused:
            self._replace(names, old, values, add=False)

    def delete(self, keys: pa.RecordBatch) -> int:
        return sum(self._many(self._delete_statement, list(self._keys(keys))))

    def _update_or_insert(
        self, names: Sequence[str], others: Sequence[str], keys: Sequence[Row], values: Sequence[Row]
    ) -> None:
        places = [names.index(name) for name in others]
        changes = [(*(row[at] for at in places), *key) for row, key in zip(values, keys, strict=True)]
        # A table of nothing but its key has nothing to set.
        statement = self._update_statement(others or list(self._table.key))
        counts = self._many(statement, changes if others else [(*key, *key) for key in keys])
        missing = [row for row, count in zip(values, counts, strict=True) if count == 0]
        self._many(self._insert_statement(names), missing)

    def _replace(self, names: Sequence[str], keys: Sequence[Row], rows: Sequence[Row], *, add: bool) -> None:
        """Delete the rows with these keys and insert them with new values; `add`: also missing ones."""
        everything = list(self._present.names)
        places = [everything.index(name) for name in names]
        complete: list[Row] = []
        partial: list[Row] = []
        for key, row in zip(keys, rows, strict=True):
            found = self._found(key)
            for one in found:
                changed = list(one)
                for place, value in zip(places, row, strict=True):
                    changed[place] = value
                complete.append(tuple(changed))
            if not found and add:
                partial.append(row)
        self._many(self._delete_statement, keys)
        self._many(self._insert_statement(everything), complete)
        self._many(self._insert_statement(names), partial)

    def _found(self, key: Row) -> list[Row]:
        """The complete rows with a key, as values to write."""
        select = f"SELECT {identifiers(self._present.names)} FROM {self._name} WHERE {self._by_key}"
        found = self._connection.rows(select, key, binary_of(self._present), self._of)
        if not found:
            return []
        batch, dialect = batch_of(self._present, found), self._connection.dialect
        columns = [
            to_values(dialect, values, column.type, column.type, self._of, column.name)
            for values, column in zip(batch.columns, self._present.columns, strict=True)
        ]
        return list(zip(*columns, strict=True))

    def _many(self, statement: str, rows: Sequence[Row]) -> list[int]:
        counts: list[int] = []
        for start in range(0, len(rows), _CHUNK):
            counts += self._connection.execute_many(statement, rows[start : start + _CHUNK], self._of)
        return counts

    def _values(self, rows: pa.RecordBatch) -> tuple[list[str], Iterator[Row]]:
        names, arrays = [], []
        for source, values in zip(rows.schema.names, rows.columns, strict=True):
            column = self._columns[source]
            names.append(column.target)
            target = self._present.column(column.target).type
            arrays.append(to_values(self._connection.dialect, values, column.type, target, self._of, column.target))
        return names, zip(*arrays, strict=True)

    def _keys(self, keys: pa.RecordBatch) -> Iterator[Row]:
        names, values = self._values(keys)
        return iter(self._keys_of(names, list(values)))

    def _keys_of(self, names: Sequence[str], rows: Sequence[Row]) -> list[Row]:
        places = [names.index(name) for name in self._table.key]
        return [tuple(row[place] for place in places) for row in rows]

    @property
    def _by_key(self) -> str:
        return " AND ".join(f"{identifier(name)} = ?" for name in self._table.key)

    @property
    def _delete_statement(self) -> str:
        return f"DELETE FROM {self._name} WHERE {self._by_key}"

    def _insert_statement(self, names: Sequence[str]) -> str:
        marks = ", ".join(self._mark(name) for name in names)
        return f"INSERT INTO {self._name} ({identifiers(names)}) VALUES ({marks})"

    def _update_statement(self, names: Sequence[str]) -> str:
        sets = ", ".join(f"{identifier(name)} = {self._mark(name)}" for name in names)
        return f"UPDATE {self._name} SET {sets} WHERE {self._by_key}"

    def _mark(self, name: str) -> str:
        return placeholder(self._connection.dialect, self._present.column(name).type)


def apply_shadow_table(connection: Connection, made: TargetTable, present: TableSchema, shadow: TableName) -> None:
    """Replace the table's rows by those of the shadow table; see TargetSession. Rows with large values are always
    written: these databases cannot compare them."""
    name, other, of = table(made.name), table(shadow), str(made.name)
    names = [column.target for column in made.columns]
    listed = identifiers(names)
    if not made.key:
        connection.execute(f"DELETE FROM {name}", of=of)
        connection.execute(f"INSERT INTO {name} ({listed}) SELECT {listed} FROM {other}", of=of)
        return
    key = " AND ".join(f"b.{identifier(one)} = {name}.{identifier(one)}" for one in made.key)
    connection.execute(f"DELETE FROM {name} WHERE NOT EXISTS (SELECT 1 FROM {other} b WHERE {key})", of=of)
    others = [one for one in names if one not in made.key]
    if others:
        same = [_same(name, one) for one in others if not is_large(present.column(one).type)]
        changed = "1 = 1" if len(same) < len(others) else "NOT (" + " AND ".join(same) + ")"
        sets = ", ".join(
            f"{identifier(one)} = (SELECT b.{identifier(one)} FROM {other} b WHERE {key})" for one in others
        )
        where = f"EXISTS (SELECT 1 FROM {other} b WHERE {key} AND {changed})"
        connection.execute(f"UPDATE {name} SET {sets} WHERE {where}", of=of)
    missing = " AND ".join(f"c.{identifier(one)} = b.{identifier(one)}" for one in made.key)
    connection.execute(
        f"INSERT INTO {name} ({listed}) SELECT {', '.join(f'b.{identifier(one)}' for one in names)} FROM {other} b "
        f"WHERE NOT EXISTS (SELECT 1 FROM {name} c WHERE {missing})",
        of=of,
    )


def _same(name: str, column: str) -> str:
    ours, theirs = f"{name}.{identifier(column)}", f"b.{identifier(column)}"
    return f"({ours} = {theirs} OR ({ours} IS NULL AND {theirs} IS NULL))"
