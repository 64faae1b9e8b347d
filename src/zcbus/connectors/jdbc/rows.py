"""Rows of tables as they are now; see reading.TableReader."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pyarrow as pa

from zcbus.connectors.conditions import Condition, written
from zcbus.connectors.errors import TableRefused
from zcbus.connectors.jdbc.columns import compared, ordered, selected_all
from zcbus.connectors.jdbc.dialect import Dialect
from zcbus.connectors.jdbc.quote import identifier, literal, table
from zcbus.connectors.jdbc.statements import Row, Statements, Value
from zcbus.connectors.jdbc.types import FinerThanMicroseconds, canonical, to_value
from zcbus.model.schema import TableSchema
from zcbus.model.types import INTEGERS, Kind

_BATCH_BYTES = 8 << 20
_NUMBERS = INTEGERS | {Kind.DECIMAL, Kind.FLOAT32, Kind.FLOAT64}


class JdbcTableReader:
    """Uses one connection that the object owns until it is closed."""

    def __init__(self, connection: Statements) -> None:
        self._connection = connection

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        rows: int,
        until: tuple[str, ...] | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        sql, values = _select(self._connection.dialect, table, key, after, until, where)
        found = self._connection.stream(sql, values, binary_of(table), str(table.name))
        for part in parts_of(found, rows):
            batch = batch_of(table, part)
            yield batch, _key_text(batch, table, key)
        # No transaction stays open between the calls.
        self._connection.rollback()

    def border(
        self, table: TableSchema, key: tuple[str, ...], after: tuple[str, ...] | None, rows: int
    ) -> tuple[str, ...] | None:
        keys = replace(table, columns=tuple(table.column(name) for name in key))
        sql, values = _select(self._connection.dialect, keys, key, after, None, None)
        sql += self._connection.dialect.page.format(skipped=rows - 1, rows=1)
        found = self._connection.rows(sql, values, binary_of(keys), str(table.name))
        self._connection.rollback()
        return _key_text(batch_of(keys, found), keys, key) if found else None

    def estimate(self, table: TableSchema) -> int | None:
        return self.count(table)

    def count(self, table: TableSchema) -> int:
        found = self._connection.rows(
            f"SELECT count(*) FROM {named(self._connection.dialect, table)}", of=str(table.name)
        )
        self._connection.rollback()
        return int(str(found[0][0]))

    def interrupt(self) -> None:
        self._connection.interrupt()

    def __enter__(self) -> "JdbcTableReader":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()


def named(dialect: Dialect, schema: TableSchema) -> str:
    """The table in statements."""
    return table(schema.name, dialect.quote)


def binary_of(schema: TableSchema) -> list[bool]:
    """Which columns are read as bytes."""
    return [column.type.kind is Kind.BINARY for column in schema.columns]


def _select(
    dialect: Dialect,
    schema: TableSchema,
    key: tuple[str, ...],
    after: tuple[str, ...] | None,
    until: tuple[str, ...] | None,
    where: Condition | None,
) -> tuple[str, list[Value]]:
    ends = [schema.column(name) for name in key]
    terms, marks = [ordered(dialect, one) for one in ends], [compared(dialect, one) for one in ends]
    parts: list[str] = []
    values: list[Value] = []
    for sign, bound in ((">", after), ("<=", until)):
        if bound is not None:
            texts = [to_value(dialect, text, one.type) for one, text in zip(ends, bound, strict=True)]
            part, some = beyond(terms, texts, sign, marks)
            parts.append(part)
            values += some
    if where is not None:
        parts.append(_written(dialect, schema, where))
    sql = f"SELECT {selected_all(dialect, schema)} FROM {named(dialect, schema)}"
    sql += f" WHERE {' AND '.join(parts)}" if parts else ""
    return sql + (f" ORDER BY {', '.join(terms)}" if terms else ""), values


def beyond(terms: Sequence[str], values: Sequence[Value], sign: str, marks: Sequence[str]) -> tuple[str, list[Value]]:
    """A comparison of rows, `(a, b) > (?, ?)`, in the SQL of every database, and its values. `sign`: `>` or `<=`;
    `marks`: the terms' placeholders."""
    strict = sign[0]
    parts: list[str] = []
    found: list[Value] = [values[0]]
    for number, term in enumerate(terms):
        last = number == len(terms) - 1
        same = [f"{one} = {mark}" for one, mark in zip(terms[:number], marks, strict=False)]
        parts.append("(" + " AND ".join([*same, f"{term} {sign if last else strict} {marks[number]}"]) + ")")
        found += [*values[:number], values[number]]
    # The first term alone is what an index is searched by.
    return f"({terms[0]} {strict}= {marks[0]} AND ({' OR '.join(parts)}))", found


def _written(dialect: Dialect, schema: TableSchema, where: Condition) -> str:
    return written(
        where,
        lambda name: identifier(name, dialect.quote),
        lambda name, text: _literal(dialect, schema, name, text),
    )


def _literal(dialect: Dialect, schema: TableSchema, name: str, text: str) -> str:
    column = schema.column(name)
    data, mark = column.type, compared(dialect, column)
    value = to_value(dialect, text, data)
    if isinstance(value, bytes):
        return dialect.binary_literal.format(hex=text)
    if data.kind is Kind.BOOLEAN:
        return dialect.truths[0 if text == "t" else 1]
    if data.kind in _NUMBERS:
        return value
    if mark != "?":
        return mark.replace("?", literal(value))
    return f"CAST({literal(value)} AS {data.native})" if data.kind is not Kind.TEXT else literal(value)


def parts_of(found: Iterator[list[Row]], rows: int) -> Iterator[list[Row]]:
    """At most so many rows and about 8 MiB at a time."""
    part: list[Row] = []
    size = 0
    for fetched in found:
        for row in fetched:
            part.append(row)
            size += sum(len(value) if value is not None else 8 for value in row)
            if len(part) == rows or size > _BATCH_BYTES:
                yield part
                part, size = [], 0
    if part:
        yield part


def batch_of(schema: TableSchema, rows: Sequence[Row]) -> pa.RecordBatch:
    """Rows with all columns of the schema in canonical form. Raises TableRefused for a moment that has none."""
    arrays = []
    for values, column in zip(zip(*rows, strict=True), schema.columns, strict=True):
        try:
            arrays.append(canonical(values, column.type))
        except FinerThanMicroseconds as error:
            reason = "finer-than-microseconds"
            raise TableRefused(table=str(schema.name), column=column.name, reason=reason, detail=str(error)) from error
    return pa.RecordBatch.from_arrays(arrays, names=list(schema.names))


def _key_text(batch: pa.RecordBatch, schema: TableSchema, key: tuple[str, ...]) -> tuple[str, ...]:
    values = (batch.column(schema.names.index(name))[-1].as_py() for name in key)
    return tuple(value.hex() if isinstance(value, bytes) else value for value in values)
