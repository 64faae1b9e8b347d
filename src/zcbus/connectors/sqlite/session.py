"""Writes rows into a database file; see roles.TargetSession."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import pyarrow as pa

from zcbus.connectors.errors import Fenced, TableMissing
from zcbus.connectors.roles import Checkpoint, InexactKey, MappedColumn, TargetTable
from zcbus.connectors.roles.alteration import Alteration
from zcbus.connectors.row_errors import RowErrorFilter, RowErrorStore
from zcbus.connectors.sql.columns import column_missing, require_columns
from zcbus.connectors.sql.row_errors import TABLE as ROW_ERRORS
from zcbus.connectors.sql.row_errors import Spelling, SqlRowErrorStore, create_statement
from zcbus.connectors.sqlite import tables
from zcbus.connectors.sqlite.catalog import describe, key_collations
from zcbus.connectors.sqlite.connection import connect, identifier, translated
from zcbus.connectors.sqlite.spec import SQLiteOptions
from zcbus.connectors.sqlite.types import keeps_text
from zcbus.connectors.sqlite.write import TableWriter, apply_shadow_table
from zcbus.kit.file_folder import confined
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import INTEGERS, Kind

_CHECKPOINTS = "zcbus_lane"
_NUMBERS = INTEGERS | {Kind.YEAR, Kind.FLOAT32, Kind.FLOAT64, Kind.BOOLEAN, Kind.BINARY}


class SQLiteSession:
    """A session whose transactions are exclusive: a file has one writer at a time, and others wait for its end."""

    def __init__(self, options: SQLiteOptions) -> None:
        self._options = options
        self._connection = connect(options, "target")
        self._schemas: dict[TableName, TableSchema] = {}
        self._savepoints = 0

    @cached_property
    def identity(self) -> str:
        return f"sqlite:{confined(self._options.tenant, self._options.file)}"

    @property
    def row_errors(self) -> RowErrorStore:
        return SqlRowErrorStore(_Statements(self), Spelling(identifier(ROW_ERRORS)))

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        with self._translated():
            self._begin()
            self._savepoints += 1
            name = f"zcbus_{self._savepoints}"
            self._connection.execute(f"SAVEPOINT {name}")
            try:
                yield
            except BaseException:
                self._connection.execute(f"ROLLBACK TO {name}")
                self._connection.execute(f"RELEASE {name}")
                raise
            self._connection.execute(f"RELEASE {name}")

    def prepare_store(self) -> None:
        with self._translated():
            self._begin()
            self._connection.execute(
                f"CREATE TABLE IF NOT EXISTS {_CHECKPOINTS} (subscription TEXT NOT NULL, lane TEXT NOT NULL, "
                "version INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (subscription, lane))"
            )
            self._connection.execute(create_statement(Spelling(identifier(ROW_ERRORS))))
            self._connection.execute("COMMIT")

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        with self._translated():
            if describe(self._connection, TableName("main", _CHECKPOINTS)) is None:
                return []
            rows = self._connection.execute(
                f"SELECT subscription, lane, version, data FROM {_CHECKPOINTS} WHERE subscription = ? ORDER BY lane",
                [subscription],
            ).fetchall()
        return [Checkpoint(*row) for row in rows]

    def lock_checkpoints(self, subscription: str) -> list[Checkpoint]:
        with self._translated():
            self._begin()
        return self.checkpoints(subscription)

    def write_checkpoints(self, checkpoints: Sequence[Checkpoint]) -> None:
        for checkpoint in checkpoints:
            self._write_checkpoint(checkpoint)

    def _write_checkpoint(self, checkpoint: Checkpoint) -> None:
        one = [checkpoint.data, checkpoint.version, checkpoint.subscription, checkpoint.name]
        with self._translated():
            self._begin()
            if checkpoint.version <= 1:
                statement = (
                    f"INSERT OR IGNORE INTO {_CHECKPOINTS} (data, version, subscription, lane) VALUES (?, ?, ?, ?)"
                )
            else:
                statement = (
                    f"UPDATE {_CHECKPOINTS} SET data = ?, version = ? "
                    "WHERE subscription = ? AND lane = ? AND version = ?"
                )
                one.append(checkpoint.version - 1)
            written = self._connection.execute(statement, one).rowcount
        if written != 1:
            raise Fenced(checkpoint=f"{checkpoint.subscription}/{checkpoint.name}")

    def delete_checkpoints(self, subscription: str, name: str | None = None) -> None:
        with self._translated():
            if describe(self._connection, TableName("main", _CHECKPOINTS)) is None:
                return
            self._begin()
            self._connection.execute(
                f"DELETE FROM {_CHECKPOINTS} WHERE subscription = ? AND (? IS NULL OR lane = ?)",
                [subscription, name, name],
            )
        if name is None:
            self.row_errors.delete(subscription, RowErrorFilter())
        self.commit()

    def describe(self, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
        with self._translated():
            found = {name: describe(self._connection, name) for name in names}
        return {name: schema for name, schema in found.items() if schema is not None}

    def inexact_keys(self, table: TargetTable) -> list[InexactKey]:
        with self._translated():
            schema = describe(self._connection, table.name)
            collations = key_collations(self._connection, table.name) if schema is not None else {}
        if schema is None:
            return []
        found = []
        for column in table.columns:
            if column.target not in table.key or column.type.kind in _NUMBERS or column.target not in schema.names:
                continue
            native = schema.column(column.target).type.native
            if column.target in collations:
                found.append(InexactKey(column.target, collations[column.target], ""))
            elif not keeps_text(native) and column.type.kind in (Kind.TEXT, Kind.DECIMAL, Kind.UINT64, Kind.OTHER):
                found.append(InexactKey(column.target, native, ""))
        return found

    def create_table(self, table: TargetTable, clean: CleanMode, for_load: bool = False) -> None:
        with self._translated():
            self._begin()
            present = describe(self._connection, table.name)
            if present is not None and clean is not CleanMode.DROP:
                refused = column_missing(table, present.names)
                if refused is not None:
                    self._connection.execute("ROLLBACK")
                    raise refused
                if clean in (CleanMode.TRUNCATE, CleanMode.ONLY_TRUNCATE):
                    self._connection.execute(f"DELETE FROM {identifier(table.name.table)}")
            else:
                self._connection.execute(f"DROP TABLE IF EXISTS {identifier(table.name.table)}")
                tables.create(self._connection, table)
            self._connection.execute("COMMIT")
        self.forget_tables()

    def complete_table(self, table: TargetTable) -> None:
        with self._translated(table):
            self._begin()
            tables.carry_indexes(self._connection, table.name, table.indexes)
        self.forget_tables()

    def create_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        with self._translated(table):
            self._begin()
            tables.create_empty_copy(self._connection, table.name, shadow)
            self._connection.execute("COMMIT")
        self.forget_tables()

    def apply_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        with self._translated(table):
            self._begin()
            apply_shadow_table(self._connection, table, identifier(shadow.table))

    def drop_table(self, name: TableName) -> None:
        with self._translated():
            self._begin()
            self._connection.execute(f"DROP TABLE IF EXISTS {identifier(name.table)}")
            self._connection.execute("COMMIT")
        self.forget_tables()

    def add_columns(self, table: TargetTable, columns: Sequence[MappedColumn]) -> None:
        with self._translated(table):
            self._begin()
            tables.add_columns(self._connection, table, columns)
            self._connection.execute("COMMIT")
        self.forget_tables()

    def alter_table(self, table: TargetTable, alteration: Alteration) -> None:
        with self._translated(table):
            self._begin()
            tables.alter(self._connection, table, alteration)
            self._connection.execute("COMMIT")
        self.forget_tables()

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        with self._translated(table):
            self._writer(table).insert(rows)

    def add(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self.upsert(table, rows)

    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        with self._translated(table):
            self._writer(table).upsert(rows)

    def update(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        with self._translated(table):
            self._writer(table).update(keys, rows)

    def delete(self, table: TargetTable, keys: pa.RecordBatch) -> int:
        with self._translated(table):
            return self._writer(table).delete(keys)

    def truncate(self, table: TargetTable) -> None:
        with self._translated(table):
            self._begin()
            self._connection.execute(f"DELETE FROM {identifier(table.name.table)}")

    def commit(self, durable: bool = True) -> None:
        with self._translated():
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")

    def rollback(self) -> None:
        with self._translated():
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        self.forget_tables()

    def forget_tables(self) -> None:
        self._schemas.clear()

    def __enter__(self) -> "SQLiteSession":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()

    def begun(self) -> sqlite3.Connection:
        """The connection within an open transaction."""
        self._begin()
        return self._connection

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")

    def _translated(self, table: TargetTable | None = None) -> Any:
        return translated(self._options, "target", str(table.name) if table is not None else "")

    def _writer(self, table: TargetTable) -> TableWriter:
        self._begin()
        return TableWriter(self._connection, table, self._schema(table))

    def _schema(self, table: TargetTable) -> TableSchema:
        known = self._schemas.get(table.name)
        # Another session may have added a column since.
        if known is None or column_missing(table, known.names):
            known = describe(self._connection, table.name)
            if known is None:
                raise TableMissing(table=str(table.name), side="target")
            require_columns(table, known.names)
            self._schemas[table.name] = known
        return known


class _Statements:
    """The session as the shared store of row errors uses it."""

    def __init__(self, session: SQLiteSession) -> None:
        self._session = session

    def execute(self, sql: str, params: Sequence[object] = ()) -> int:
        with self._session._translated():
            return self._session.begun().execute(_placed(sql), list(params)).rowcount

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._session._translated():
            return self._session.begun().execute(_placed(sql), list(params)).fetchall()


def _placed(sql: str) -> str:
    # A transaction is the file's only writer: there is no row to lock.
    return sql.replace("%s", "?").removesuffix(" FOR UPDATE")
