"""Rows of a file as they are now; see reading.TableReader."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import pyarrow as pa

from zcbus.connectors.conditions import Condition, written
from zcbus.connectors.roles import Side
from zcbus.connectors.sqlite.connection import connect, identifier, identifiers, literal, translated
from zcbus.connectors.sqlite.spec import SQLiteOptions
from zcbus.connectors.sqlite.types import canonical, order, to_value
from zcbus.model.schema import TableSchema
from zcbus.model.types import INTEGERS, Kind

_BATCH_BYTES = 8 << 20
_FETCHED = 256


class SQLiteTableReader:
    """Uses one connection that the object owns until it is closed."""

    def __init__(self, options: SQLiteOptions, side: Side) -> None:
        self._options, self._side = options, side
        self._connection = connect(options, side)

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        rows: int,
        until: tuple[str, ...] | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        sql, values = _select(table, key, after, until, where)
        with translated(self._options, self._side, str(table.name)):
            cursor = self._connection.execute(sql, values)
            for found in parts_of(cursor, rows):
                batch = batch_of(table, found)
                yield batch, _key_text(batch, table, key)

    def border(
        self, table: TableSchema, key: tuple[str, ...], after: tuple[str, ...] | None, rows: int
    ) -> tuple[str, ...] | None:
        keys = replace(table, columns=tuple(table.column(name) for name in key))
        sql, values = _select(keys, key, after, None, None)
        with translated(self._options, self._side, str(table.name)):
            found = self._connection.execute(f"{sql} LIMIT 1 OFFSET {rows - 1}", values).fetchall()
        return _key_text(batch_of(keys, found), keys, key) if found else None

    def estimate(self, table: TableSchema) -> int | None:
        return self.count(table)

    def count(self, table: TableSchema) -> int:
        name = identifier(table.name.table)
        with translated(self._options, self._side, str(table.name)):
            return int(self._connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0])

    def interrupt(self) -> None:
        self._connection.interrupt()

    def __enter__(self) -> "SQLiteTableReader":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()


def _select(
    schema: TableSchema,
    key: tuple[str, ...],
    after: tuple[str, ...] | None,
    until: tuple[str, ...] | None,
    where: Condition | None,
) -> tuple[str, list[object]]:
    ordered = [identifier(name) + order(schema.column(name).type) for name in key]
    parts, values = [], []
    for sign, bound in ((">", after), ("<=", until)):
        if bound is not None:
            parts.append(f"({', '.join(ordered)}) {sign} ({', '.join('?' * len(bound))})")
            values += [to_value(text, schema.column(name).type) for name, text in zip(key, bound, strict=True)]
    if where is not None:
        parts.append(written(where, lambda name: _term(schema, name), lambda name, text: _literal(schema, name, text)))
    sql = f"SELECT {identifiers(schema.names)} FROM {identifier(schema.name.table)}"
    sql += f" WHERE {' AND '.join(parts)}" if parts else ""
    return sql + (f" ORDER BY {', '.join(ordered)}" if ordered else ""), values


def _term(schema: TableSchema, name: str) -> str:
    return identifier(name) + order(schema.column(name).type)


def _literal(schema: TableSchema, name: str, text: str) -> str:
    data = schema.column(name).type
    if data.kind in INTEGERS or data.kind in (Kind.FLOAT64, Kind.BOOLEAN):
        return str(to_value(text, data))
    return f"x'{text}'" if data.kind is Kind.BINARY else literal(text)


def parts_of(cursor: sqlite3.Cursor, rows: int) -> Iterator[list[tuple[object, ...]]]:
    """At most so many rows and about 8 MiB at a time."""
    found: list[tuple[object, ...]] = []
    size = 0
    while fetched := cursor.fetchmany(min(rows, _FETCHED)):
        for row in fetched:
            found.append(row)
            size += sum(len(value) if isinstance(value, str | bytes) else 8 for value in row)
            if len(found) == rows or size > _BATCH_BYTES:
                yield found
                found, size = [], 0
    if found:
        yield found


def batch_of(schema: TableSchema, rows: list[tuple[object, ...]]) -> pa.RecordBatch:
    arrays = [
        canonical(list(values), column.type)
        for values, column in zip(zip(*rows, strict=True), schema.columns, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, names=list(schema.names))


def _key_text(batch: pa.RecordBatch, schema: TableSchema, key: tuple[str, ...]) -> tuple[str, ...]:
    values = (batch.column(schema.names.index(name))[-1].as_py() for name in key)
    return tuple(value.hex() if isinstance(value, bytes) else value for value in values)
