"""The statements that put rows into one table."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import psycopg
import pyarrow as pa

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.postgresql.apply.encode import array_literal, copy_text, large_copy_text, to_input
from zcbus.connectors.postgresql.apply.layout import Layout
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.session import Connection
from zcbus.connectors.roles import MappedColumn, TargetTable
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableName
from zcbus.model.states import LoadType
from zcbus.model.types import Kind

_COPY_ROWS = 8192
"""Rows that are encoded while the server receives the ones before."""
_LARGE_BYTES = 8 << 20


class TableWriter:
    """Writes into one table within the open transaction.

    New rows are written by COPY or INSERT, as the load type says. Keys and single columns are sent as one array
    parameter per column, so that no statement and no temporary table is needed per row or per batch.
    """

    def __init__(
        self, connection: Connection, table: TargetTable, layout: Layout, is_replica: bool, load_type: LoadType
    ) -> None:
        self._connection = connection
        self._table = table
        self._layout = layout
        self._is_replica = is_replica
        self._load_type = load_type
        self._name = quote.table(table.name)
        self._key = [column for column in table.columns if column.target in table.key]

    def insert(self, rows: pa.RecordBatch) -> None:
        """Add rows."""
        if not rows.num_rows:
            return
        if self._load_type is LoadType.BULK:
            self._copy(rows)
            return
        for part in _parts(rows):
            self._insert(part)

    def _copy(self, rows: pa.RecordBatch) -> None:
        columns = self._columns(rows)
        names = quote.identifiers(column.target for column in columns)
        with self._connection.cursor().copy(f"COPY {self._name} ({names}) FROM STDIN") as copy:
            for part in _parts(rows):
                for text in self._copy_text(columns, part):
                    copy.write(text)

    def _insert(self, rows: pa.RecordBatch, condition: str = "") -> None:
        keys = rows.select([column.source for column in self._key]) if condition else rows
        columns = self._columns(rows)
        source, values = self._source(self._key if condition else [], keys, columns, rows)
        names = quote.identifiers(column.target for column in columns)
        statement = (
            f"INSERT INTO {self._name} ({names}) OVERRIDING SYSTEM VALUE "
            f"SELECT {self._casts(columns, 'c')} FROM {source}{condition}"
        )
        self._connection.execute(statement, values)

    def copy_raw(self, parts: Iterable[memoryview], form: str) -> int:
        """Add rows in a form of COPY; returns how many."""
        names = quote.identifiers(column.target for column in self._table.columns)
        cursor = self._connection.cursor()
        with cursor.copy(f"COPY {self._name} ({names}) FROM STDIN (FORMAT {form})") as copy:
            for part in parts:
                copy.write(part)
        return cursor.rowcount

    def _copy_text(self, columns: Sequence[MappedColumn], rows: pa.RecordBatch) -> Iterable[bytes | memoryview]:
        if rows.nbytes <= _LARGE_BYTES:
            return [copy_text([(self._input(column, rows), column.type) for column in columns])]
        raw = {column: column.type.kind == Kind.BINARY for column in columns}
        return large_copy_text(
            [(rows.column(c.source) if raw[c] else self._input(c, rows), c.type) for c in columns],
        )

    def add(self, rows: pa.RecordBatch) -> None:
        """Insert rows that should not exist; replace those that do."""
        if not self._layout.is_unique(self._table.key):
            self.upsert(rows)
            return
        try:
            with self._connection.transaction():
                self.insert(rows)
        except psycopg.errors.UniqueViolation:
            self.upsert(rows)

    def upsert(self, rows: pa.RecordBatch) -> None:
        """Replace or add rows by key."""
        if not rows.num_rows:
            return
        if self._may_replace(rows):
            self.delete(rows.select([column.source for column in self._key]))
            self.insert(rows)
            return
        try:
            with self._connection.transaction():
                self._merge(rows)
        except psycopg.errors.UniqueViolation:
            # Rows that swap unique values trip over each other one by one; deleted together first, they don't.
            self._replace(rows.select([column.source for column in self._key]), rows, add=True)

    def update(self, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        """Set the columns of `rows` in the rows that exist."""
        if not rows.num_rows or not rows.num_columns:
            return
        try:
            with self._connection.transaction():
                self._update(keys, rows)
        except psycopg.errors.UniqueViolation:
            self._replace(keys, rows, add=False)

    def delete(self, keys: pa.RecordBatch) -> int:
        """Delete by key."""
        if not keys.num_rows:
            return 0
        if len(self._key) == 1:
            column = self._key[0]
            condition = f"t.{quote.identifier(column.target)} = ANY(%s::{self._type(column)}[])"
            statement = f"DELETE FROM {self._name} t WHERE {condition}"
            return self._connection.execute(statement, [self._array(column, keys)]).rowcount
        source, values = self._source(self._key, keys, [], keys)
        statement = f"DELETE FROM {self._name} t USING {source} WHERE {self._same_key()}"
        return self._connection.execute(statement, values).rowcount

    def _may_replace(self, rows: pa.RecordBatch) -> bool:
        """Whether DELETE and INSERT may replace rows: no trigger or foreign key fires, and no column of the target's
        own would lose its value."""
        undisturbed = self._is_replica or not (self._layout.referenced or self._layout.triggers)
        return undisturbed and len(self._layout.types) == rows.num_columns

    def _merge(self, rows: pa.RecordBatch) -> None:
        keys = rows.select([column.source for column in self._key])
        others = [column for column in self._columns(rows) if column not in self._key]
        if others:
            self._update(keys, rows.select([column.source for column in others]))
        self._insert(rows, f" WHERE NOT EXISTS (SELECT FROM {self._name} t WHERE {self._same_key()})")

    def _update(self, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        columns = self._columns(rows)
        source, values = self._source(self._key, keys, columns, rows)
        assignments = ", ".join(
            f"{quote.identifier(column.target)} = {self._cast(column, f'c{place}')}"
            for place, column in enumerate(columns)
        )
        condition = self._same_key()
        statement = f"UPDATE {self._name} t SET {assignments} FROM {source} WHERE {condition}"
        self._connection.execute(statement, values)

    def _replace(self, keys: pa.RecordBatch, rows: pa.RecordBatch, *, add: bool) -> None:
        """Delete the rows and insert their new versions in one statement.

        Foreign keys are checked at the end of the statement, when the rows exist again. With `add`, rows that did not
        exist are inserted too.
        """
        if self._layout.cascading and not self._is_replica:
            reason = "rows that swap unique values cannot be replaced: foreign keys would cascade"
            raise RowRefused(table=str(self._table.name), detail=reason)
        columns = self._columns(rows)
        source, values = self._source(self._key, keys, columns, rows)
        new = {column.target: self._cast(column, f"c{place}") for place, column in enumerate(columns)}
        old = [name for name in self._layout.types if name not in new]
        kept = "".join(f", t.{quote.identifier(name)}" for name in old)
        added = "".join(f", gone.{quote.identifier(name)}" for name in old)
        join = "LEFT JOIN" if add else "JOIN"
        statement = (
            f"WITH v AS MATERIALIZED (SELECT * FROM {source}), "
            f"gone AS (DELETE FROM {self._name} t USING v WHERE {self._same_key()} RETURNING v.n{kept}) "
            f"INSERT INTO {self._name} ({quote.identifiers([*new, *old])}) OVERRIDING SYSTEM VALUE "
            f"SELECT {', '.join(new.values())}{added} FROM v {join} gone ON gone.n = v.n "
            # Counting makes the deletion complete before the first row is added.
            "WHERE (SELECT count(*) FROM gone) >= 0"
        )
        self._connection.execute(statement, values)

    def _source(
        self, key: Sequence[MappedColumn], keys: pa.RecordBatch, columns: Sequence[MappedColumn], rows: pa.RecordBatch
    ) -> tuple[str, list[Any]]:
        """A FROM item `v` with the batches' columns as text: k0, k1, … the key, c0, c1, … the values, n the number."""
        values = [self._array(column, keys) for column in key] + [self._array(column, rows) for column in columns]
        names = [f"k{place}" for place in range(len(key))] + [f"c{place}" for place in range(len(columns))]
        arrays = ", ".join(["%s::text[]"] * len(values))
        return f"unnest({arrays}) WITH ORDINALITY AS v({', '.join(names)}, n)", values

    def _same_key(self) -> str:
        pairs = enumerate(self._key)
        return " AND ".join(f"t.{quote.identifier(c.target)} = {self._cast(c, f'k{place}')}" for place, c in pairs)

    def _casts(self, columns: Sequence[MappedColumn], prefix: str) -> str:
        return ", ".join(self._cast(column, f"{prefix}{place}") for place, column in enumerate(columns))

    def _cast(self, column: MappedColumn, name: str) -> str:
        return f"CAST(v.{name} AS {self._type(column)})"

    def _array(self, column: MappedColumn, rows: pa.RecordBatch) -> str:
        return array_literal(self._input(column, rows), column.type)

    def _input(self, column: MappedColumn, rows: pa.RecordBatch) -> ArrowArray:
        values = rows.column(column.source)
        return to_input(values, column.type, self._type(column), str(self._table.name), column.target)

    def _columns(self, rows: pa.RecordBatch) -> list[MappedColumn]:
        mapped = {column.source: column for column in self._table.columns}
        return [mapped[name] for name in rows.schema.names]

    def _type(self, column: MappedColumn) -> str:
        types = self._layout.types
        if column.target not in types:
            detail = f"column {column.target}: the target table has no such column"
            raise RowRefused(table=str(self._table.name), detail=detail)
        return types[column.target]


def truncate(connection: Connection, name: TableName) -> None:
    """Empty a table within the open transaction."""
    try:
        with connection.transaction():
            connection.execute(f"TRUNCATE {quote.table(name)}")
    except (psycopg.errors.FeatureNotSupported, psycopg.errors.InsufficientPrivilege):
        # Foreign keys point at it, or we have the right to delete only.
        connection.execute(f"DELETE FROM {quote.table(name)}")


def _parts(rows: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Ranges of a bounded number of rows and, except for single rows, of bytes."""
    if rows.num_rows <= _COPY_ROWS and (rows.num_rows == 1 or rows.nbytes <= _LARGE_BYTES):
        yield rows
        return
    middle = rows.num_rows // 2
    yield from _parts(rows.slice(0, middle))
    yield from _parts(rows.slice(middle))
