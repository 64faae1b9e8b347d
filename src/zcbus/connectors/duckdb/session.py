"""Writes rows into a database file; see roles.TargetSession."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import duckdb
import pyarrow as pa

from zcbus.connectors.duckdb import tables
from zcbus.connectors.duckdb.catalog import describe, exists, key_collations
from zcbus.connectors.duckdb.connection import DatabaseFile, translated
from zcbus.connectors.duckdb.connection import table as table_name
from zcbus.connectors.duckdb.spec import SCHEMA, DuckDBOptions
from zcbus.connectors.duckdb.write import TableWriter, apply_shadow_table
from zcbus.connectors.errors import Fenced, RowRefused, TableMissing
from zcbus.connectors.roles import Checkpoint, InexactKey, MappedColumn, TargetTable
from zcbus.connectors.roles.alteration import Alteration
from zcbus.connectors.row_errors import RowErrorFilter, RowErrorStore
from zcbus.connectors.sql.columns import column_missing, require_columns
from zcbus.connectors.sql.row_errors import TABLE as ROW_ERRORS
from zcbus.connectors.sql.row_errors import Spelling, SqlRowErrorStore, create_statement
from zcbus.model.schema import Index, TableName, TableSchema
from zcbus.model.states import CleanMode

_CHECKPOINTS = TableName(SCHEMA, "zcbus_lane")
_TABLE = table_name(_CHECKPOINTS)
_SPELLING = Spelling(table_name(TableName(SCHEMA, ROW_ERRORS)))
T = TypeVar("T")
Engine = duckdb.DuckDBPyConnection
Operation = Callable[[Engine], Any]


class DuckDBSession:
    """A session that has the file exclusively from a transaction's beginning to its end.

    DuckDB has no savepoints, and a failed statement ends its transaction. So the session records the operations of the
    transaction, and repeats them if a part is undone: no other process can have changed the file meanwhile.
    """

    def __init__(self, options: DuckDBOptions) -> None:
        self._options = options
        self._file = DatabaseFile(options, "target")
        self._done: list[Operation] = []
        self._failed = False
        self._schemas: dict[TableName, TableSchema] = {}

    @property
    def identity(self) -> str:
        return f"duckdb:{self._file.path}"

    @property
    def row_errors(self) -> RowErrorStore:
        return SqlRowErrorStore(_Statements(self), _SPELLING)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self._begin()
        mark = len(self._done)
        try:
            yield
        except BaseException:
            self._return_to(mark)
            raise

    def prepare_store(self) -> None:
        self.run(
            lambda engine: engine.execute(
                f"CREATE TABLE IF NOT EXISTS {_TABLE} (subscription VARCHAR NOT NULL, lane VARCHAR NOT NULL, "
                "version BIGINT NOT NULL, data VARCHAR NOT NULL, PRIMARY KEY (subscription, lane))"
            )
        )
        self.run(lambda engine: engine.execute(create_statement(_SPELLING)))
        self.commit()

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        with self._file.reading() as engine:
            if not exists(engine, _CHECKPOINTS):
                return []
            sql = f"SELECT subscription, lane, version, data FROM {_TABLE} WHERE subscription = ? ORDER BY lane"
            return [Checkpoint(*row) for row in engine.execute(sql, [subscription]).fetchall()]

    def lock_checkpoints(self, subscription: str) -> list[Checkpoint]:
        self._begin()
        return self.checkpoints(subscription)

    def write_checkpoints(self, checkpoints: Sequence[Checkpoint]) -> None:
        for checkpoint in checkpoints:
            self._write_checkpoint(checkpoint)

    def _write_checkpoint(self, checkpoint: Checkpoint) -> None:
        one = [checkpoint.data, checkpoint.version, checkpoint.subscription, checkpoint.name]
        columns = "(data, version, subscription, lane)"
        statement = f"INSERT INTO {_TABLE} {columns} VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        if checkpoint.version > 1:
            statement = f"UPDATE {_TABLE} SET data = ?, version = ? WHERE subscription = ? AND lane = ? AND version = ?"
            one.append(checkpoint.version - 1)
        if self.run(lambda engine: _count(engine.execute(statement, one))) != 1:
            raise Fenced(checkpoint=f"{checkpoint.subscription}/{checkpoint.name}")

    def delete_checkpoints(self, subscription: str, name: str | None = None) -> None:
        with self._file.reading() as engine:
            if not exists(engine, _CHECKPOINTS):
                return
        sql = f"DELETE FROM {_TABLE} WHERE subscription = ? AND (? IS NULL OR lane = ?)"
        self.run(lambda engine: engine.execute(sql, [subscription, name, name]))
        if name is None:
            self.row_errors.delete(subscription, RowErrorFilter())
        self.commit()

    def describe(self, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
        with self._file.reading() as engine:
            return describe(engine, names)

    def inexact_keys(self, table: TargetTable) -> list[InexactKey]:
        with self._file.reading() as engine:
            collations = key_collations(engine, table.name)
        return [InexactKey(name, collations[name], "") for name in table.key if name in collations]

    def create_table(self, table: TargetTable, clean: CleanMode, for_load: bool = False) -> None:
        try:
            self.run(lambda engine: _create(engine, table, clean), table)
        except BaseException:
            self.rollback()
            raise
        self.commit()
        self.forget_tables()

    def complete_table(self, table: TargetTable) -> None:
        self._create_indexes(table, self.run(lambda e: tables.missing_indexes(e, table.name, table.indexes), table))
        self.forget_tables()

    def create_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        self.run(lambda engine: tables.create_empty_copy(engine, table.name, shadow), table)
        self.commit()
        self.forget_tables()

    def apply_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        present, other = self._schema(table), table_name(shadow)
        self.run(lambda engine: apply_shadow_table(engine, table, present, other), table)

    def drop_table(self, name: TableName) -> None:
        self.run(lambda engine: engine.execute(f"DROP TABLE IF EXISTS {table_name(name)}"))
        self.commit()
        self.forget_tables()

    def add_columns(self, table: TargetTable, columns: Sequence[MappedColumn]) -> None:
        self.run(lambda engine: tables.add_columns(engine, table, columns), table)
        self.commit()
        self.forget_tables()

    def alter_table(self, table: TargetTable, alteration: Alteration) -> None:
        self._create_indexes(table, self.run(lambda engine: tables.alter(engine, table, alteration), table))
        self.commit()
        self.forget_tables()

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._write(table, lambda writer: writer.insert(rows))

    def add(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self.upsert(table, rows)

    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._write(table, lambda writer: writer.upsert(rows))

    def update(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        self._write(table, lambda writer: writer.update(keys, rows))

    def delete(self, table: TargetTable, keys: pa.RecordBatch) -> int:
        return self._write(table, lambda writer: writer.delete(keys))

    def truncate(self, table: TargetTable) -> None:
        self.run(lambda engine: engine.execute(f"DELETE FROM {table_name(table.name)}"), table)

    def commit(self, durable: bool = True) -> None:
        self._end("COMMIT")

    def rollback(self) -> None:
        self._end("ROLLBACK")
        self.forget_tables()

    def forget_tables(self) -> None:
        self._schemas.clear()

    def __enter__(self) -> "DuckDBSession":
        return self

    def __exit__(self, *details: object) -> None:
        self._file.close()

    def run(self, operation: Callable[[Engine], T], table: TargetTable | None = None) -> T:
        """Do something within the open transaction."""
        self._begin()
        with translated(self._options, "target", str(table.name) if table is not None else ""):
            try:
                found = operation(self._file.engine)
            except BaseException:
                self._failed = True
                raise
        self._done.append(operation)
        return found

    def rows(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """A query's rows; in the open transaction, or in one of its own."""
        with self._file.reading() as engine:
            return engine.execute(sql, list(values)).fetchall()

    def _begin(self) -> None:
        if not self._file.is_open:
            self._file.begin()
            self._done, self._failed = [], False

    def _end(self, statement: str) -> None:
        self._done = []
        if self._file.is_open:
            self._file.end(statement)

    def _return_to(self, mark: int) -> None:
        """Undo all but the first operations of the transaction."""
        if not self._file.is_open or (len(self._done) == mark and not self._failed):
            return
        kept, self._done = self._done[:mark], []
        with translated(self._options, "target"):
            self._file.engine.execute("ROLLBACK")
            self._file.engine.execute("BEGIN")
            for operation in kept:
                operation(self._file.engine)
        self._done, self._failed = kept, False

    def _create_indexes(self, table: TargetTable, indexes: Sequence[Index]) -> None:
        """Create the indexes that DuckDB accepts."""
        for index in indexes:
            with suppress(RowRefused), self.savepoint():
                self.run(_index_maker(table, index), table)

    def _write(self, table: TargetTable, write: Callable[[TableWriter], T]) -> T:
        self._begin()
        present = self._schema(table)
        return self.run(lambda engine: write(TableWriter(engine, table, present)), table)

    def _schema(self, table: TargetTable) -> TableSchema:
        known = self._schemas.get(table.name)
        # Another session may have added a column since.
        if known is None or column_missing(table, known.names):
            known = self.describe([table.name]).get(table.name)
            if known is None:
                raise TableMissing(table=str(table.name), side="target")
            require_columns(table, known.names)
            self._schemas[table.name] = known
        return known


class _Statements:
    """The session as the shared store of row errors uses it."""

    def __init__(self, session: DuckDBSession) -> None:
        self._session = session

    def execute(self, sql: str, params: Sequence[object] = ()) -> int:
        return self._session.run(lambda engine: _count(engine.execute(sql.replace("%s", "?"), list(params))))

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        plain = sql.removesuffix(" FOR UPDATE")
        if plain != sql:
            # A transaction is the file's only writer: there is no row to lock.
            self._session.run(lambda engine: None)
        return self._session.rows(plain.replace("%s", "?"), params)


def _create(engine: Engine, table: TargetTable, clean: CleanMode) -> None:
    present = describe(engine, [table.name]).get(table.name)
    if present is None or clean is CleanMode.DROP:
        engine.execute(f"DROP TABLE IF EXISTS {table_name(table.name)}")
        tables.create(engine, table)
        return
    refused = column_missing(table, present.names)
    if refused is not None:
        raise refused
    if clean in (CleanMode.TRUNCATE, CleanMode.ONLY_TRUNCATE):
        engine.execute(f"DELETE FROM {table_name(table.name)}")


def _index_maker(table: TargetTable, index: Index) -> Operation:
    return lambda engine: tables.create_index(engine, table.name, index)


def _count(done: Engine) -> int:
    """Rows that a statement changed."""
    found = done.fetchone()
    return int(found[0]) if found is not None else 0
