"""Rows of a database as they are now; see reading.TableReader. The image of a snapshot is read in the same way."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from zcbus.connectors.conditions import Condition
from zcbus.connectors.errors import TableRefused
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.postgresql.catalog.size import estimated_rows, rows_of
from zcbus.connectors.postgresql.compare.key_sums import PostgreSQLKeySums, key_sums
from zcbus.connectors.postgresql.connection import quote
from zcbus.connectors.postgresql.connection.errors import translated
from zcbus.connectors.postgresql.connection.wire import WireConnection
from zcbus.connectors.postgresql.pgoutput.columns import Buffer, copy_columns, copy_row_starts, memory, row_borders
from zcbus.connectors.postgresql.pgoutput.framing import Messages, Offsets
from zcbus.connectors.postgresql.snapshot.key_ranges import KeyRanges
from zcbus.connectors.postgresql.snapshot.raw import PostgreSQLRawRows, binary_form
from zcbus.connectors.raw_rows import LINES
from zcbus.connectors.reading import ROW_BYTES, FullRowReader, SummingReader
from zcbus.connectors.roles import RawSnapshot, Side
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import Column, TableSchema
from zcbus.model.types import Kind

_BATCH_BYTES = 4 << 20
_SENT_AS_TEXT = frozenset({"text", "varchar", "bpchar", "name", "json", "citext", "bytea"})
"""Types whose binary form is their text (or, for bytea, the value itself): read without conversion."""


class PostgreSQLTableReader(RawSnapshot, FullRowReader, SummingReader):
    """Uses one connection that the object owns until it is closed."""

    def __init__(self, options: ConnectionOptions, side: Side, *, image: bool = False) -> None:
        """`image`: the connection can export a snapshot, and keys have the database's own order."""
        self._options, self._side, self._image = options, side, image
        with translated(options, side):
            self._wire = WireConnection(options, replication=image)
        if not image:
            with translated(options, side):
                # An index returns rows in key order at once; a sort would first read and store the complete table.
                self._wire.query("SET enable_sort = off")

    def estimate(self, table: TableSchema) -> int | None:
        with translated(self._options, self._side, str(table.name)):
            return estimated_rows(self._wire, table)

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        rows: int,
        until: tuple[str, ...] | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        with translated(self._options, self._side, str(table.name)):
            functions = self._output_functions(table)
            columns = tuple(_as_text(name, *functions[name]) for name in table.names)
            statement = self._key_ranges(table, columns, key).select(after, until, where)
            for messages in self._copied(statement):
                for batch in _batches(messages, table, rows):
                    yield batch, _last_key(batch, table, key)

    def border(
        self, table: TableSchema, key: tuple[str, ...], after: tuple[str, ...] | None, rows: int
    ) -> tuple[str, ...] | None:
        with translated(self._options, self._side, str(table.name)):
            found = self._wire.query(self._key_ranges(table, (), key).border(after, rows, None))
        return tuple(value or "" for value in found[0]) if found else None

    def full_row_form(self, table: TableSchema) -> str:
        return binary_form(table, table.names)

    def read_full_rows(self, table: TableSchema, key: tuple[str, ...], rows: int) -> Iterator[pa.RecordBatch]:
        with translated(self._options, self._side, str(table.name)):
            functions = self._output_functions(table)
            columns = [_as_text(name, *functions[name]) for name in key]
            columns += [quote.identifier(name) for name in table.names if name not in key]
            for messages in self._copied(self._key_ranges(table, tuple(columns), key).select(None, None)):
                yield from _row_batches(messages, tuple(table.column(name) for name in key), rows)

    def count(self, table: TableSchema) -> int:
        with translated(self._options, self._side, str(table.name)):
            return int(self._wire.query(f"SELECT count(*) FROM {rows_of(self._wire, table)}")[0][0] or 0)

    def key_sums(self, table: TableSchema, key: tuple[str, ...]) -> PostgreSQLKeySums | None:
        return key_sums(self._options, self._side, self._wire, table, key)

    def _copied(self, statement: str) -> Iterator[Messages]:
        self._wire.start_copy(f"COPY ({statement}) TO STDOUT (FORMAT binary)")
        while (messages := self._wire.receive_full(_BATCH_BYTES)) is not None:
            yield messages

    def raw_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> PostgreSQLRawRows | None:
        form = binary_form(table, columns)
        return self._raw_rows(table, columns, key, form) if form else None

    def text_rows(self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...]) -> PostgreSQLRawRows | None:
        """As RawSnapshot.text_rows."""
        known = all(table.column(name).type.kind is not Kind.UNSUPPORTED for name in columns)
        return self._raw_rows(table, columns, key, LINES) if known else None

    def _raw_rows(
        self, table: TableSchema, columns: Sequence[str], key: tuple[str, ...], form: str
    ) -> PostgreSQLRawRows:
        with translated(self._options, self._side, str(table.name)):
            key_ranges = self._key_ranges(table, tuple(columns), key)
        return PostgreSQLRawRows(self._options, self._wire, key_ranges, form, self._side)

    def interrupt(self) -> None:
        self._wire.end_process()

    def __enter__(self) -> "PostgreSQLTableReader":
        return self

    def __exit__(self, *details: object) -> None:
        self._wire.close()

    def _key_ranges(self, table: TableSchema, columns: tuple[str, ...], key: tuple[str, ...]) -> KeyRanges:
        return KeyRanges(table, rows_of(self._wire, table), columns, key, shared_order=not self._image)

    def _output_functions(self, table: TableSchema) -> dict[str, tuple[str, str]]:
        """Type name and output function of each column: output functions return the texts of the log, casts do not
        (`boolean` as `true`, `char(n)` without its blanks, `inet` with its mask)."""
        name = quote.literal(quote.table(table.name))
        found = self._wire.query(_OUTPUT_FUNCTIONS.format(table=name))
        functions = {column or "": (kind or "", function or "") for column, kind, function in found}
        for column in table.names:
            if column not in functions:
                raise TableRefused(table=str(table.name), column=column, reason="schema-changed")
        return functions


def _as_text(name: str, kind: str, function: str) -> str:
    column = quote.identifier(name)
    return column if kind in _SENT_AS_TEXT else f"textin({function}({column}))"


def _batches(messages: Messages, table: TableSchema, rows: int) -> Iterator[pa.RecordBatch]:
    buffer = Buffer(messages.data, messages.end)
    starts = copy_row_starts(messages)
    for first in range(0, len(starts), rows):
        arrays = _columns(buffer, starts[first : first + rows], table.columns)
        yield pa.RecordBatch.from_arrays(arrays, names=list(table.names))


def _row_batches(messages: Messages, key: Sequence[Column], rows: int) -> Iterator[pa.RecordBatch]:
    buffer = Buffer(messages.data, messages.end)
    starts = copy_row_starts(messages)
    borders = row_borders(messages, buffer, starts)
    for first in range(0, len(starts), rows):
        own = borders[first : first + rows + 1]
        row_bytes = pa.Array.from_buffers(pa.binary(), len(own) - 1, [None, memory(own), buffer.arrow])
        arrays = [*_columns(buffer, starts[first : first + rows], key), row_bytes]
        yield pa.RecordBatch.from_arrays(arrays, names=[*(column.name for column in key), ROW_BYTES])


def _columns(buffer: Buffer, rows: Offsets, columns: Sequence[Column]) -> list[ArrowArray]:
    """The first columns of rows."""
    spans = copy_columns(buffer, rows, len(columns))
    return [span.array(buffer, column.type.kind == Kind.BINARY) for span, column in zip(spans, columns, strict=True)]


def _last_key(batch: pa.RecordBatch, table: TableSchema, key: tuple[str, ...]) -> tuple[str, ...]:
    values = [batch.column(table.names.index(name))[-1].as_py() for name in key]
    return tuple(value.hex() if isinstance(value, bytes) else value for value in values)


_OUTPUT_FUNCTIONS = """
SELECT a.attname, CASE WHEN n.nspname = 'pg_catalog' OR t.typname = 'citext' THEN t.typname ELSE '' END,
       t.typoutput::regproc
  FROM pg_attribute a
  JOIN pg_type c ON c.oid = a.atttypid
  JOIN pg_type t ON t.oid = c.oid
  JOIN pg_namespace n ON n.oid = t.typnamespace
 WHERE a.attrelid = {table}::regclass AND a.attnum > 0 AND NOT a.attisdropped
"""
