"""Writes rows into a target; see roles.TargetSession."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

import pyarrow as pa

from zcbus.connectors.errors import Fenced, RowRefused, TableMissing
from zcbus.connectors.jdbc import tables
from zcbus.connectors.jdbc.catalog import describe, exists
from zcbus.connectors.jdbc.connection import Connection
from zcbus.connectors.jdbc.pull import identity
from zcbus.connectors.jdbc.quote import table as quoted
from zcbus.connectors.jdbc.statements import Row, Value
from zcbus.connectors.jdbc.write import TableWriter, apply_shadow_table
from zcbus.connectors.roles import Checkpoint, InexactKey, MappedColumn, TargetTable
from zcbus.connectors.roles.alteration import Alteration
from zcbus.connectors.row_errors import RowErrorFilter, RowErrorStore
from zcbus.connectors.sql.columns import column_missing, require_columns
from zcbus.connectors.sql.row_errors import TABLE as ROW_ERRORS
from zcbus.connectors.sql.row_errors import Spelling, SqlRowErrorStore, create_statement
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import Kind

_CHECKPOINTS = "zcbus_lane"
_PAGED = re.compile(r" LIMIT (\d+)(?: OFFSET (\d+))?")
_LOCKED = re.compile(r"SELECT .*? FROM (.*?) WHERE (.*?) ORDER BY .* FOR UPDATE", re.DOTALL)


class JdbcSession:
    """A session whose statements belong to one transaction until it is committed. Statements that change tables commit
    by themselves in some of these databases, so they stand alone."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._schemas: dict[TableName, TableSchema] = {}
        self._lanes = quoted(TableName(connection.dialect.schema, _CHECKPOINTS))

    @cached_property
    def identity(self) -> str:
        return identity(self._connection)

    @property
    def row_errors(self) -> RowErrorStore:
        return SqlRowErrorStore(_Statements(self._connection), self._spelling)

    @property
    def _spelling(self) -> Spelling:
        dialect = self._connection.dialect
        return Spelling(
            quoted(TableName(dialect.schema, ROW_ERRORS)), dialect.written_types.text, shown_text="varchar(4001)"
        )

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        with self._connection.savepoint():
            yield

    def prepare_store(self) -> None:
        dialect = self._connection.dialect
        tables.create_schema(self._connection, dialect.schema)
        if not exists(self._connection, TableName(dialect.schema, _CHECKPOINTS)):
            self._connection.execute(
                f"CREATE TABLE {self._lanes} (subscription varchar(100) NOT NULL, lane varchar(200) NOT NULL, "
                f"version bigint NOT NULL, data {dialect.written_types.text} NOT NULL, "
                "PRIMARY KEY (subscription, lane))"
            )
        if not exists(self._connection, TableName(dialect.schema, ROW_ERRORS)):
            self._connection.execute(create_statement(self._spelling).replace("IF NOT EXISTS ", ""))
        self._connection.commit()

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        if not self._has_store():
            return []
        rows = self._connection.rows(
            f"SELECT subscription, lane, version, data FROM {self._lanes} WHERE subscription = ? ORDER BY lane",
            [subscription],
        )
        return [Checkpoint(str(row[0]), str(row[1]), int(str(row[2])), str(row[3])) for row in rows]

    def lock_checkpoints(self, subscription: str) -> list[Checkpoint]:
        if self._has_store():
            # Not every database locks the rows of a sorted query.
            lock = f"UPDATE {self._lanes} SET version = version WHERE subscription = ?"
            self._connection.execute(lock, [subscription])
        return self.checkpoints(subscription)

    def write_checkpoints(self, checkpoints: Sequence[Checkpoint]) -> None:
        for checkpoint in checkpoints:
            self._write_checkpoint(checkpoint)

    def _write_checkpoint(self, one: Checkpoint) -> None:
        where: list[Value] = [one.subscription, one.name]
        if one.version <= 1:
            statement = f"INSERT INTO {self._lanes} (data, version, subscription, lane) VALUES (?, ?, ?, ?)"
        else:
            statement = f"UPDATE {self._lanes} SET data = ?, version = ? WHERE subscription = ? AND lane = ?"
            statement += " AND version = ?"
            where.append(str(one.version - 1))
        try:
            with self._connection.savepoint():
                written = self._connection.execute(statement, [one.data, str(one.version), *where], self._lanes)
        except RowRefused:  # the row exists
            written = 0
        if written != 1:
            raise Fenced(checkpoint=f"{one.subscription}/{one.name}")

    def delete_checkpoints(self, subscription: str, name: str | None = None) -> None:
        if not self._has_store():
            return
        condition, values = ("", []) if name is None else (" AND lane = ?", [name])
        self._connection.execute(
            f"DELETE FROM {self._lanes} WHERE subscription = ?{condition}", [subscription, *values]
        )
        if name is None:
            self.row_errors.delete(subscription, RowErrorFilter())
        self.commit()

    def _has_store(self) -> bool:
        return exists(self._connection, TableName(self._connection.dialect.schema, _CHECKPOINTS))

    def describe(self, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
        found = {name: describe(self._connection, name) for name in names}
        return {name: schema for name, schema in found.items() if schema is not None}

    def inexact_keys(self, table: TargetTable) -> list[InexactKey]:
        dialect, schema = self._connection.dialect, describe(self._connection, table.name)
        if schema is None or not dialect.pads or dialect.kind == table.source_schema.dialect:
            return []
        return [
            InexactKey(column.target, dialect.pads, "")
            for column in table.columns
            if column.target in table.key
            and column.type.kind is Kind.TEXT
            and column.target in schema.names
            and schema.column(column.target).type.kind is Kind.TEXT
        ]

    def create_table(self, table: TargetTable, clean: CleanMode, for_load: bool = False) -> None:
        present = describe(self._connection, table.name)
        if present is not None and clean is not CleanMode.DROP:
            require_columns(table, present.names)
            if clean in (CleanMode.TRUNCATE, CleanMode.ONLY_TRUNCATE):
                self._connection.execute(f"DELETE FROM {quoted(table.name)}", of=str(table.name))
        else:
            tables.drop(self._connection, table.name)
            tables.create(self._connection, table)
        self.commit()
        self.forget_tables()

    def complete_table(self, table: TargetTable) -> None:
        tables.carry_indexes(self._connection, table.name, table.indexes)
        self.commit()
        self.forget_tables()

    def create_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        tables.create_empty_copy(self._connection, table.name, shadow)
        self.commit()
        self.forget_tables()

    def apply_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        apply_shadow_table(self._connection, table, self._schema(table), shadow)

    def drop_table(self, name: TableName) -> None:
        tables.drop(self._connection, name)
        self.commit()
        self.forget_tables()

    def add_columns(self, table: TargetTable, columns: Sequence[MappedColumn]) -> None:
        tables.add_columns(self._connection, table, columns)
        self.commit()
        self.forget_tables()

    def alter_table(self, table: TargetTable, alteration: Alteration) -> None:
        tables.alter(self._connection, table, alteration)
        self.commit()
        self.forget_tables()

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._writer(table).insert(rows)

    def add(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self.upsert(table, rows)

    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._writer(table).upsert(rows)

    def update(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        self._writer(table).update(keys, rows)

    def delete(self, table: TargetTable, keys: pa.RecordBatch) -> int:
        return self._writer(table).delete(keys)

    def truncate(self, table: TargetTable) -> None:
        self._connection.execute(f"DELETE FROM {quoted(table.name)}", of=str(table.name))

    def commit(self, durable: bool = True) -> None:
        self._connection.commit()

    def rollback(self) -> None:
        self._connection.rollback()
        self.forget_tables()

    def forget_tables(self) -> None:
        self._schemas.clear()

    def __enter__(self) -> "JdbcSession":
        return self

    def __exit__(self, *details: object) -> None:
        self._connection.close()

    def _writer(self, table: TargetTable) -> TableWriter:
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

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, params: Sequence[object] = ()) -> int:
        return self._connection.execute(sql.replace("%s", "?"), _texts(params))

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        values = _texts(params)
        if (locked := _LOCKED.fullmatch(sql)) is not None:
            # Not every database locks the rows of a sorted query.
            name, condition = locked[1], locked[2].replace("%s", "?")
            self._connection.execute(f"UPDATE {name} SET blocking = blocking WHERE {condition}", values)
        return self._connection.rows(_standard(sql.replace("%s", "?")), values)


def _texts(values: Sequence[object]) -> list[Value]:
    return [None if value is None else str(value) for value in values]


def _standard(sql: str) -> str:
    """Pages in the notation of the SQL standard."""

    def paged(match: re.Match[str]) -> str:
        rows = f"FETCH NEXT {match[1]} ROWS ONLY"
        return f" OFFSET {match[2] or 0} ROWS {rows}"

    return _PAGED.sub(paged, sql.removesuffix(" FOR UPDATE"))
