"""Rows in an order in which the service does not give them: kept in a temporary file while they are read.

An answer comes in the service's order, in pages that shift while they are read; images and comparisons want the order
of a key, rounds that of a watermark. Of a key that comes twice the later row counts.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pyarrow as pa

from zcbus.connectors.conditions import Comparison, Condition, Junction, Membership, NullTest, written
from zcbus.model.schema import TableSchema
from zcbus.model.types import Kind

_BATCH_BYTES = 8 << 20
_FETCHED = 256
_MAX_BYTES = 32 << 30
_PAGE = 4096
Key = tuple[str, ...]


class SpoolFull(Exception):
    """More bytes than a file may have."""


class Spool:
    """Rows of one table by key. The file goes with the object. Not for several threads at once."""

    def __init__(self, table: TableSchema, order: Sequence[str]) -> None:
        """`order`: columns of texts, whole numbers or times that identify a row when they are the key, or in front of
        it. Numbers sort by value, all others by the bytes of their texts."""
        self._table = table
        key = tuple(dict.fromkeys((*order, *table.primary_key)))
        self._order = tuple(order)
        self._numbers = frozenset(one.name for one in table.columns if one.type.kind is Kind.INT64)
        # An empty name is a temporary file: no other process can open it, and closing removes it.
        self._file = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._file.execute(f"PRAGMA max_page_count = {_MAX_BYTES // _PAGE}")
        # By number: to SQLite names that differ in case alone are one.
        self._named = {name: f"c{number}" for number, name in enumerate(table.names)}
        columns = ", ".join(
            f"{self._named[one]} {'INTEGER' if one in self._numbers else 'TEXT'}" for one in table.names
        )
        unique = ", ".join(map(self._name, table.primary_key or key))
        with _limited():
            self._file.execute(f"CREATE TABLE r ({columns}, PRIMARY KEY ({unique})) WITHOUT ROWID")
            self._file.execute("BEGIN")
        self._rank = key

    def add(self, rows: pa.RecordBatch) -> None:
        """Raises SpoolFull."""
        marks = ", ".join("?" * len(self._table.names))
        columns = [column.to_pylist() for column in rows.columns]
        with _limited():
            self._file.executemany(f"INSERT OR REPLACE INTO r VALUES ({marks})", zip(*columns, strict=True))

    def count(self) -> int:
        return int(self._file.execute("SELECT count(*) FROM r").fetchone()[0])

    def border(self, after: Key | None, rows: int) -> Key | None:
        """The place of the row that is so many behind."""
        names = ", ".join(map(self._name, self._order))
        where, values = self._between(after, None, None)
        sql = f"SELECT {names} FROM r {where} ORDER BY {self._ranked()} LIMIT 1 OFFSET ?"
        found = self._file.execute(sql, [*values, rows - 1]).fetchone()
        return None if found is None else tuple(map(str, found))

    def read(
        self, after: Key | None, rows: int, until: Key | None = None, where: Condition | None = None
    ) -> Iterator[tuple[pa.RecordBatch, Key]]:
        """In order, in batches of at most `rows` rows and about 8 MiB, each with the place of its last row."""
        names = list(self._table.names)
        condition, values = self._between(after, until, where)
        sql = f"SELECT {', '.join(map(self._name, names))} FROM r {condition} ORDER BY {self._ranked()}"
        cursor = self._file.execute(sql, values)
        places = [names.index(name) for name in self._order]
        part: list[tuple[object, ...]] = []
        size = 0
        while found := cursor.fetchmany(min(_FETCHED, rows - len(part))):
            part += found
            size += sum(len(value) for row in found for value in row if isinstance(value, str))
            if len(part) >= rows or size > _BATCH_BYTES:
                yield self._batch(part), tuple(str(part[-1][place]) for place in places)
                part, size = [], 0
        if part:
            yield self._batch(part), tuple(str(part[-1][place]) for place in places)

    def close(self) -> None:
        """Idempotent."""
        self._file.close()

    def _batch(self, rows: Sequence[tuple[object, ...]]) -> pa.RecordBatch:
        arrays = [
            pa.array([value if value is None else str(value) for value in column], pa.string())
            for column in zip(*rows, strict=True)
        ]
        return pa.RecordBatch.from_arrays(arrays, names=list(self._table.names))

    def _ranked(self) -> str:
        return ", ".join(map(self._name, self._rank))

    def _between(self, after: Key | None, until: Key | None, where: Condition | None) -> tuple[str, list[object]]:
        names = "(" + ", ".join(map(self._name, self._order)) + ")"
        marks = "(" + ", ".join("?" * len(self._order)) + ")"
        parts, values = [], list[object]()
        for sign, place in ((">", after), ("<=", until)):
            if place is not None:
                parts.append(f"{names} {sign} {marks}")
                values += [self._stored(name, value) for name, value in zip(self._order, place, strict=True)]
        if where is not None and _columns(where) <= set(self._order):
            parts.append(written(where, self._name, self._literal))
        return (f"WHERE {' AND '.join(parts)}" if parts else ""), values

    def _stored(self, name: str, value: str) -> object:
        return int(value) if name in self._numbers else value

    def _name(self, name: str) -> str:
        return self._named[name]

    def _literal(self, name: str, value: str) -> str:
        return str(int(value)) if name in self._numbers else "'" + value.replace("'", "''") + "'"


def _columns(condition: Condition) -> set[str]:
    match condition:
        case Comparison(column=column) | NullTest(column=column) | Membership(column=column):
            return {column}
        case Junction(parts=parts):
            return {name for part in parts for name in _columns(part)}


@contextmanager
def _limited() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise SpoolFull(str(error)) from error
