"""MySQL and MariaDB as a target."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import pyarrow as pa

from zcbus.connectors.errors import TableMissing
from zcbus.connectors.mysql.apply import alter, ddl, indexes, row_statements
from zcbus.connectors.mysql.apply.changes import Applier
from zcbus.connectors.mysql.apply.checkpoints import CheckpointStore
from zcbus.connectors.mysql.apply.encode import stored_form
from zcbus.connectors.mysql.apply.exact_keys import inexact_keys
from zcbus.connectors.mysql.apply.mapping import declare
from zcbus.connectors.mysql.apply.shadow_table import apply_shadow_table, create_shadow_table
from zcbus.connectors.mysql.apply.unstaged import UnstagedApplier
from zcbus.connectors.mysql.catalog.discover import existing_layouts
from zcbus.connectors.mysql.connection import quote
from zcbus.connectors.mysql.connection.session import Session
from zcbus.connectors.mysql.connection.session_registry import register
from zcbus.connectors.mysql.origin import OriginMarks, identity
from zcbus.connectors.mysql.variant import variant_of
from zcbus.connectors.options import ConnectionOptions
from zcbus.connectors.raw_rows import LINES
from zcbus.connectors.roles import (
    Checkpoint,
    ConstraintSession,
    InexactKey,
    KeyParallelSink,
    LockObserver,
    MappedColumn,
    MappingNote,
    RawSink,
    RegisteredSession,
    RowStatements,
    TargetSession,
    TargetTable,
)
from zcbus.connectors.roles.alteration import Alteration
from zcbus.connectors.row_errors import RowErrorFilter, RowErrorStore
from zcbus.connectors.sql.row_errors import TABLE as ROW_ERROR_TABLE
from zcbus.connectors.sql.row_errors import Spelling, SqlRowErrorStore, create_statement
from zcbus.kit.errors import TerminalError, ZcbusError
from zcbus.model.arrow import ArrowArray
from zcbus.model.schema import TableName, TableSchema
from zcbus.model.states import CleanMode
from zcbus.model.types import DataType

_SETTINGS = "SET SESSION foreign_key_checks=0, max_error_count=64"
_HOLDERS = """
SELECT p.id, p.user, p.host, t.trx_started
FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
WHERE t.trx_rows_locked > 0 AND p.id <> CONNECTION_ID() ORDER BY t.trx_started LIMIT 3
"""
"""Transactions that hold locks. InnoDB lists locked rows only while another transaction waits for them."""


class MySQLTarget(RowStatements):
    """See Target."""

    dialect = "mysql"

    def __init__(self, options: ConnectionOptions) -> None:
        self._options = options

    def map_columns(self, schema: TableSchema, key: tuple[str, ...]) -> list[MappingNote]:
        return [
            MappingNote(name, one.type, one.note, one.blocking, one.facts) for name, one in declare(schema, key).items()
        ]

    def stored_form(self, values: ArrowArray, source: DataType, target: DataType) -> ArrowArray:
        return stored_form(values, source, target)

    def default_schema(self, source: TableName, source_dialect: str) -> str:
        return self._options.database

    def open(self) -> TargetSession:
        return MySQLTargetSession(self._options)

    @property
    def statement_settings(self) -> tuple[str, ...]:
        return row_statements.SETTINGS

    def insert_statements(self, table: TargetTable, existing: TableSchema, rows: pa.RecordBatch) -> list[str]:
        return row_statements.insert_statements(table, existing, rows)

    def update_statements(self, table: TargetTable, existing: TableSchema, rows: pa.RecordBatch) -> list[str]:
        return row_statements.update_statements(table, existing, rows)

    def delete_statements(self, table: TargetTable, existing: TableSchema, keys: pa.RecordBatch) -> list[str]:
        return row_statements.delete_statements(table, existing, keys)


class MySQLTargetSession(RegisteredSession, KeyParallelSink, LockObserver, RawSink, ConstraintSession):
    """See TargetSession."""

    def __init__(self, options: ConnectionOptions) -> None:
        self._session = Session(options, "target")
        self._checkpoints = CheckpointStore(self._session)
        variant = variant_of(options)
        self._applier = (Applier if variant.temporary_tables else UnstagedApplier)(self._session)
        self._marks = OriginMarks(self._session)
        self._open = False
        self._depth = 0
        for statement in (_SETTINGS, *variant.waits):
            self._session.execute(statement.format(wait=options.lock_wait))
        if _supports_read_committed(self._session):
            # Fewer gaps are locked, so that sessions writing neighbouring checkpoints conflict less.
            self._session.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")

    def register(self, owner: str, number: int, dead: Collection[int] = ()) -> None:
        register(self._session, owner, number, dead)

    def enforce_constraints(self) -> None:
        self._session.execute("SET SESSION foreign_key_checks=1")

    def prepare_store(self) -> None:
        self._open = False
        self._checkpoints.prepare()
        self._marks.prepare()
        self._session.execute(create_statement(self._row_error_spelling))

    @property
    def _row_error_spelling(self) -> Spelling:
        database = quote.identifier(self._session.options.database)
        name = f"{database}.{quote.identifier(ROW_ERROR_TABLE)}"
        return Spelling(name, "longtext", " ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin")

    @cached_property
    def identity(self) -> str:
        return identity(self._session)

    @cached_property
    def row_errors(self) -> RowErrorStore:
        return SqlRowErrorStore(_Statements(self), self._row_error_spelling)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self._begin()
        self._depth += 1
        name = f"zcbus_{self._depth}"
        try:
            self._session.execute(f"SAVEPOINT {name}")
            with self._marks.marked.savepoint():
                yield
        except TerminalError:
            self._session.execute(f"ROLLBACK TO SAVEPOINT {name}")
            raise
        else:
            self._session.execute(f"RELEASE SAVEPOINT {name}")
        finally:
            self._depth -= 1

    def checkpoints(self, subscription: str) -> list[Checkpoint]:
        return self._checkpoints.read(subscription)

    def lock_checkpoints(self, subscription: str) -> list[Checkpoint]:
        self._begin()
        return self._checkpoints.read(subscription, hold=True)

    def write_checkpoints(self, checkpoints: Sequence[Checkpoint]) -> None:
        self._begin()
        for checkpoint in checkpoints:
            self._checkpoints.write(checkpoint)

    def delete_checkpoints(self, subscription: str, name: str | None = None) -> None:
        self._begin()
        self._checkpoints.delete(subscription, name)
        if name is None:
            self.row_errors.delete(subscription, RowErrorFilter())
        self.commit()

    def describe(self, names: Sequence[TableName]) -> dict[TableName, TableSchema]:
        return {name: layout.schema for name, layout in existing_layouts(self._session, names).items()}

    def supports_parallel_keys(self, table: TargetTable) -> bool:
        return self._applier.supports_parallel_keys(table)

    def inexact_keys(self, table: TargetTable) -> list[InexactKey]:
        existing = self.describe([table.name]).get(table.name)
        return [] if existing is None else inexact_keys(table, existing, self._session.version)

    def lock_holders(self, name: TableName) -> str:
        try:
            rows = self._session.rows(_HOLDERS)
        except ZcbusError:  # needs the right to see other users' sessions
            return ""
        return "; ".join(f"{user}@{host} ({number}), {since:%Y-%m-%d %H:%M:%S}" for number, user, host, since in rows)

    def complete_table(self, table: TargetTable) -> None:
        """The key exists: rows are stored in its order, and arrive in it."""
        self._applier.forget(table.name)
        self._open = False
        indexes.carry_over(self._session, table, table.indexes)

    def create_table(self, table: TargetTable, clean: CleanMode, for_load: bool = False) -> None:
        self._applier.forget(table.name)
        self._open = False  # DDL commits by itself
        ddl.make_ready(self._session, table, self.describe([table.name]).get(table.name), clean)

    def create_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        self._applier.forget(shadow)
        self._open = False
        create_shadow_table(self._session, table, shadow)

    def apply_shadow_table(self, table: TargetTable, shadow: TableName) -> None:
        self._begin_on(table)
        apply_shadow_table(self._session, table, shadow, self._applier.shape(table))

    def drop_table(self, name: TableName) -> None:
        self._applier.forget(name)
        self._open = False
        self._session.execute(f"DROP TABLE IF EXISTS {quote.table(name)}")

    def add_columns(self, table: TargetTable, columns: Sequence[MappedColumn]) -> None:
        self._applier.forget(table.name)
        self._open = False
        existing = self.describe([table.name]).get(table.name)
        if existing is not None:
            ddl.add_columns(self._session, table, existing, columns)

    def alter_table(self, table: TargetTable, alteration: Alteration) -> None:
        self._applier.forget(table.name)
        self._open = False
        present = self.describe([table.name]).get(table.name)
        if present is None:
            raise TableMissing(table=str(table.name), side="target")
        indexes.drop(self._session, table, alteration.drop_indexes)
        alter.alter(self._session, table, alteration, present)
        indexes.rename(self._session, table, alteration.rename_indexes)
        indexes.carry_over(self._session, table, alteration.indexes)

    def load(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._begin_on(table)
        self._applier.load(table, rows)

    def raw_load(self, table: TargetTable, form: str) -> Callable[[Iterable[memoryview]], int] | None:
        write = self._applier.lines_loader(table) if form == LINES else None
        if write is None:
            return None

        def load(parts: Iterable[memoryview]) -> int:
            self._begin_on(table)
            return write(parts)

        return load

    def add(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        # REPLACE of rows that do not exist costs the same as INSERT.
        self.upsert(table, rows)

    def upsert(self, table: TargetTable, rows: pa.RecordBatch) -> None:
        self._begin_on(table)
        self._applier.upsert(table, rows)

    def update(self, table: TargetTable, keys: pa.RecordBatch, rows: pa.RecordBatch) -> None:
        self._begin_on(table)
        self._applier.update(table, keys, rows)

    def delete(self, table: TargetTable, keys: pa.RecordBatch) -> int:
        self._begin_on(table)
        return self._applier.delete(table, keys)

    def truncate(self, table: TargetTable) -> None:
        self._begin_on(table)
        self._applier.truncate(table)

    def commit(self, durable: bool = True) -> None:
        if self._open:
            self._session.execute("COMMIT")
            self._open = False

    def rollback(self) -> None:
        if self._open:
            self._open = False
            self._session.execute("ROLLBACK")

    def forget_tables(self) -> None:
        self._applier.forget_all()

    def __enter__(self) -> "MySQLTargetSession":
        return self

    def __exit__(self, *details: object) -> None:
        self._session.close()  # the server rolls back

    def statement(self, sql: str, params: Sequence[object]) -> int:
        """Run a statement in the open transaction."""
        self._begin()
        return self._session.execute(sql, params)

    def query(self, sql: str, params: Sequence[object]) -> list[tuple[Any, ...]]:
        """Query within the open transaction."""
        self._begin()
        return self._session.rows(sql, params)

    def _begin(self) -> None:
        if not self._open:
            self._session.execute("START TRANSACTION")
            self._marks.marked.begin()
            self._open = True

    def _begin_on(self, table: TargetTable) -> None:
        self._begin()
        self._marks.write(table)


class _Statements:
    """The session as the shared store of row errors uses it."""

    def __init__(self, session: MySQLTargetSession) -> None:
        self._session = session

    def execute(self, sql: str, params: Sequence[object] = ()) -> int:
        return self._session.statement(sql, params)

    def rows(self, sql: str, params: Sequence[object] = ()) -> Sequence[tuple[Any, ...]]:
        return self._session.query(sql, params)


def _supports_read_committed(session: Session) -> bool:
    """A server that logs statements refuses writes at that level."""
    return session.variable("log_bin").upper() != "ON" or session.variable("binlog_format").upper() != "STATEMENT"
