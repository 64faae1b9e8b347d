"""Rows of a file as they are now; see reading.TableReader."""

from collections.abc import Iterator
from dataclasses import replace
from tempfile import TemporaryFile

import duckdb
import pyarrow as pa

from zcbus.connectors.conditions import Condition, written
from zcbus.connectors.duckdb.connection import DatabaseFile, identifier
from zcbus.connectors.duckdb.connection import table as table_name
from zcbus.connectors.duckdb.shared import CATALOG
from zcbus.connectors.duckdb.spec import DuckDBOptions
from zcbus.connectors.duckdb.types import canonical, reading, term
from zcbus.connectors.roles import Side
from zcbus.model.schema import TableSchema

_BATCH_BYTES = 8 << 20
_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4")


class DuckDBTableReader:
    """The rows of a call are stored before the first is returned: other processes cannot use the file meanwhile,
    however slowly the caller reads."""

    def __init__(self, options: DuckDBOptions, side: Side) -> None:
        self._file = DatabaseFile(options, side)

    def read(
        self,
        table: TableSchema,
        key: tuple[str, ...],
        after: tuple[str, ...] | None,
        rows: int,
        until: tuple[str, ...] | None = None,
        where: Condition | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        yield from self._read(_select(table, key, after, until, where), table, key, rows)

    def border(
        self, table: TableSchema, key: tuple[str, ...], after: tuple[str, ...] | None, rows: int
    ) -> tuple[str, ...] | None:
        keys = replace(table, columns=tuple(table.column(name) for name in key))
        sql = f"{_select(keys, key, after, None, None)} LIMIT 1 OFFSET {rows - 1}"
        return next((place for _, place in self._read(sql, keys, key, 1)), None)

    def _read(
        self, sql: str, table: TableSchema, key: tuple[str, ...], rows: int
    ) -> Iterator[tuple[pa.RecordBatch, tuple[str, ...]]]:
        with TemporaryFile(prefix="zcbus-rows-") as kept:
            with self._file.reading(str(table.name)) as engine:
                spool(engine, sql, table, rows, pa.PythonFile(kept, "w"))
            kept.seek(0)
            with pa.ipc.open_stream(pa.PythonFile(kept, "r")) as stored:
                for batch in stored:
                    yield batch, _key_text(batch, table, key)

    def estimate(self, table: TableSchema) -> int | None:
        sql = (
            "SELECT estimated_size FROM duckdb_tables() WHERE database_name = ? AND schema_name = ? AND table_name = ?"
        )
        with self._file.reading(str(table.name)) as engine:
            found = engine.execute(sql, [CATALOG, table.name.schema, table.name.table]).fetchone()
        return None if found is None else int(found[0])

    def count(self, table: TableSchema) -> int:
        with self._file.reading(str(table.name)) as engine:
            found = engine.execute(f"SELECT count(*) FROM {table_name(table.name)}").fetchone()
        return int(found[0]) if found is not None else 0

    def interrupt(self) -> None:
        self._file.interrupt()

    def __enter__(self) -> "DuckDBTableReader":
        return self

    def __exit__(self, *details: object) -> None:
        self._file.close()


def spool(engine: duckdb.DuckDBPyConnection, sql: str, table: TableSchema, rows: int, into: pa.PythonFile) -> None:
    """Rows of a query over all columns, in canonical form, as a stream of Arrow batches of at most `rows` rows and
    about 8 MiB."""
    empty = batch_of(table, None)
    with pa.ipc.new_stream(into, empty.schema, options=_OPTIONS) as stream:
        for read in engine.sql(sql).to_arrow_reader(rows):
            for part in parts_of(batch_of(table, read)):
                stream.write_batch(part)


def batch_of(table: TableSchema, read: pa.RecordBatch | None) -> pa.RecordBatch:
    """A read batch in canonical form; None: one without rows."""
    arrays = [
        canonical(read.column(place) if read is not None else pa.array([], pa.string()), column.type)
        for place, column in enumerate(table.columns)
    ]
    return pa.RecordBatch.from_arrays(arrays, names=list(table.names))


def parts_of(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """A batch in parts of about 8 MiB."""
    if not batch.num_rows:
        return
    step = max(1, batch.num_rows * _BATCH_BYTES // max(batch.nbytes, _BATCH_BYTES))
    for begin in range(0, batch.num_rows, step):
        yield batch.slice(begin, step)


def columns_of(schema: TableSchema) -> str:
    """The select expressions for `batch_of`."""
    return ", ".join(reading(identifier(column.name), column.type) for column in schema.columns)


def _select(
    schema: TableSchema,
    key: tuple[str, ...],
    after: tuple[str, ...] | None,
    until: tuple[str, ...] | None,
    where: Condition | None,
) -> str:
    ordered = ", ".join(identifier(name) for name in key)
    parts = []
    for sign, bound in ((">", after), ("<=", until)):
        if bound is not None:
            terms = [term(schema.column(name).type, text) for name, text in zip(key, bound, strict=True)]
            parts.append(_row_comparison([identifier(name) for name in key], terms, sign))
    if where is not None:
        parts.append(written(where, identifier, lambda name, text: term(schema.column(name).type, text)))
    sql = f"SELECT {columns_of(schema)} FROM {table_name(schema.name)}"
    sql += f" WHERE {' AND '.join(parts)}" if parts else ""
    return sql + (f" ORDER BY {ordered}" if key else "")


def _row_comparison(columns: list[str], terms: list[str], sign: str) -> str:
    """Condition that a key is greater or not greater than another (`>` or `<=`), column by column: the server converts
    two row comparisons to a BETWEEN, which rows do not support."""
    condition = f"{columns[-1]} {sign} {terms[-1]}"
    for column, value in zip(reversed(columns[:-1]), reversed(terms[:-1]), strict=True):
        condition = f"({column} {sign[0]} {value} OR ({column} = {value} AND {condition}))"
    return condition


def _key_text(batch: pa.RecordBatch, schema: TableSchema, key: tuple[str, ...]) -> tuple[str, ...]:
    values = (batch.column(schema.names.index(name))[-1].as_py() for name in key)
    return tuple(value.hex() if isinstance(value, bytes) else value for value in values)
