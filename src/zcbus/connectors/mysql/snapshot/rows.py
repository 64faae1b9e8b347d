"""Rows of a database as they are now; see reading.TableReader. The image of a snapshot is read in the same way."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa
from pymysql import OperationalError

from zcbus.connectors.conditions import Condition
from zcbus.connectors.mysql.canonical import canonical, select_expression
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.errors import translated
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.connection.text_rows import TextRows, Values
from zcbus.connectors.mysql.snapshot.key_conditions import KeyOrder, fulfilling
from zcbus.connectors.mysql.snapshot.packed import PackedLines, line_expressions
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.roles import PackedSnapshot, Side
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import Kind

Key = tuple[str, ...]


class MySQLTableReader(PackedSnapshot):
    """Uses one session that the object owns until it is closed."""

    def __init__(self, options: ConnectionOptions, side: Side, *, image: bool = False) -> None:
        """`image`: keys have the database's own order."""
        self._options, self._side, self._image = options, side, image
        self._session = Session(options, side)

    def estimate(self, table: TableSchema) -> int | None:
        return estimated_rows(self._session, table)

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        rows: int,
        until: tuple[str, ...] | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        expressions = [select_expression(column) for column in table.columns]
        sql = self._statement(table, expressions, key, after, until, where)
        with self._result(table, sql, len(expressions)) as result:
            for values in result.batches(rows):
                batch = batch_of(table.columns, values)
                yield batch, key_text(table, key, batch)

    def border(self, table: TableSchema, key: tuple[str, ...], after: Key | None, rows: int) -> Key | None:
        columns = tuple(table.column(name) for name in key)
        expressions = [select_expression(column) for column in columns]
        sql = f"{self._statement(table, expressions, key, after, None)} LIMIT {rows - 1}, 1"
        with self._result(table, sql, len(columns)) as result:
            found = [key_text(table, key, batch_of(columns, values)) for values in result.batches(1)]
        return found[0] if found else None

    def count(self, table: TableSchema) -> int:
        with translated(self._options, self._side, str(table.name)):
            return int(self._session.rows(f"SELECT COUNT(*) FROM {quote.table(table.name)}")[0][0])

    def packed_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> "MySQLPackedRows | None":
        """As PackedSnapshot.packed_rows. Several connections cannot share an image."""
        expressions = line_expressions(table, columns, key)
        return None if expressions is None else MySQLPackedRows(self, table, columns, expressions, key)

    def packed(
        self, table: TableSchema, expressions: Sequence[str], key: Key, after: Key | None, rows: int, until: Key | None
    ) -> Iterator[PackedLines]:
        """Rows by expressions for lines."""
        sql = self._statement(table, expressions, key, after, until)
        with self._result(table, sql, len(expressions)) as result:
            for buffer, starts in result.packed(rows):
                yield PackedLines(buffer, starts, len(expressions))

    def _statement(
        self,
        table: TableSchema,
        expressions: Sequence[str],
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        until: tuple[str, ...] | None,
        where: Condition | None = None,
    ) -> str:
        order = KeyOrder(table, key, shared=not self._image)
        conditions = [order.behind(after)] if after is not None else []
        conditions += [order.up_to(until)] if until is not None else []
        conditions += [fulfilling(table, where)] if where is not None else []
        sql, params = (
            f"SELECT {', '.join(expressions)} FROM {quote.table(table.name)}",
            [p for _, own in conditions for p in own],
        )
        if conditions:
            sql += " WHERE " + " AND ".join(f"({condition})" for condition, _ in conditions)
        if key:
            sql += f" ORDER BY {order.sorted}"
        with self._session.driver.cursor() as cursor:
            return str(cursor.mogrify(sql, params or None))

    @contextmanager
    def _result(self, table: TableSchema, sql: str, columns: int) -> Iterator[TextRows]:
        with translated(self._options, self._side, str(table.name)):
            result = TextRows(self._session.driver, sql, columns)
            try:
                yield result
            finally:
                self._give_up(result)

    def _give_up(self, result: TextRows) -> None:
        """Leave a half-read result so that the connection, and with it the image, can be used for the next table."""
        if result.finished or result.lost:
            return
        with Session(self._options, self._side) as other:
            other.execute(f"KILL QUERY {self._session.driver.thread_id()}")
        with translated(self._options, self._side):
            _drain(result)

    def interrupt(self) -> None:
        self._session.end_process()

    def __enter__(self) -> "MySQLTableReader":
        return self

    def __exit__(self, *details: object) -> None:
        self._session.close()


@dataclass(frozen=True, slots=True)
class MySQLPackedRows:
    """See raw_rows.PackedRows."""

    reader: MySQLTableReader
    table: TableSchema
    columns: Sequence[str]
    expressions: Sequence[str]
    key: Key

    def read(self, after: Key | None, rows: int, until: Key | None) -> Iterator[tuple[PackedLines, Key]]:
        places = [list(self.columns).index(name) for name in self.key]
        for part in self.reader.packed(self.table, self.expressions, self.key, after, rows, until):
            yield part, tuple(part.last(place) for place in places)


def estimated_rows(session: Session, table: TableSchema) -> int | None:
    """From the server's statistics."""
    sql = "SELECT table_rows FROM information_schema.tables WHERE table_schema = %s AND table_name = %s"
    rows = session.rows(sql, [table.name.schema, table.name.table])
    return int(rows[0][0]) if rows and rows[0][0] is not None else None


def _drain(result: TextRows) -> None:
    try:
        result.drain()
    except OperationalError as error:
        if error.args[0] != 1317:  # the requested interruption
            raise


def batch_of(columns: Sequence[Column], values: list[Values]) -> pa.RecordBatch:
    arrays = [canonical(one, column.type) for column, one in zip(columns, values, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, names=[column.name for column in columns])


def key_text(table: TableSchema, key: tuple[str, ...], batch: pa.RecordBatch) -> tuple[str, ...]:
    """Key of the last row; binary keys in hexadecimal."""
    last = [batch.column(name)[batch.num_rows - 1].as_py() for name in key]
    return tuple(
        value.hex() if table.column(name).type.kind is Kind.BINARY else str(value)
        for name, value in zip(key, last, strict=True)
    )
